"""Commands that leave processes behind, hide them, or turn on limpet's own: nothing stays, and the answer is right."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

import limpet
from attack.hostile import somebody, wait_no_helpers
from limpet import Outcome, sync
from living import marker, processes, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

DAEMON = """
import os, sys, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
os.chdir("/")
os.closerange(0, 64)
os.execvpe("sleep", ["sleep", sys.argv[1]], {})
"""

DISGUISED = """
import ctypes, os, sys
if os.fork(): os._exit(0)
os.setsid()
libc = ctypes.CDLL(None)
libc.prctl(15, b"kworker/0:1", 0, 0, 0)
libc.prctl(4, 0, 0, 0, 0)
with open("born", "w") as file: file.write(f"{os.getpid()}")
os.closerange(0, 64)
while True: os.read(os.pipe()[0], 1)
"""

HOPPER = """
import os, time
end = time.monotonic() + 20
while time.monotonic() < end:
    if os.fork(): os._exit(0)
    os.setsid()
    time.sleep(0.001)
"""

FORGOTTEN = {
    "in the background": "sleep {mark} &",
    "with its streams elsewhere": "(sleep {mark} >/dev/null 2>&1 &)",
    "nohup": "nohup sleep {mark} >/dev/null 2>&1 &",
    "disown": "sleep {mark} & disown -a",
    "setsid": "setsid sleep {mark} &",
    "setsid -f": "setsid -f sleep {mark}",
    "a daemon without descriptors": "python3 daemon.py {mark}",
    "under another name, without environment": "(exec -a kworker env -i setsid sleep {mark} &)",
    "stopped": "sleep {mark} & kill -STOP $!",
    "deaf to every signal": "(trap '' TERM INT HUP QUIT; exec setsid sleep {mark}) &",
    "in a loop that starts it again": "(trap '' TERM; while :; do sleep {mark}; done) &",
    "from a trap": "trap 'setsid sleep {mark} & until pgrep -f \"^sleep {mark}$\"; do :; done >/dev/null' EXIT",
}


@pytest.fixture
def place(workspace: Path) -> Path:
    (workspace / "daemon.py").write_text(DAEMON)
    (workspace / "disguised.py").write_text(DISGUISED)
    (workspace / "hopper.py").write_text(HOPPER)
    return workspace


@pytest.mark.req("ZE-22")
@pytest.mark.parametrize("way", FORGOTTEN)
def test_a_forgotten_process_neither_delays_the_answer_nor_survives_it(way: str, place: Path) -> None:
    mark = marker()
    result = sync.run(FORGOTTEN[way].format(mark=mark) + "\necho done; exit 3", workspace=place, timeout=60)
    assert (result.outcome, result.exit_code, result.stdout, result.stderr) == (Outcome.EXITED, 3, "done\n", "")
    assert sleeping(mark) == []
    assert result.duration_ms < 30_000


@pytest.mark.req("CH-03", "ZE-22")
@pytest.mark.parametrize("way", FORGOTTEN)
def test_a_time_out_ends_what_was_forgotten_as_well(way: str, place: Path) -> None:
    mark = marker()
    command = f"echo waiting\n{FORGOTTEN[way].format(mark=mark)}\nsleep {mark}"
    result = sync.run(command, workspace=place, timeout=0.5)
    assert (result.outcome, result.stdout) == (Outcome.TIMED_OUT, "waiting\n")
    assert sleeping(mark) == []


def test_a_disguised_process_is_found_without_its_name_or_environment(place: Path) -> None:
    result = sync.run("env -i python3 disguised.py; until [ -s born ]; do sleep 0.01; done; cat born", workspace=place)
    assert (result.outcome, result.exit_code) == (Outcome.EXITED, 0)
    assert int(result.stdout) > 0
    assert [one for one in processes() if one.pid == int(result.stdout)] == []


def test_a_tree_of_three_levels_is_ended_with_its_time(place: Path) -> None:
    mark = marker()
    command = f"bash -c 'bash -c \"sleep {mark} & sleep {mark}\" & sleep {mark}' & sleep {mark}"
    result = sync.run(command, workspace=place, timeout=0.5)
    assert (result.outcome, result.timed_out, result.ok) == (Outcome.TIMED_OUT, True, False)
    assert wait_gone(mark, 0)


@pytest.mark.parametrize("name", ["self", "nobody"])
def test_a_process_that_never_stays_one_process_is_caught(name: str, tmp_path: Path) -> None:
    with somebody(name, tmp_path) as user:
        (user.place / f"hopper{(mark := marker())}.py").write_text(HOPPER)
        command = f"for i in 1 2 3; do /usr/bin/python3 hopper{mark}.py & done; sleep 0.3; echo done"
        status, out, err = user.run(user.limpet("run", "--timeout", "20", "--", command))
        assert (status, out) == (0, "done\n")
        assert "could not be ended" not in err
        assert wait_gone(mark, 0)


def test_orphans_are_reaped_while_the_command_runs(place: Path) -> None:
    command = """
        for i in $(seq 400); do (true &) ; done
        zombies() { cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent=$PPID '$3 == "Z" && $4 == parent' | wc -l; }
        for i in $(seq 200); do [ "$(zombies)" = 0 ] && break; sleep 0.05; done
        zombies
    """
    result = sync.run(command, workspace=place, timeout=60)
    assert (result.outcome, result.stdout) == (Outcome.EXITED, "0\n")


@pytest.mark.req("TK-12")
def test_every_exit_status_is_told_as_it_is(workspace: Path) -> None:
    async def all_of_them() -> list[tuple[Outcome, int | None, str | None]]:
        results = [await limpet.run(f"exit {code}", workspace=workspace) for code in range(256)]
        return [(one.outcome, one.exit_code, one.signal) for one in results]

    assert asyncio.run(all_of_them()) == [(Outcome.EXITED, code, None) for code in range(256)]


HARMLESS = {signal.SIGCHLD, signal.SIGCONT, signal.SIGURG, signal.SIGWINCH}
STOPPING = {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
FATAL = sorted(set(signal.Signals) - HARMLESS - STOPPING)


@pytest.mark.req("TK-12")
def test_every_fatal_signal_is_told_by_its_name(workspace: Path) -> None:
    async def all_of_them() -> list[tuple[Outcome, int | None, str | None]]:
        # The shell itself is deaf to some of them; what it turns into is not.
        struck = "(until grep -qx sleep /proc/$$/comm; do :; done; kill -{} $$) & exec sleep 60"
        results = [await limpet.run(struck.format(number.value), workspace=workspace) for number in FATAL]
        return [(one.outcome, one.exit_code, one.signal) for one in results]

    assert asyncio.run(all_of_them()) == [(Outcome.SIGNALLED, None, number.name) for number in FATAL]


@pytest.mark.parametrize("number", [1, 6, 9, 11, 15, 34, 35, 50, 64])
def test_the_command_line_ends_with_128_and_the_number_of_the_signal(number: int, cli: Cli) -> None:
    done = cli("run", "--", f"kill -{number} $$; sleep 9")
    assert (done.returncode, done.stdout) == (128 + number, "")


def test_a_stop_and_then_a_kill_is_a_kill(workspace: Path) -> None:
    result = sync.run("(sleep 0.1; kill -KILL $$) & kill -STOP $$", workspace=workspace, timeout=20)
    assert (result.outcome, result.signal) == (Outcome.SIGNALLED, "SIGKILL")


ATTACKED = """
import asyncio, limpet, sys
async def main():
    first = await limpet.run(sys.argv[1], timeout=2)
    print(first.outcome, first.stdout.strip())
    for size in (10**6, 10**7):  # other limits: a keeper that was not there before
        later = await limpet.run("echo fine", limits=limpet.Limits(file_size=size), timeout=5)
        print(later.outcome, later.stdout.strip())
asyncio.run(main())
"""

KEEPER, SERVER = "$PPID", "$(ps -o ppid= -p $PPID)"


@pytest.mark.parametrize(
    ("number", "target", "first"),
    [
        ("KILL", KEEPER, "signalled before"),
        ("KILL", SERVER, "timed_out before"),
        ("STOP", KEEPER, "timed_out before"),
        ("STOP", SERVER, "timed_out before"),
        ("TERM", KEEPER, "timed_out before"),
        ("ALRM", KEEPER, "signalled before"),
        ("CONT", SERVER, "timed_out before"),
    ],
    ids=lambda value: {KEEPER: "keeper", SERVER: "server"}.get(value, value),
)
def test_a_command_that_attacks_its_keepers_still_ends_and_the_next_one_runs(
    number: str, target: str, first: str, tmp_path: Path
) -> None:
    with somebody("self", tmp_path) as user:
        mark = marker()
        command = f"echo before; setsid sleep {mark} & kill -{number} {target}; sleep {mark}"
        process = user.start(user.program(ATTACKED, command))
        try:
            answer = user.finish(process, 12)
        finally:
            for pid in sleeping(mark):
                os.kill(pid, signal.SIGKILL)
        assert answer == (0, f"{first}\nexited fine\nexited fine\n", "")
        assert wait_no_helpers(process.pid)


def test_the_name_of_a_helper_is_no_way_to_end_all_of_them(workspace: Path) -> None:
    """One command kills every keeper it can see among its own ancestors' children; the others are answered."""

    async def both() -> list[limpet.Result]:
        mark = marker()
        other = asyncio.ensure_future(limpet.run(f"sleep {mark}", workspace=workspace, timeout=30))
        await asyncio.to_thread(wait_for, lambda: sleeping(mark), 10)
        server = "$(ps -o ppid= -p $PPID)"
        killer = await limpet.run(f"kill -9 $(pgrep -P {server}); sleep 9", workspace=workspace, timeout=20)
        result = [killer, await other]
        assert await asyncio.to_thread(wait_gone, mark)
        return [*result, await limpet.run("echo fine", workspace=workspace)]

    told = [(one.outcome, one.stdout) for one in asyncio.run(both())]
    assert told == [(Outcome.SIGNALLED, ""), (Outcome.SIGNALLED, ""), (Outcome.EXITED, "fine\n")]
