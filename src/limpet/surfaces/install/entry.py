"""Something of limpet's that belongs into a configuration file, and the change that puts it there."""

from __future__ import annotations

import copy
import os
import re
from typing import Any

import msgspec

from limpet.surfaces.install.change import Change
from limpet.surfaces.install.insert import put_element, put_member
from limpet.surfaces.install.jsonc import UnreadableError, parse
from limpet.surfaces.install.removal import without_elements, without_empty, without_member
from limpet.surfaces.install.tables import parse_toml, put_table

_OURS = re.compile(r"\blimpet([- ]hook|\b.* wrap)\b")


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """In one file."""

    file: str
    empty: str = "{}\n"
    """What a new file begins with."""

    def change(self, text: str) -> Change | None:
        """What puts it there; None when it is there. Raises UnreadableError, also when anything else would change."""
        raise NotImplementedError

    def data(self, text: str) -> Any:
        """What the text says. Raises UnreadableError."""
        return parse(text).value

    @property
    def mark(self) -> str:
        """Stands in every text that puts it there."""
        return ""

    def removed(self, text: str, known: Any) -> str | None:  # noqa: ARG002 - of those that can do it
        """The text without it, however it is written; `known` is what it said before. None when that cannot be told."""
        return None


class Member(Entry, frozen=True, kw_only=True):
    """A value by its name. What else stands in an object that is there already stays."""

    path: tuple[str, ...]
    value: Any
    keep: bool = False
    """Whatever is there already may stay."""
    guarded: bool = False
    """What is there and not limpet's is not replaced."""

    def change(self, text: str) -> Change | None:
        """As in Entry."""
        there = _at(self.data(text), self.path)
        if there is not None and self.keep:
            return None
        if there is not None and self.guarded and not _mentions_us(there):
            raise UnreadableError(f"{'.'.join(self.path)} is set to {there!a}; take that out first")
        value = {**there, **self.value} if isinstance(there, dict) and isinstance(self.value, dict) else self.value
        return _checked(text, put_member(text, self.path, value), lambda data: _with(data, self.path, value))

    @property
    def mark(self) -> str:
        """As in Entry."""
        return f'"{self.path[-1]}"'

    def removed(self, text: str, known: Any) -> str | None:
        """As in Entry."""
        if self.keep:
            return text
        if _at(known, self.path) is not None:
            return None
        return without_empty(without_member(text, self.path, _is_about_us), self.path[:-1], known)


class Element(Entry, frozen=True, kw_only=True):
    """A value in a list."""

    path: tuple[str, ...]
    value: Any

    def change(self, text: str) -> Change | None:
        """As in Entry."""
        change = put_element(text, self.path, self.value, is_ours)
        return _checked(text, change, lambda data: _with(data, self.path, self._in_list(_at(data, self.path) or [])))

    @property
    def mark(self) -> str:
        """As in Entry."""
        return "limpet-hook"

    def removed(self, text: str, known: Any) -> str | None:
        """As in Entry."""
        if any(map(is_ours, _at(known, self.path) or [])):
            return None
        return without_empty(without_elements(text, self.path, is_ours), self.path, known)

    def _in_list(self, there: list[Any]) -> list[Any]:
        first = next((index for index, each in enumerate(there) if is_ours(each)), None)
        return [*there, self.value] if first is None else [*there[:first], self.value, *there[first + 1 :]]


class Table(Entry, frozen=True, kw_only=True):
    """A table of a TOML file."""

    path: tuple[str, ...]
    value: dict[str, Any]

    def change(self, text: str) -> Change | None:
        """As in Entry."""
        return put_table(text, self.path, self.value)

    def data(self, text: str) -> Any:
        """As in Entry."""
        return parse_toml(text)


class Whole(Entry, frozen=True, kw_only=True):
    """A file of our own."""

    content: str

    def change(self, text: str) -> Change | None:
        """As in Entry."""
        if text and "limpet" not in text.partition("\n")[0]:
            raise UnreadableError("there is another file of that name, which limpet did not write; move it away")
        return None if text == self.content else Change(place=0, old=text, new=self.content)

    def data(self, text: str) -> Any:
        """As in Entry."""
        return text


def is_ours(element: object) -> bool:
    """Whether a hook is one that limpet wrote: all it runs is limpet."""
    if not isinstance(element, dict):
        return False
    handlers = element.get("hooks", [element])
    if not isinstance(handlers, list) or not handlers:
        return False
    return all(isinstance(each, dict) and _mentions_us(each.get("command", each.get("bash"))) for each in handlers)


def _mentions_us(text: object) -> bool:
    return isinstance(text, str) and _OURS.search(text) is not None


def _is_about_us(value: object) -> bool:
    """Whether limpet is what it runs: a line, a server, or the words of one."""
    if isinstance(value, dict):
        return _is_about_us(value.get("command"))
    words = value if isinstance(value, list) else [value]
    return bool(words) and (_mentions_us(words[0]) or os.path.basename(str(words[0])) == "limpet")


def _at(data: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _with(data: Any, path: tuple[str, ...], value: object) -> Any:
    """The data with one value in it, the rest as it was."""
    whole = copy.deepcopy(data)
    below = whole
    for key in path[:-1]:
        below = below.setdefault(key, {})
    below[path[-1]] = value
    return whole


def _checked(text: str, change: Change | None, expected: Any) -> Change | None:
    """Read again, it says what was meant, and everything else as before and in the same order."""
    if change is not None:
        before, after = parse(text).value, parse(change.applied(text)).value
        if msgspec.json.encode(after) != msgspec.json.encode(expected(before)):
            raise UnreadableError("it is written in a way that cannot be changed safely; change it by hand")
    return change
