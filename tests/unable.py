"""System calls to be denied, and a command line -> the command run where the kernel denies them, for good.

As a container or a hardened host does: `python unable.py unshare,landlock_create_ruleset -- limpet doctor`.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

from limpet.kernel.seccomp.assemble import EQUAL, NUMBER, Branch, End, Look, Step, assemble
from limpet.kernel.seccomp.install import install
from limpet.kernel.syscall_numbers import number
from limpet.kernel.syscalls import machine

NAMESPACES = "unshare"
LANDLOCK = "landlock_create_ruleset"
ALLOW, REFUSE = 0x7FFF0000, 0x00050000


def without(denied: str, argv: list[str], python: str = sys.executable) -> list[str]:
    """The command line that denies these calls, separated by commas, and then becomes the other one."""
    return [python, str(Path(__file__)), denied, *argv]


def program(names: list[str]) -> bytes:
    """A filter that refuses these calls and lets all others."""
    here = machine()
    assert here is not None
    step: Step = End(ALLOW)
    for name in names:
        wanted = number(here, name)
        assert wanted is not None
        step = Branch(EQUAL, wanted, End(REFUSE | errno.EPERM), step)
    return assemble(Look(NUMBER, step))


if __name__ == "__main__":
    install(program(sys.argv[1].split(",")))
    os.execvp(sys.argv[2], sys.argv[2:])
