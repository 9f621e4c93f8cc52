"""`~`, `~/x`, `~+` and `a=~:~` -> the folders that they stand for."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.tree import Literal, Part
from limpet.syntax.values.field import UNKNOWN, Field
from limpet.syntax.values.runs import Run, field_runs

if TYPE_CHECKING:
    from limpet.syntax.values.runs import Break
    from limpet.syntax.values.scope import Scope

_PREFIX = late(r"~[^/:]*")
_ASSIGNED = late(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_ELEMENT = late(r"[A-Za-z_][A-Za-z0-9_]*\[")
_AFTER = late(r"[:=]~")
_USER = late(r"~[A-Za-z0-9_.+-]*")
_BEFORE_COLON = late(r"~[^/:]*:")
_VARIABLES = {"~": "HOME", "~+": "PWD"}
_FIXED = {"~root": "/root"}


class Tildes(Enum):
    """Where a tilde means a folder."""

    NOWHERE = "in quotes"
    START = "at the start"
    ARGUMENT = "at the start, or in what looks like an assignment"
    VALUE = "at the start and after each colon"
    OPERAND = "at the start, and after a colon only where the whole is assigned"


def expand_tildes(parts: tuple[Part, ...], scope: Scope, where: Tildes) -> list[Part | Run | Break]:
    """The parts, with runs of text where tildes were."""
    seen: list[Part | Run | Break] = list(parts)
    if where is Tildes.NOWHERE or not any(isinstance(part, Literal) and "~" in part.text for part in parts):
        return seen
    merged = _merge(parts)
    if _is_odd(merged, where):
        scope.forget_all()  # bash may leave what stands behind such a tilde as it is written
        return [Run(UNKNOWN, quoted=False)]
    return [
        piece
        for at, part in enumerate(merged)
        for piece in _expand(part, scope, _places(merged, at, where), last=at + 1 == len(merged))
    ]


def _merge(parts: tuple[Part, ...]) -> list[Part]:
    """Text that was read in several parts, but is one text."""
    merged: list[Part] = []
    for part in parts:
        last = merged[-1] if merged else None
        if _is_bare(part) and _is_bare(last) and isinstance(part, Literal) and isinstance(last, Literal):
            merged[-1] = Literal(last.start, part.end, last.text + part.text)
        else:
            merged.append(part)
    return merged


def _is_odd(parts: list[Part], where: Tildes) -> bool:
    head = parts[0]
    if not isinstance(head, Literal) or head.quoted or where is Tildes.VALUE:
        return False
    if _BEFORE_COLON.match(head.text):
        return where is Tildes.OPERAND or len(parts) > 1
    if where is not Tildes.ARGUMENT or not (_ASSIGNED.match(head.text) or _ELEMENT.match(head.text)):
        return False
    return any(isinstance(part, Literal) and "=~" in part.text for part in parts[1:])


def _is_bare(part: Part | None) -> bool:
    return isinstance(part, Literal) and not part.quoted


def _places(parts: list[Part], at: int, where: Tildes) -> dict[int, bool]:
    """Where in this part a tilde could mean a folder, and whether it surely would."""
    part, head = parts[at], parts[0]
    if not isinstance(part, Literal) or part.quoted:
        return {}
    places = {0: True} if at == 0 and part.text.startswith("~") else {}
    if where is Tildes.VALUE:
        places |= _after(part.text, 0, ":")
    elif where is Tildes.OPERAND:
        places |= dict.fromkeys(_after(part.text, 0, ":"), False)
    elif where is Tildes.ARGUMENT and isinstance(head, Literal) and not head.quoted:
        places |= _in_assignment(part.text, head.text, is_head=at == 0)
    return places


def _in_assignment(text: str, head: str, *, is_head: bool) -> dict[int, bool]:
    if _ELEMENT.match(head):
        # Where the subscript ends is not followed here, so that neither is where the value begins.
        return dict.fromkeys(_after(text, 0, ":="), False)
    found = _ASSIGNED.match(head)
    if found is None:
        return {}
    start = found.end() if is_head else 0
    first = {start: True} if is_head and text.startswith("~", start) else {}
    return first | _after(text, start, ":")


def _after(text: str, start: int, marks: str) -> dict[int, bool]:
    return {found.end() - 1: True for found in _AFTER.finditer(text, start) if found[0][0] in marks}


def _expand(part: Part, scope: Scope, places: dict[int, bool], *, last: bool) -> list[Part | Run | Break]:
    if not isinstance(part, Literal) or not places:
        return [part]
    seen: list[Part | Run | Break] = []
    done = 0
    for place, sure in sorted(places.items()):
        found = _PREFIX.match(part.text, place)
        if found is None or (found.end() == len(part.text) and not last):
            continue  # quotes and expansions keep a tilde from meaning a folder
        seen.append(Literal(part.start, part.end, part.text[done:place]))
        plain = scope.ordinary or (place == 0 and found[0] == "~")  # what every shell does, whatever is switched on
        seen.extend(_folder(found[0], scope) if sure and plain else [Run(UNKNOWN, quoted=True)])
        done = found.end()
    seen.append(Literal(part.start, part.end, part.text[done:]))
    return seen


def _folder(prefix: str, scope: Scope) -> list[Run | Break]:
    if prefix in _FIXED:
        return [Run(_FIXED[prefix], quoted=True)]
    if prefix not in _VARIABLES:
        # Where there is no such user it stays text, with whatever that text means.
        return [Run(UNKNOWN, quoted=_USER.fullmatch(prefix) is not None)]
    value = scope.get(_VARIABLES[prefix])
    if not isinstance(value, Field):
        return [Run(UNKNOWN, quoted=True)]
    return field_runs(value, quoted=True) or [Run("", quoted=True)]
