"""Descriptors that come and go with each command -> one that stays with the event loop, which takes new ones slowly."""

from __future__ import annotations

import select
import threading
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable


class Readers:
    """Whoever waits, in one event loop, for something to read."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._calls: dict[int, tuple[Callable[..., None], tuple[object, ...]]] = {}

    def add(self, fd: int, call: Callable[..., None], *arguments: object) -> None:
        """Call this, and nobody else, whenever there is something to read, or never will be again."""
        enter = self._epoll.modify if fd in self._calls else self._epoll.register
        enter(fd, select.EPOLLIN)
        self._calls[fd] = call, arguments

    def remove(self, fd: int) -> None:
        """Call nobody any more; before the descriptor is closed."""
        if self._calls.pop(fd, None) is not None:
            self._epoll.unregister(fd)

    def fileno(self) -> int:
        """What the event loop itself waits for."""
        return self._epoll.fileno()

    def close(self) -> None:
        """Nobody will listen again."""
        self._epoll.close()

    def ready(self) -> None:
        """Call who can read now."""
        for fd, _ in self._epoll.poll(0):
            found = self._calls.get(fd)
            if found is not None:  # else whoever came before has ended this one's wait
                found[0](*found[1])


class ReadersByLoop:
    """The readers of each event loop, for as long as that is open."""

    def __init__(self) -> None:
        self._known: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Readers] = weakref.WeakKeyDictionary()
        self._turn = threading.Lock()

    def of(self, loop: asyncio.AbstractEventLoop) -> Readers:
        """To be called in the loop's own thread."""
        found = self._known.get(loop)
        if found is None:
            self.forget_closed()
            found = Readers()
            loop.add_reader(found.fileno(), found.ready)
            with self._turn:
                self._known[loop] = found
        return found

    def forget_closed(self) -> None:
        """Give back what event loops held that are closed: nobody knows when Python will."""
        with self._turn:
            for loop in [loop for loop in self._known if loop.is_closed()]:
                self._known.pop(loop).close()
