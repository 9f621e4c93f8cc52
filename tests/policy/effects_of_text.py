"""A script -> what its commands do, one short line for each effect, so that a test can be a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.command import Command
from limpet.policy.effect import Effect, Kind
from limpet.policy.tools import effects_of, known_tools
from limpet.syntax.values.field import ANY_NUMBER, ANYTHING, UNKNOWN, Field, Pattern, known
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.tools.spec import Rule, Spec
    from limpet.syntax.walk import Found

_ODD = (
    ANYTHING, ANY_NUMBER, Field(), Field(("-", UNKNOWN)), Field(("--x=", UNKNOWN)), Field((Pattern("*"),)),
    *map(known, ("-", "--", "---", "-=", "--=", "=", "-C", "-c", "-f", "--help", "@", "!", "a=b", "-o", "::", "/")),
)  # fmt: skip
HOME = "/home/dev"
WORKSPACE = "/home/dev/proj"


def summarise(text: str, tools: dict[str, Spec | Rule] | None = None) -> list[str]:
    """`read a`, `write b`, `delete c`, `delete-tree d`, `command rm x`, `script …`, `code python …`, `risk git.push`.

    A tool that is not known is `unknown NAME`. `tools` are all that are known, or those of one family.
    """
    table = known_tools() if tools is None else tools
    return [line for command in commands(text) for line in _lines(command, table)]


def commands(text: str) -> list[Command]:
    """Every command of a script, as it is judged."""
    found = walk(text, Scope(home=HOME, cwd=WORKSPACE)).found
    return [_command(one) for one in found if one.argv]


def effects(text: str, tools: dict[str, Spec | Rule] | None = None) -> list[Effect]:
    """What the first command of a script does."""
    return list(effects_of(commands(text)[0], known_tools() if tools is None else tools) or ())


def odd_calls(tool: str) -> Iterator[Command]:
    """Calls that nobody would write: no arguments, empty ones, unknown ones, options without their values."""
    yield Command((known(tool),), 0, 0, None)
    for first in _ODD:
        for second in _ODD[:6]:
            yield Command((known(tool), first, second), 0, 0, None)


def shown(field: Field | None) -> str:
    """A field for a reader: globs as they are, `…` for what is not known."""
    pieces = () if field is None else field.pieces
    return "".join(piece if isinstance(piece, str) else _shown_piece(piece) for piece in pieces)


def _command(found: Found) -> Command:
    return Command(
        argv=found.argv,
        start=found.start,
        end=found.end,
        cwd=found.cwd,
        environment=tuple((one.node.name, one.value) for one in found.assigned if one.value is not None),
        opened=found.opened,
        steps=found.steps,
        function=found.function,
    )


def _lines(command: Command, tools: dict[str, Spec | Rule]) -> list[str]:
    described = effects_of(command, tools)
    return [f"unknown {command.name}"] if described is None else [_line(effect) for effect in described]


def _line(effect: Effect) -> str:
    if effect.kind is Kind.RISK:
        return f"{'deny' if effect.deny else 'risk'} {effect.rule}"
    if effect.kind is Kind.COMMAND:
        return " ".join(["command", *(shown(field) for field in (effect.inner.argv if effect.inner else ()))])
    if effect.kind is Kind.STDIN:
        return f"stdin {effect.detail}"
    if effect.kind is Kind.CODE:
        return f"code {effect.detail} {shown(effect.field)}"
    kind = "delete-tree" if effect.kind is Kind.DELETE and effect.recursive else effect.kind
    return f"{kind} {shown(effect.field)}"


def _shown_piece(piece: object) -> str:
    return piece.text.replace("\\", "") if isinstance(piece, Pattern) else "…"
