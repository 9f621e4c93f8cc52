"""Two numbers of 64 bits and a sign between them -> the number that bash computes, or None where it gives up."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

RANKS = {
    **dict.fromkeys(("||",), 1),
    **dict.fromkeys(("&&",), 2),
    **dict.fromkeys(("|",), 3),
    **dict.fromkeys(("^",), 4),
    **dict.fromkeys(("&",), 5),
    **dict.fromkeys(("==", "!="), 6),
    **dict.fromkeys(("<", ">", "<=", ">="), 7),
    **dict.fromkeys(("<<", ">>"), 8),
    **dict.fromkeys(("+", "-"), 9),
    **dict.fromkeys(("*", "/", "%"), 10),
    **dict.fromkeys(("**",), 11),
}
"""How tightly each sign between two numbers binds."""


def wrap(value: int) -> int:
    """The number that is left of a larger one."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


def apply(sign: str, left: int, right: int) -> int | None:
    """`left sign right`."""
    value = _SIGNS[sign](left, right)
    return None if value is None else wrap(int(value))


def apply_unary(sign: str, value: int) -> int:
    """`sign value`."""
    return wrap({"-": -value, "+": value, "~": ~value, "!": int(value == 0)}[sign])


def _divide(left: int, right: int) -> int | None:
    if right == 0 or (right == -1 and left == -(1 << 63)):
        return None
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def _remainder(left: int, right: int) -> int | None:
    quotient = _divide(left, right)
    return None if quotient is None else left - right * quotient


def _power(left: int, right: int) -> int | None:
    return pow(left, right, 1 << 64) if right >= 0 else None


def _shift_left(left: int, right: int) -> int | None:
    return left << right if 0 <= right < 64 else None


def _shift_right(left: int, right: int) -> int | None:
    return left >> right if 0 <= right < 64 else None


_SIGNS: dict[str, Callable[[int, int], int | None]] = {
    "|": lambda left, right: left | right,
    "^": lambda left, right: left ^ right,
    "&": lambda left, right: left & right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
    "<=": lambda left, right: left <= right,
    ">=": lambda left, right: left >= right,
    "<<": _shift_left,
    ">>": _shift_right,
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _divide,
    "%": _remainder,
    "**": _power,
}
