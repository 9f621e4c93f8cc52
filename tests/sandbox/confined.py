"""Wishes in JSON as the first argument -> this process restricted accordingly, then the script run in it.

Started by `trying.py`, always as a process of its own. The script, the second argument, finds everything that stands
here, imported while files could still be read.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import time

from limpet.kernel import landlock, seccomp, syscalls

# For scripts; imported here, while files can still be read.
TOOLS = (contextlib, ctypes, fcntl, mmap, signal, socket, struct, subprocess, time)


def tell(what: object) -> None:
    """What the test gets back, one line each."""
    os.write(1, json.dumps(what).encode() + b"\n")


def word(action: object) -> str:
    """Call it: what it came to, as a word."""
    try:
        action()  # type: ignore[operator]  # scripts pass lambdas
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "ok"


def attempt(number: int, *arguments: int) -> str:
    """Make the call in a process of its own, without a terminal: what it changes ends there."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(OSError):
            os.setsid()
        os.write(write, word(lambda: syscalls.by_number(number, str(number))(*arguments)).encode() + b" ")
        os._exit(0)
    os.close(write)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    with open(read, "rb") as answer:
        text = answer.read().decode()
    return signal.Signals(-status).name if status < 0 else text.split()[0]


def confine(wishes: dict[str, object]) -> None:
    """In the order in which a sandbox does it: first who we are, then files, then calls."""
    uid = wishes.get("uid")
    if isinstance(uid, int):
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    if (rules := wishes.get("landlock")) is not None:
        assert isinstance(rules, dict)
        landlock.restrict(landlock.plan(**{"version": landlock.version(), **rules}))
    if (variant := wishes.get("seccomp")) is not None:
        assert isinstance(variant, dict)
        machine = syscalls.machine()
        assert machine is not None
        seccomp.install(seccomp.program(machine, **variant))


if __name__ == "__main__":
    confine(json.loads(sys.argv[1]))
    exec(sys.argv[2], globals())
