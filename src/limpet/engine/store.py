"""What commands printed, one file each, as raw bytes: `outputs/<day>/<run>` below the state directory.

Where a command wrote to both streams, `<run>.streams` tells which bytes came from which. A background task has a folder
of its own, `tasks/<task>`, and its output is `output` in there.
"""

from __future__ import annotations

import contextlib
import functools
import os
import time
from typing import TYPE_CHECKING

from limpet.engine.ids import is_task, time_of
from limpet.engine.rolling import RollingOutput
from limpet.engine.storing import StoredOutput
from limpet.errors import StoreError

if TYPE_CHECKING:
    from limpet.output.blank import Blanker

_DAY = 86_400.0
_PRUNE_EVERY = 3600.0


@functools.lru_cache(maxsize=4)
def _day(number: float) -> str:
    """Since 1970."""
    return time.strftime("%Y-%m-%d", time.gmtime(number * _DAY))


class Store:
    """The folder of stored outputs."""

    def __init__(self, state: str) -> None:
        self._folder = os.path.join(state, "outputs")
        self._tasks = os.path.join(state, "tasks")

    def path(self, name: str) -> str:
        """Where the output of a run is kept. Raises StoreError for what cannot be the name of one."""
        try:
            day = _day(time_of(name) // _DAY)
        except (ValueError, OverflowError, OSError):
            raise StoreError(f"{name!r} is not the id of a run; `limpet log` lists them") from None
        return os.path.join(self._tasks, name, "output") if is_task(name) else os.path.join(self._folder, day, name)

    def open(self, name: str, limit: int, blanker: Blanker | None = None) -> StoredOutput:
        """Room for a run's output; the file is made when there is something to put in it, that of a task at once."""
        kind = RollingOutput if is_task(name) else StoredOutput
        return kind(lambda: self.path(name), limit, blanker)

    def prune(self, *, keep_days: float, keep_bytes: int, now: float | None = None) -> bool:
        """Delete what is too old, and the oldest of what is too much. Looks at most once an hour; whether it did."""
        now = time.time() if now is None else now
        if not self._due(now):
            return False
        total = 0
        for path, size, changed in sorted(self._files(), key=lambda file: -file[2]):
            total += size
            if now - changed > keep_days * _DAY or total > keep_bytes:
                with contextlib.suppress(OSError):
                    os.unlink(path)
        with contextlib.suppress(OSError):
            for day in os.listdir(self._folder):
                with contextlib.suppress(OSError):  # not empty, or not a folder
                    os.rmdir(os.path.join(self._folder, day))
        return True

    def _due(self, now: float) -> bool:
        marker = os.path.join(self._folder, ".pruned")
        try:
            if now - os.stat(marker).st_mtime < _PRUNE_EVERY:
                return False
        except OSError:
            pass
        with contextlib.suppress(OSError):
            os.close(os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            os.utime(marker, (now, now))
        return True

    def _files(self) -> list[tuple[str, int, float]]:
        found = []
        with contextlib.suppress(OSError):
            for day in os.scandir(self._folder):
                if day.is_dir(follow_symlinks=False):
                    for file in os.scandir(day.path):
                        with contextlib.suppress(OSError):
                            status = file.stat(follow_symlinks=False)
                            found.append((file.path, status.st_size, status.st_mtime))
        return found
