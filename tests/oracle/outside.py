"""A program and a text -> what the program says about the text, from an empty folder and with nobody's rights."""

from __future__ import annotations

import atexit
import functools
import os
import subprocess
import tempfile
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60.0
NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs")


class Said(msgspec.Struct, frozen=True):
    """How a program ended and what it printed. A program that took too long has status None."""

    status: int | None
    out: str
    error: str


def ask(argv: tuple[str, ...], text: str, *, trusted: bool = False) -> Said:
    """Run a reader with the text as its standard input, which it may also open as /dev/stdin."""
    # Nobody may open a memory file again by its name in /proc; a pipe or a file of root's it may not.
    with os.fdopen(os.memfd_create("text"), "r+b") as file:
        file.write(to_bytes(text))
        file.seek(0)
        return _run(argv if trusted else (*_prefix(), *argv), file.fileno())


def to_bytes(text: str) -> bytes:
    """Text -> the bytes it stands for."""
    return text.encode("utf-8", "surrogateescape")


def to_text(data: bytes) -> str:
    """Bytes -> text; bytes that spell nothing become surrogates."""
    return data.decode("utf-8", "surrogateescape")


def _run(argv: tuple[str, ...], fd: int) -> Said:
    environ = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(argv, stdin=fd, capture_output=True, cwd=empty_folder(), env=environ, timeout=PATIENCE)
    except subprocess.TimeoutExpired as late:
        return Said(None, to_text(late.stdout or b""), to_text(late.stderr or b""))
    return Said(done.returncode, to_text(done.stdout), to_text(done.stderr))


def _prefix() -> tuple[str, ...]:
    return NOBODY if os.geteuid() == 0 else ()


@functools.cache
def empty_folder() -> str:
    """A folder with nothing in it, for as long as this process lives; its forks use it too."""
    folder = tempfile.mkdtemp(prefix="oracle-")
    os.chmod(folder, 0o755)
    atexit.register(os.rmdir, folder)
    return folder


def run(argv: list[str], *, folder: Path) -> tuple[int, str]:
    """Run a program of the machine's, in that folder and with our own rights; its status and what it said."""
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, cwd=folder)
    return done.returncode, to_text(done.stdout + done.stderr)
