"""What a project's file says + what holds without it -> what holds with it: never less strict than before."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from limpet.config.fields import FIELDS, Field, Project
from limpet.config.source import Given
from limpet.config.values import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def tightened(wish: Given, held: Given, *, elsewhere: str) -> Given:
    """The value with the project's wish taken in. Raises ConfigError naming `elsewhere` if the wish is to loosen."""
    field = FIELDS[wish.name]
    if field.project is Project.MORE:
        return added(wish, held)
    complaint = _RULES[field.project](field, wish.value, held)
    if complaint:
        said = f"{wish.name} = {shown(wish.value)}" if field.project is not Project.NEVER else wish.name
        raise wish.source.error(f"{said}: {complaint}; anything else belongs in {elsewhere}")
    return wish


def added(more: Given, held: Given) -> Given:
    """A list with the entries of another in front."""
    return Given(name=more.name, value=_union(held.value, more.value), source=more.source)


def _free(_field: Field, _value: object, _held: Given) -> str:
    return ""


def _lower(_field: Field, value: object, held: Given) -> str:
    if _ceiling(value) <= _ceiling(held.value):
        return ""
    return f"a project may only lower it, to {shown(held.value)} ({held.source}) or less"


def _fewer(_field: Field, value: object, held: Given) -> str:
    added = [name for name in _names(value) if name not in _names(held.value)]
    if not added:
        return ""
    known = ", ".join(_names(held.value)) or "nothing"
    return f"a project may only take names away, so {shown(added)} must go; {held.source} allows {known}"


def _safe(field: Field, value: object, held: Given) -> str:
    if value in (field.safe, held.value):
        return ""
    return f"a project may only set it to {shown(field.safe)}; it is {shown(held.value)} ({held.source})"


def _never(_field: Field, _value: object, _held: Given) -> str:
    return "a project may not set this at all; remove the line"


def _ceiling(value: object) -> float:
    """None is the highest there is."""
    return math.inf if value is None else cast("float", value)


def _names(value: object) -> tuple[str, ...]:
    return cast("tuple[str, ...]", value)


def _union(held: object, more: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_names(held) + _names(more)))


_RULES: Mapping[Project, Callable[[Field, object, Given], str]] = {
    Project.FREE: _free,
    Project.LOWER: _lower,
    Project.FEWER: _fewer,
    Project.SAFE: _safe,
    Project.NEVER: _never,
}
