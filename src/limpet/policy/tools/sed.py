"""sed -> its script, and the files that it reads or changes in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.effect import code, read, write
from limpet.policy.options import parse_options
from limpet.policy.tools.invocation import joined, runs_file
from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.options import Parsed

_LONG_VALUES = ("--expression", "--file", "--line-length")
_LONG_FLAGS = (
    "--in-place", "--null-data", "--quiet", "--silent", "--regexp-extended", "--separate", "--unbuffered", "--posix",
    "--zero-terminated", "--sandbox", "--follow-symlinks", "--debug", "--help", "--version", "--binary",
)  # fmt: skip


def sed(command: Command) -> Iterator[Effect]:
    """sed: the script runs, the operands are read or, with `-i`, changed."""
    arguments, suffix = _cut_suffix(command.arguments)
    parsed = parse_options(arguments, values="efl", long_values=_LONG_VALUES, long_flags=_LONG_FLAGS)
    if parsed.has("--help", "--version"):
        return
    in_place = parsed.has("-i", "--in-place")
    scripts, files = _scripts(parsed, in_place=in_place)
    if scripts:
        yield code(joined(scripts), "sed")
    for field in parsed.values("-f", "--file"):
        yield from runs_file(field, "sed", "sed")
    for field in (known(suffix), *parsed.values("--in-place")):
        if "/" in field.prefix:
            yield write(field)
    for field in files:
        yield write(field) if in_place else read(field)


def _scripts(parsed: Parsed, *, in_place: bool) -> tuple[list[Field], list[Field]]:
    """The script comes first, unless options have it; BSD's sed has the suffix of `-i` in a word of its own."""
    scripts, operands = list(parsed.values("-e", "--expression")), list(parsed.operands)
    if in_place and operands and operands[0].text == "":
        operands = operands[1:]
    if not scripts and not parsed.has("-f", "--file"):
        scripts, operands = operands[:1], operands[1:]
    return scripts, operands


def _cut_suffix(arguments: tuple[Field, ...]) -> tuple[tuple[Field, ...], str]:
    """`-i.bak` without what is glued to it, which is no row of letters."""
    kept: list[Field] = []
    suffix = ""
    for index, field in enumerate(arguments):
        start = field.prefix
        if field.text == "--":
            return (*kept, *arguments[index:]), suffix
        at = min((start.find(letter) for letter in "iefl" if letter in start), default=-1)
        if start.startswith("-") and not start.startswith("--") and at > 0 and start[at] == "i":
            suffix = start[at + 1 :] or suffix
            kept.append(known(start[: at + 1]))
        else:
            kept.append(field)
    return tuple(kept), suffix


TOOLS = {"sed": sed, "gsed": sed}
