"""`$x`, `$1`, `$@`, `${a[2]}`, `${!x}` -> what they name: one value, or a list of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from limpet.syntax.late import late
from limpet.syntax.tree import Literal
from limpet.syntax.values.field import CHILD, NUMBER, OWN, UNKNOWN, Field, Piece, known
from limpet.syntax.values.scope import UNSET, Unset

if TYPE_CHECKING:
    from limpet.syntax.tree import Parameter, Word
    from limpet.syntax.values.reader import Reader
    from limpet.syntax.values.scope import Scope

_NAME = late(r"[A-Za-z_][A-Za-z0-9_]*")
_POSITION = late(r"[1-9][0-9]{0,5}")
_STANDS: dict[str, Piece] = {"?": NUMBER, "$": OWN, "!": CHILD}


class One(msgspec.Struct, frozen=True):
    """A single value; None is not known, not even whether there is one."""

    name: str
    """The variable that `${x:=y}` would assign, or nothing."""
    value: Field | Unset | None
    stands: Piece = UNKNOWN
    """What stands for the value where it is not known."""


class Several(msgspec.Struct, frozen=True):
    """A list of values; None is not known."""

    elements: tuple[Field, ...] | None
    indexes: tuple[int, ...] = ()
    joined: bool = False
    """`*`, which in quotes is one text, and not `@`, which is each for itself."""
    first: int = 0
    """The index that counting begins with: `$0` is not among the positional parameters."""

    @property
    def count(self) -> int | None:
        """How many there are."""
        if self.elements is None or any(element.many for element in self.elements):
            return None
        return len(self.elements)


Subject = One | Several


def find_subject(node: Parameter, reader: Reader) -> Subject:
    """What the parameter names."""
    star = _star(node.subscript)
    if node.indirect:
        return _indirect(node, reader, star)
    if node.name in ("@", "*"):
        return _positional(reader.scope, node.name)
    if node.subscript is None:
        return _named(node.name, reader.scope)
    if star:
        return _list(node.name, reader.scope, star)
    return _element(node.name, node.subscript, reader)


def _star(subscript: Word | None) -> str:
    """`@` or `*` when that is the subscript."""
    only = subscript.parts[0] if subscript is not None and len(subscript.parts) == 1 else None
    return only.text if isinstance(only, Literal) and only.text in ("@", "*") else ""


def _indirect(node: Parameter, reader: Reader, star: str) -> Subject:
    scope = reader.scope
    if scope.is_reference(node.name):
        return One("", None)
    if star:
        found = _list(node.name, scope, star)
        keys = None if found.elements is None else tuple(known(str(index)) for index in found.indexes)
        return Several(keys, joined=star == "*")
    if node.subscript is not None or node.name in ("@", "*"):
        return One("", None)
    value = _named(node.name, scope).value
    name = value.text if isinstance(value, Field) else None
    if name is None or not (_NAME.fullmatch(name) or _POSITION.fullmatch(name)):
        return One("", None)
    return _named(name, scope)


def _named(name: str, scope: Scope) -> One:
    if name == "#":
        count = _positional(scope, "@").count
        return One("", None if count is None else known(str(count)), NUMBER)
    if name in _STANDS:
        return One("", None, _STANDS[name])
    if _POSITION.fullmatch(name):
        found = _position(int(name), scope.positional)
        return One("", None if scope.doubts_unset and isinstance(found, Unset) else found)
    if not _NAME.fullmatch(name):
        return One("", None)
    value = scope.get(name)
    if isinstance(value, MappingProxyType):
        return One("", value.get(0, UNSET))
    return One(name, value)


def _position(number: int, positional: tuple[Field, ...] | None) -> Field | Unset | None:
    if positional is None or any(field.many for field in positional[:number]):
        return None
    return positional[number - 1] if number <= len(positional) else UNSET


def _positional(scope: Scope, name: str) -> Several:
    elements = scope.positional
    if elements is not None and not scope.spend(len(elements)):
        elements = None
    indexes = tuple(range(1, len(elements) + 1)) if elements is not None else ()
    return Several(elements, indexes, joined=name == "*", first=1)


def _list(name: str, scope: Scope, star: str) -> Several:
    """All elements. A variable with one text may yet have other elements, were it once an array."""
    value = scope.get(name)
    if isinstance(value, Unset):
        return Several((), joined=star == "*")
    if not isinstance(value, MappingProxyType):
        return Several(None, joined=star == "*")
    ordered = sorted(value.items())
    return Several(tuple(field for _, field in ordered), tuple(at for at, _ in ordered), joined=star == "*")


def _element(name: str, subscript: Word, reader: Reader) -> One:
    before = reader.scope.copy()
    index = reader.number(subscript)
    value = reader.scope.get(name)
    if value is None or before.get(name) is None:
        reader.scope.join(before)  # it may be an array of keys, and then the subscript is not computed
        return One("", None)
    if index is None or isinstance(value, Unset):
        return One("", UNSET if isinstance(value, Unset) else None)
    if not isinstance(value, MappingProxyType):
        return One("", value if index == 0 else None)
    index += 1 + max(value, default=-1) if index < 0 else 0
    return One("", value.get(index, UNSET) if index >= 0 else None)
