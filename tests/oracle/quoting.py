"""Text between quotes, as the other reader leaves it -> what it says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from oracle.form import Form, literal
from oracle.outside import to_bytes, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator

IN_DOUBLE = '$`"\\'
IN_HEREDOC = "$`\\"
_ESCAPES = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
    "\\": "\\", "'": "'", '"': '"', "?": "?",
}  # fmt: skip
_ANSI = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9A-Fa-f]{1,2})|x\{(?P<braced>[0-9A-Fa-f]*)\}?"
    r"|u(?P<short>[0-9A-Fa-f]{1,4})|U(?P<long>[0-9A-Fa-f]{1,8})|c(?P<control>\\\\|.)|(?P<one>.))",
    re.DOTALL,
)


def unquoted(text: str) -> Iterator[Form]:
    """Text outside of quotes: a backslash quotes whatever follows it, and is gone with a line end."""
    for plain, dollar, escaped in re.findall(r"([^\\$]+)|(\$)|\\(.?)", text, re.DOTALL):
        if dollar:  # one that begins an expansion is no text
            yield literal(dollar, quoted=True)
        elif plain:
            yield literal(plain, quoted=False)
        elif escaped != "\n":
            yield literal(escaped or "\\", quoted=True)


def double(text: str, special: str) -> str:
    """Text in `"…"` or in the body of a heredoc, where a backslash quotes only some characters."""
    return re.sub(r"\\(.)", lambda m: _kept(m.group(), m[1], special), text, flags=re.DOTALL)


def _kept(pair: str, escaped: str, special: str) -> str:
    if escaped == "\n":
        return ""
    return escaped if escaped in special else pair


def ansi(text: str) -> str:
    r"""Text in `$'…'`, up to the first NUL byte that an escape makes."""
    return to_text(_ANSI.sub(_escape, to_bytes(text).decode("latin-1")).split("\0")[0].encode("latin-1"))


def _escape(match: re.Match[str]) -> str:
    kind, value = match.lastgroup or "", match[match.lastgroup or 0]
    if kind == "octal":
        return chr(int(value, 8) & 255)
    if kind in {"hex", "braced"}:
        return chr(int(value, 16) & 255) if value else "\0"
    if kind in {"short", "long"}:
        return _utf8(int(value, 16))
    if kind == "control":
        return chr(127 if value == "?" else ord(value[0]) & 0x1F)
    return _ESCAPES.get(value, match.group())


def _utf8(number: int) -> str:
    """The bytes of a character, also of those past the last that there are, as UTF-8 once had them."""
    if number < 2**7:
        return chr(number)
    more = next((count for count in range(1, 6) if number < 2 ** (5 * count + 6)), 0)
    if not more:
        return ""
    rest = [0x80 | number >> 6 * at & 0x3F for at in reversed(range(more))]
    first = (0xFF00 >> more + 1 & 0xFF) | number >> 6 * more
    return "".join(map(chr, [first, *rest]))
