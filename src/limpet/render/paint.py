"""Styled pieces of text -> a string for a terminal, with colours or without."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from limpet.output.terminal import spelled

if TYPE_CHECKING:
    from collections.abc import Iterable

# Sixteen colours are the ones that people's own themes choose.
_CODES = {
    "bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "magenta": "35", "cyan": "36",
}  # fmt: skip


class Span(NamedTuple):
    """A piece of text in one style; `text` is safe to show."""

    text: str
    style: str = ""
    """Words of `_CODES`, such as `bold red`."""


def paint(spans: Iterable[Span], *, color: bool) -> str:
    """The text of all spans; with `color`, each in its style, which never crosses a line end."""
    if not color:
        return "".join([span.text for span in spans])
    return "".join([_styled(span) for span in spans])


def _styled(span: Span) -> str:
    if not span.style:
        return span.text
    start = f"\x1b[{';'.join([_CODES[word] for word in span.style.split()])}m"
    return "\n".join([f"{start}{line}\x1b[0m" if line else "" for line in span.text.split("\n")])


def joined(lines: Iterable[list[Span]]) -> list[Span]:
    """Lines of spans as one list, each line ended."""
    return [span for line in lines for span in (*line, Span("\n"))]


def shorten(command: str, room: int) -> str:
    """A command on one line of at most `room` columns; what is left out is counted."""
    first, *more = spelled(command).strip("\n").replace("\t", " ").split("\n")
    rest = f" (+{len(more)} line{'s' if len(more) > 1 else ''})" if more else ""
    room = max(1, room - len(rest))
    return (first if columns(first) <= room else _cut(first, room - 1) + "…") + rest


def columns(text: str) -> int:
    """How many columns a terminal needs for `text`."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - loaded only when a terminal looks

    return cell_len(text)


def _cut(text: str, room: int) -> str:
    used = 0
    for at, one in enumerate(text):
        used += columns(one)
        if used > room:
            return text[:at]
    return text
