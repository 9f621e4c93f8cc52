"""The same verbs for a single call: a shell is opened for it, or used again when nothing has changed."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

from limpet import shell
from limpet.config import settings_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Unpack

    from limpet.engine.cancel import CancelToken
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.protocols import Approver
    from limpet.shell import Shell, Stream

_Stamp = tuple[tuple[int, int] | None, ...]
_Environ = tuple[tuple[str, str], ...]


async def run(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    check: bool = False,
    approver: str | Approver = "deny",
    cancel: CancelToken | None = None,
    **options: Unpack[RunOptions],
) -> Result:
    """Run one command to its end. With `check`, anything but success raises CommandError."""
    here = _shell(workspace, options)
    return await here.run(command, check=check, approver=approver, cancel=cancel, **options)


async def sequence(
    commands: Iterable[str],
    *,
    workspace: str | PathLike[str] | None = None,
    approver: str | Approver = "deny",
    **options: Unpack[RunOptions],
) -> list[Result]:
    """Run several in order, up to and with the first that does not succeed."""
    return await _shell(workspace, options).sequence(commands, approver=approver, **options)


def stream(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    lossless: bool = False,
    approver: str | Approver = "deny",
    cancel: CancelToken | None = None,
    **options: Unpack[RunOptions],
) -> Stream:
    """Run a command and read its events as they come; leaving the block ends the run."""
    here = _shell(workspace, options)
    return here.stream(command, lossless=lossless, approver=approver, cancel=cancel, **options)


def _shell(workspace: str | PathLike[str] | None, options: RunOptions) -> Shell:
    """The shell for this workspace; `cwd`, where it stands in for the workspace, is taken out of the options."""
    if workspace is None:
        workspace = options.pop("cwd", None)
    folder = os.path.abspath(os.getcwd() if workspace is None else workspace)
    environ = tuple(os.environ.items())
    return _opened(folder, environ, _stamp(folder, environ))


@functools.lru_cache(maxsize=8)
def _opened(folder: str, environ: _Environ, stamp: _Stamp) -> Shell:  # noqa: ARG001 - a changed file is another shell
    return shell.open(folder, environ=dict(environ))


def _stamp(folder: str, environ: _Environ) -> _Stamp:
    """What the settings files look like from outside."""
    return tuple(_look(path) for path in _files(folder, environ))


@functools.lru_cache(maxsize=8)
def _files(folder: str, environ: _Environ) -> tuple[str, ...]:
    return tuple(file.path for file in settings_files(workspace=folder, environ=dict(environ)))


def _look(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
