"""The same verbs for a single call: a shell is opened for it, or used again when nothing has changed."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import time
from typing import TYPE_CHECKING

from limpet import opening
from limpet.config import settings_files
from limpet.workspaces import workspace_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike
    from typing import Unpack

    from limpet.engine.cancel import CancelToken
    from limpet.engine.stream import Stream
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.protocols import Approver
    from limpet.shell import Shell
    from limpet.tasks.patience import Patience
    from limpet.tasks.task import Task

_Stamp = tuple[tuple[int, int] | None, ...]
_MOST_SHELLS = 8
_LOOK_EVERY = 0.25


async def run(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    check: bool = False,
    approver: str | Approver | None = None,
    cancel: CancelToken | None = None,
    yield_after: float | Patience | None = None,
    **options: Unpack[RunOptions],
) -> Result:
    """Run one command to its end. With `check`, anything but success raises CommandError.

    With `yield_after`, one that runs for more seconds than that goes on as a background task.
    """
    here = _shell(workspace, options)
    return await here.run(
        command, check=check, approver=approver, cancel=cancel, yield_after=yield_after, **options
    )  # fmt: skip


async def start(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    approver: str | Approver | None = None,
    **options: Unpack[RunOptions],
) -> Task:
    """Start a command in the background, where it goes on when this process has ended."""
    return await _shell(workspace, options).start(command, approver=approver, **options)


async def sequence(
    commands: Iterable[str],
    *,
    workspace: str | PathLike[str] | None = None,
    approver: str | Approver | None = None,
    **options: Unpack[RunOptions],
) -> list[Result]:
    """Run several in order, up to and with the first that does not succeed."""
    return await _shell(workspace, options).sequence(commands, approver=approver, **options)


def stream(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    lossless: bool = False,
    attended: bool = True,
    approver: str | Approver | None = None,
    cancel: CancelToken | None = None,
    **options: Unpack[RunOptions],
) -> Stream:
    """Run a command and read its events as they come; leaving the block ends the run."""
    here = _shell(workspace, options)
    return here.stream(command, lossless=lossless, attended=attended, approver=approver, cancel=cancel, **options)


def _shell(workspace: str | PathLike[str] | None, options: RunOptions) -> Shell:
    """The shell for this workspace; `cwd`, where it stands in for the workspace, is taken out of the options."""
    if workspace is None:
        workspace = options.pop("cwd", None)
    return _memory().shell(_folder(workspace))


def _folder(workspace: str | PathLike[str] | None) -> str:
    if workspace is None:
        with contextlib.suppress(OSError):  # it is gone: told below
            return os.getcwd()  # a real path; that it is still a folder is seen when the command is admitted
    return workspace_folder(workspace)


@functools.cache
def _memory() -> _Memory:
    return _Memory()


class _Memory:
    """The last few shells, each good as long as environment and settings files stay as they were."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._environ: dict[bytes, bytes] = {}
        self._shells: dict[str, _Known] = {}

    def shell(self, folder: str) -> Shell:
        with self._lock:
            if (environ := _raw_environ()) != self._environ:
                self._environ = dict(environ)
                self._shells.clear()
            known = self._shells.get(folder)
            if known is None or not known.fresh():
                known = self._shells[folder] = self._open(folder)
            return known.shell

    def _open(self, folder: str) -> _Known:
        while len(self._shells) >= _MOST_SHELLS:
            self._shells.pop(next(iter(self._shells)))
        return _Known(folder)


class _Known:
    """A shell, and what its files of settings and rules looked like when it was opened."""

    def __init__(self, folder: str) -> None:
        files = tuple(file.path for file in settings_files(workspace=folder, environ=os.environ))
        before = _stamp(files)
        self._looked = time.monotonic()
        self.shell = opening.open(folder)
        self._files = (*files, *self.shell.rule_files)
        self._stamp = (*before, *_stamp(self.shell.rule_files))

    def fresh(self) -> bool:
        """Whether the files are as they were; looked at a few times a second."""
        now = time.monotonic()
        if now - self._looked < _LOOK_EVERY:
            return True
        self._looked = now
        return self._stamp == _stamp(self._files)


def _raw_environ() -> Mapping[bytes, bytes]:
    """The environment without decoding it: this is looked at for every call."""
    raw: Mapping[bytes, bytes] = getattr(os.environ, "_data", os.environb)
    return raw


def _stamp(files: tuple[str, ...]) -> _Stamp:
    """What settings files look like from outside."""
    return tuple(_look(path) for path in files)


def _look(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
