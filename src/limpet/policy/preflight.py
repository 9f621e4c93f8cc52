"""A text -> what in it a person cannot see, or would read otherwise than the shell does."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.finding import Finding
from limpet.syntax.late import late
from limpet.syntax.parser.source import to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_BYTES = 16 * 1024
"""Longer texts are worth a question, for nobody reads them."""

_CONTROL = r"[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f]"
_RETURN = r"\r"
_BIDI = "[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_UNSEEN = (
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2064\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_BLANK = "[\u1680\u2000-\u200a\u2028\u2029\u205f\u2800]"
_WRITTEN_BLANK = "[\u00a0\u202f\u3000]"
_SURROGATE = "[\ud800-\udfff]"
_WIDE_GAP = r"[ \t]{120,}"
_TALL_GAP = r"(?:\n[ \t]*+){40,}"
_QUOTED = r"""(?s)\\.|'[^']*+'|"(?:\\.|[^"\\])*+\""""
_NO_PATH = late(r"""[\s"'(){}\[\];|<>=$\\]""")
_SLASHES = "[\u2044\u2215\u29f8\uff0f]"
_ALIKE = late(
    f"{_SLASHES}[A-Za-z.~*]|[A-Za-z.~*]{_SLASHES}|^[\u2010-\u2015\u2212\ufe63\uff0d]+[A-Za-z]"
    "|^[\uff06\uff1b\uff1c\uff1e\uff5c]+$|^\uff5e"
)
_JOINERS = "\u200c\u200d"
_MARKS_STYLE = "\ufe0e\ufe0f"


def look(text: str) -> tuple[Finding, ...]:
    """What is odd about a text, one finding for each kind of oddity."""
    return tuple(_findings(text))


def odd_name(name: str) -> str | None:
    """Which character of a command's name is not what it may look like."""
    for character in name:
        if not " " < character <= "~":
            return _describe(character)
    return None


def odd_word(word: str) -> str | None:
    """Which character of a path, option or operator looks like a slash, a dash and so on, and is none."""
    found = None if word.isascii() or _NO_PATH.search(word) else _ALIKE.search(word)
    return _describe(next(character for character in found[0] if not character.isascii())) if found else None


def _findings(text: str) -> Iterator[Finding]:
    for pattern, rule, message in _kinds(text):
        searched = _without_quoted(text) if pattern is _WRITTEN_BLANK else text
        for found in re.finditer(pattern, searched):
            if not _is_fine(text, found.start()):
                yield _finding(text, found.start(), found.end(), rule, f"{message} ({_describe(found[0])})")
                break
    yield from _gaps(text)
    size = len(to_bytes(text))
    if size > MAX_BYTES:
        message = f"is {size} bytes long, more than {MAX_BYTES}"
        yield Finding("text.long", Risk.OPAQUE, message, (0, size), "Put it into a file in the workspace and run that.")


def _kinds(text: str) -> Sequence[tuple[str, str, str]]:
    """The kinds that a text can have at all: all but two lie beyond ASCII."""
    if not text.isascii():
        return _KINDS
    return () if text.isprintable() else _KINDS[:2]


_KINDS = (
    (_CONTROL, "text.control", "holds a control character"),
    (_RETURN, "text.return", "holds a carriage return, which the shell takes as part of a word"),
    (_BIDI, "text.direction", "holds a character that turns the order of text around"),
    (_UNSEEN, "text.invisible", "holds a character that cannot be seen"),
    (_BLANK, "text.blank", "holds a blank that the shell does not take for one"),
    (_WRITTEN_BLANK, "text.blank", "holds a blank outside quotes that the shell does not take for one"),
    (_SURROGATE, "text.broken", "holds bytes that are no text"),
)


def _is_fine(text: str, at: int) -> bool:
    """Joiners within emoji and words are how people write."""
    character = text[at]
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if character in _MARKS_STYLE:
        return _is_symbol(before) or before in tuple("#*0123456789")
    if character in _JOINERS:
        return (_is_symbol(before) and _is_symbol(after)) or (_is_joined_script(before) and _is_joined_script(after))
    return False


def _is_symbol(character: str) -> bool:
    return character in tuple(_MARKS_STYLE) or (
        bool(character) and unicodedata.category(character) in ("So", "Sk", "Sm")
    )


def _is_joined_script(character: str) -> bool:
    """Arabic, and the scripts of India and its neighbours."""
    return "\u0600" <= character <= "\u109f"


def _without_quoted(text: str) -> str:
    """The text with what lies within quotes blotted out, as far as these can be told without reading the rest."""
    return re.sub(_QUOTED, lambda found: "x" * len(found[0]), text)


def _gaps(text: str) -> Iterator[Finding]:
    """Emptiness that moves what follows it out of sight."""
    for pattern, size in ((_WIDE_GAP, 120), (_TALL_GAP, 40)):
        for found in re.finditer(pattern, text) if len(text) > size else ():
            if text[found.end() : found.end() + 1] not in ("", "\n", "\r"):
                yield _finding(text, found.start(), found.end(), "text.gap", "has a gap that hides what follows it")
                break


def _finding(text: str, start: int, end: int, rule: str, message: str) -> Finding:
    before = len(to_bytes(text[:start]))
    return Finding(rule, Risk.OPAQUE, message, (before, before + len(to_bytes(text[start:end]))))


def _describe(character: str) -> str:
    name = unicodedata.name(character, "")
    return f"U+{ord(character):04X} {name}".rstrip()
