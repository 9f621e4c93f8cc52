"""Output as it comes -> the same without the lines that tell of progress only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.filtered import Confidence, Filtered

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.output.sift.choose import Patterns

_LONGEST_LINE = 4096
"""A longer one is nobody's progress: it is passed on as it comes."""
_MOST_GROUPS = 200
_HALF = 0.5
_COLOUR = re.compile("\x1b\\[[0-9;]*[A-Za-z]")


class Sieve:
    """Between what was printed and what is kept of it for a reader, both streams together."""

    def __init__(self, patterns: Patterns, keep: Callable[[int, bytes], None]) -> None:
        self._patterns = patterns
        self._keep = keep
        self._rest = {1: b"", 2: b""}
        self._too_long = {1: False, 2: False}
        self._raw_chars = self._kept_chars = 0
        self._lines = self._kept = self._recognised = 0
        self._groups: list[tuple[int, int]] = []

    def write(self, stream: int, data: bytes) -> None:
        """Pass on the whole lines of it that are to be kept."""
        *lines, rest = (self._rest[stream] + data).split(b"\n")
        passed = [line + b"\n" for line in lines if self._passes(stream, line + b"\n")]
        if len(rest) > _LONGEST_LINE:
            passed.append(self._begun(stream, rest))
            rest = b""
        self._rest[stream] = rest
        if passed:
            self._keep(stream, b"".join(passed))

    def finish(self) -> None:
        """Nothing more will come: what is left of a line is one, too."""
        for stream, rest in self._rest.items():
            if rest and self._passes(stream, rest):
                self._keep(stream, rest)
            self._rest[stream] = b""

    def told(self) -> Filtered | None:
        """What was left out; None when nothing was."""
        if self._kept == self._lines:
            return None
        return Filtered(
            filter=self._patterns.name,
            confidence=self._confidence(),
            raw_chars=self._raw_chars,
            raw_lines=self._lines,
            filtered_chars=self._kept_chars,
            filtered_lines=self._kept,
            kept_lines=tuple(self._groups),
        )

    def _begun(self, stream: int, piece: bytes) -> bytes:
        if not self._too_long[stream]:
            self._too_long[stream] = True
            self._count("", kept=True)
        self._weigh(piece.decode("utf-8", "replace"), kept=True)
        return piece

    def _passes(self, stream: int, data: bytes) -> bool:
        line = data.decode("utf-8", "replace")
        if self._too_long[stream]:  # the end of a line whose beginning was passed on
            self._too_long[stream] = False
            self._weigh(line, kept=True)
            return True
        seen = _COLOUR.sub("", line).rstrip("\r\n").rpartition("\r")[2]
        noise = self._patterns.noise.match(seen) is not None
        self._recognised += noise or not seen.strip() or self._patterns.known.match(seen) is not None
        self._count(line, kept=not noise)
        return not noise

    def _count(self, line: str, *, kept: bool) -> None:
        self._lines += 1
        self._weigh(line, kept=kept)
        if not kept:
            return
        self._kept += 1
        if self._groups and self._groups[-1][1] == self._lines - 1:
            self._groups[-1] = (self._groups[-1][0], self._lines)
        elif len(self._groups) < _MOST_GROUPS:
            self._groups.append((self._lines, self._lines))

    def _weigh(self, line: str, *, kept: bool) -> None:
        self._raw_chars += len(line)
        self._kept_chars += len(line) if kept else 0

    def _confidence(self) -> Confidence:
        if self._recognised == self._lines:
            return Confidence.FULL
        return Confidence.PARTIAL if self._recognised >= self._lines * _HALF else Confidence.LOW
