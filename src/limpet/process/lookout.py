"""All commands of an event loop -> one descriptor and one timer of it: it takes new ones slowly."""

from __future__ import annotations

import os
import select
import threading
import weakref
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

_EVERY = 0.5


class Lookout:
    """Calls whoever has something to read, and looks in on whoever wants that, in one event loop."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._readers: dict[int, tuple[Callable[..., None], tuple[object, ...]]] = {}
        self._visited: dict[Callable[[], None], None] = {}
        self._on_its_way = False
        self._afterwards: list[tuple[Callable[..., None], tuple[object, ...]]] = []
        self._bell = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._silence = weakref.finalize(self, os.close, self._bell)
        self._silence.atexit = False  # an event loop in another thread may go on until the very end
        self._epoll.register(self._bell, select.EPOLLIN)

    def afterwards(self, call: Callable[..., None], *arguments: object) -> None:
        """Call this when the event loop turns again: whoever waits for an answer has it by then."""
        self._afterwards.append((call, arguments))
        os.eventfd_write(self._bell, 1)

    def hear(self, fd: int, call: Callable[..., None], *arguments: object) -> None:
        """Call this, and nobody else, whenever there is something to read, or never will be again."""
        enter = self._epoll.modify if fd in self._readers else self._epoll.register
        enter(fd, select.EPOLLIN)
        self._readers[fd] = call, arguments

    def ignore(self, fd: int) -> None:
        """Call nobody any more; before the descriptor is closed."""
        if self._readers.pop(fd, None) is not None:
            self._epoll.unregister(fd)

    def visit(self, loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
        """Call this every half a second, for the first time within one."""
        self._visited[call] = None
        if not self._on_its_way:
            self._set_out(loop)

    def leave(self, call: Callable[[], None]) -> None:
        """Call it no more."""
        self._visited.pop(call, None)

    def fileno(self) -> int:
        """What the event loop itself waits for."""
        return self._epoll.fileno()

    def close(self) -> None:
        """Nobody will listen again."""
        self._epoll.close()
        self._silence()

    def ready(self) -> None:
        """Call who can read now."""
        for fd, _ in self._epoll.poll(0):
            found = self._readers.get(fd)
            if found is not None:
                found[0](*found[1])
            elif fd == self._bell:  # else whoever came before has ended this one's wait
                self._do_the_rest()

    def _do_the_rest(self) -> None:
        while self._afterwards:
            call, arguments = self._afterwards.pop(0)
            call(*arguments)
        os.eventfd_read(self._bell)

    def _set_out(self, loop: asyncio.AbstractEventLoop) -> None:
        self._on_its_way = True
        loop.call_later(_EVERY, self._go_round, loop)

    def _go_round(self, loop: asyncio.AbstractEventLoop) -> None:
        self._on_its_way = False
        if self._visited:
            self._set_out(loop)
        for call in list(self._visited):
            call()


class Lookouts:
    """The lookout of each event loop, for as long as that is open."""

    def __init__(self) -> None:
        self._known: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Lookout] = weakref.WeakKeyDictionary()
        self._turn = threading.Lock()
        self._latest: tuple[weakref.ref[asyncio.AbstractEventLoop], weakref.ref[Lookout]] | None = None

    def of(self, loop: asyncio.AbstractEventLoop) -> Lookout:
        """To be called in the loop's own thread."""
        latest = self._latest
        found = latest[1]() if latest is not None and latest[0]() is loop else self._known.get(loop)
        if found is None:
            self.forget_closed()
            found = Lookout()
            loop.add_reader(found.fileno(), found.ready)
            with self._turn:
                self._known[loop] = found
            self._latest = weakref.ref(loop), weakref.ref(found)
        return found

    def forget_closed(self) -> None:
        """Give back what event loops held that are closed: nobody knows when Python will."""
        with self._turn:
            for loop in [loop for loop in self._known if loop.is_closed()]:
                self._known.pop(loop).close()
