"""Text of an arithmetic expression -> its tokens; digits in any base -> their value."""

from __future__ import annotations

import re

from limpet.syntax.late import late

_TOKEN = late(
    r"[ \t\n]*(?:"
    r"(?P<number>[0-9][0-9A-Za-z_@#]*)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<step>\+\+|--)"
    r"|(?P<sign><<=|>>=|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&^|]=|[-+*/%&^|<>=!~?:,()\[\]])"
    r"|(?P<end>\Z))"
)
_NAME_FOLLOWS = late(r"[ \t\n]*[A-Za-z_]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
_LARGEST = (1 << 63) - 1

Token = tuple[str, str]
"""Its kind, `number`, `name`, `before` or `after` (of `++` and `--`), `sign`, `end`, and its text."""


def tokens(text: str) -> list[Token] | None:
    """The tokens, the last of them `end`; None when there is text that is none of them."""
    found: list[Token] = []
    at = 0
    while not found or found[-1][0] != "end":
        match = _TOKEN.match(text, at)
        if match is None or match.lastgroup is None:
            return None
        at = match.end()
        kind, token = match.lastgroup, match[match.lastgroup]
        if kind == "step":
            kind, token = _step(token, found, text, at)
            at -= kind == "sign"
        found.append((kind, token))
    return found


def _step(token: str, before: list[Token], text: str, at: int) -> Token:
    """`++` changes a variable only where one stands; elsewhere the first half is a sign, and so may be the other."""
    if before and (before[-1][0] == "name" or before[-1] == ("sign", "]")):
        return "after", token
    return ("before", token) if _NAME_FOLLOWS.match(text, at) else ("sign", token[0])


def number(digits: str) -> int | None:
    """What `10`, `010`, `0x10` or `2#10` stands for; None when it is no number, or too large for bash."""
    base, text = 10, digits
    if "#" in digits:
        head, text = digits.split("#", 1)
        base = int(head) if re.fullmatch(r"[1-9][0-9]?", head) else 0
    elif digits[:2] in ("0x", "0X"):
        base, text = 16, digits[2:]
    elif digits[0] == "0":
        base = 8
    return _value(text, base) if 2 <= base <= 64 else None


def _value(text: str, base: int) -> int | None:
    value = 0
    for char in text.lower() if base <= 36 else text:
        digit = _DIGITS.find(char)
        if not 0 <= digit < base:
            return None
        value = value * base + digit
        if value > _LARGEST:
            return None
    return value if text else None
