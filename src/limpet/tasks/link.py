"""The line between a holder and whoever started it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from limpet import errors
from limpet.errors import LaunchError, limpetError
from limpet.tasks.spare import spare

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from limpet.process import detached
    from limpet.tasks.folder import TaskFolder


class NeverBegunError(LaunchError):
    """The holder was killed before it had taken its task: somebody else may have it."""


class Link:
    """Words to a holder, and what it answers."""

    def __init__(self, folder: TaskFolder, holder: detached.Detached) -> None:
        self.folder = folder
        self._holder = holder
        self._given_back = False
        self._hearing: asyncio.Task[bytes] | None = None
        """Kept where nothing was heard in time: cut off, it might take with it what had just come."""
        holder.sock.settimeout(0)

    async def hear(self, seconds: float, enough: asyncio.Event | None = None) -> dict[str, Any] | None:
        """What the holder says next; `gone` when it has ended, None: nothing for so long, or till it is enough."""
        hearing = self._hearing = self._hearing or asyncio.ensure_future(self._receive())
        waiting = [hearing, *([asyncio.ensure_future(enough.wait())] if enough is not None else [])]
        try:
            await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for other in waiting[1:]:
                other.cancel()
        if not hearing.done():
            return None
        self._hearing = None
        data = hearing.result()
        self._holder.reap()
        said: dict[str, Any] = json.loads(data) if data else {"gone": True}
        return said

    async def _receive(self) -> bytes:
        try:
            return await asyncio.get_running_loop().sock_recv(self._holder.sock, 65536)
        except OSError:
            return b""

    def say(self, word: str) -> None:
        """Tell it."""
        self._holder.say(word)

    def stopper(self) -> Callable[[], None]:
        """For a cancel token, which may be cancelled in any thread."""
        loop = asyncio.get_running_loop()

        def stop() -> None:
            loop.call_soon_threadsafe(self.say, "stop")

        return stop

    def give_back(self) -> None:
        """It is over, and the holder may have the next one."""
        self._given_back = spare().keep(self._holder)

    def close(self) -> None:
        """Nothing more to say."""
        if self._hearing is not None:
            self._hearing.cancel()
            asyncio.get_running_loop().remove_reader(self._holder.sock)
            self._hearing = None
        if not self._given_back:
            self._holder.close()


def handed_over(errand: Any, fds: tuple[int, ...], *, ready: bool) -> detached.Detached:
    """The holder that has the errand: one that waits, or a new one. Raises LaunchError."""
    holder = spare().take() if ready else spare().new()
    try:
        holder.hand_over(errand, fds)
    except OSError as error:
        holder.close()
        if ready:  # it was killed while it waited
            return handed_over(errand, fds, ready=False)
        raise LaunchError(f"cannot hand over the task: {error.strerror}", errno=error.errno) from error
    return holder


def raised_there(name: str, message: str) -> limpetError:
    """What was raised in the holder, raised here."""
    kind = getattr(errors, name, None)
    known = isinstance(kind, type) and issubclass(kind, limpetError) and not issubclass(kind, errors.CommandError)
    error: limpetError = kind(message) if kind is not None and known else LaunchError(message)
    return error
