"""A call of `git config` -> which settings it changes, and for whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, write
from limpet.policy.options import parse_options
from limpet.policy.tools.git_config import is_harmless, plain_key, setting_effects
from limpet.policy.tools.verbs import HERE
from limpet.syntax.values.field import ANYTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.syntax.values.field import Field

_VALUES = ("--file", "--blob", "--type", "--default", "--comment", "--value", "--url")
_FLAGS = (
    "--global", "--system", "--local", "--worktree", "--get", "--get-all", "--get-regexp", "--get-urlmatch", "--list",
    "--get-color", "--get-colorbool", "--add", "--replace-all", "--unset", "--unset-all", "--rename-section",
    "--remove-section", "--edit", "--null", "--name-only", "--show-origin", "--show-scope", "--includes",
    "--no-includes", "--bool", "--int", "--bool-or-int", "--path", "--expiry-date", "--fixed-value", "--all",
    "--regexp", "--append", "--show-names", "--no-type",
)  # fmt: skip
_READS = ("--get", "--get-all", "--get-regexp", "--get-urlmatch", "--get-color", "--get-colorbool", "--list", "-l")
_REMOVES = ("--unset", "--unset-all", "--rename-section", "--remove-section")
_WORDS = {"list": "read", "get": "read", "set": "set", "unset": "remove", "rename-section": "remove",
          "remove-section": "remove", "edit": "edit"}  # fmt: skip


def config(command: Command) -> Iterator[Effect]:
    """Reading is free; a change is judged by its key, its value, and how many repositories it reaches."""
    parsed = parse_options(command.arguments, values="ft", long_values=_VALUES, long_flags=_FLAGS)
    action, operands = _action(parsed)
    if action == "read":
        yield from map(read, parsed.values("-f", "--file"))
        return
    yield from _reach(parsed)
    if action == "edit":
        yield risk("git.config", Risk.PERSISTS, "opens git's settings in an editor")
    elif action == "set":
        yield from _set(operands)


def _action(parsed: Parsed) -> tuple[str, tuple[Field, ...]]:
    """What is done, in the old spelling or the new one, and the operands that remain."""
    operands = parsed.operands
    first = operands[0].text if operands else None
    if parsed.has(*_READS):
        return "read", operands
    if parsed.has("--edit", "-e"):
        return "edit", operands
    if parsed.has(*_REMOVES):
        return "remove", operands
    if first in _WORDS:
        return _WORDS[first], operands[1:]
    sets = parsed.has("--add", "--replace-all") or len(operands) > 1 or any(field.many for field in operands)
    return ("set" if sets else "read"), operands


def _reach(parsed: Parsed) -> Iterator[Effect]:
    """Where the change is written."""
    if parsed.has("--global", "--system"):
        yield risk(
            "git.config-global", Risk.PERSISTS, "changes git's settings for every repository",
            suggestion="set it for this repository only, without --global",
        )  # fmt: skip
    elif parsed.has("-f", "--file"):
        yield from map(write, parsed.values("-f", "--file"))
    else:
        yield HERE


def _set(operands: tuple[Field, ...]) -> Iterator[Effect]:
    name = operands[0].text if operands else ""
    key = None if name is None else plain_key(name)
    value = operands[1] if len(operands) > 1 else ANYTHING
    if not is_harmless(key, value):
        yield risk("git.config", Risk.PERSISTS, f"sets {name or 'something'} for every later git command")
        yield from setting_effects(key, value)
