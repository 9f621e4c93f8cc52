"""`…` in backticks -> a substitution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.derived import read_derived
from limpet.syntax.parser.scan import BACKTICK_REST
from limpet.syntax.parser.source import JOIN
from limpet.syntax.tree import Substitution

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Part, Script

_PIECES = {
    False: late(f"\\\\([$`\\\\])|([^\\\\{JOIN}]++|\\\\)|{JOIN}"),
    True: late(f'\\\\([$`\\\\"])|([^\\\\{JOIN}]++|\\\\)|{JOIN}'),
}


def read_backtick(reader: Reader, quoted: bool) -> Part:  # noqa: FBT001 - called through the rules
    r"""A substitution in backticks; `quoted` inside double quotes, where `\"` loses its backslash, too."""
    start = reader.pos
    found = BACKTICK_REST.match(reader.text, start + 1, reader.end)
    if found is None or found.end() >= reader.end or reader.too_deep():
        reader.pos = reader.end if found is None or found.end() >= reader.end else found.end() + 1
        return reader.fault(start, reader.pos, "a backtick that does not end")
    close = found.end()
    if "\\" in found[0] or JOIN in found[0]:
        script = _read_unescaped(reader, start + 1, close, quoted=quoted)
    else:
        script = _read_in_place(reader, start + 1, close)
    reader.pos = close + 1
    return Substitution(start, close + 1, "`", script)


def _read_in_place(reader: Reader, first: int, close: int) -> Script:
    end, pending, inside = reader.end, reader.pending, (reader.in_substitution, reader.in_heredoc)
    reader.pos, reader.end, reader.pending = first, close, []
    reader.in_substitution = reader.in_heredoc = False
    reader.depth += 1
    script = read_whole(reader)
    reader.depth -= 1
    reader.end, reader.pending, (reader.in_substitution, reader.in_heredoc) = end, pending, inside
    return script


def _read_unescaped(reader: Reader, first: int, close: int, *, quoted: bool) -> Script:
    """Each level of backticks takes away one level of backslashes, and continuations even inside quotes."""
    kept: list[str] = []
    offsets: list[int] = []
    for found in _PIECES[quoted].finditer(reader.text, first, close):
        text = found[1] or found[2] or ""
        kept.append(text)
        offsets.extend(range(found.start(), found.start() + len(text)))
    return read_derived(reader, "".join(kept), [*offsets, close], read_whole)


def read_whole(reader: Reader) -> Script:
    """A script up to the end of what may be read; what stops it before is opaque."""
    script = reader.rules.script(reader)
    if reader.pos < reader.end:
        reader.fault(reader.pos, reader.end, "a substitution that ends too early")
    return script
