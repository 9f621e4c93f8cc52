"""Text at the place of a command -> the reserved word or operator that stands there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.parser.source import JOIN
from limpet.syntax.parser.words import BREAKS, RUN, goes_on

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader

RESERVED = frozenset({
    "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in",
    "select", "then", "time", "until", "while", "{", "}",
})  # fmt: skip
CLOSERS = frozenset({"then", "do", "done", "fi", "else", "elif", "esac", "}"})
MISPLACED = CLOSERS | {"in", "]]"}
"""No command can begin with these."""
_FIRST = frozenset(word[0] for word in RESERVED) | {JOIN}
_OPERATOR = re.compile(f"&{JOIN}*+&|\\|{JOIN}*+[|&]|;{JOIN}*+;{JOIN}*+&|;{JOIN}*+[;&]|[;&|)(]")


def reserved_here(reader: Reader) -> str:
    """The reserved word that stands here, or nothing; nothing is read."""
    pos, text = reader.pos, reader.text
    if pos >= reader.end or text[pos] not in _FIRST:
        return ""
    found = RUN.match(text, pos, reader.end)
    if found is None:
        return ""
    stop = found.end()
    word = found[0].replace(JOIN, "")
    if word not in RESERVED:
        return ""
    if stop < reader.end and (text[stop] not in BREAKS or goes_on(reader, stop)):
        return ""
    return word


def take_reserved(reader: Reader, word: str) -> bool:
    """Read that reserved word if it stands here."""
    if reserved_here(reader) != word:
        return False
    found = RUN.match(reader.text, reader.pos, reader.end)
    reader.pos = found.end() if found is not None else reader.pos
    return True


def operator_here(reader: Reader) -> str:
    """The operator that stands here, or nothing; nothing is read."""
    found = _OPERATOR.match(reader.text, reader.pos, reader.end)
    return found[0].replace(JOIN, "") if found is not None else ""


def take_operator(reader: Reader) -> str:
    """Read the operator that stands here."""
    found = _OPERATOR.match(reader.text, reader.pos, reader.end)
    if found is None:
        return ""
    reader.pos = found.end()
    return found[0].replace(JOIN, "")
