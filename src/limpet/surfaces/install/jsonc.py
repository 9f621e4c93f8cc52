"""JSON as people write it, with comments and trailing commas -> a tree that knows where everything stands."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from limpet.errors import limpetError

_BLANK = re.compile(r"(?:[ \t\r\n\ufeff]++|//[^\n]*+|/\*.*?\*/)*+", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*+"')
_OTHER = re.compile(r"true|false|null|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_DEEPEST = 100


class UnreadableError(limpetError):
    """A file that is not what it should be."""


class Node(msgspec.Struct, frozen=True, kw_only=True):
    """A value and where it stands."""

    value: Any
    start: int
    end: int
    """Past the last character."""
    members: tuple[tuple[str, Node], ...] = ()
    """Of an object, in order."""
    names: tuple[int, ...] = ()
    """Where the name of each of them begins."""
    elements: tuple[Node, ...] = ()
    """Of a list."""
    comma: int | None = None
    """Past the comma after the last of them, where there is one."""

    def member(self, key: str) -> Node | None:
        """The last of that name is the one that counts."""
        return next((node for name, node in reversed(self.members) if name == key), None)

    @property
    def held(self) -> list[Node]:
        """Its members or elements."""
        return [node for _, node in self.members] or list(self.elements)

    @property
    def last(self) -> Node | None:
        """The last of them."""
        return self.held[-1] if self.held else None


def parse(text: str) -> Node:
    """The whole text as one value. Raises UnreadableError with the line."""
    reader = _Reader(text)
    node = reader.value(reader.blank(0), 0)
    end = reader.blank(node.end)
    if end != len(text):
        raise reader.error(end, "something follows after the end")
    return node


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def error(self, place: int, what: str) -> UnreadableError:
        return UnreadableError(f"line {self._text.count(chr(10), 0, place) + 1}: {what}")

    def blank(self, place: int) -> int:
        found = _BLANK.match(self._text, place)
        return found.end() if found else place

    def value(self, place: int, depth: int) -> Node:
        if depth > _DEEPEST:
            raise self.error(place, "nested too deep")
        first = self._text[place : place + 1]
        if first == "{":
            return self._object(place, depth)
        if first == "[":
            return self._list(place, depth)
        found = (_STRING if first == '"' else _OTHER).match(self._text, place)
        if found is None:
            raise self.error(place, f"a value was expected, not {self._text[place : place + 10]!a}")
        return Node(value=self._plain(found[0], place), start=place, end=found.end())

    def _plain(self, text: str, place: int) -> object:
        try:
            return json.loads(text)
        except ValueError:
            raise self.error(place, f"{text[:40]!a} is not JSON") from None

    def _object(self, start: int, depth: int) -> Node:
        members: list[tuple[str, Node]] = []
        names: list[int] = []
        place, comma = self.blank(start + 1), None
        while self._text[place : place + 1] != "}":
            self._separated(place, first=not members, comma=comma)
            key = self.value(place, depth + 1)
            colon = self.blank(key.end)
            if not isinstance(key.value, str) or self._text[colon : colon + 1] != ":":
                raise self.error(place, "a name and a colon were expected")
            node = self.value(self.blank(colon + 1), depth + 1)
            members.append((key.value, node))
            names.append(key.start)
            place, comma = self._next(node.end)
        value = {name: node.value for name, node in members}
        return Node(
            value=value, start=start, end=place + 1, members=tuple(members), names=tuple(names), comma=comma
        )  # fmt: skip

    def _list(self, start: int, depth: int) -> Node:
        elements: list[Node] = []
        place, comma = self.blank(start + 1), None
        while self._text[place : place + 1] != "]":
            self._separated(place, first=not elements, comma=comma)
            elements.append(self.value(place, depth + 1))
            place, comma = self._next(elements[-1].end)
        value = [node.value for node in elements]
        return Node(value=value, start=start, end=place + 1, elements=tuple(elements), comma=comma)

    def _separated(self, place: int, *, first: bool, comma: int | None) -> None:
        if not first and comma is None:
            raise self.error(place, "a comma or a closing bracket was expected")

    def _next(self, end: int) -> tuple[int, int | None]:
        """Where the next one begins, and where the comma before it ends."""
        place = self.blank(end)
        return (self.blank(place + 1), place + 1) if self._text[place : place + 1] == "," else (place, None)
