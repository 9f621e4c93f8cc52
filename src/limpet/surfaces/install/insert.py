"""A JSON text and a value that belongs at some place in it -> the one change that puts it there."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from limpet.surfaces.install.change import Change
from limpet.surfaces.install.jsonc import Node, UnreadableError, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_INDENT = re.compile(r"\n([ \t]+)[^\s]")
_SAME_LINE = re.compile(r"(?:[ \t]|/\*[^\n]*?\*/)*+(?://[^\n]*)?")


def put_member(text: str, path: Sequence[str], value: object) -> Change | None:
    """The change after which the value stands there; None when it does already. Raises UnreadableError."""
    parent, missing = _deepest(parse(text), path[:-1])
    if missing:
        return _member(text, parent, missing[0], _nested([*missing[1:], path[-1]], value))
    there = parent.member(path[-1])
    if there is None:
        return _member(text, parent, path[-1], value)
    return None if there.value == value else _replaced(text, there, value)


def put_element(text: str, path: Sequence[str], value: object, ours: Callable[[Any], bool]) -> Change | None:
    """As above, for a list at `path`; an element that is `ours` is replaced. Raises UnreadableError."""
    parent, missing = _deepest(parse(text), path[:-1])
    there = None if missing else parent.member(path[-1])
    if there is None:
        keys = [*missing, path[-1]]
        return _member(text, parent, keys[0], _nested(keys[1:], [value]))
    if not isinstance(there.value, list):
        raise UnreadableError(f"{'.'.join(path)} is {_kind(there.value)} where a list is expected")
    mine = [node for node in there.elements if ours(node.value)]
    if not mine:
        return _added(text, there, lambda indent: _json(value, text, indent))
    return None if mine[0].value == value else _replaced(text, mine[0], value)


def _deepest(node: Node, path: Sequence[str]) -> tuple[Node, list[str]]:
    """The innermost object on the path that is there, and what is missing of it."""
    for index, key in enumerate([*path, None]):
        if not isinstance(node.value, dict):
            where = ".".join(path[:index]) or "the file"
            raise UnreadableError(f"{where} is {_kind(node.value)} where an object is expected")
        below = None if key is None else node.member(key)
        if below is None:
            return node, list(path[index:])
        node = below
    raise AssertionError("the last key is None")


def _nested(keys: Sequence[str], value: object) -> object:
    for key in reversed(keys):
        value = {key: value}
    return value


def _member(text: str, parent: Node, key: str, value: object) -> Change:
    return _added(text, parent, lambda indent: f"{json.dumps(key, ensure_ascii=False)}: {_json(value, text, indent)}")


def _added(text: str, parent: Node, written: Callable[[str | None], str]) -> Change:
    """Behind the last one, on a line of its own where the others have theirs; comments stay with what they follow."""
    newline = "\r\n" if "\r\n" in text else "\n"
    inner = _indent_inside(text, parent)
    if parent.last is None:
        return _first(text, parent, written, newline)
    place = parent.last.end if parent.comma is None else parent.comma
    lead = "," if parent.comma is None else ""
    trail = "," if parent.comma is not None else ""
    if inner is None:
        return Change(place=place, old="", new=f"{lead} {written(None)}{trail}")
    beside = _SAME_LINE.match(text, place)
    kept = beside[0].rstrip("\r") if beside else ""
    return Change(place=place, old=kept, new=f"{lead}{kept}{newline}{inner}{written(inner)}{trail}")


def _first(text: str, parent: Node, written: Callable[[str | None], str], newline: str) -> Change:
    """Into an object or list without anything but comments."""
    outer = _indent_of_line(text, parent.start)
    inner = outer + _unit(text)
    content = text[parent.start + 1 : parent.end - 1]
    kept = content.rstrip()
    return Change(
        place=parent.start + 1,
        old=content,
        new=f"{kept}{newline}{inner}{written(inner)}{newline}{outer}",
    )


def _replaced(text: str, node: Node, value: object) -> Change:
    inner = None if "\n" not in text[node.start : node.end] else _indent_of_line(text, node.start)
    return Change(place=node.start, old=text[node.start : node.end], new=_json(value, text, inner))


def _json(value: object, text: str, indent: str | None) -> str:
    """On several lines below an indent, or on one."""
    if indent is None:
        return json.dumps(value, ensure_ascii=False)
    newline = "\r\n" if "\r\n" in text else "\n"
    written = json.dumps(value, ensure_ascii=False, indent=_unit(text))
    return written.replace("\n", newline + indent)


def _unit(text: str) -> str:
    """What one level is indented by in this file."""
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _indent_inside(text: str, parent: Node) -> str | None:
    """The indent of what is in it; None when it all stands on one line."""
    last = parent.last
    if last is None or "\n" not in text[parent.start : last.start]:
        return None
    return _indent_of_line(text, _line_start_of(text, parent))


def _line_start_of(text: str, parent: Node) -> int:
    """A place on the line of the first member or element: the first one that has a line of its own."""
    place = text.index("\n", parent.start) + 1
    while not text[place:].split("\n", 1)[0].strip():
        place = text.index("\n", place) + 1
    return place


def _indent_of_line(text: str, place: int) -> str:
    begin = text.rfind("\n", 0, place) + 1
    line = text[begin:]
    return line[: len(line) - len(line.lstrip(" \t"))] if place > begin or line[:1] in " \t" else ""


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
