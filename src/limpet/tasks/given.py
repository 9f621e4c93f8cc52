"""What a caller gives a task to read: their own standard input, which the task has when they are gone."""

from __future__ import annotations

import contextlib
import fcntl
import os
from typing import TYPE_CHECKING

from limpet.errors import InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.model.request import Request


def given(request: Request) -> tuple[int, ...]:
    """The descriptors that go with it. Raises InvalidRequestError where what is there cannot be given away."""
    if not request.inherit_stdin:
        return ()
    try:
        how = fcntl.fcntl(0, fcntl.F_GETFL) & os.O_ACCMODE
    except OSError:
        raise _refused("is closed: give it a file or a pipe, or leave it out") from None
    if how == os.O_WRONLY:
        raise _refused("can only be written to: give it a file or a pipe to read from")
    if os.isatty(0):
        raise _refused("is a terminal, which cannot be shared with it: start it with stdin=OPEN, and send what it asks")
    return (0,)


def _refused(why: str) -> InvalidRequestError:
    return InvalidRequestError(f"the stdin that the task was to have {why}", field="stdin")


@contextlib.contextmanager
def as_stdin(fds: list[int]) -> Iterator[None]:
    """In the process that holds the task: have it as standard input as long as the task runs."""
    if fds:
        os.dup2(fds[0], 0)
        os.close(fds[0])
    try:
        yield
    finally:
        if fds:
            os.dup2(1, 0)  # nothing to be read there
