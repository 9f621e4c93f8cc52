"""`2>file`, `{fd}<&3`, `<<EOF` -> a redirection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.heredocs import delimiter
from limpet.syntax.parser.source import JOIN
from limpet.syntax.parser.words import read_word
from limpet.syntax.tree import Literal, Redirect, Word

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader

_J = f"{JOIN}*+"
_NUMBER = f"([0-9][0-9{JOIN}]{{0,40}}+)"
_NAMED = f"\\{{{_J}([A-Za-z_][A-Za-z0-9_{JOIN}]*+(?:\\[[^][{{}}()<>;&|'\"`$\\\\ \\t\\n]*+\\])?)\\}}{_J}"
_REDIRECT = late(
    f"(?:{_NUMBER}|{_NAMED})?"
    f"(<{_J}<{_J}<|<{_J}<{_J}-|<{_J}<|<{_J}>|<{_J}&|>{_J}>|>{_J}&|>{_J}\\||<(?!{_J}\\()|>(?!{_J}\\())"
)
_DESCRIPTOR = late(f"[0-9{JOIN}]++|\\{{{_J}[A-Za-z_][A-Za-z0-9_{JOIN}]*+\\}}{_J}")
_BOTH = late(f"()()(&{_J}>{_J}>|&{_J}>)")
_LARGEST = 2_147_483_647
"""A larger number is a word to bash, no descriptor."""
_START = frozenset("<>&{0123456789")


def read_redirect(reader: Reader) -> Redirect | None:
    """The redirection that begins here; None, and nothing read, where none begins."""
    start = reader.pos
    if start >= reader.end or reader.text[start] not in _START:
        return None
    found = (_BOTH if reader.text[start] == "&" else _REDIRECT).match(reader.text, start, reader.end)
    if found is None:
        return None
    descriptor = (found[1] or found[2] or "").replace(JOIN, "")
    if found[1] and int(descriptor) > _LARGEST:
        return None
    reader.pos = found.end()
    return _read_target(reader, start, found[3].replace(JOIN, ""), descriptor)


def _read_target(reader: Reader, start: int, operator: str, descriptor: str) -> Redirect:
    reader.skip_blanks()
    target = _read_word(reader, operator)
    if target is None or (operator not in (">&", "<&") and _is_descriptor(reader, target)):
        fault = reader.fault(start, reader.pos, f"{operator} without a word after it")
        target = Word(start, reader.pos, (fault,))
    if operator not in ("<<", "<<-"):
        return Redirect(start, reader.pos, operator, target, descriptor)
    redirect = Redirect(start, reader.pos, operator, delimiter(reader, target), descriptor)
    reader.pending.append(redirect)
    return redirect


def _read_word(reader: Reader, operator: str) -> Word | None:
    """The target; behind `>&` and `<&` a minus is one by itself."""
    char, start = reader.peek(), reader.pos
    if char == "-" and operator in (">&", "<&"):
        reader.pos += 1
        return Word(start, start + 1, (Literal(start, start + 1, "-"),))
    return read_word(reader) if char != "#" else None


def _is_descriptor(reader: Reader, word: Word) -> bool:
    """`> 2>f`: what looks like the target belongs to the next redirection."""
    return reader.peek() in ("<", ">") and _DESCRIPTOR.fullmatch(reader.text, word.start, word.end) is not None


def read_redirects(reader: Reader) -> tuple[int, tuple[Redirect, ...]]:
    """Those that follow a compound command, and where it ends with them."""
    found: list[Redirect] = []
    end = reader.pos
    while True:
        reader.skip_blanks()
        redirect = read_redirect(reader)
        if redirect is None:
            return end, tuple(found)
        found.append(redirect)
        end = reader.pos
