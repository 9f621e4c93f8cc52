"""What a command changes in a transaction is kept or dropped, as a whole, and the result says so."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

import limpet
from attack.hostile import NOBODY, somebody
from limpet import ConflictError, InvalidRequestError, Outcome, TransactionError, sync
from limpet.approval.effects import OnEffects
from limpet.policy.effects import EffectLimits
from living import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from limpet.model.request import Request

CHANGING = "echo more >> README.md; rm numbers.txt; mkdir new; echo n > new/file"


@pytest.fixture
def shell(workspace: Path) -> Iterator[sync.Shell]:
    with sync.open(workspace, sandbox="native") as opened:
        yield opened


def contents(folder: Path) -> dict[str, bytes | None]:
    return {str(one.relative_to(folder)): one.read_bytes() if one.is_file() else None for one in folder.rglob("*")}


def told(result: limpet.Result) -> dict[str, str]:
    assert result.changes is not None
    return {change.path: change.kind.value for change in result.changes}


@pytest.mark.req("ZE-13")
def test_what_a_command_that_succeeds_changed_is_kept_and_told(shell: sync.Shell, workspace: Path) -> None:
    result = shell.run(CHANGING, transaction=True)
    assert told(result) == {
        "README.md": "modified", "numbers.txt": "deleted", "new": "added", "new/file": "added",
    }  # fmt: skip
    assert (workspace / "README.md").read_text().endswith("more\n")
    assert (workspace / "new" / "file").read_text() == "n\n"
    assert not (workspace / "numbers.txt").exists()
    assert (result.commit_id, result.rolled_back) == (result.operation_id, None)
    assert result.guarantees is not None
    assert result.guarantees.undo


def test_what_a_reader_does_not_want_to_see_is_only_counted(shell: sync.Shell, workspace: Path) -> None:
    with shell.transaction() as tx:
        tx.run("mkdir build; touch build/o; touch made a.log; mv README.md build/moved")
        found = tx.changes(hide=["build/", "*.log", "!a.log"])
        tx.commit()
    assert ([one.path for one in found], found.notes) == (["a.log", "build/moved", "made"], ("2 more are not shown",))
    assert (workspace / "build" / "o").exists()


ENDINGS = {
    "an exit code of 2": ("; exit 2", {}, Outcome.EXITED),
    "a chosen exit code": ("; exit 1", {"rollback_on": "nonzero"}, Outcome.EXITED),
    "one of several": ("; exit 7", {"rollback_on": [1, 7]}, Outcome.EXITED),
    "a signal": ("; kill -9 $$", {}, Outcome.SIGNALLED),
    "a time-out": ("; sleep 60", {"timeout": 1}, Outcome.TIMED_OUT),
}


@pytest.mark.req("ZE-13")
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_a_command_that_fails_changed_is_dropped(shell: sync.Shell, workspace: Path, ending: str) -> None:
    more, options, outcome = ENDINGS[ending]
    before = contents(workspace)
    result = shell.run(CHANGING + more, transaction=True, **options)  # type: ignore[arg-type]  # of several kinds
    assert (result.outcome, contents(workspace)) == (outcome, before)
    assert result.rolled_back is not None
    assert (result.rolled_back.restored, result.rolled_back.deleted) == (
        ("README.md", "numbers.txt"),
        ("new", "new/file"),
    )
    assert "dropped" in (result.error or "")
    assert result.commit_id is None


@pytest.mark.parametrize(("code", "options"), [(1, {}), (0, {"rollback_on": "nonzero"}), (5, {"rollback_on": "1-4"})])
def test_other_exit_codes_keep_it(shell: sync.Shell, workspace: Path, code: int, options: dict[str, str]) -> None:
    result = shell.run(f"touch made; exit {code}", transaction=True, **options)  # type: ignore[arg-type]  # of one kind
    assert ((workspace / "made").exists(), result.rolled_back) == (True, None)


@pytest.mark.req("ZE-13")
def test_a_cancelled_command_leaves_the_workspace_as_it_was(shell: sync.Shell, workspace: Path) -> None:
    before = contents(workspace)
    token = limpet.CancelToken()
    with shell.stream(CHANGING + "; echo ready; sleep 60", transaction=True, cancel=token) as run:
        for event in run:
            if isinstance(event, limpet.Output):
                assert contents(workspace) == before
                token.cancel()
        result = run.result()
    assert (result.outcome, contents(workspace)) == (Outcome.CANCELLED, before)


@pytest.mark.req("ZE-13", "ZE-14")
def test_events_and_the_record_tell_of_it(shell: sync.Shell) -> None:
    with shell.stream("touch one", transaction=True) as run:
        kept = [event for event in run if isinstance(event, limpet.Committed)]
    with shell.stream("touch two; exit 3", transaction=True) as run:
        dropped = [event for event in run if isinstance(event, limpet.RolledBack)]
        result = run.result()
    assert [one.commit.changes[0].path for one in kept] == ["one"]
    assert [(one.undone.deleted, one.why) for one in dropped] == [(("two",), "it exited with 3")]
    done = subprocess.run(
        [sys.executable, "-m", "limpet", "log", "--jsonl", "--run", result.operation_id], capture_output=True, text=True
    )
    assert '"result":"rollback"' in done.stdout


@pytest.mark.parametrize("bad", ["none", "2-1", "300", "-1", "1,,2", [True], 5, b"2"])
def test_exit_codes_that_are_none_are_refused(shell: sync.Shell, workspace: Path, bad: object) -> None:
    with pytest.raises(InvalidRequestError, match="rollback_on"):
        shell.run("touch made", transaction=True, rollback_on=bad)  # type: ignore[arg-type]  # that is the point
    assert not (workspace / "made").exists()


def test_a_transaction_of_several_commands_is_seen_by_them_alone(shell: sync.Shell, workspace: Path) -> None:
    with shell.transaction() as tx:
        tx.run("echo one > made", check=True)
        assert tx.run("cat made; echo two >> made", check=True).stdout == "one\n"
        assert not (workspace / "made").exists()
        assert shell.run("ls made").exit_code == 2
        committed, _ = tx.commit()
        assert (workspace / "made").read_text() == "one\ntwo\n"
        tx.run("rm made")
    assert (workspace / "made").read_text() == "one\ntwo\n"
    assert [change.path for change in committed.changes] == ["made"]
    limpet.undo(committed.id)
    assert not (workspace / "made").exists()


def test_only_chosen_paths_are_kept(shell: sync.Shell, workspace: Path) -> None:
    with shell.transaction() as tx:
        tx.run("echo x >> README.md; echo y >> src/app.py; echo z > src/new.py")
        tx.commit(["src"])
        assert [change.path for change in tx.changes()] == ["README.md"]
    assert "x" not in (workspace / "README.md").read_text()
    assert (workspace / "src" / "new.py").exists()


def test_what_somebody_else_changed_meanwhile_is_not_overwritten(shell: sync.Shell, workspace: Path) -> None:
    with shell.transaction() as tx:
        tx.run("echo ours > README.md; echo ours > other")
        (workspace / "README.md").write_text("theirs\n")
        with pytest.raises(ConflictError, match=r"README\.md") as caught:
            tx.commit()
        assert [one.path for one in caught.value.conflicts] == ["README.md"]
        assert not (workspace / "other").exists()
        tx.commit(overwrite=["README.md"])
    assert (workspace / "README.md").read_text() == "ours\n"
    limpet.undo(workspace=workspace)
    assert (workspace / "README.md").read_text() == "theirs\n"


def test_what_somebody_else_changed_before_the_first_command_is_no_conflict(shell: sync.Shell, workspace: Path) -> None:
    with shell.transaction() as tx:
        (workspace / "README.md").write_text("theirs\n")
        tx.run("echo ours >> README.md", check=True)
        tx.commit()
    assert (workspace / "README.md").read_text() == "theirs\nours\n"


def test_a_conflict_at_the_end_of_a_run_drops_what_it_changed_and_says_so(shell: sync.Shell, workspace: Path) -> None:
    command = "echo ours > README.md; echo ready; read answer"
    with shell.stream(command, transaction=True, stdin=limpet.OPEN) as run:
        for event in run:
            if isinstance(event, limpet.Output):
                (workspace / "README.md").write_text("theirs\n")
                run.send("go on\n")
        result = run.result()
    assert (result.ok, result.exit_code, (workspace / "README.md").read_text()) == (False, 0, "theirs\n")
    assert result.rolled_back is not None
    assert "README.md" in (result.error or "")


def test_what_runs_later_does_not_come_in_by_a_commit(shell: sync.Shell, workspace: Path) -> None:
    result = shell.run("git init -q; echo evil > .git/hooks/pre-commit; echo ok > fine", transaction=True)
    assert (workspace / "fine").exists()
    assert (workspace / ".git" / "HEAD").exists()
    assert not (workspace / ".git" / "hooks" / "pre-commit").exists()
    assert "pre-commit" in (result.error or "")


def test_what_runs_later_and_is_there_cannot_be_changed(shell: sync.Shell, workspace: Path) -> None:
    (workspace / ".envrc").write_text("mine\n")
    result = shell.run("echo evil > .envrc || rm .envrc || mv .envrc away", transaction=True)
    assert (result.exit_code, (workspace / ".envrc").read_text()) == (1, "mine\n")


def test_a_folder_that_cannot_be_renamed_in_one_go_is_explained_and_mv_moves_it(
    shell: sync.Shell, workspace: Path
) -> None:
    (workspace / "old" / "deep").mkdir(parents=True)
    (workspace / "old" / "deep" / "file").write_text("text")
    rename = 'python3 -c \'import os; os.rename("old", "new")\''
    result = shell.run(rename, transaction=True)
    assert (result.exit_code, result.hint is not None and "use `mv`" in result.hint) == (1, True)
    assert shell.run("mv old new", transaction=True).ok
    assert ((workspace / "new" / "deep" / "file").read_text(), (workspace / "old").exists()) == ("text", False)
    assert shell.run(
        "mkdir one; mv one two; " + rename.replace("old", "two").replace("new", "one"), transaction=True
    ).ok
    assert "use `mv`" not in (shell.run("echo EXDEV >&2; exit 1").hint or "")


FOREIGN = """
import asyncio, os, limpet
async def main():
    async with limpet.open("workspace", sandbox="native", profile="open") as shell:
        for command in ("echo more >> theirs", "echo new > folder/new"):
            result = await shell.run(command, transaction=True)
            print(result.exit_code, result.hint)
asyncio.run(main())
"""


def test_what_belongs_to_somebody_else_and_cannot_be_changed_is_explained(tmp_path: Path) -> None:
    with somebody("nobody", tmp_path) as user:
        folder = user.place / "workspace"
        (folder / "folder").mkdir(parents=True)
        (folder / "theirs").write_text("text")
        os.chmod(folder / "theirs", 0o666)
        for path in (folder, folder / "folder"):
            os.chown(path, NOBODY, NOBODY)
        os.chown(folder / "folder", NOBODY, 0)
        status, out, err = user.run(user.program(FOREIGN))
    assert (status, err) == (0, "")
    said = out.splitlines()
    assert [(line.startswith("1 "), "another user or group" in line) for line in said] == [(True, True)] * 2


def test_a_transaction_that_is_over_says_so(shell: sync.Shell) -> None:
    with shell.transaction() as tx:
        pass
    with pytest.raises(TransactionError, match="over"):
        tx.run("true")


@pytest.mark.req("ZE-13")
@pytest.mark.parametrize("sandbox", ["none", "landlock"])
def test_where_no_layer_can_be_had_copies_serve(workspace: Path, sandbox: str) -> None:
    before = contents(workspace)
    with sync.open(workspace, sandbox=sandbox) as shell:
        failed = shell.run(CHANGING + "; exit 3", transaction=True)
        assert (contents(workspace), failed.rolled_back is not None) == (before, True)
        assert failed.guarantees is not None
        assert (failed.guarantees.undo, any("copies" in note for note in failed.guarantees.notes)) == (True, True)
        kept = shell.run(CHANGING, transaction=True)
        assert kept.commit_id is not None
        assert told(kept)["numbers.txt"] == "deleted"
        limpet.undo(kept.commit_id)
    assert contents(workspace) == before


@pytest.mark.req("ZE-13")
def test_what_is_too_much_to_copy_is_refused_or_run_without_as_the_settings_say(workspace: Path) -> None:
    small = {"transaction.copy_bytes": 10}
    with sync.open(workspace, sandbox="none", settings=small) as shell, pytest.raises(TransactionError, match="copied"):
        shell.run("touch made", transaction=True)
    assert not (workspace / "made").exists()
    with sync.open(workspace, sandbox="none", settings={**small, "transaction.required": False}) as shell:
        result = shell.run("touch made; exit 3", transaction=True)
    assert ((workspace / "made").exists(), result.changes) == (True, None)
    assert "in no transaction" in (result.error or "")


def test_what_is_skipped_is_neither_copied_nor_put_back(workspace: Path) -> None:
    with sync.open(workspace, sandbox="none", settings={"transaction.skip": ["src"]}) as shell:
        shell.run("echo x > src/app.py; echo x > README.md; exit 3", transaction=True)
    assert (workspace / "src" / "app.py").read_text() == "x\n"
    assert (workspace / "README.md").read_text() != "x\n"


def test_the_difference_is_shown_as_git_shows_it(shell: sync.Shell) -> None:
    with shell.transaction() as tx:
        tx.run("echo more >> src/app.py")
        assert tx.diff().endswith('@@ -1 +1,2 @@\n print("hello")\n+more\n')


NOT_READ = 'python3 -c \'import sys; exec(sys.argv[1])\' \'import os; os.remove("README.md"); open("made", "w")\''


class Asked:
    def __init__(self, *, says: bool) -> None:
        self.says = says
        self.messages: list[str] = []

    async def __call__(self, request: object, decision: limpet.Decision) -> bool:
        self.messages += [reason.message for reason in decision.reasons]
        return self.says


@pytest.mark.parametrize("says", [True, False])
def test_what_would_be_asked_is_judged_by_what_it_did(workspace: Path, says: bool) -> None:
    person = Asked(says=says)
    limits = EffectLimits(deletions=0)
    with sync.open(workspace, sandbox="native", profile="strict", approver=OnEffects(limits, person)) as shell:
        result = shell.run(NOT_READ)
    assert (result.outcome, (workspace / "made").exists()) == (Outcome.EXITED, says)
    assert person.messages[0] == "it has run, apart from the workspace: 1 added (made), 1 deleted (README.md)"
    assert (result.rolled_back is None, (workspace / "README.md").exists()) == (says, not says)


def test_what_keeps_to_the_limits_is_kept_without_a_question(workspace: Path) -> None:
    person = Asked(says=False)
    with sync.open(workspace, sandbox="native", profile="strict", approver=OnEffects(EffectLimits(), person)) as shell:
        result = shell.run(NOT_READ)
    assert (result.ok, person.messages, (workspace / "made").exists()) == (True, [], True)


@pytest.mark.parametrize("how", ["its token", "its task"])
def test_a_question_about_what_it_did_can_be_called_off(workspace: Path, how: str) -> None:
    async def called_off() -> limpet.Result | None:
        asked, token = asyncio.Event(), limpet.CancelToken()

        async def never(request: Request, decision: limpet.Decision) -> bool:
            asked.set()
            await asyncio.sleep(100)
            return True

        async with limpet.open(workspace, sandbox="native", profile="strict") as shell:
            approver = OnEffects(EffectLimits(files=0), never)
            run = asyncio.ensure_future(shell.run(NOT_READ, approver=approver, cancel=token))
            await asyncio.wait_for(asked.wait(), 30)
            token.cancel() if how == "its token" else run.cancel()
            done, _ = await asyncio.wait([run], timeout=30)
            return None if done.pop().cancelled() else run.result()

    result = asyncio.run(called_off())
    assert (result is None) is (how == "its task")
    assert result is None or (result.ok, "it was cancelled" in (result.error or "")) == (False, True)
    assert not (workspace / "made").exists()


def test_what_is_denied_is_not_even_tried(workspace: Path) -> None:
    person = Asked(says=True)
    with sync.open(workspace, sandbox="native", profile="strict", approver=OnEffects(EffectLimits(), person)) as shell:
        result = shell.run("touch made; rm -rf ~", block=("touch *",))
    assert (result.outcome, person.messages, (workspace / "made").exists()) == (Outcome.DENIED, [], False)


def test_without_a_layer_the_question_comes_first(workspace: Path) -> None:
    person = Asked(says=False)
    with sync.open(workspace, sandbox="none", profile="workspace", approver=OnEffects(EffectLimits(), person)) as shell:
        result = shell.run(NOT_READ)
    assert (result.outcome, bool(person.messages)) == (Outcome.NEEDS_APPROVAL, True)
    assert (workspace / "README.md").exists()


KILLED = """
import sys
from limpet import sync
with sync.open(sys.argv[1], sandbox="native") as shell, shell.transaction() as tx:
    tx.run("for n in $(seq 300); do echo $n > f$n; done", check=True)
    print("ready", flush=True)
    tx.commit()
    print("done", flush=True)
"""


def test_a_client_that_is_killed_while_it_commits_leaves_all_or_nothing(workspace: Path) -> None:
    before = contents(workspace)
    for delay in (0.0, 0.005, 0.02, 0.05):
        started = subprocess.Popen([sys.executable, "-c", KILLED, str(workspace)], stdout=subprocess.PIPE, text=True)
        with started as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
        limpet.recover()
        names = {name for name in os.listdir(workspace) if name.startswith("f")}
        assert len(names) in (0, 300)
        if names:
            limpet.undo(workspace=workspace)
        assert wait_for(lambda: contents(workspace) == before)


ON_COPIES = """
import sys
from limpet import sync
with sync.open(sys.argv[1], sandbox="none") as shell, shell.transaction() as tx:
    tx.run("echo changed > README.md; touch made", check=True)
    print("ready", flush=True)
    input()
"""


@pytest.mark.parametrize("choice", ["roll_back", "leave"])
def test_what_ran_on_copies_and_was_killed_is_put_back_only_when_told_so(workspace: Path, choice: str) -> None:
    before = contents(workspace)
    argv = [sys.executable, "-c", ON_COPIES, str(workspace)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGKILL)
    (left,) = limpet.recover().left
    assert "roll it back" in left
    chosen = [left.partition(":")[0]]
    assert limpet.recover(**{choice: chosen}).left == ()  # type: ignore[arg-type]  # one of two lists of names
    assert (contents(workspace) == before) == (choice == "roll_back")


def test_a_commit_that_a_crash_left_half_done_is_put_right_when_a_shell_is_opened(workspace: Path) -> None:
    argv = [sys.executable, "-c", KILLED, str(workspace)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    with sync.open(workspace):
        assert len([name for name in os.listdir(workspace) if name.startswith("f")]) in (0, 300)
