"""Whether this host can contain a command: tried once after each start of the machine, and written down."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import SandboxUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.plan import Plan
    from limpet.model.request import Request
    from limpet.sandbox.choose import Level

_VERSION = 2
"""Goes up with everything that may work where an older limpet did not."""
_HELD = ("CapBnd:", "NoNewPrivs:", "Seccomp_filters:")


class Capable:
    """Tries, and remembers what worked. What did not work is tried again by the next process: it may be mended."""

    def __init__(self, state_dir: str, attempt: Callable[[Plan], str]) -> None:
        self._path = os.path.join(state_dir, "sandbox.json")
        self._attempt = attempt

    def trouble(self, level: Level, request: Request) -> str:
        """Why commands cannot be contained like that; empty when they can."""
        here = _here()
        noted = self._noted()
        if noted.get(level.name) == here:
            return ""
        try:
            plan = level.plan(msgspec.structs.replace(request, live=False)).plan
            if plan.confinement is not None and plan.confinement.engine is not None:
                return ""  # nobody else would be asked instead, and it says well enough itself why it cannot
            why = self._attempt(msgspec.structs.replace(plan, env={}))  # how it is contained, whatever is in it
        except SandboxUnavailableError as error:
            return str(error)
        if not why:
            self._note({**noted, level.name: here})
        return why

    def _noted(self) -> dict[str, object]:
        with contextlib.suppress(OSError, ValueError), open(self._path, "rb") as file:
            noted = msgspec.json.decode(file.read())
            return noted if isinstance(noted, dict) else {}
        return {}

    def _note(self, noted: dict[str, object]) -> None:
        with contextlib.suppress(OSError):
            fd = os.open(self._path + f".{os.getpid()}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
            with open(fd, "wb") as file:
                file.write(msgspec.json.encode(noted))
            os.replace(self._path + f".{os.getpid()}", self._path)


def _here() -> list[object]:
    """What it depends on: who we are, and whether somebody else contains us."""
    with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        boot = file.read().strip()
    with open("/proc/self/status", encoding="utf-8", errors="replace") as file:
        held = [line.split(":", 1)[1].strip() for line in file if line.startswith(_HELD)]
    label = ""
    with contextlib.suppress(OSError), open("/proc/self/attr/current", encoding="utf-8", errors="replace") as file:
        label = file.read().strip("\0\n")
    spaces = [os.readlink(f"/proc/self/ns/{kind}") for kind in ("user", "mnt")]
    return [_VERSION, boot, os.geteuid(), *spaces, *held, label]
