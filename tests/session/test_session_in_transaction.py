"""A session inside a transaction: a live bash in its layer, together with its other commands, kept or dropped."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import ConflictError, InvalidRequestError, SessionEndedError, TransactionError, sync
from living import marker, sleeping, wait_for, wait_gone

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 60


@pytest.fixture
def shell(workspace: Path) -> Iterator[sync.Shell]:
    with sync.open(workspace, sandbox="native", timeout=PATIENCE) as opened:
        yield opened


def paths(changes: tuple[limpet.Change, ...] | None) -> list[str]:
    assert changes is not None
    return [change.path for change in changes]


def test_what_a_session_changes_is_kept_with_the_transaction(shell: sync.Shell, workspace: Path) -> None:
    with shell.transaction() as tx, tx.session() as bash:
        bash.run("mkdir made; cd made; x=1; echo one > file")
        result = bash.run("echo $x >> file; pwd -P; rm ../numbers.txt")
        assert (result.stdout, bash.cwd) == (f"{workspace}/made\n", f"{workspace}/made")
        assert paths(result.changes) == ["made", "made/file", "numbers.txt"]
        assert ((workspace / "made").exists(), (workspace / "numbers.txt").exists()) == (False, True)
        tx.commit()
        assert bash.run("cat file; echo two > second").stdout == "one\n1\n"
    assert (workspace / "made/file").read_text() == "one\n1\n"
    assert not (workspace / "made/second").exists()
    assert not (workspace / "numbers.txt").exists()


def test_commands_and_sessions_of_a_transaction_see_each_others_changes(shell: sync.Shell, workspace: Path) -> None:
    with shell.transaction() as tx, tx.session() as one, tx.session(terminal=True) as other:
        one.run("x=1; cd src; echo one > a")
        assert tx.run("cat src/a; echo run > src/b").stdout == "one\n"
        assert other.run("cat src/a src/b; y=2").stdout == "one\nrun\n"
        assert one.run("cat b; echo $x; pwd -P").stdout == f"run\n1\n{workspace}/src\n"
        assert other.run("test -t 0; echo $? $y").stdout == "0 2\n"
        with tx.stream("cat src/b") as run:
            assert run.result().stdout == "run\n"
        assert [change.path for change in tx.changes().changes] == ["src/a", "src/b"]
    assert not (workspace / "src/a").exists()


def layers(workspace: Path) -> set[str]:
    """The overlays that anybody sees in place of the workspace, by their devices."""
    found: set[str] = set()
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            lines = [line.split() for line in Path("/proc", pid, "mountinfo").read_text().splitlines()]
            found |= {line[2] for line in lines if line[4] == str(workspace) and "overlay" in line}
    return found


def test_the_layer_is_never_mounted_twice_at_once(shell: sync.Shell, workspace: Path) -> None:
    seen: list[int] = []
    with shell.transaction() as tx, tx.session() as one, tx.session() as other:
        for use in (one.run, tx.run, other.run, one.run, tx.run):
            use("true")
            seen.append(len(layers(workspace)))
        assert one.run("true").ok
        assert len(layers(workspace)) == 1
    assert set(seen) <= {0, 1}


def test_what_runs_in_its_background_has_the_transaction_for_itself(shell: sync.Shell, workspace: Path) -> None:
    awake = marker()
    with shell.transaction() as tx, tx.session() as bash:
        bash.run(f"x=1; (sleep {awake}; touch late) & setsid -f sleep {awake}")
        wait_for(lambda: len(sleeping(awake)) == 2, PATIENCE)
        for call in (lambda: tx.run("true"), tx.commit, lambda: tx.session().run("true")):
            with pytest.raises(TransactionError, match="runs in the background of a session of this transaction"):
                call()
        assert bash.run("echo $x; kill $!; pkill -x sleep; wait").stdout == "1\n"
        assert tx.run("echo free > free").ok
        tx.commit()
    assert (workspace / "free").exists()
    assert wait_gone(awake)


def test_it_ends_with_its_transaction_and_says_so(shell: sync.Shell, workspace: Path) -> None:
    awake = marker()
    with shell.transaction() as tx:
        bash = tx.session()
        bash.run(f"touch made; sleep {awake} &")
    assert (bash.alive, wait_gone(awake)) == (False, True)
    with pytest.raises(SessionEndedError, match="the transaction of this session is over"):
        bash.run("touch later")
    assert not list(workspace.glob("made")) + list(workspace.glob("later"))
    assert os.listdir(Path(os.environ["LIMPET_STATE_DIR"]) / "transactions") == []


def test_a_command_under_way_is_ended_with_the_transaction(shell: sync.Shell) -> None:
    awake = marker()
    results = []
    with shell.transaction() as tx:
        bash = tx.session()
        other = threading.Thread(target=lambda: results.append(bash.run(f"sleep {awake}")))
        other.start()
        wait_for(lambda: sleeping(awake), PATIENCE)
        with pytest.raises(TransactionError, match="is in use"):
            tx.commit()
    other.join(PATIENCE)
    assert ([result.outcome for result in results], wait_gone(awake)) == ([limpet.Outcome.CANCELLED], True)


def test_what_somebody_else_changed_since_the_session_began_is_a_conflict(shell: sync.Shell, workspace: Path) -> None:
    with shell.transaction() as tx, tx.session() as bash:
        bash.run("seen=$(cat README.md)")
        (workspace / "README.md").write_text("somebody else's\n")
        tx.run("true")
        bash.run('echo "$seen, and more" > README.md')
        with pytest.raises(ConflictError, match=r"README\.md"):
            tx.commit()
    assert (workspace / "README.md").read_text() == "somebody else's\n"


def test_its_shell_may_end_and_the_changes_stay(shell: sync.Shell, workspace: Path) -> None:
    with shell.transaction() as tx, tx.session() as bash:
        bash.run("x=1; echo one > file")
        bash.run("kill -9 $$")
        assert bash.run("cat file; echo $x").stdout == "one\n1\n"
        assert bash.run("sleep 100", timeout=0.2).timed_out
        assert bash.run("cat file; exit 3").exit_code == 3
        tx.commit()
    assert (workspace / "file").read_text() == "one\n"


def test_where_no_layer_can_be_had_it_works_on_the_workspace(workspace: Path) -> None:
    with sync.open(workspace, sandbox="none") as shell, shell.transaction() as tx, tx.session() as bash:
        bash.run("x=1; echo changed > README.md")
        assert tx.run("cat README.md").stdout == "changed\n"
        assert bash.run("echo $x").stdout == "1\n"
    assert (workspace / "README.md").read_text().startswith("# Sample")


def test_a_session_outside_of_one_says_where_it_can_be_had(shell: sync.Shell) -> None:
    with pytest.raises(InvalidRequestError, match=r"open it by tx\.session\(\)"):
        shell.session(transaction=True)


CLIENT = """
import sys
from limpet import sync
with sync.open(sys.argv[1], sandbox="native") as shell, shell.transaction() as tx, tx.session() as bash:
    bash.run(f"touch made; setsid -f sleep {sys.argv[2]}")
    bash.run(f"sleep {sys.argv[2]}")
"""


def test_a_client_that_is_killed_leaves_nothing(workspace: Path) -> None:
    awake = marker()
    client = subprocess.Popen([sys.executable, "-c", CLIENT, str(workspace), awake])
    wait_for(lambda: len(sleeping(awake)) == 3, PATIENCE)  # both, and the client that was given the marker
    client.send_signal(signal.SIGKILL)
    client.wait(PATIENCE)
    assert wait_gone(awake, PATIENCE)
    limpet.recover()
    assert not (workspace / "made").exists()
    assert os.listdir(Path(os.environ["LIMPET_STATE_DIR"]) / "transactions") == []
