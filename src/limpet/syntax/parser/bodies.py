"""What stands between `$(`, `<(` or `>(` and its `)` -> a script; read once, however often it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from limpet.syntax.tree import Script

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader


class Body(NamedTuple):
    """A script in parentheses."""

    script: Script
    end: int
    """Behind the closing parenthesis."""
    closed: bool


def read_body(reader: Reader, pos: int) -> Body:
    """The commands from `pos` to the `)` that ends them; the reader stays where it is."""
    known = reader.known.get(pos)
    if known is None:
        known = reader.known[pos] = _read(reader, pos)
    if known.end > reader.end:  # first read with more text in sight than the part that is being read now
        return _cut_off(reader, pos, known.script)
    return known


def _cut_off(reader: Reader, pos: int, script: Script) -> Body:
    """As much of a script as stands in the part that is being read: all of it, or nothing, and noted."""
    if script.end > reader.end:
        reader.fault(pos, reader.end, "a substitution that ends too late")
        script = Script(pos, reader.end, ())
    return Body(script, reader.end, closed=False)


def _read(reader: Reader, pos: int) -> Body:
    if reader.too_deep():
        return Body(Script(pos, pos, ()), pos, closed=False)
    before, pending, inside = reader.pos, reader.pending, (reader.in_substitution, reader.in_heredoc)
    reader.pos, reader.pending, (reader.in_substitution, reader.in_heredoc) = pos, [], (True, False)
    reader.depth += 1
    script = reader.rules.script(reader)
    reader.depth -= 1
    _settle_heredocs(reader)
    closed = reader.peek() == ")"
    body = Body(script, reader.pos + closed, closed)
    reader.pos, reader.pending, (reader.in_substitution, reader.in_heredoc) = before, pending, inside
    return body


def read_region(reader: Reader, first: int, stop: int) -> Script:
    """The script between two known places; the reader stays where it is."""
    end, reader.end = reader.end, stop
    body = read_body(reader, first)
    reader.end = end
    if body.end < stop:
        reader.fault(body.end, stop, "parentheses that do not match")
    return body.script


def _settle_heredocs(reader: Reader) -> None:
    """A heredoc whose line ends only behind the parenthesis: where bash goes on then is not worth following."""
    for heredoc in reader.pending:
        reader.fault(heredoc.start, heredoc.end, "heredoc without a body inside a substitution")
