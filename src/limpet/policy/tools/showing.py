"""Tools that show things unless they are told to change them -> their rules, from a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk
from limpet.policy.options import parse_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule

_EXPLAINS = ("--help", "--version", "-help", "-version")


class Shows(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool does when it does more than show something, and how that is told apart."""

    rule: str
    risk: Risk
    detail: str
    suggestion: str = ""
    verbs: str = ""
    """First operands that only show. `a/b` is one with a second operand; `a/` is one without."""
    denied: str = ""
    """First operands that are never allowed."""
    options: str = ""
    """Options that make it only show, whatever else is said."""
    changing: str = ""
    """Options that make it change something, whatever else is said."""
    values: str = ""
    long_values: tuple[str, ...] = ()
    bare: bool = True
    """Without operands it shows."""
    operands: bool = False
    """With operands it shows as well."""


def explains(command: Command) -> bool:
    """Whether it is only asked what it is: `tool --help`, `tool --version`."""
    return len(command.arguments) == 1 and command.texts[0] in _EXPLAINS


def shows(table: Shows) -> Rule:
    """The rule of a tool that a table describes."""

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_options(command.arguments, values=table.values, long_values=table.long_values)
        if explains(command) or _only_shows(table, parsed):
            return
        verb = parsed.operands[0].text if parsed.operands else ""
        deny = bool(verb) and verb in table.denied.split()
        yield risk(table.rule, table.risk, table.detail, deny=deny, suggestion=table.suggestion)

    return rule


def _only_shows(table: Shows, parsed: Parsed) -> bool:
    if parsed.has(*table.changing.split()):
        return False
    if parsed.has(*table.options.split()):
        return True
    if not parsed.operands:
        return table.bare
    verbs = table.verbs.split()
    first, second = (*(field.text for field in parsed.operands[:2]), "")[:2]
    return table.operands or (first is not None and (first in verbs or f"{first}/{second}" in verbs))


def unless_function(tool: Rule) -> Rule:
    """The tool, unless the script has a function of that name: a word that people like to give their own functions."""
    return lambda command: () if command.function else tool(command)


def always(rule: str, which: Risk, detail: str, *, deny: bool = False, suggestion: str = "") -> Rule:
    """A tool that does the same whatever its arguments, unless it is only asked what it is."""
    effect = risk(rule, which, detail, deny=deny, suggestion=suggestion)

    def once(command: Command) -> Iterator[Effect]:
        if not explains(command):
            yield effect

    return once
