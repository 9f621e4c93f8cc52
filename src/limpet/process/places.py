"""How many commands run at once: the rest wait in line, so that nobody runs out of descriptors."""

from __future__ import annotations

import asyncio
import collections
import os
import resource
import threading

_FDS_PER_RUN = 8
_FDS_FOR_OTHERS = 48


class _Waiter:
    """Somebody in line. `called` is set under the lock: from then on the place is theirs, whatever becomes of them."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.future: asyncio.Future[None] = loop.create_future()
        self.called = False

    def call(self) -> bool:
        try:
            self.loop.call_soon_threadsafe(self._wake)
        except RuntimeError:  # that loop is closed
            return False
        self.called = True
        return True

    def _wake(self) -> None:
        if not self.future.done():
            self.future.set_result(None)


class Places:
    """First come, first served, for any thread and any event loop of this process."""

    def __init__(self) -> None:
        self._empty()
        os.register_at_fork(after_in_child=self._empty)  # the places taken then are the parent's

    def _empty(self) -> None:
        self._lock = threading.Lock()
        self._taken = 0
        self._line: collections.deque[_Waiter] = collections.deque()

    async def enter(self, most: int) -> None:
        """Take a place as soon as fewer than `most` are taken and descriptors allow. To be left again."""
        with self._lock:
            # Who is alone has a place in any case, whatever there is room for.
            if not self._line and (self._taken == 0 or self._taken < min(most, _room())):
                self._taken += 1
                return
            waiter = _Waiter(asyncio.get_running_loop())
            self._line.append(waiter)
        try:
            await waiter.future
        except BaseException:
            self._give_up(waiter)
            raise

    def _give_up(self, waiter: _Waiter) -> None:
        with self._lock:
            if not waiter.called:
                self._line.remove(waiter)
                return
        self.leave()

    def leave(self) -> None:
        """Hand the place to the next in line, or free it."""
        with self._lock:
            while self._line:
                if self._line.popleft().call():
                    return
            self._taken -= 1


def _room() -> int:
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (soft - _FDS_FOR_OTHERS) // _FDS_PER_RUN
