"""Output, piece by piece -> the stored file, what is kept in memory, and whoever listens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.event import Started, Waiting
from limpet.output.keep import Keep
from limpet.output.keep_both import KeepBoth
from limpet.output.prompt import last_line
from limpet.output.shape import NOTHING, Shaped, shape

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.engine.feed import Feed
    from limpet.engine.storing import StoredOutput
    from limpet.model.filtered import Filtered
    from limpet.model.request import Request
    from limpet.output.redact import Redactor
    from limpet.output.sift.choose import Patterns
    from limpet.output.sift.sieve import Sieve

_PROMPT = 4096  # bytes: more than any question has


class Capture:
    """The sink of one run."""

    def __init__(
        self,
        request: Request,
        stored: StoredOutput | None,
        feed: Feed | None,
        noise: Patterns | None = None,
        redactor: Redactor | None = None,
    ) -> None:
        self._request = request
        self._redactor = redactor
        self._stored = stored
        self._feed = feed
        self._keeps: dict[int, Keep] = {}
        self._printed = {1: 0, 2: 0}
        self._sieve = _sieve(noise, self._show) if noise is not None else None
        self._first = 0
        self._both: KeepBoth | None = None
        self._started = False
        self._early: list[tuple[int, bytes]] = []
        self._asks = request.open_stdin or request.terminal is not None
        self._recent = b""
        self.waits_for: str | None = None
        """The last line of a command that waits for input now."""
        self.unanswered: str | None = None
        """The same, of one that was ended because nobody could have given it any."""
        self.nobody_answers: Callable[[], None] | None = None
        """What to do when a command waits for input and nobody is there to give it any."""

    def started(self, pid: int) -> None:
        """The process exists."""
        if self._feed is not None:
            self._feed.put(Started(request=self._request, pid=pid))
            self._release()

    def write(self, stream: int, data: bytes) -> None:
        """Disk first, then memory, then listeners."""
        if self._stored is not None:
            self._stored.write(stream, data)
        self._printed[stream] += len(data)
        if self._asks:
            self._recent = (self._recent + data)[-_PROMPT:]
        if self._sieve is None:
            self._show(stream, data)
        else:
            self._sieve.write(stream, data)
        if self._feed is None:
            return
        if self._started:
            self._feed.output(stream, data)
        else:  # the command may be quicker than the word that it has started
            self._early.append((stream, data))

    def waiting(self, waiting: bool, *, for_ever: bool) -> None:  # noqa: FBT001 - a fact, not an option
        """The command waits for input, or does so no longer."""
        news = waiting != (self.waits_for is not None)
        self.waits_for = last_line(self._recent, self._redactor) if waiting else None
        if self._feed is not None and news:
            self._feed.put(Waiting(request=self._request, waiting=waiting, prompt=self.waits_for or ""))
        if for_ever and self.nobody_answers is not None:
            self.unanswered = self.waits_for
            self.nobody_answers()

    def _show(self, stream: int, data: bytes) -> None:
        self._kept(stream).write(data)
        self._interleave(stream, data)

    def _kept(self, stream: int) -> Keep:
        """Made when there is something to keep: few commands print to both."""
        found = self._keeps.get(stream)
        if found is None:
            found = self._keeps[stream] = Keep.for_window(self._request.window)
        return found

    def _interleave(self, stream: int, data: bytes) -> None:
        """As long as only one stream has printed, its own view is that of both."""
        if self._both is None:
            self._first = self._first or stream
            if stream == self._first:
                return
            self._both = KeepBoth.for_window(self._request.window)
            self._both.follow(self._first, self._keeps[self._first])
        self._both.write(stream, data)

    def busy(self) -> bool:
        """Whether a listener that must not miss anything is behind."""
        return self._feed is not None and self._feed.full()

    def _release(self) -> None:
        self._started = True
        for stream, data in self._early:
            if self._feed is not None:
                self._feed.output(stream, data)
        self._early.clear()

    @property
    def sizes(self) -> tuple[int, int]:
        """Bytes written to stdout and to stderr."""
        return self._printed[1], self._printed[2]

    @property
    def filtered(self) -> Filtered | None:
        """What a filter left out of what is shown."""
        return None if self._sieve is None else self._sieve.told()

    @property
    def stored_in(self) -> str | None:
        """The file that has all of it."""
        return None if self._stored is None else self._stored.path

    def finish(self) -> None:
        """Nothing more will come."""
        if self._feed is not None:
            self._release()
        if self._sieve is not None:
            self._sieve.finish()

    def shaped(self, redactor: Redactor | None, *, clean: bool) -> Shaped:
        """What a reader is shown."""
        if not self._keeps:
            return NOTHING
        return shape(
            self._kept(1), self._kept(2), self._both,
            window=self._request.window, redactor=redactor, clean=clean, stored=self.stored_in,
        )  # fmt: skip


def _sieve(noise: Patterns, keep: Callable[[int, bytes], None]) -> Sieve:
    from limpet.output.sift.sieve import Sieve  # noqa: PLC0415 - only where it was asked for

    return Sieve(noise, keep)
