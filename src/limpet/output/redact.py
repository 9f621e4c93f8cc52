"""Text and stored bytes that may hold secrets -> the same without them."""

from __future__ import annotations

from typing import TYPE_CHECKING, AnyStr

from limpet.output.key_shapes import KEY_SHAPES, is_secret_name, pattern_of
from limpet.syntax.late import late

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

MARK = "[redacted]"
_SHORTEST = 8
_COMMON = frozenset(
    {
        "administrator",
        "anonymous",
        "changeme",
        "database",
        "default",
        "development",
        "disabled",
        "enabled",
        "example",
        "localhost",
        "optional",
        "passphrase",
        "password",
        "postgres",
        "production",
        "redacted",
        "required",
        "staging",
        "undefined",
        "username",
    }
)

# A value that is a reference or a placeholder (`$TOKEN`, `<token>`, `{token}`, `***`) tells nothing.
_HEADER = late(
    r"(?i)(\b(?:authorization: ?(?:bearer|basic|token) +|(?:x-api-key|x-auth-token|private-token): ?))"
    r"([^\s\"'$<{*]{8,})"
)
_USERINFO = late(r"(?<=://)([^\s/@:\"'<>]{0,256}:)([^\s/@\"'<>$*{][^\s/@\"'<>]{0,256})(?=@)")
_HINTS = ("token", "secret", "pass", "pwd", "key", "cred", "auth", "jwt", "cookie", "dsn")
_HINT = f"(?i:{'|'.join(_HINTS)})"
_ANY_HINT = late(_HINT)
_WORD = late(r"[\w-]*")
_FARTHEST = 64
"""Characters from the beginning of a name to a hint in it, and a few more."""
_BARE = r"[^\s\"'`;&|()<>,$*{}\[\]]"
_NAMED = late(
    rf"(?<![\w$-])(?=[\w-]{{0,60}}?{_HINT})"
    r"(?P<name>(?P<option>--)?[A-Za-z_][\w-]{0,99}+)(?P<sign>[\"']? ?[=:] ?|(?(option) +|(?!)))(?P<quote>[\"']?)"
    rf"(?P<value>(?<=')[^'\n]{{4,256}}(?=')|(?<=\")[^\"\n$`]{{4,256}}(?=\")|(?!-){_BARE}{{6,256}}+)"
)
_REST = late(rf"{_BARE}*+(?P<code>\(|\[redacted\])?")
"""What follows a value that was too long to look at whole; a call, or something already redacted, is no secret."""
_WORDS = late(r"[A-Z]?[a-z]*+(?:[-_./:\s][A-Z]?[a-z]*+)*+|[A-Z]+(?:[-_][A-Z]+)*|[\d.,:-]+")


class Redactor:
    """Knows the secret values of this run, and what keys look like in general."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        telling = {value for value in values if len(value) >= _SHORTEST and value.lower() not in _COMMON}
        self._values = sorted(telling, key=lambda value: (-len(value), value))

    def text(self, text: str) -> str:
        """Output without secrets. Names and the beginnings of keys stay, so that a reader knows what was there."""
        return _without_named(self._known(text), _is_telling)

    def command(self, text: str) -> str:
        """As `text`, for a command line: whatever is assigned to a secret's name is taken for a secret."""
        return _without_named(self._known(text), _is_literal)

    def mask_spans(self, data: bytes) -> list[tuple[int, int]]:
        """Where stored output holds known values or keys: to be overwritten in place. In order, and apart."""
        return _merged(sorted([*self._values_in(data), *_keys_in(data)]))

    def _known(self, text: str) -> str:
        for value in self._values:
            text = text.replace(value, MARK)
        text = _without_keys(text)
        if _may_have_a_header(text):
            text = _HEADER.sub(rf"\1{MARK}", text)
        return _USERINFO.sub(rf"\1{MARK}", text) if "://" in text else text

    def _values_in(self, data: bytes) -> Iterator[tuple[int, int]]:
        for value in self._values:
            needle = value.encode("utf-8", "surrogateescape")
            for at in _places(data, needle):
                yield at, at + len(needle)


_RARE = b"JKIz_-"
"""One of these is in every literal; where it is missing, the literal need not be looked for."""
_BYTE_PATTERNS = tuple(
    (next(byte for byte in _RARE if byte in literal), literal, late(pattern_of((shape,)).encode()))
    for shape in KEY_SHAPES
    for literal in map(str.encode, shape.literals)
)
_PATTERNS = tuple((shape.literals, late(pattern_of((shape,)))) for shape in KEY_SHAPES)
_HEADERS = ("authorization:", "-key:", "-token:")


def _without_keys(text: str) -> str:
    """A pattern that is tried only where its literal stands is many times quicker than one that looks for it."""
    spans = [
        key.span(2)
        for literals, pattern in _PATTERNS
        for literal in literals
        for at in _places(text, literal)
        if (key := pattern.match(text, at))
    ]
    if not spans:
        return text
    parts, done = [], 0
    for start, end in _merged(sorted(spans)):
        parts += [text[done:start], MARK]
        done = end
    return "".join([*parts, text[done:]])


def _may_have_a_header(text: str) -> bool:
    small = text.lower() if text.isascii() else ""
    return not small or any(name in small for name in _HEADERS)


def _keys_in(data: bytes) -> Iterator[tuple[int, int]]:
    there = {byte for byte in _RARE if byte in data}
    if not there:
        return
    for rare, literal, pattern in _BYTE_PATTERNS:
        for at in _places(data, literal) if rare in there else ():
            key = pattern.match(data, at)
            if key:
                yield key.span(2)


def _places(data: AnyStr, needle: AnyStr) -> Iterator[int]:
    at = data.find(needle)
    while at >= 0:
        yield at
        at = data.find(needle, at + len(needle))


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    apart: list[tuple[int, int]] = []
    for start, end in spans:
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        elif start < end:
            apart.append((start, end))
    return apart


def _without_named(text: str, is_secret: Callable[[re.Match[str]], bool]) -> str:
    """Mark the values of assignments and options. A value that stays is looked into: it may hold another assignment."""
    parts, done, at = [], 0, 0
    for start in _names_with_a_hint(text):
        found = _NAMED.match(text, start) if start >= at else None
        if found is None:
            continue
        at = found.start("value")
        rest = _REST.match(text, found.end()) if is_secret(found) else None
        if rest and not rest["code"]:
            parts += [text[done:at], MARK]
            done = rest.end()
        at = rest.end() if rest else at
    return "".join([*parts, text[done:]])


def _names_with_a_hint(text: str) -> Iterator[int]:
    """Where a word begins that a hint stands in: hints are few, and found quickly."""
    seen = 0
    for hint in _hints(text):
        if hint < seen:  # in a word that has one already
            continue
        start = hint
        while start > seen and hint - start < _FARTHEST and (text[start - 1].isalnum() or text[start - 1] in "_-"):
            start -= 1
        if hint - start < _FARTHEST:
            yield start
        rest = _WORD.match(text, hint)
        seen = rest.end() if rest else hint


def _hints(text: str) -> list[int]:
    """In order. Outside ASCII, small letters may take more room than large ones."""
    if not text.isascii():
        return [found.start() for found in _ANY_HINT.finditer(text)]
    small = text.lower()
    return sorted(at for hint in _HINTS for at in _places(small, hint))


def _is_telling(found: re.Match[str]) -> bool:
    """A literal that looks like no word, number, name or code."""
    name, sign, value = found["name"], found["sign"], found["value"]
    exported = name.isupper() and sign == "=" and " " not in value
    if _WORDS.fullmatch(value) and not exported:
        return False
    return _is_literal(found) and (":" not in sign or _is_unmistakable(value))


def _is_unmistakable(value: str) -> bool:
    """A colon stands in prose, too: `unexpected token: x1`."""
    return len(value) >= 12 and " " not in value and sum(map(str.isdigit, value[:64])) >= 3


def _is_literal(found: re.Match[str]) -> bool:
    return found["value"].lower() not in _COMMON and is_secret_name(found["name"])
