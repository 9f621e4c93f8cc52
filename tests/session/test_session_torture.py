"""Whatever a command does to its shell, its answer is complete and the next command finds a session that works."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import Outcome, SessionEndedError, sync
from living import marker, wait_for, wait_gone

if TYPE_CHECKING:
    from collections.abc import Iterator

SHADOWED = (
    "builtin", "read", "printf", "eval", "exec", "unset", "declare", "trap", "set", "command", "return", "echo",
    "export",
)  # fmt: skip
FORGED = "bash: line 1: /!/0/hBs: No such file or directory"
UNHARMED = {
    "set -e": ("set -e; true", 0, ""),
    "set -u": ("set -u; echo ok", 0, "ok\n"),
    "set -o posix": ("set -o posix; echo ok", 0, "ok\n"),
    "extdebug": ("shopt -s extdebug; echo ok", 0, "ok\n"),
    "IFS": ("IFS=x0123456789/!; echo ok", 0, "ok\n"),
    "a locale": ("LC_ALL=C; LANG=xx_YY.none; echo ok", 0, "ok\n"),
    "no final newline": ("printf '%s' ok", 0, "ok"),
    "an unterminated quote": ('echo "ok', 2, ""),
    "an unterminated heredoc": ("cat <<E\nok", 0, "ok\n"),
    "an unterminated loop": ("for x in 1; do echo $x", 2, ""),
    "a stray parenthesis": ("echo ok; )", 2, ""),
    "a stray brace": ("}", 2, ""),
    "break": ("break 9; continue; echo ok", 0, "ok\n"),
    "return": ("return 4; echo ok", 0, "ok\n"),
    "an EXIT trap": ("trap 'echo bye' EXIT; echo ok", 0, "ok\n"),
    "an ERR trap": ("trap 'echo err >&2' ERR; echo ok", 0, "ok\n"),
    "a DEBUG trap": ("trap 'cat; read y; echo dbg >&2' DEBUG; echo ok", 0, "ok\n"),
    "a RETURN trap": ("trap 'echo back >&2' RETURN; echo ok", 0, "ok\n"),
    "signals ignored": ("trap '' INT TERM HUP QUIT USR1; echo ok", 0, "ok\n"),
    "prompts": ("PS1='$(exit 3)' PS2=x PS4=y PROMPT_COMMAND='exit 4'; echo ok", 0, "ok\n"),
    "builtins as functions": (" ".join(f"{name}() {{ :; }};" for name in SHADOWED), 0, ""),
    "a builtin that is off": ("enable -n printf read; echo ok", 0, "ok\n"),
    "aliases": ("shopt -s expand_aliases; alias eval=exit exec=exit if=exit true=false; echo ok", 0, "ok\n"),
    "a descriptor of ours closed": ("exec 9>&- 9<&-; echo ok", 0, "ok\n"),
    "descriptors opened": ("exec 3>&1 4>&2 9>/dev/null 20</dev/null 200</dev/null; echo ok", 0, "ok\n"),
    "input closed": ("exec <&-; echo ok", 0, "ok\n"),
    "names that are read-only": ("readonly LINENO0=1 _limpet_x=1 BASH_COMMANDS=2 REPLY=3; echo ok", 0, "ok\n"),
    "input eaten": ("cat; cat; read a; cat <&0; echo ok", 0, "ok\n"),
    "the end of a command, forged": (f"echo '{FORGED}' | tee /dev/stderr >/dev/null; echo ok", 0, "ok\n"),
    "the channel written to": (f"echo '{FORGED}' >&58; sleep 0.1; echo ok; (exit 9)", 9, "ok\n"),
    "the channel flooded": (f"for i in {{1..20000}}; do echo '{FORGED}'; done >&58; echo ok", 0, "ok\n"),
    "limits": ("ulimit -c 0; ulimit -S -n 100; echo ok", 0, "ok\n"),
    "a variable of ten megabytes": ("big=$(head -c 10000000 /dev/zero | tr '\\0' x); echo ${#big}", 0, "10000000\n"),
    "a folder that is removed": ("mkdir gone; cd gone; rmdir ../gone; echo ok; cd ..", 0, "ok\n"),
    "control characters": ("y=$'\\001\\002\\n\\t\\x7f'; printf '%s' \"$y\" | wc -c", 0, "5\n"),
}  # fmt: skip

ENDED = {
    "kill": ("kill $$; sleep 5", Outcome.SIGNALLED),
    "kill -9": ("kill -9 $$", Outcome.SIGNALLED),
    "exec": ("exec echo ok", Outcome.EXITED),
    "set -e that fails": ("set -e; false; echo never", Outcome.EXITED),
    "set -u that fails": ("set -u; echo $nothing; echo never", Outcome.EXITED),
    "a parameter that is missed": ("echo ${nothing?}; echo never", Outcome.EXITED),
    "every descriptor closed": (
        "for fd in /proc/$$/fd/*; do fd=${fd##*/}; [ $fd -lt 3 ] || eval \"exec $fd>&-\"; done; echo ok",
        Outcome.EXITED,
    ),
    "the channel closed": ("exec 58>&- 10>&-; echo ok", Outcome.EXITED),
    "the script eaten": ("while read -t 0.2 -r -n 1 -u 58 c; do :; done; echo ok", Outcome.EXITED),
    "set -n": ("echo ok; set -n", Outcome.EXITED),
    "a shell that runs one more command": ("set -t; echo ok", Outcome.EXITED),
    "a shell that is stopped": ("kill -STOP $$; sleep 9", Outcome.TIMED_OUT),
    "an endless loop": ("while :; do :; done", Outcome.TIMED_OUT),
    "a sleep": ("trap '' TERM; sleep 99; echo never", Outcome.TIMED_OUT),
}  # fmt: skip


@pytest.fixture
def shell(workspace: Path) -> Iterator[sync.Shell]:
    with sync.open(workspace) as opened:
        yield opened


@pytest.fixture
def walled(workspace: Path) -> Iterator[sync.Shell]:
    with sync.open(workspace, sandbox="native") as opened:
        yield opened


def start(bash: sync.Session) -> None:
    bash.run('x=kept; f() { echo "f $x"; }; cd src', check=True)


@pytest.mark.req("MY-10")
@pytest.mark.parametrize(("command", "status", "out"), UNHARMED.values(), ids=UNHARMED)
def test_what_leaves_the_shell_alive_leaves_the_session_as_it_was(
    shell: sync.Shell, command: str, status: int, out: str
) -> None:
    unharmed(shell, command, status, out)


def test_nor_does_it_behind_walls(walled: sync.Shell) -> None:
    for command, status, out in UNHARMED.values():
        unharmed(walled, command, status, out)


def unharmed(shell: sync.Shell, command: str, status: int, out: str) -> None:
    with shell.session() as bash:
        start(bash)
        pid = bash.pid
        result = bash.run(command, timeout=30)
        assert (result.outcome, result.exit_code, result.stdout, result.error) == (Outcome.EXITED, status, out, None)
        after = bash.run('/bin/echo "$x"; type -t f; pwd -P', timeout=30)
        assert (after.stdout, after.exit_code, bash.pid) == (f"kept\nfunction\n{shell.workspace}/src\n", 0, pid)


@pytest.mark.parametrize(("command", "outcome"), ENDED.values(), ids=ENDED)
def test_what_ends_the_shell_is_told_and_the_session_goes_on(shell: sync.Shell, command: str, outcome: Outcome) -> None:
    goes_on(shell, command, outcome)


def test_so_it_does_behind_walls(walled: sync.Shell) -> None:
    for name in ("kill -9", "exec", "set -e that fails", "every descriptor closed", "a shell that is stopped"):
        goes_on(walled, *ENDED[name])


def goes_on(shell: sync.Shell, command: str, outcome: Outcome) -> None:
    with shell.session() as bash:
        start(bash)
        pid = bash.pid
        result = bash.run(command, timeout=1 if outcome is Outcome.TIMED_OUT else 30)
        assert (result.outcome, "goes on" in (result.error or "")) == (outcome, True), result
        after = bash.run("f; pwd -P", timeout=30)
        assert (after.stdout, after.stderr) == (f"f kept\n{shell.workspace}/src\n", "")
        assert bash.pid != pid


def test_an_unterminated_substitution_is_an_error_of_its_own_command(shell: sync.Shell) -> None:
    with shell.session() as bash:
        start(bash)
        assert bash.run("echo $(ls", timeout=30).exit_code == 2
        assert bash.run("f", timeout=30).stdout == "f kept\n"  # in a new shell where it has crashed bash


def test_a_command_that_exits_ends_the_session(shell: sync.Shell) -> None:
    with shell.session() as bash:
        result = bash.run("x=1; exit 3")
        assert (result.exit_code, result.error, bash.alive) == (3, "the session has ended (exit 3)", False)
        with pytest.raises(SessionEndedError, match=r"exit 3.*restart=True"):
            bash.run("true")


def test_with_restart_it_goes_on_from_where_it_exited(shell: sync.Shell) -> None:
    with shell.session(restart=True) as bash:
        assert bash.run('x=1; cd src; f() { echo "f $x"; }; set -u; exit 3').exit_code == 3
        assert bash.run("f; pwd -P; echo $-").stdout.splitlines()[:2] == ["f 1", f"{shell.workspace}/src"]


def test_output_goes_where_exec_sends_it_and_the_next_command_is_still_seen(shell: sync.Shell) -> None:
    with shell.session() as bash:
        bash.run("exec >out.txt 2>&1")
        assert bash.run("echo hidden; ls /nowhere").stdout == ""
        assert bash.run("exec >&-").exit_code == 0
        assert bash.run("/bin/true").exit_code == 0
    assert "hidden" in Path(shell.workspace, "out.txt").read_text()


def test_a_hundred_megabytes_come_through(shell: sync.Shell) -> None:
    with shell.session() as bash:
        result = bash.run("head -c 100000000 /dev/zero | tr '\\0' 'x'; echo; echo end", timeout=100)
        assert (result.stdout_bytes, result.stdout.endswith("\nend\n"), result.truncated) == (100_000_005, True, True)
        assert bash.run("echo next").stdout == "next\n"


def test_a_background_job_lives_on_and_ends_with_the_session(shell: sync.Shell) -> None:
    mark = marker()
    with shell.session() as bash:
        bash.run(f"sleep {mark} &")
        assert bash.run("jobs -r | wc -l").stdout.strip() == "1"
        assert bash.run("kill -0 $! && echo there").stdout == "there\n"
    assert wait_gone(mark, 5)


def test_a_forger_in_the_background_is_not_believed(shell: sync.Shell) -> None:
    with shell.session() as bash:
        bash.run(f"(while :; do echo '{FORGED}'; echo '{FORGED.replace('/!/', '/!!/')}'; done >&58) &")
        for _ in range(3):
            assert bash.run("sleep 0.1; (exit 7)", timeout=30).exit_code == 7
        assert bash.alive


def test_output_of_a_background_job_is_in_the_answer_to_the_next_command(shell: sync.Shell) -> None:
    with shell.session() as bash:
        bash.run("(sleep 0.2; echo late; touch done.txt) &")
        assert wait_for(lambda: shell.run("ls").stdout if "done.txt" in shell.run("ls").stdout else None, 20)
        assert bash.run("echo now").stdout == "late\nnow\n"


SLOW_TO_TELL = "set -T; x=2; trap '((BASH_SUBSHELL)) && until [ -e go ]; do :; done' DEBUG"


def test_a_shell_that_does_not_tell_its_state_is_not_waited_for(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("limpet.session.launch._PATIENCE", 0.2)
    with sync.open(workspace) as shell, shell.session() as session:
        assert session.run("x=1").ok
        assert session.run(SLOW_TO_TELL).ok
        result = session.run("echo $x", timeout=20)
        assert (result.stdout, result.exit_code) == ("1\n", 0)
        assert "the session's shell was lost after the command before" in (result.error or "")


def test_a_command_that_is_called_off_before_it_starts_takes_nothing_of_the_state_with_it(workspace: Path) -> None:
    async def called_off() -> str:
        async with limpet.open(workspace) as shell, shell.session() as session:
            await session.run(SLOW_TO_TELL)
            waiting = asyncio.ensure_future(session.run("true"))
            await asyncio.wait([waiting], timeout=0.2)
            waiting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await waiting
            (workspace / "go").touch()
            await session.run("kill -9 $$")
            return (await session.run("echo $x")).stdout

    assert asyncio.run(called_off()) == "2\n"
