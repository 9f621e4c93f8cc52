"""`x=1`, `x+=1`, `a[2]=x`, `a=(x y)` -> what the scope knows afterwards."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.tree import Array, Literal
from limpet.syntax.values.field import ANYTHING, Field
from limpet.syntax.values.reader import Reader
from limpet.syntax.values.resolve import fields, is_idle, text
from limpet.syntax.values.scope import Elements, Unset, Value, add
from limpet.syntax.values.tilde import Tildes

if TYPE_CHECKING:
    from limpet.syntax.tree import Assignment, Element, Word
    from limpet.syntax.values.scope import Scope

_MOST = 1024
_CONSTANT = late(r"0|[1-9][0-9]{0,8}")


def assign(node: Assignment, scope: Scope) -> None:
    """Do what the assignment does."""
    if isinstance(node.value, Array):
        _assign_array(node, node.value, scope)
        return
    value = text(node.value, scope, Tildes.VALUE)
    index = _index(node, scope) if node.subscript is not None else None
    if node.append:
        value = add(_current(scope.get(node.name), index if node.subscript is not None else 0), value)
    if node.subscript is not None:
        scope.assign_element(node.name, index, value)
    else:
        scope.assign(node.name, value)


def _index(node: Assignment, scope: Scope) -> int | None:
    before = scope.copy()
    index = Reader(scope).number(node.subscript) if node.subscript is not None else None
    if before.get(node.name) is None:
        scope.join(before)  # it may be an array of keys, and then the subscript is not computed
    return index


def _current(value: Value | None, index: int | None) -> Field:
    """What stands there before more is appended."""
    if isinstance(value, Unset):
        return Field()
    if isinstance(value, MappingProxyType):
        return value.get(index, Field()) if index is not None and index >= 0 else ANYTHING
    return value if value is not None and index == 0 else ANYTHING


def _assign_array(node: Assignment, array: Array, scope: Scope) -> None:
    before = scope.get(node.name)
    elements = array_elements(array, scope, _start(before) if node.append else {}, node.name)
    changed = node.append and scope.get(node.name) is not before  # by what its elements expand
    if elements is None or node.subscript is not None or changed:
        scope.forget(node.name)
    else:
        scope.assign(node.name, elements)


def _start(value: Value | None) -> Elements | dict[int, Field] | None:
    """The elements that more are appended to. What holds one text may be an array with more."""
    if isinstance(value, MappingProxyType):
        return value
    return {} if isinstance(value, Unset) else None


def array_elements(
    array: Array, scope: Scope, start: Elements | dict[int, Field] | None, name: str = ""
) -> dict[int, Field] | None:
    """The elements of `(…)` after those in `start`; None when their number, or the place of one, is not known."""
    found: dict[int, Field] | None = None if start is None else dict(start)
    subscripted = any(element.subscript is not None for element in array.elements)
    if subscripted:
        scope.forget(name)  # whether an element sees the old array or the new one is not followed
    following = max(found or (), default=-1) + 1
    for element in array.elements:
        if element.subscript is None:
            placed = _count(fields(element.value, scope, Tildes.START), following)
        else:
            placed = _place(found, element, element.subscript, scope)
        following = max(placed or (), default=following - 1) + 1
        found = _merge(found, placed)
    return found


def declared_elements(node: Assignment, scope: Scope) -> dict[int, Field] | None:
    """The elements in `declare a=(…)`; None when they are not known, or expanding them may assign something."""
    if not isinstance(node.value, Array) or node.append or node.subscript is not None:
        return None
    idle = all(
        is_idle(element.value) and (element.subscript is None or _constant(element.subscript) is not None)
        for element in node.value.elements
    )
    return array_elements(node.value, scope.copy(), {}, node.name) if idle else None


def _merge(found: dict[int, Field] | None, placed: dict[int, Field] | None) -> dict[int, Field] | None:
    if found is None or placed is None or len(found) + len(placed) > _MOST:
        return None
    found.update(placed)
    return found


def _count(values: tuple[Field, ...], first: int) -> dict[int, Field] | None:
    return None if any(value.many for value in values) else dict(enumerate(values, first))


def _place(found: dict[int, Field] | None, element: Element, subscript: Word, scope: Scope) -> dict[int, Field] | None:
    index = _constant(subscript)
    if index is None:
        before = scope.copy()
        Reader(scope).number(subscript)
        scope.join(before)  # whether it is computed, and before or after the values, is not followed
    value = text(element.value, scope, Tildes.VALUE)
    risky = any(isinstance(part, Literal) and not part.quoted and "{" in part.text for part in element.value.parts)
    if found is None or index is None or risky:
        return None
    return {index: add(found.get(index, Field()), value) if element.append else value}


def _constant(subscript: Word) -> int | None:
    only = subscript.parts[0] if len(subscript.parts) == 1 else None
    return int(only.text) if isinstance(only, Literal) and _CONSTANT.fullmatch(only.text) else None
