"""Too long a text -> its ends, with a notice that says exactly how much is missing."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from limpet.model.window import Truncate

if TYPE_CHECKING:
    from limpet.model.window import Window

_NEAR = 10
"""A line end is preferred to an exact cut within this fraction of the part."""
_LONGEST_CLUSTER = 16
_JOINER = "\u200d"


def apply(window: Window, text: str, *, stored: str | None = None) -> tuple[str, int]:
    """What is shown of a complete text, and the number of characters that are not.

    The notice comes on top of the budget. `stored` is the file that has everything, for the notice to name.
    """
    if len(text) <= window.budget:
        return text, 0
    return apply_ends(window, text, text, len(text), stored=stored)


def apply_ends(window: Window, head: str, tail: str, total: int, *, stored: str | None = None) -> tuple[str, int]:
    """As `apply` for a text of `total` characters of which something is not shown, given its beginning and its end."""
    first = head[: _head_end(head, max(0, min(window.head, window.budget)))]
    last = tail[_tail_start(tail, max(0, min(window.tail, window.budget - window.head))) :]
    shown = len(first) + len(last)
    return _join(first, notice(shown, total, _way(window), stored), last), total - shown


def notice(shown: int, total: int, way: Truncate, stored: str | None) -> str:
    """The line that stands where characters are missing."""
    where = f"; all of it: {stored}" if stored else ""
    if way is Truncate.TAIL:
        return f"[last {shown:,} of {total:,} characters{where}]"
    if way is Truncate.HEAD:
        return f"[first {shown:,} of {total:,} characters{where}]"
    return f"[... {total - shown:,} of {total:,} characters left out{where} ...]"


def _way(window: Window) -> Truncate:
    if window.head > 0 >= window.tail:
        return Truncate.HEAD
    return Truncate.TAIL if window.tail > 0 >= window.head else Truncate.MIDDLE


def _join(first: str, said: str, last: str) -> str:
    before = "" if not first or first.endswith("\n") else "\n"
    after = "\n" if last else ""
    return first + before + said + after + last


def _head_end(text: str, limit: int) -> int:
    """Where a beginning of at most `limit` characters ends best."""
    if limit >= len(text):
        return len(text)
    line_end = text.rfind("\n", limit - limit // _NEAR, limit) + 1
    return line_end or next(
        (at for at in range(limit, max(0, limit - _LONGEST_CLUSTER), -1) if _apart(text, at)), limit
    )


def _tail_start(text: str, limit: int) -> int:
    """Where an end of at most `limit` characters starts best."""
    exact = max(0, len(text) - limit)
    if not exact or _after_line(text, exact):
        return exact
    line_end = text.find("\n", exact, exact + limit // _NEAR) + 1
    last = min(len(text), exact + _LONGEST_CLUSTER)
    return line_end or next((at for at in range(exact, last) if _apart(text, at)), exact)


def _after_line(text: str, at: int) -> bool:
    return text[at - 1] == "\n"


def _apart(text: str, at: int) -> bool:
    """Whether nothing that is seen as one character is cut in two at `at`."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if before == "\r" and after == "\n":
        return False
    return not (unicodedata.category(after).startswith("M") or _JOINER in (before, after))
