"""What a tool's arguments mean, as data -> the effects of one call of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, change, code, delete, program, read, risk, script, write
from limpet.policy.options import parse_options

if TYPE_CHECKING:
    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.syntax.values.field import Field

Rule = Callable[["Command"], Iterable[Effect]]
"""What a tool does that a table cannot say."""


class Spec(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that a table can describe.

    Roles: `text` (nothing), `read`, `write`, `delete`, `delete-tree`, `change`, `script`, `program`, `network`,
    `code:LANGUAGE`, `ask:WHY`.
    """

    operands: str = "read*"
    """One role for each operand; a role with `*` takes as many as it can, so `text read*`, `read* write`, `write*`."""
    options: dict[str, str] = {}
    """Options that take a value, each with its role: `{"-o": "write", "--output": "write", "-n": "text"}`."""
    flags: str = ""
    """Letters and long names of options without a value, blank-separated: `a l --all`. Needed only with `strict`, and
    for long ones that an abbreviation could mean."""
    ask: dict[str, str] = {}
    """Options that are worth a question, each with why: `{"--exec": "runs a program"}`."""
    first_is_option: tuple[str, ...] = ()
    """Options that stand in for the first operand: the `-e` of grep."""
    strict: bool = False
    """An option that is not listed is worth a question."""
    single_dash: bool = False
    stop_early: bool = False
    network: str = ""
    """Why it talks to the network whatever its arguments."""


def describe(spec: Spec, command: Command) -> Iterator[Effect]:
    """The effects of a call of a tool that a table describes."""
    parsed = _parse(spec, command)
    if spec.network:
        yield risk(f"{command.name}.network", Risk.NETWORK, spec.network)
    for option in parsed.options:
        yield from _option(spec, command, option.name, option.value)
    operands = spec.operands
    if parsed.has(*spec.first_is_option):
        operands = operands.partition(" ")[2]
    for field, role in assign_roles(parsed.operands, operands):
        yield from play(role, field, command)


def _parse(spec: Spec, command: Command) -> Parsed:
    letters = "".join(name[1:] for name in spec.options if len(name) == 2)
    long_values = [name for name in spec.options if len(name) > 2 or spec.single_dash]
    flags = [name for name in (*spec.flags.split(), *spec.ask) if name.startswith("-")]
    return parse_options(
        command.arguments, values=letters, long_values=long_values, long_flags=flags, stop_early=spec.stop_early,
        single_dash=spec.single_dash,
    )  # fmt: skip


def _option(spec: Spec, command: Command, name: str, value: Field | None) -> Iterator[Effect]:
    if name in spec.ask:
        yield risk(f"{command.name}{name}", Risk.UNKNOWN, spec.ask[name])
    elif name in spec.options and value is not None:
        yield from play(spec.options[name], value, command)
    elif spec.strict and name.lstrip("-") not in spec.flags.replace("--", "").split():
        yield risk(f"{command.name}.option", Risk.UNKNOWN, f"the option {name} of {command.name} is not known")


_ROLE = re.compile("ask:.*|[^ ]+")
"""The reason for a question is the last of the roles, blanks and all."""


def assign_roles(operands: tuple[Field, ...], roles: str) -> Iterator[tuple[Field, str]]:
    """Each operand with its role."""
    names = _ROLE.findall(roles)
    star = next((index for index, name in enumerate(names) if name.endswith("*")), None)
    before = names if star is None else names[:star]
    after = [] if star is None else names[star + 1 :]
    middle = len(operands) - len(before) - len(after)
    if star is not None:
        names = [*before, *[names[star].rstrip("*")] * max(middle, 0), *after]
        if middle < 0:
            names = names[-len(operands) :] if len(operands) <= len(after) else names
    yield from zip(operands, names, strict=False)


def play(role: str, field: Field, command: Command) -> Iterator[Effect]:
    """What an argument of that role brings about."""
    kind, _, rest = role.partition(":")
    if kind in _PLAIN:
        yield _PLAIN[kind](field)
    elif kind == "script":
        yield script(field, command.name or "")
    elif kind == "program":
        yield program(field, command.name or "")
    elif kind == "code":
        yield code(field, rest)
    elif kind == "network":
        yield risk(f"{command.name}.network", Risk.NETWORK, "talks to the network")
    elif kind == "ask":
        yield risk(f"{command.name}.argument", Risk.UNKNOWN, rest)


_PLAIN: dict[str, Callable[[Field], Effect]] = {
    "read": read,
    "write": write,
    "delete": delete,
    "delete-tree": lambda field: delete(field, recursive=True),
    "change": change,
}
