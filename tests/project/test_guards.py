from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import living

TESTS = Path(__file__).parent.parent


def test_places_of_the_user_lie_in_a_temporary_folder(tmp_path: Path) -> None:
    base = tmp_path.parent
    names = ["HOME", "LIMPET_STATE_DIR", *(name for name in os.environ if name.startswith("XDG_"))]
    assert len(names) >= 9
    assert [name for name in names if not Path(os.environ[name]).is_relative_to(base)] == []
    ours = sorted(name for name in os.environ if name.startswith("LIMPET_"))
    assert ours == ["LIMPET_HOOKS_HELPER", "LIMPET_POLICY_PROFILE", "LIMPET_SANDBOX_MODE", "LIMPET_STATE_DIR"]


def test_a_process_is_seen_until_it_is_gone() -> None:
    mark = living.marker()
    with subprocess.Popen(["sh", "-c", f"sleep {mark} & wait"], start_new_session=True) as shell:
        (sleep,) = living.wait_for(lambda: living.sleeping(mark))
        assert {*living.alive(mark)} == {shell.pid, sleep}
        assert [one.pid for one in living.descendants(os.getpid()) if one.parent == shell.pid] == [sleep]
        with pytest.raises(AssertionError, match=f"still alive: .*{sleep}"):
            living.wait_gone(mark, 0.05)
        os.killpg(shell.pid, 9)
    assert living.wait_gone(mark)


def test_waiting_for_what_does_not_come_fails() -> None:
    with pytest.raises(AssertionError, match=r"^still \[\] after 0.02 s$"):
        living.wait_for(list, 0.02)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("subprocess.Popen(['sleep', '60'])", "sleep 60"),
        ("subprocess.Popen(['sh', '-c', 'sleep 60 & wait'])", "sleep 60"),
        ("os.posix_spawn('/bin/true', ['true'], {})", "gone but not reaped"),
    ],
)
def test_a_test_that_leaves_a_process_behind_fails(body: str, words: str, tmp_path: Path) -> None:
    done = guarded(tmp_path, f"import os, subprocess\n\ndef test_it():\n    global kept\n    kept = {body}\n")
    assert (done.returncode, "left behind" in done.stdout, words in done.stdout) == (1, True, True)


def test_the_fork_server_may_stay(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import sys; sys.stdin.read()", "limpet.process.server"]
    body = f"kept = subprocess.Popen({command!r}, stdin=subprocess.PIPE)"
    done = guarded(tmp_path, f"import subprocess\n\ndef test_it():\n    global kept\n    {body}\n")
    assert (done.returncode, "left behind" in done.stdout) == (0, False)


def guarded(place: Path, text: str) -> subprocess.CompletedProcess[str]:
    """A test file of its own, run under the same guards; what it leaves behind is ended with its group."""
    for name in ("living.py", "commandline.py"):
        shutil.copy(TESTS / name, place)
    guards = (TESTS / "conftest.py").read_text()
    (place / "conftest.py").write_text(guards.replace("PATIENCE = 3.0", "PATIENCE = 0.3"))
    (place / "test_sample.py").write_text(text)
    (place / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = --import-mode=importlib\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(place)]
    with (place / "output").open("w") as output:  # a pipe would stay open with whatever was left behind
        run = subprocess.Popen(command, cwd=place, stdout=output, stderr=output, start_new_session=True)
    try:
        ended = os.WEXITED | os.WNOHANG | os.WNOWAIT  # not reaped yet, so that the group cannot be somebody else's
        living.wait_for(lambda: os.waitid(os.P_PID, run.pid, ended), 60)
    finally:
        os.killpg(run.pid, 9)
    return subprocess.CompletedProcess(command, run.wait(10), (place / "output").read_text())
