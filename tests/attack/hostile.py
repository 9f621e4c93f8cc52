"""Programs that use limpet, as this user or as nobody, and are treated badly -> what became of them, what was left."""

from __future__ import annotations

import functools
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from commandline import SOURCE
from living import descendants, processes, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = SOURCE.parent / "tests"
SERVER = "limpet.process.server"
NOBODY = 65534
_AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")


class Census(msgspec.Struct, frozen=True, kw_only=True):
    """What this process holds on to."""

    descriptors: int
    threads: int
    children: tuple[str, ...]


def census() -> Census:
    """Taken after limpet's own helpers were let go."""
    from limpet.process.shared import keepers  # noqa: PLC0415 - only the programs under attack load it
    from limpet.wiring.road import ready_shells  # noqa: PLC0415

    ready_shells().rest()
    keepers().close()
    return Census(
        descriptors=len(os.listdir("/proc/self/fd")),
        threads=threading.active_count(),
        children=tuple(str(one) for one in descendants(os.getpid())),
    )


class User:
    """Somebody who runs limpet, with a folder of their own."""

    def __init__(self, place: Path, prefix: tuple[str, ...] = (), python: str = sys.executable) -> None:
        self.place = place
        self._prefix = prefix
        self._python = python

    def limpet(self, *args: str) -> list[str]:
        """The command line, as this user."""
        return [*self._prefix, self._python, "-m", "limpet", *args]

    def program(self, text: str, *args: str) -> list[str]:
        """A Python program, as this user; whatever it warns of is an error."""
        return [*self._prefix, self._python, "-W", "error", "-c", text, *args]

    def environment(self) -> dict[str, str]:
        """Where this user keeps things, and limpet beside what it needs."""
        path = os.pathsep.join((str(SOURCE), str(TESTS), sysconfig.get_path("purelib")))
        places = {
            "HOME": str(self.place),
            "LIMPET_STATE_DIR": str(self.place / "state"),
            "LIMPET_POLICY_PROFILE": "open",
            "LIMPET_SANDBOX_MODE": "none",
        }
        return {"PATH": os.environ["PATH"], "PYTHONPATH": path, **places}

    def start(self, argv: list[str]) -> subprocess.Popen[str]:
        """In a session of its own, in the user's folder."""
        return subprocess.Popen(
            argv, cwd=self.place, env=self.environment(), start_new_session=True, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def run(self, argv: list[str], seconds: float = 40) -> tuple[int, str, str]:
        """Its status, output and complaints. One that does not end is ended, with its helpers, and the test fails."""
        return self.finish(self.start(argv), seconds)

    def finish(self, process: subprocess.Popen[str], seconds: float = 40) -> tuple[int, str, str]:
        """The same for a process that was started before."""
        with ended(process):
            out, err = process.communicate(timeout=seconds)
            return process.returncode, out, err


@contextmanager
def ended(process: subprocess.Popen[str]) -> Iterator[subprocess.Popen[str]]:
    """Whatever the test finds, the process is gone after it, and so is everything it had started by then."""
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                below = descendants(process.pid)
                for pid in [process.pid, *(one.pid for one in below)]:
                    try:
                        os.kill(pid, signal.SIGKILL)
                    except ProcessLookupError:
                        continue


@contextmanager
def somebody(name: str, place: Path) -> Iterator[User]:
    """`self`, in `place`; or `nobody`, a user without rights, where this one can become that one."""
    if name == "self":
        yield User(place)
        return
    python = _python_for_nobody()
    if python is None:
        pytest.skip("needs root, setpriv, and a Python that nobody may use")
    theirs = Path(tempfile.mkdtemp(prefix="limpet-nobody-"))
    try:
        os.chown(theirs, NOBODY, NOBODY)
        yield User(theirs, _AS_NOBODY, python)
    finally:
        shutil.rmtree(theirs)


@functools.cache
def _python_for_nobody() -> str | None:
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return None
    return next((python for python in (sys.executable, "/usr/bin/python3") if _usable(python)), None)


def _usable(python: str) -> bool:
    user = User(Path("/"), _AS_NOBODY, python)
    try:
        again = "import click, limpet.shell, os, sys; os.execv(sys.executable, ['python', '-c', ''])"
        argv = [*_AS_NOBODY, python, "-c", again]
        return subprocess.run(argv, env=user.environment(), cwd="/", capture_output=True, timeout=20).returncode == 0
    except OSError:
        return False


def helpers(client: int) -> list[int]:
    """The server and the keepers of a client, alive or orphaned: they carry its pid as their last argument.

    Those of an earlier client with the same pid, or of another checkout's, are not ours to count or to end.
    """
    found = list(processes())
    (born,) = [one.started for one in found if one.pid == os.getpid()]
    ours = [one for one in found if one.started >= born and one.argv[-2:] == (str(SOURCE), str(client))]
    return [one.pid for one in ours if SERVER in " ".join(one.argv)]


def wait_no_helpers(client: int, seconds: float = 5.0) -> bool:
    """True once a client that is gone has no helpers any more; those that stay are ended, and fail the test."""
    try:
        return wait_for(lambda: not helpers(client), seconds)
    except AssertionError:
        left = helpers(client)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        raise AssertionError(f"after {seconds} s still there, and ended now: {left}") from None


def groups(server: int) -> list[str]:
    """The control groups that a server made and that are still there."""
    found = []
    for folder, names, _ in os.walk("/sys/fs/cgroup"):
        found += [os.path.join(folder, name) for name in names if name.startswith(f"limpet-{server}-")]
    return found
