"""The first process's own word -> what its keeper will report, known to the client before the keeper has woken."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from limpet.process.word import WORD, Word

if TYPE_CHECKING:
    from limpet.process.wire import Message


class EarlyEnd:
    """Becomes readable when the first process has told that nothing is left of the command, or has been ended."""

    def __init__(self, fd: int, enforced: list[str]) -> None:
        """`enforced`: the limits that hold, as the keeper would report them."""
        self._fd = fd
        self._enforced = enforced

    def fileno(self) -> int:
        """For an event loop."""
        return self._fd

    def report(self, began: float, timeout: float | None) -> Message | None:
        """The report of a command that ended well, in time and by itself; whatever else there is, the keeper tells."""
        said = os.read(self._fd, WORD.size)
        wall = time.monotonic() - began
        if len(said) != WORD.size or (timeout is not None and wall >= timeout):
            return None
        word = Word(*WORD.unpack(said))
        if word.status != 0 or not word.empty:
            return None
        return {
            "ended": "itself", "status": 0, "user": word.user, "system": word.system, "rss": word.rss, "wall": wall,
            "left": (), "survivors": (), "limit": "", "enforced": self._enforced,
        }  # fmt: skip

    def close(self) -> None:
        """Nobody wants to know any more."""
        os.close(self._fd)
