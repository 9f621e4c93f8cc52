"""A person's own interactive shell, run once -> what it says about itself.

Not a command of an agent: it reads the start-up files of the user, with the user's rights and environment, because the
user has asked for it.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.process.keepers import ALL_SIGNALS

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST = 64 << 20


def ask(bash: str, script: str, environ: Mapping[str, str], *, fd: int, patience: float) -> bytes:
    """What it writes to descriptor `fd` when it runs a script after its start-up files. Raises LaunchError.

    In a session of its own, without a terminal: what the files start or ask for is not there, and is ended with it.
    """
    reading, writing = os.pipe2(os.O_CLOEXEC)
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDWR, 0),
        (os.POSIX_SPAWN_DUP2, 0, 1),
        (os.POSIX_SPAWN_DUP2, 0, 2),
        (os.POSIX_SPAWN_DUP2, writing, fd),
    ]
    try:
        pid = os.posix_spawn(
            bash, ["bash", "-ic", script], dict(environ), file_actions=actions, setsid=True, setsigdef=ALL_SIGNALS,
            setsigmask=(),
        )  # fmt: skip
    except OSError as error:
        os.close(reading)
        raise LaunchError(f"cannot start {bash}: {error.strerror}", errno=error.errno) from error
    finally:
        os.close(writing)
    try:
        return _read(reading, time.monotonic() + patience)
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(pid, 0)


def _read(fd: int, deadline: float) -> bytes:
    found = bytearray()
    while (left := deadline - time.monotonic()) > 0 and len(found) < _MOST:
        if not select.select([fd], [], [], left)[0]:
            break
        data = os.read(fd, 1 << 16)
        if not data:
            return bytes(found)
        found += data
    raise LaunchError("your interactive bash did not come to an end: its start-up files wait for something")
