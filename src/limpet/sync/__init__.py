"""The same verbs, blocking: one implementation, driven by an event loop in a thread of its own."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from limpet import calls
from limpet import shell as _shell
from limpet.deciding import check
from limpet.engine.blocking import wait
from limpet.sync.session import Session
from limpet.sync.shell import Shell
from limpet.sync.stream import Stream
from limpet.sync.task import Task
from limpet.sync.transaction import Transaction
from limpet.sync.twin import called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from os import PathLike
    from typing import Unpack

    from limpet.engine.cancel import CancelToken
    from limpet.model.decision import Verdict
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.protocols import Approver
    from limpet.tasks.patience import Patience

__all__ = ["Session", "Shell", "Stream", "Task", "Transaction", "check", "open", "run", "sequence", "start", "stream"]


def open(  # noqa: A001 - the twin of `limpet.open`
    workspace: str | PathLike[str] | None = None,
    *,
    approver: str | Approver = "deny",
    permission: Callable[[str], Verdict | str] | None = None,
    settings: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    surface: str = "python",
    **options: Unpack[RunOptions],
) -> Shell:
    """A shell for a workspace; see `limpet.open`."""
    opened = _shell.open(
        workspace,
        approver=approver,
        permission=permission,
        settings=settings,
        environ=environ,
        surface=surface,
        **options,
    )
    return Shell(opened)


def run(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    check: bool = False,
    approver: str | Approver | None = None,
    cancel: CancelToken | None = None,
    yield_after: float | Patience | None = None,
    **options: Unpack[RunOptions],
) -> Result:
    """Run one command to its end. With `check`, anything but success raises CommandError."""
    return wait(
        calls.run(
            command, workspace=workspace, check=check, approver=approver, cancel=cancel, yield_after=yield_after,
            **options,
        )
    )  # fmt: skip


def start(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    approver: str | Approver | None = None,
    **options: Unpack[RunOptions],
) -> Task:
    """Start a command in the background, where it goes on when this process has ended."""
    return Task(wait(calls.start(command, workspace=workspace, approver=approver, **options)))


def sequence(
    commands: Iterable[str],
    *,
    workspace: str | PathLike[str] | None = None,
    approver: str | Approver | None = None,
    **options: Unpack[RunOptions],
) -> list[Result]:
    """Run several in order, up to and with the first that does not succeed."""
    return wait(calls.sequence(commands, workspace=workspace, approver=approver, **options))


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
    make = functools.partial(
        calls.stream,
        command,
        workspace=workspace,
        lossless=lossless,
        attended=attended,
        approver=approver,
        cancel=cancel,
        **options,
    )
    return Stream(wait(called(make)))
