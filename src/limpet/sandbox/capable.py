"""Whether this host can contain a command: tried once after each start of the machine, and written down."""

from __future__ import annotations

import contextlib
import json
import os
from typing import TYPE_CHECKING

from limpet.errors import SandboxUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.plan import Plan
    from limpet.model.request import Request
    from limpet.sandbox.native import Native

_VERSION = 1
"""Goes up with everything that may work where an older limpet did not."""


class Capable:
    """Tries, and remembers what worked. What did not work is tried again by the next process: it may be mended."""

    def __init__(self, state_dir: str, attempt: Callable[[Plan], str]) -> None:
        self._path = os.path.join(state_dir, "sandbox.json")
        self._attempt = attempt

    def trouble(self, native: Native, request: Request) -> str:
        """Why not; empty when it can."""
        here = _here()
        if self._noted() == here:
            return ""
        try:
            why = self._attempt(native.plan(request).plan)
        except SandboxUnavailableError as error:
            return str(error)
        if not why:
            self._note(here)
        return why

    def _noted(self) -> object:
        with contextlib.suppress(OSError, ValueError), open(self._path, encoding="utf-8") as file:
            return json.load(file)
        return None

    def _note(self, here: object) -> None:
        with contextlib.suppress(OSError):
            fd = os.open(self._path + f".{os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with open(fd, "w", encoding="utf-8") as file:
                json.dump(here, file)
            os.replace(self._path + f".{os.getpid()}", self._path)


def _here() -> list[object]:
    """What it depends on."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    return [_VERSION, boot, os.geteuid(), os.readlink("/proc/self/ns/user"), os.readlink("/proc/self/ns/mnt")]
