"""A person's terminal: what a command prints can do nothing to it, and what is typed there is not the command's."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

# limpet's own colours, and the redrawing of its own status line.
OWN = re.compile(rb"\x1b\[[0-9;]*m|\r\x1b\[2?K|\x1b\[\?25[lh]|\x1b\[[01]?[AKG]")
HOSTILE = {
    "clipboard": rb"\033]52;c;cHduZWQ=\007",
    "title": rb"\033]0;owned\007",
    "link": rb"\033]8;;http://evil.invalid\033\\text\033]8;;\033\\",
    "clear": rb"\033[2J\033[H\033[3J",
    "report": rb"\033[6n\033[c\033[>q\033[21t",
    "c1": rb"\302\233\062J\302\235\060;x\302\234",
    "c1 byte": rb"\233\062J\2350;x\234",
    "device": rb"\033P$qm\033\\\033_Gi=1;x\033\\\033^pm\033\\",
    "bell": rb"\007\016\005",
    "up": rb"\033[5A\033[1K\033M\0337\0338",
    "bidi": rb"\342\200\256evil\342\201\246",
    "tags": rb"\363\240\201\201\363\240\201\277",
    "zero width": rb"\342\200\213\357\273\277\302\255",
    "unfinished": rb"\033]0;never ended",
    "mode": rb"\033[?1049h\033[?1000h\033c\033#8",
}
DANGEROUS = re.compile(
    "[\x00-\x06\x07\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad\U000e0000-\U000e0fff]"
)


def at_terminal(argv: list[str], cli: Cli, *, typed: bytes = b"", term: str = "xterm") -> tuple[int, bytes, bytes]:
    """Exit status, what the screen got, and what of the typed text is still there to be read afterwards."""
    screen, terminal = pty.openpty()
    attributes = termios.tcgetattr(terminal)
    attributes[3] &= ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSANOW, attributes)
    os.write(screen, typed)
    env = cli.environment({"TERM": term})
    with subprocess.Popen(
        [sys.executable, "-c", OWN_TERMINAL, *argv], stdin=terminal, stdout=terminal, stderr=terminal, cwd=cli.cwd,
        env=env, start_new_session=True,
    ) as process:  # fmt: skip
        try:
            shown = read_until_it_ends(screen, process)
        finally:
            process.kill()
    fcntl.fcntl(terminal, fcntl.F_SETFL, os.O_NONBLOCK)
    left = os.read(terminal, 4096) if select.select([terminal], [], [], 0)[0] else b""
    os.close(screen)
    os.close(terminal)
    return process.returncode, shown, left


# Becomes limpet after it has made the terminal its own, as a person's shell would have.
OWN_TERMINAL = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); os.execv(sys.argv[1], sys.argv[1:])"
)


def read_until_it_ends(screen: int, process: subprocess.Popen[bytes], seconds: float = 30) -> bytes:
    shown, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        ended = process.poll() is not None
        while select.select([screen], [], [], 0.02)[0]:
            shown += os.read(screen, 65536)
        if ended:
            return shown
    raise AssertionError(f"still running after {seconds} s; the screen has {shown!r}")


def leftover(shown: bytes) -> list[str]:
    """What could do something to a terminal, beside limpet's own colours and status line."""
    return DANGEROUS.findall(OWN.sub(b"", shown).replace(b"\r\n", b"\n").decode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    ("name", "stream"), [*((name, 1) for name in HOSTILE), ("title", 2), ("clear", 2), ("c1", 2), ("unfinished", 2)]
)
def test_nothing_that_a_command_prints_can_steer_the_terminal(name: str, stream: int, cli: Cli) -> None:
    command = f"printf '{os.fsdecode(HOSTILE[name])}' >&{stream}; echo; echo after"
    status, shown, _ = at_terminal(cli.argv("run", "--", command), cli)
    assert (status, leftover(shown), b"\nafter\r\n" in shown) == (0, [], True)


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_nothing_in_the_command_its_description_or_its_folder_can_steer_the_terminal(
    term: str, cli: Cli, workspace: Path
) -> None:
    folder = workspace / "f\x1b]0;folder\x07\u202e"
    folder.mkdir()
    argv = cli.argv(
        "run", "--description", "d\x1b]0;x\x07\u202e", "--cwd", str(folder), "--", "sleep 0.8 # \x1b[2J\u202e\x9b2J"
    )
    status, shown, _ = at_terminal(argv, cli, term=term)
    assert (status, leftover(shown)) == (0, [])
    assert (b"<U+001B>]0;x<U+0007><U+202E>" in shown) is True


@pytest.mark.parametrize("reader", ["terminal", "pipe"])
def test_the_name_of_a_process_that_was_left_behind_is_told_harmlessly(reader: str, cli: Cli) -> None:
    command = "cp /bin/sleep $'./z\\e]0;x\\a'; ./$'z\\e]0;x\\a' 60 & sleep 0.1"
    argv = cli.argv("run", "--", command)
    if reader == "terminal":
        shown = at_terminal(argv, cli)[1]
    else:
        shown = subprocess.run(argv, capture_output=True, cwd=cli.cwd, env=cli.environment(), timeout=30).stderr
    assert (leftover(shown), b"z<U+001B>]0;x<U+0007>" in shown) == ([], True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--file", "x\x1b]0;b\x07"),
        ("--env", "x\x1b]0;b\x07", "--", "true"),
        ("--cwd", "x\x1b]0;b\x07", "--", "true"),
        ("--truncate", "x\x1b]0;b\x07", "--", "true"),
        ("--timeout", "x\x1b]0;b\x07", "--", "true"),
        ("--x\x1b]0;b\x07",),
    ],
)
def test_a_wrong_argument_is_quoted_harmlessly(arguments: tuple[str, ...], cli: Cli) -> None:
    status, shown, _ = at_terminal(cli.argv("run", *arguments), cli)
    assert (status, leftover(shown)) == (2, [])


def test_the_log_and_the_stored_output_are_shown_harmlessly(cli: Cli) -> None:
    ran = cli("run", "--json", "--", "printf 'a\\033]0;x\\007\\033[2Jb\\n'; : \x1b]0;y\x07\nforged entry")
    run = ran.stdout.partition('"operation_id":"')[2].partition('"')[0]
    for argv in (cli.argv("logs", run), cli.argv("log")):
        status, shown, _ = at_terminal(argv, cli)
        assert (status, leftover(shown), shown != b"") == (0, [], True)


@pytest.mark.req("TK-16")
@pytest.mark.parametrize(
    "command",
    [
        "cat",
        "read -r line; echo \"got '$line'\"",
        "python3 -c 'input()' 2>/dev/null",
        "python3 -W ignore -c 'import getpass; getpass.getpass()' 2>/dev/null",
        "cat /dev/tty 2>/dev/null",
        "exec 3</dev/tty && cat <&3",
        "cat /proc/$PPID/fd/0 /proc/self/fd/0",
        "ssh-keygen -q -f key </dev/null 2>/dev/null",
        "setsid -w cat /dev/tty 2>/dev/null",
    ],
)
def test_a_command_neither_waits_for_the_person_nor_takes_what_they_typed(command: str, cli: Cli) -> None:
    typed = b"git status\n"
    status, shown, left = at_terminal(
        cli.argv("run", "--timeout", "20", "--", f"{command}; echo over"), cli, typed=typed
    )
    assert (status, b"over" in shown, b"git status" in shown, left) == (0, True, False, typed)
