"""TOML text -> the line on which each key first stands, which tomllib does not tell."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# Possessive throughout, and a string without an end reaches as far as it can: a hostile file costs one pass.
_TOKEN = re.compile(
    r'''
    (?P<string> """(?:[^"\\]++|\\.|"(?!""))*+(?:"{3,5})?
              | \'\'\'(?:[^']++|'(?!\'\'))*+(?:'{3,5})?
              | "(?:[^"\\\n]++|\\[^\n])*+"?
              | '[^'\n]*+'? )
    | (?P<mark>  [][{}=,.\n] )
    | (?P<gap>   [ \t\r]++ | \#[^\n]*+ )
    | (?P<bare>  [^][{}=,.\n \t\r\#"']++ )
    ''',
    re.VERBOSE | re.DOTALL,
)


def key_lines(text: str) -> dict[tuple[str, ...], int]:
    """The line of each key and table of a valid document, by its full path; parents count as named by their keys."""
    walk = _Walk()
    line = 1
    for match in _TOKEN.finditer(text):
        kind, piece = match.lastgroup, match[0]
        if kind != "gap":
            walk.step(piece, line, is_mark=kind == "mark")
        line += piece.count("\n")
    return walk.lines


def dotted_line(text: str, *, more_than: int) -> int | None:
    """The line of the first key with more dots than that, if any. Total: the text need not be TOML."""
    dots = 0
    for mark, line in _marks(text):
        dots = dots + 1 if mark == "." else 0
        if dots > more_than:
            return line
    return None


def deep_line(text: str, *, more_than: int) -> int | None:
    """The first line with more brackets open than that, if any. Total: the text need not be TOML."""
    depth = 0
    for mark, line in _marks(text):
        depth += (mark in "[{") - (mark in "]}")
        if depth > more_than:
            return line
    return None


def _marks(text: str) -> Iterator[tuple[str, int]]:
    line = 1
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "mark":
            yield match[0], line
        line += match[0].count("\n")


class _Walk:
    """Where one is in a document: before a `=`, or behind it, and in which brackets."""

    def __init__(self) -> None:
        self.lines: dict[tuple[str, ...], int] = {}
        self._table: tuple[str, ...] = ()
        self._key: list[str] = []
        self._key_line = 1
        self._path: tuple[str, ...] = ()
        self._open: list[tuple[str, tuple[str, ...]]] = []
        self._in_value = False

    def step(self, piece: str, line: int, *, is_mark: bool) -> None:
        if is_mark and piece != ".":
            self._value(piece) if self._in_value else self._before(piece)
        elif not self._in_value:
            self._key_line = line
            self._key.append(piece)

    def _before(self, mark: str) -> None:
        if mark == "=":
            self._path = self._record(self._open[-1][1] if self._open else self._table)
            self._in_value = True
        elif mark == "]" and self._key:
            self._table = self._record(())
        elif mark == "}":
            self._close()

    def _value(self, mark: str) -> None:
        if mark in "[{":
            self._open.append((mark, self._path))
            self._in_value = mark == "["
        elif mark in "]}":
            self._close()
        elif mark == "," and self._open:
            self._in_value = self._open[-1][0] == "["
        elif mark == "\n":
            self._in_value = bool(self._open)

    def _close(self) -> None:
        self._path = self._open.pop()[1]
        self._in_value = True

    def _record(self, parent: tuple[str, ...]) -> tuple[str, ...]:
        path = parent + _parts("".join(self._key))
        for length in range(1, len(path) + 1):
            self.lines.setdefault(path[:length], self._key_line)
        self._key = []
        return path


def _parts(key: str) -> tuple[str, ...]:
    r"""The parts of a dotted key; tomllib knows what `"a\tb".'c.d'` means."""
    if '"' not in key and "'" not in key:
        return tuple(key.split("."))
    parts: list[str] = []
    node: object = tomllib.loads(key + " = 0")
    while isinstance(node, dict):
        ((name, node),) = node.items()
        parts.append(name)
    return tuple(parts)
