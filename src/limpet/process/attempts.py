"""Something that cannot be undone -> whether it works, tried by a process that ends right after."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_PATIENCE = 10


def attempt(action: Callable[[], object]) -> str:
    """Why it does not work; empty when it does."""
    reading, writing = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        _try(action, writing)
    os.close(writing)
    with open(reading, "rb") as file:
        why = file.read()
    _, status = os.waitpid(pid, 0)
    if not why and status:
        return "the process that tried it was ended"
    return os.fsdecode(why)


def _try(action: Callable[[], object], writing: int) -> None:
    """In a child. Never returns."""
    code = 1
    try:
        signal.alarm(_PATIENCE)
        action()
        code = 0
    except OSError as error:
        os.write(writing, os.fsencode(f"{error.strerror}{f' ({error.filename})' if error.filename else ''}"))
    finally:
        os._exit(code)
