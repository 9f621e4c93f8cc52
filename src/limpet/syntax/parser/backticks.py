"""`…` in backticks -> a substitution."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.parser.derived import read_derived
from limpet.syntax.parser.scan import BACKTICK_REST
from limpet.syntax.parser.source import unmark
from limpet.syntax.tree import Substitution

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Part, Script

_ESCAPES = {False: re.compile(r"\\(?=[$`\\])"), True: re.compile(r"\\(?=[$`\\\"])")}


def read_backtick(reader: Reader, quoted: bool) -> Part:  # noqa: FBT001 - called through the rules
    r"""A substitution in backticks; `quoted` inside double quotes, where `\"` loses its backslash, too."""
    start = reader.pos
    found = BACKTICK_REST.match(reader.text, start + 1, reader.end)
    if found is None or found.end() >= reader.end or reader.too_deep():
        reader.pos = reader.end if found is None or found.end() >= reader.end else found.end() + 1
        return reader.fault(start, reader.pos, "a backtick that does not end")
    close = found.end()
    if "\\" in found[0]:
        script = _read_unescaped(reader, start + 1, close, quoted=quoted)
    else:
        script = _read_in_place(reader, start + 1, close)
    reader.pos = close + 1
    return Substitution(start, close + 1, "`", script)


def _read_in_place(reader: Reader, first: int, close: int) -> Script:
    end, pending, inside = reader.end, reader.pending, reader.in_substitution
    reader.pos, reader.end, reader.pending, reader.in_substitution = first, close, [], False
    reader.depth += 1
    script = read_whole(reader)
    reader.depth -= 1
    reader.end, reader.pending, reader.in_substitution = end, pending, inside
    return script


def _read_unescaped(reader: Reader, first: int, close: int, *, quoted: bool) -> Script:
    """Each level of backticks takes away one level of backslashes."""
    text = unmark(reader.text[first:close])
    kept: list[int] = []
    pos = 0
    for found in _ESCAPES[quoted].finditer(text):
        if found.start() < pos:  # this backslash is the one that was quoted
            continue
        kept.extend(range(pos, found.start()))
        kept.append(found.end())
        pos = found.end() + 1
    kept.extend(range(pos, len(text)))
    offsets = [first + index for index in (*kept, len(text))]
    return read_derived(reader, "".join(text[index] for index in kept), offsets, read_whole)


def read_whole(reader: Reader) -> Script:
    """A script up to the end of what may be read; what stops it before is opaque."""
    script = reader.rules.script(reader)
    if reader.pos < reader.end:
        reader.fault(reader.pos, reader.end, "a substitution that ends too early")
    return script
