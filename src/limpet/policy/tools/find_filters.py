"""Tests of `find` -> which paths below a folder can pass them."""

from __future__ import annotations

import re
from typing import NamedTuple

from limpet.policy.tools.fieldpaths import ALL
from limpet.syntax.values.field import Field, Piece

_MOST = 32


class Filter(NamedTuple):
    """A glob that the name matches, or with `whole` the path from the starting point on."""

    glob: str
    whole: bool = False


Filters = tuple[Filter, ...] | None
"""Each path passes one of them; None when any path may pass."""

FEW = (Filter("*"),)
"""Some paths, which a test that says little of names leaves over: empty files, broken links."""


def name_filter(field: Field | None) -> Filters:
    """`-name`."""
    text = field.text if field is not None else None
    return None if text is None or says_nothing(text) else (Filter(text.rstrip("/")),)


def path_filter(field: Field | None) -> Filters:
    """`-path`."""
    text = field.text if field is not None else None
    return None if text is None or says_nothing(text) else (Filter(text, whole=True),)


def regex_filter(field: Field | None) -> Filters:
    """`-regex`: each way it offers has letters that must be there."""
    text = field.text if field is not None else None
    if text is None or re.search(r"\)\\?[*?{]", text):
        return None
    return union(*(_one_way(way) for way in re.split(r"\\?\|", text)))


def _one_way(regex: str) -> Filters:
    plain = re.sub(r"\[[^]]*\]|\\[A-Za-z]|.(?:\*|\\?\?|\\?\{[^}]*\})", " ", regex)
    letters = re.findall("[A-Za-z0-9_-]+", plain)
    return (Filter(f"*{max(letters, key=len)}*"),) if letters else None


def says_nothing(glob: str) -> bool:
    """Whether a glob matches about everything."""
    return not re.sub(r"\[[^]]*\]|[*?./\\]", "", glob)


def union(*each: Filters) -> Filters:
    """What passes one or the other."""
    together: tuple[Filter, ...] = ()
    for filters in each:
        if filters is None or len(together) + len(filters) > _MOST:
            return None
        together += tuple(one for one in filters if one not in together)
    return together


def both(before: Filters, then: Filters) -> Filters:
    """What passes one and the other: either alone says enough, a name more than a path."""
    if before is None or then is None:
        return before if then is None else then
    return then if not any(one.whole for one in then) else before


def glob_below(start: Field, one: Filter) -> str:
    """The glob of what passes a filter, as seen from the starting point."""
    if not one.whole:
        return f"**/{one.glob}"
    text = one.glob
    known = start.text
    beginning = f"{known.rstrip('/')}/" if known is not None else "./"
    if text.startswith(beginning):
        text = text[len(beginning) :]
        return ALL if says_nothing(text) else text
    rest = text.lstrip("*/")
    if says_nothing(text):
        return ALL
    return f"**/*{rest}" if text.startswith("*") and not text.startswith("*/") else f"**/{rest}"


def fill(field: Field, path: Field, marks: tuple[str, ...] = ("{}",)) -> Field:
    """An argument with a path in place of each mark."""
    pattern = "|".join(re.escape(mark) for mark in marks)
    pieces: list[Piece] = []
    found = False
    for piece in field.pieces:
        parts = re.split(pattern, piece) if isinstance(piece, str) else []
        if len(parts) < 2:
            pieces.append(piece)
            continue
        found = True
        pieces.append(parts[0])
        for part in parts[1:]:
            pieces.extend((*path.pieces, part))
    return Field(tuple(pieces), field.many or (found and path.many))
