"""Restrictions -> put on by this process, for itself and all that it starts, without any namespace."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

from limpet.kernel import rights
from limpet.kernel.landlock.restrict import enforce_packed
from limpet.kernel.landlock.rights import WRITE, File
from limpet.kernel.seccomp.install import install

if TYPE_CHECKING:
    from limpet.process.wire import Message

_WRITE = int(WRITE)
_TALK = int(File.READ_FILE | File.WRITE_FILE | File.IOCTL_DEV)


def confine(confinement: Message, folder: bytes, *, terminal: bool = False) -> None:
    """Files first, while they can be opened; the filter last, as it refuses some of what comes before it.

    `folder` is the command's own, if it has one; with `terminal`, so is the terminal that it writes to.
    """
    rules = confinement["landlock"]
    if rules is not None:
        files, net, scopes, paths, ports = rules
        own = [(os.fsdecode(folder), _WRITE & files)] if folder else []
        if terminal:
            with contextlib.suppress(OSError):  # it has no name here: then it is used by its descriptor alone
                own.append((os.ttyname(1), _TALK & files))
        enforce_packed((files, net, scopes, (*paths, *own), ports))
    if confinement["filter_fd"] >= 0:
        _hand_over(confinement["seccomp"], confinement["filter_fd"])
    else:
        rights.bound_capabilities()
        rights.give_up_capabilities()
        install(confinement["seccomp"])


def _hand_over(program: bytes, target: int) -> None:
    """To the program that is started next: it builds walls of its own, which the filter would not let it."""
    fd = os.memfd_create("filter")
    os.write(fd, program)
    os.lseek(fd, 0, os.SEEK_SET)
    os.dup2(fd, target)
    os.set_inheritable(target, True)  # noqa: FBT003 - it takes no keywords
