"""All tasks of this user: make, list, find, tell their ends, remove the old."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from typing import TYPE_CHECKING

from limpet.engine.ids import is_task, time_of
from limpet.engine.storing import make_private
from limpet.errors import InvalidRequestError, StoreError
from limpet.tasks.finished import Finished
from limpet.tasks.folder import TaskFolder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.tasks.record import Facts

_DAY = 86_400.0
_PRUNE_EVERY = 3600.0
_HALF_MADE = 3600.0
"""A folder without its facts is somebody's who was killed; unless it is as young as this."""
_PATIENCE = 5.0
_SHORTEST = 4
_AT_ONCE = 64
"""Completions told in one go: each needs a descriptor as long as it is being told."""


class Tasks:
    """The folder with all of them; it need not exist."""

    def __init__(self, state: str) -> None:
        self._place = os.path.join(state, "tasks")

    def make(self, facts: Facts, *, most: int, foreground: bool) -> tuple[TaskFolder, int]:
        """A folder for a new task, and the descriptor that holds it. Raises InvalidRequestError, StoreError."""
        folder = TaskFolder(os.path.join(self._place, facts.task_id))
        try:
            make_private(self._place, levels=2)
            with self._alone():
                if not foreground:
                    self._check_room(facts.workspace, most)
                return folder, folder.make(facts, foreground=foreground)
        except OSError as error:
            _delete(folder.path)
            raise StoreError(
                f"a task cannot be kept in {self._place}: {error.strerror}; "
                "make room or give rights there, or set LIMPET_STATE_DIR"
            ) from error

    def _check_room(self, workspace: str, most: int) -> None:
        running = sum(folder.belongs_to(workspace, None) for folder in self.going_on())
        if running >= most:
            raise InvalidRequestError(
                f"{running} background tasks run in {workspace} already, and no more than {most} may (tasks.most): "
                "wait for one, or stop one (limpet tasks, limpet stop ID)",
                field="tasks",
            )

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """One at a time counts and starts; somebody who was stopped in the middle holds others up for seconds only."""
        path = os.path.join(self._place, ".starting")
        with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "rb") as file:
            end = time.monotonic() + _PATIENCE
            while time.monotonic() < end:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                time.sleep(0.005)
            yield

    def folders(self, *, workspace: str | None = None, agent: str | None = None) -> Iterator[TaskFolder]:
        """All tasks, or those of a workspace or an agent, oldest first; not what is still waited for as a run."""
        for folder in self._seen():
            if folder.belongs_to(workspace, agent):
                yield folder

    def _seen(self) -> Iterator[TaskFolder]:
        finished = Finished(self._place)
        for folder in self._all():
            if folder.id in finished:
                known = finished.status(folder.id)
                if known is not None:
                    yield TaskFolder(folder.path, known)
            elif _is_seen(folder, finished):
                yield folder
        finished.keep()

    def going_on(self) -> Iterator[TaskFolder]:
        """Those that are not over."""
        for folder in self.folders():
            if not folder.is_over and folder.over()[0] is None:
                yield folder

    def find(self, name: str) -> TaskFolder:
        """The task of this name, or of the only name that begins so. Raises InvalidRequestError."""
        folder = TaskFolder(os.path.join(self._place, name))
        if _is_name(name) and os.path.isdir(folder.path):
            return folder
        near = [one for one in self.folders() if one.id.startswith(name)] if len(name) >= _SHORTEST else []
        if len(near) == 1:
            return near[0]
        if near:
            raise InvalidRequestError(f"{len(near)} tasks have an id that begins with {name!r}: write more of it")
        raise InvalidRequestError(
            f"there is no task {name!r}: limpet tasks --all lists them; those that ended long ago are removed "
            "(tasks.keep_days)",
            field="task",
        )

    @contextlib.contextmanager
    def telling(self, workspace: str, agent: str) -> Iterator[list[TaskFolder]]:
        """Tasks that have ended and whose end nobody has been told; they count as told once the block was left."""
        with contextlib.ExitStack() as stack:
            told: list[TaskFolder] = []
            for folder in self.folders():
                if len(told) < _AT_ONCE and self._is_due(folder, workspace, agent):
                    claim = folder.telling()
                    if claim.__enter__():
                        stack.push(claim)
                        told.append(folder)
                    else:
                        claim.__exit__(None, None, None)
            yield told

    def _is_due(self, folder: TaskFolder, workspace: str, agent: str) -> bool:
        if os.path.lexists(folder.file("told")):
            return False
        return folder.belongs_to(workspace, agent) and (folder.is_over or folder.over()[0] is not None)

    def prune(self, *, keep_days: float, keep_bytes: int, now: float | None = None) -> None:
        """Remove what ended too long ago, and the oldest of what is too much; looks at most once an hour."""
        now = time.time() if now is None else now
        if not self._due(now):
            return
        total = 0
        for folder in reversed(list(self._all())):
            if not os.path.lexists(folder.file("task.json")):
                if now - time_of(folder.id) > _HALF_MADE:
                    self._remove(folder)
                continue
            end, _ = folder.over()
            if end is None:
                continue
            total += _size(folder.path)
            ended = end.finished_at or time_of(folder.id)
            if now - ended > keep_days * _DAY or total > keep_bytes:
                self._remove(folder)

    def _remove(self, folder: TaskFolder) -> None:
        """Out of sight first: nobody sees half a task."""
        gone = os.path.join(self._place, f".gone-{folder.id}")
        with contextlib.suppress(OSError):
            os.rename(folder.path, gone)
        _delete(gone)

    def discard(self, folder: TaskFolder) -> None:
        """One that was never started, or a run that has left nothing to be read."""
        self._remove(folder)

    def _due(self, now: float) -> bool:
        marker = os.path.join(self._place, ".pruned")
        try:
            if now - os.stat(marker).st_mtime < _PRUNE_EVERY:
                return False
        except OSError:
            if not os.path.isdir(self._place):
                return False
        with contextlib.suppress(OSError):
            os.close(os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
            os.utime(marker, (now, now))
        return True

    def _all(self) -> Iterator[TaskFolder]:
        for name in self._names():
            if name.startswith(".gone-"):  # whoever removed it was killed
                _delete(os.path.join(self._place, name))
            elif _is_name(name):
                yield TaskFolder(os.path.join(self._place, name))

    def _names(self) -> list[str]:
        try:
            return sorted(os.listdir(self._place))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise StoreError(f"the tasks in {self._place} cannot be listed: {error.strerror}") from error


def _is_seen(folder: TaskFolder, finished: Finished) -> bool:
    """Whether it is a task; of one that is over note so, and how it ended."""
    if not os.path.lexists(folder.file("task.json")):
        return False
    hidden = folder.foreground
    if folder.is_over:
        finished.add(folder.id, None if hidden else folder.status())
    return not hidden


def _delete(path: str) -> None:
    import shutil  # noqa: PLC0415 - seldom needed, and it loads every kind of archive

    shutil.rmtree(path, ignore_errors=True)


def _is_name(name: str) -> bool:
    try:
        time_of(name)
    except ValueError:
        return False
    return is_task(name)


def _size(path: str) -> int:
    total = 0
    with contextlib.suppress(OSError):
        for entry in os.scandir(path):
            total += entry.stat(follow_symlinks=False).st_size
    return total
