"""The functions that a script defines -> which of them a name means at some point, and whether that is sure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limpet.syntax.tree import Function

_MOST = 8
"""Definitions of one name that are told apart."""


class Guard:
    """A part of the script that may run or not: what happens in there is sure only for what stands inside as well."""

    __slots__ = ("depth", "outer")

    def __init__(self, outer: Guard | None = None) -> None:
        self.outer = outer
        self.depth: int = outer.depth + 1 if outer is not None else 0

    def holds(self, inner: Guard) -> bool:
        """Whether the other stands inside this."""
        found: Guard | None = inner
        while found is not None and found.depth > self.depth:
            found = found.outer
        return found is self


class _Definition:
    __slots__ = ("age", "guard", "node")

    def __init__(self, node: Function, guard: Guard | None, age: int) -> None:
        self.node = node
        self.guard = guard
        self.age = age


class Functions:
    """Names and their definitions, in the order in which they were met."""

    def __init__(self) -> None:
        self._definitions: dict[str, list[_Definition]] = {}
        self._age = 0
        self._oldest: dict[str, int] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._definitions

    def define(self, name: str, node: Function, guard: Guard | None) -> None:
        """The name means this from here on; without a guard that is never sure."""
        self._age += 1
        self._definitions.setdefault(name, []).append(_Definition(node, guard, self._age))

    def shake(self, name: str | None = None) -> None:
        """The name may mean no function any more; without a name, each of them."""
        self._age += 1
        self._oldest[name or ""] = self._age

    def find(self, name: str, guard: Guard) -> tuple[list[Function], bool]:
        """What the name may mean, and whether it is surely one of these; of very many, only the last."""
        found = self._definitions.get(name, [])
        if not found:
            return [], False
        oldest = max(self._oldest.get(name, 0), self._oldest.get("", 0))
        for index in range(len(found) - 1, max(-1, len(found) - 1 - _MOST), -1):
            each = found[index]
            if each.guard is not None and each.age > oldest and each.guard.holds(guard):
                return [later.node for later in found[index:]], True
        return [each.node for each in found[-_MOST - 1 :]], False

    def are_too_many(self, nodes: list[Function]) -> bool:
        """Whether `find` left out others."""
        return len(nodes) > _MOST

    def count(self, name: str) -> int:
        """How many definitions the name has."""
        return len(self._definitions.get(name, ()))

    @property
    def age(self) -> int:
        """Another number after each definition."""
        return self._age

    def nodes(self, name: str) -> list[Function]:
        """Every definition of the name."""
        return [each.node for each in self._definitions.get(name, ())]

    def exported(self, names: set[str], *, every: bool) -> Functions:
        """Those that a shell of its own may know as well."""
        other = Functions()
        for name, found in self._definitions.items() if names or every else ():
            if every or name in names:
                other._definitions[name] = [_Definition(each.node, None, 0) for each in found]
        return other
