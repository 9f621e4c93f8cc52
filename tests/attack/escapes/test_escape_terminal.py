"""Terminals and descriptors of whoever runs limpet: nothing is typed, shown, changed or read by way of them."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shlex
import subprocess
import termios
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attack.escapes.stage import Scene, scene, secret
from attack.escapes.trying_both import both_users

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ON_TERMINAL = {
    "typed by standard input": "import fcntl, sys; [fcntl.ioctl(0, 0x5412, bytes([c])) for c in sys.argv[1].encode()]",
    "typed by standard output": "import fcntl, sys; [fcntl.ioctl(1, 0x5412, bytes([c])) for c in sys.argv[1].encode()]",
    "typed by /dev/tty": (
        "import fcntl, os, sys; fd = os.open('/dev/tty', os.O_RDWR);"
        "[fcntl.ioctl(fd, 0x5412, bytes([c])) for c in sys.argv[1].encode()]"
    ),
    "typed with the upper half of the call set": (
        "import sys; from limpet.kernel.syscalls import call;"
        "[call('ioctl', 0, 0x5412 | 1 << 32, bytes([c])) for c in sys.argv[1].encode()]"
    ),
    "shown by /dev/tty": "import sys; open('/dev/tty', 'w').write(sys.argv[1])",
    "shown by its name": "import sys; open(sys.argv[2], 'w').write(sys.argv[1])",
    "shown by standard input": "import os, sys; os.write(0, sys.argv[1].encode())",
    "shown by standard input opened again": "import sys; open('/proc/self/fd/0', 'w').write(sys.argv[1])",
}
NEEDS_TYPING = "typed"
LIMPET_FAILED = (125, 126)
"""A command that was not started has done no harm, and proves nothing."""


class Terminal:
    """A terminal of the user's, in which a program is started as its own."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.ours, self.theirs = os.openpty()
        self.name = os.ttyname(self.theirs)
        os.chown(self.name, scene.uid, -1)
        settings = termios.tcgetattr(self.theirs)
        settings[3] &= ~(termios.ICANON | termios.ECHO)
        termios.tcsetattr(self.theirs, termios.TCSANOW, settings)

    def run(self, argv: list[str]) -> None:
        """To its end, with the terminal for everything."""
        done = subprocess.run(
            [*self._scene.prefix, "setsid", "--ctty", "--wait", *argv],
            cwd=self._scene.workspace, env=self._scene.environment(),
            stdin=self.theirs, stdout=self.theirs, stderr=subprocess.PIPE, timeout=30,
        )  # fmt: skip
        assert done.returncode not in LIMPET_FAILED, done.stderr

    def run_contained(self, command: str) -> None:
        """By limpet, which is told to let the command read what is typed."""
        self.run(self._scene.limpet("--stdin", command)[len(self._scene.prefix) :])

    def shown(self) -> bytes:
        return read_now(self.ours)

    def typed(self) -> bytes:
        return read_now(self.theirs)

    def close(self) -> None:
        os.close(self.ours)
        os.close(self.theirs)


def read_now(fd: int) -> bytes:
    found = b""
    while select.select([fd], [], [], 0)[0]:
        found += os.read(fd, 4096)
    return found


@contextlib.contextmanager
def terminal(here: Scene) -> Iterator[Terminal]:
    found = Terminal(here)
    try:
        yield found
    finally:
        found.close()


@both_users
@pytest.mark.parametrize("how", ON_TERMINAL)
def test_nothing_reaches_the_terminal_but_output(how: str, who: str) -> None:
    assert not reached(how, who, contained=True)
    if not reached(how, who, contained=False):
        if not how.startswith(NEEDS_TYPING):
            raise AssertionError(f"{how} proves nothing, for it fails without the sandbox too")
        pytest.skip("on this machine nobody can type for others")


def reached(how: str, who: str, *, contained: bool) -> bool:
    """Whether the word was typed into the terminal, or shown on it."""
    word = secret()
    with scene(who, contained=contained) as here, terminal(here) as there:
        argv = [here.python, "-c", ON_TERMINAL[how], word, there.name]
        path = shlex.quote(here.environment()["PYTHONPATH"])
        command = f"PYTHONPATH={path} {shlex.join(argv)} 2>/dev/null"
        there.run_contained(command) if contained else there.run(argv)
        return word.encode() in there.typed() + there.shown()


@both_users
def test_the_settings_of_the_terminal_stay(who: str) -> None:
    """Without echo the next password would still be hidden; with it the next command would not be seen."""
    changes = "import termios; s = termios.tcgetattr(0); s[3] ^= termios.ECHO; termios.tcsetattr(0, 0, s)"
    assert [settings_changed(who, changes, contained=contained) for contained in (False, True)] == [True, False]


def settings_changed(who: str, text: str, *, contained: bool) -> bool:
    with scene(who, contained=contained) as here, terminal(here) as there:
        before = termios.tcgetattr(there.theirs)
        argv = [here.python, "-c", text]
        there.run_contained(shlex.join(argv)) if contained else there.run(argv)
        return termios.tcgetattr(there.theirs) != before


@both_users
def test_a_command_has_no_terminal_of_its_own(who: str) -> None:
    with scene(who, contained=True) as here, terminal(here) as there:
        there.run_contained("ps -o tty= -p $$ > tty; : < /dev/tty || echo none >> tty")
        assert (here.workspace / "tty").read_text().split() == ["?", "none"]


def ran(here: Scene, argv: list[str], pass_fds: Sequence[int] = ()) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        argv, cwd=here.workspace, env=here.environment(), capture_output=True, text=True, timeout=30, pass_fds=pass_fds
    )
    assert done.returncode not in LIMPET_FAILED, done.stderr
    return done


HOLDING = """
import os, sys
for fd in range(3, 1024):
    for act in (lambda: os.pread(fd, 4096, 0), lambda: os.open("made", os.O_CREAT | os.O_WRONLY, dir_fd=fd)):
        try:
            print(act(), flush=True)
        except OSError:
            pass
"""


@both_users
def test_descriptors_of_the_caller_are_not_passed_on(who: str) -> None:
    assert [used(who, contained=contained) for contained in (False, True)] == [(True, True), (False, False)]


def used(who: str, *, contained: bool) -> tuple[bool, bool]:
    """Whether an open file was read, and a file made in an open folder."""
    word = secret()
    with scene(who, contained=contained) as here, contextlib.ExitStack() as stack:
        paths = [here.file(here.outside / "file", word), here.outside]
        fds = [fcntl.fcntl(os.open(path, os.O_RDONLY), fcntl.F_DUPFD, 20 + 7 * n) for n, path in enumerate(paths)]
        for fd in fds:
            stack.callback(os.close, fd)
        argv = [here.python, "-c", HOLDING]
        full = here.limpet("", shlex.join(argv)) if contained else [*here.prefix, *argv]
        done = ran(here, full, pass_fds=fds)
        return word in done.stdout, (here.outside / "made").exists()


@both_users
def test_a_command_has_three_descriptors(who: str) -> None:
    with scene(who, contained=True) as here:
        argv = here.limpet("", "echo /proc/$$/fd/*; echo /proc/self/fd/*")
        done = ran(here, argv)
        numbers = [[os.path.basename(path) for path in line.split()] for line in done.stdout.splitlines()]
        assert [sorted(set(found) - {"3"}) for found in numbers] == [["0", "1", "2"]] * 2


@both_users
def test_a_command_has_no_rights_at_all(who: str) -> None:
    with scene(who, contained=True) as here:
        argv = here.limpet("--json", "grep -E '^(Cap|NoNewPrivs|Seccomp:|Groups)' /proc/self/status")
        done = ran(here, argv)
        status = dict(line.split(":\t") for line in json.loads(done.stdout)["stdout"].splitlines())
        groups = status.pop("Groups").split()
        assert status == {f"Cap{kind}": "0" * 16 for kind in ("Inh", "Prm", "Eff", "Bnd", "Amb")} | {
            "NoNewPrivs": "1", "Seccomp": "2",
        }  # fmt: skip
        assert set(groups) <= {str(group) for group in os.getgroups()} | {str(here.uid)}


@both_users
def test_a_crash_leaves_no_image_of_the_memory(who: str) -> None:
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if "/" in pattern or pattern.startswith("|"):
        pytest.skip("on this machine images of memory go elsewhere")
    assert [crashed(who, contained=contained) for contained in (False, True)] == [True, False]


def crashed(who: str, *, contained: bool) -> bool:
    with scene(who, contained=contained) as here:
        text = "ulimit -c unlimited; bash -c 'kill -SEGV $$'; true"
        argv = here.limpet("", text) if contained else [*here.prefix, "bash", "-c", text]
        ran(here, argv)
        return any(path.name.startswith("core") for path in here.workspace.iterdir())


@both_users
def test_the_callers_environment_is_not_passed_on(who: str) -> None:
    with scene(who, contained=True) as here:
        ways = ([*here.prefix, "env"], here.limpet("", "env; set; cat /proc/*/environ"))
        assert [here.secret in ran(here, argv).stdout for argv in ways] == [True, False]
