"""Variables that a script fills from the network, or with secrets -> what commands are given that name them later."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from limpet.syntax.tree import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.walk.found import Found

_DECLARING = frozenset({"declare", "export", "local", "readonly", "typeset"})
_READING = frozenset({"read", "mapfile", "readarray"})


class Load(NamedTuple):
    """Where something comes from."""

    network: bool = False
    secret: bool = False


class Carried:
    """The variables of one text."""

    def __init__(self) -> None:
        self._loads: dict[str, Load] = {}

    def named_in(self, found: Found) -> Load:
        """What the variables hold that a command names."""
        if not self._loads:
            return Load()
        loads = [self._loads[name] for name in _named(found.node) if name in self._loads]
        return Load(any(load.network for load in loads), any(load.secret for load in loads))

    def fill(self, found: Found, load: Load) -> None:
        """Note what the variables hold that a command sets."""
        for name in _set_by(found):
            if any(load):
                self._loads[name] = load
            else:
                self._loads.pop(name, None)


def _set_by(found: Found) -> Iterator[str]:
    yield from (each.node.name for each in found.assigned)
    name = found.argv[0].text if found.argv else ""
    if name in _READING:
        yield from (field.text for field in found.argv[1:] if field.text)
    elif name in _DECLARING:
        yield from (field.prefix.partition("=")[0] for field in found.argv[1:])


def _named(node: msgspec.Struct) -> Iterator[str]:
    left: list[object] = [node]
    while left:
        one = left.pop()
        if isinstance(one, Parameter):
            yield one.name
        if isinstance(one, tuple):
            left.extend(one)
        elif isinstance(one, msgspec.Struct):
            left.extend(getattr(one, name) for name in one.__struct_fields__)
