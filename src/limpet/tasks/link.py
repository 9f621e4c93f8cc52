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
        holder.sock.settimeout(0)

    async def hear(self, seconds: float) -> dict[str, Any] | None:
        """What the holder says next; `gone` when it has ended, None when it says nothing for so long."""
        try:
            async with asyncio.timeout(seconds):
                data = await asyncio.get_running_loop().sock_recv(self._holder.sock, 65536)
        except TimeoutError:
            return None
        except OSError:
            data = b""
        self._holder.reap()
        said: dict[str, Any] = json.loads(data) if data else {"gone": True}
        return said

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
