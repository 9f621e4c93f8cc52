"""What was kept of a run's output -> the three texts of its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.result import Captured
from limpet.model.window import Window
from limpet.output import terminal
from limpet.output.decode import decode, decode_head, decode_tail
from limpet.output.interleave import decode_segments, interleaved
from limpet.output.redact import Redactor
from limpet.output.window import apply, apply_ends

if TYPE_CHECKING:
    from limpet.output.keep import Keep
    from limpet.output.keep_both import KeepBoth


class Shaped(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader is shown."""

    stdout: Captured
    stderr: Captured
    output: Captured
    """Both, interleaved; lines of stderr start with `stderr: ` when stdout printed, too."""


_LONGEST_SECRET = 8_192
NOTHING = Shaped(stdout=Captured(), stderr=Captured(), output=Captured())


def shape(
    stdout: Keep,
    stderr: Keep,
    both: KeepBoth | None,
    *,
    window: Window,
    redactor: Redactor | None,
    clean: bool,
    stored: str | None,
) -> Shaped:
    """Decode, clean, redact, cut, in this order: what is cut was clean, and no secret is cut in two.

    `both` is None where not both have printed. Where the middle was never kept, its characters are counted as they were
    printed, the rest as it is shown.
    """
    if not (stdout.total or stderr.total):
        return NOTHING
    shaper = _Shaper(window=window, redactor=redactor, clean=clean, stored=stored)
    out, err = shaper.stream(stdout), shaper.stream(stderr)
    if not (stdout.total and stderr.total):
        return Shaped(stdout=out, stderr=err, output=out if stdout.total else err)
    assert both is not None
    return Shaped(stdout=out, stderr=err, output=shaper.both(both, stdout.chars + stderr.chars))


class _Shaper(msgspec.Struct, frozen=True, kw_only=True):
    window: Window
    redactor: Redactor | None
    clean: bool
    stored: str | None

    def stream(self, kept: Keep) -> Captured:
        if kept.complete:
            text = self._cleaned(decode(kept.whole()))
            if len(text) <= self.window.budget + 2 * _LONGEST_SECRET:
                return self._whole(self._redacted(text), kept.total)
            cut = self.window.head + _LONGEST_SECRET
            return self._near_ends(text[:cut], text[cut:], 0, kept.total)
        head, tail = decode_head(kept.head()), decode_tail(kept.tail())
        lost = kept.chars - len(head) - len(tail)
        return self._near_ends(self._cleaned(head), self._cleaned(tail), lost, kept.total)

    def _near_ends(self, head: str, tail: str, lost: int, total_bytes: int) -> Captured:
        """Redact only what may be shown, and so much more that no secret is cut in two: it is slow work."""
        first = head[: self.window.head + _LONGEST_SECRET]
        last = tail[max(0, len(tail) - self.window.tail - _LONGEST_SECRET) :]
        unseen = len(head) + len(tail) - len(first) - len(last)
        return self._ends(self._redacted(first), self._redacted(last), lost + unseen, total_bytes)

    def both(self, kept: KeepBoth, chars: int) -> Captured:
        if kept.complete:
            whole = decode_segments(kept.whole(), starts=True, ends=True)
            return self._whole(interleaved(whole.pieces, self._refine), kept.total)
        head = decode_segments(kept.head(), starts=True, ends=False)
        tail = decode_segments(kept.tail(), starts=False, ends=True)
        lost = chars - head.chars - tail.chars
        first, last = (interleaved(part.pieces, self._refine) for part in (head, tail))
        return self._ends(first, last, lost, kept.total)

    def _whole(self, text: str, total_bytes: int) -> Captured:
        shown, omitted = apply(self.window, text, stored=self.stored)
        return Captured(text=shown, total_bytes=total_bytes, omitted_chars=omitted)

    def _ends(self, head: str, tail: str, lost: int, total_bytes: int) -> Captured:
        total = len(head) + lost + len(tail)
        shown, omitted = apply_ends(self.window, head, tail, total, stored=self.stored)
        return Captured(text=shown, total_bytes=total_bytes, omitted_chars=omitted)

    def _refine(self, text: str) -> str:
        return self._redacted(self._cleaned(text))

    def _cleaned(self, text: str) -> str:
        return terminal.clean(text) if self.clean else text

    def _redacted(self, text: str) -> str:
        return self.redactor.text(text) if self.redactor else text
