"""`( )`, `{ }`, `if`, `while`, functions, coprocesses -> their nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.parser.conditions import read_test
from limpet.syntax.parser.dollar import read_arithmetic
from limpet.syntax.parser.loops import read_case, read_for, read_select
from limpet.syntax.parser.redirects import read_redirects
from limpet.syntax.parser.reserved import reserved_here, take_reserved
from limpet.syntax.parser.scan import TWO_PARENS, find_close
from limpet.syntax.parser.simple import PARENS, finish_function
from limpet.syntax.parser.source import JOIN
from limpet.syntax.parser.words import RUN, read_word
from limpet.syntax.tree import Calculation, Coproc, Group, If, Loop, Opaque, Script, Subshell

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Command

_OPENERS = frozenset({"case", "for", "if", "select", "until", "while", "{", "[[", "function", "coproc"})


def read_compound(reader: Reader) -> Command | None:
    """The compound command that begins here; None, and nothing read, where none does."""
    if reader.peek() == "(":
        return _nest(reader, _read_paren)
    word = reserved_here(reader)
    if word not in _OPENERS:
        return None
    return _nest(reader, _READERS[word])


def _nest(reader: Reader, rule: Callable[[Reader, int], Command]) -> Command:
    start = reader.pos
    if reader.too_deep():
        reader.pos += 1 if reader.peek() == "(" else len(reserved_here(reader))
        return reader.fault(start, reader.pos, "nested too deep")
    reader.depth += 1
    command = rule(reader, start)
    reader.depth -= 1
    return command


def read_body(reader: Reader) -> Script:
    """The commands inside something, of which there must be one."""
    start = reader.pos
    script = reader.rules.script(reader)
    if not script.commands:
        reader.fault(start, reader.pos, "nothing where a command should stand")
    return script


def expect(reader: Reader, word: str) -> None:
    """Read a reserved word, or note that it is missing."""
    if not take_reserved(reader, word):
        reader.fault(reader.pos, reader.pos, f"{word} is missing")


def _read_paren(reader: Reader, start: int) -> Command:
    return _read_calculation(reader, start) or _read_subshell(reader, start)


def _read_calculation(reader: Reader, start: int) -> Command | None:
    """`((…))` when its parentheses end together, else None, and nothing is read: a subshell in a subshell."""
    found = TWO_PARENS.match(reader.text, start, reader.end)
    if found is None:
        return None
    close = find_close(reader, found.end(), "(")
    behind = reader.text[close + 1] if close + 1 < reader.end else ""
    if close < 0 or behind == JOIN:
        reader.fault(start, found.end(), "(( that does not end")
    if close < 0 or behind != ")":
        return None
    expression = read_arithmetic(reader, found.end(), close)
    reader.pos = close + 2
    end, redirects = read_redirects(reader)
    return Calculation(start, end, expression, redirects)


def _read_subshell(reader: Reader, start: int) -> Command:
    reader.pos += 1
    body = read_body(reader)
    if reader.peek() == ")":
        reader.pos += 1
    else:
        reader.fault(start, reader.pos, "( that does not end")
    end, redirects = read_redirects(reader)
    return Subshell(start, end, body, redirects)


def _read_group(reader: Reader, start: int) -> Command:
    take_reserved(reader, "{")
    body = read_body(reader)
    expect(reader, "}")
    end, redirects = read_redirects(reader)
    return Group(start, end, body, redirects)


def _read_if(reader: Reader, start: int) -> Command:
    branches: list[tuple[Script, Script]] = []
    otherwise = None
    word = "if"
    while take_reserved(reader, word):
        condition = read_body(reader)
        expect(reader, "then")
        branches.append((condition, read_body(reader)))
        word = "elif"
    if take_reserved(reader, "else"):
        otherwise = read_body(reader)
    expect(reader, "fi")
    end, redirects = read_redirects(reader)
    return If(start, end, tuple(branches), otherwise, redirects)


def _read_loop(reader: Reader, start: int) -> Command:
    until = take_reserved(reader, "until")
    if not until:
        take_reserved(reader, "while")
    condition = read_body(reader)
    expect(reader, "do")
    body = read_body(reader)
    expect(reader, "done")
    end, redirects = read_redirects(reader)
    return Loop(start, end, until, condition, body, redirects)


def _read_function(reader: Reader, start: int) -> Command:
    take_reserved(reader, "function")
    reader.skip_blanks()
    name = read_word(reader)
    if name is None:
        return reader.fault(start, reader.pos, "function without a name")
    found = PARENS.match(reader.text, reader.pos, reader.end)
    if found is not None:
        reader.pos = found.end()
    return finish_function(reader, start, name)


def _read_coproc(reader: Reader, start: int) -> Command:
    take_reserved(reader, "coproc")
    reader.skip_blanks()
    name = _read_coproc_name(reader)
    if reserved_here(reader) == "!":
        reader.fault(reader.pos, reader.pos + 1, "! after coproc")
    body = reader.rules.command(reader)
    return Coproc(start, max(body.end, reader.pos if isinstance(body, Opaque) else start), name, body)


def _read_coproc_name(reader: Reader) -> str:
    """The word before a compound command, if there is one."""
    found = RUN.match(reader.text, reader.pos, reader.end)
    if found is not None and not reserved_here(reader):
        before, reader.pos = reader.pos, found.end()
        reader.skip_blanks()
        if reader.peek() == "(" or reserved_here(reader) in _OPENERS:
            return found[0].replace(JOIN, "")
        reader.pos = before
    return "COPROC"


_READERS: dict[str, Callable[[Reader, int], Command]] = {
    "{": _read_group, "[[": read_test, "case": read_case, "coproc": _read_coproc, "for": read_for,
    "function": _read_function, "if": _read_if, "select": read_select, "until": _read_loop, "while": _read_loop,
}  # fmt: skip
