"""awk -> its program, and the files that it reads or changes in place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import code, read, risk, write
from limpet.policy.options import parse_options
from limpet.policy.tools.invocation import joined, runs_file
from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.options import Parsed

_LONG_VALUES = ("--file", "--field-separator", "--assign", "--include", "--load", "--exec", "--source")
_LONG_FLAGS = (
    "--characters-as-bytes", "--traditional", "--copyright", "--dump-variables", "--debug", "--gen-pot", "--help",
    "--trace",
    "--csv", "--lint", "--bignum", "--use-lc-numeric", "--non-decimal-data", "--pretty-print", "--optimize",
    "--profile",
    "--posix", "--re-interval", "--no-optimize", "--sandbox", "--lint-old", "--version",
)  # fmt: skip
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_DUMPS = {"--dump-variables": "awkvars.out", "--profile": "awkprof.out", "--pretty-print": "awkprof.out"}


def awk(command: Command) -> Iterator[Effect]:
    """awk: the program runs, the operands are read."""
    parsed = parse_options(
        command.arguments, values="fFviElemWdpo", long_values=_LONG_VALUES, long_flags=_LONG_FLAGS, stop_early=True
    )
    parsed = _without_glued(parsed, command)
    if parsed.has("--help", "--version", "-V", "-h"):
        return
    includes = list(parsed.values("-i", "--include"))
    in_place = any(field.text in ("inplace", "inplace.awk") for field in includes)
    texts, files = _programs(parsed)
    if texts:
        yield code(joined(texts), "awk")
    yield from _loaded(parsed, includes)
    for field in files:
        if not _ASSIGNMENT.match(field.prefix):
            yield write(field) if in_place else read(field)


def _without_glued(parsed: Parsed, command: Command) -> Parsed:
    """`-d`, `-p` and `-o` only take what is glued to them, so a word behind them is none of theirs."""
    alone = {field.text for field in command.arguments} & {"-d", "-p", "-o", "-W"}
    if not alone:
        return parsed
    kept = tuple(field for field in command.arguments if field.text not in alone)
    return parse_options(kept, values="fFviElem", long_values=_LONG_VALUES, long_flags=_LONG_FLAGS, stop_early=True)


def _programs(parsed: Parsed) -> tuple[list[Field], list[Field]]:
    texts, operands = list(parsed.values("-e", "--source")), list(parsed.operands)
    if not texts and not parsed.has("-f", "--file", "-E", "--exec"):
        texts, operands = operands[:1], operands[1:]
    return texts, operands


def _loaded(parsed: Parsed, includes: list[Field]) -> Iterator[Effect]:
    for field in parsed.values("-f", "--file", "-E", "--exec"):
        yield from runs_file(field, "awk", "awk")
    for field in includes:
        if field.text not in ("inplace", "inplace.awk"):
            yield from runs_file(field, "awk", "awk")
    for _ in parsed.values("-l", "--load"):
        yield risk("awk.load", Risk.OPAQUE, "loads an extension into awk")
    for option in parsed.options:
        if option.name in _DUMPS:
            yield write(option.value if option.value is not None else known(_DUMPS[option.name]))
    for field in parsed.values("-d", "-p", "-o"):
        yield write(field)


TOOLS = dict.fromkeys(("awk", "gawk", "mawk", "nawk", "original-awk", "goawk"), awk)
