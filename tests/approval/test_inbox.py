"""Any open question can be answered from any terminal of the same user, once, and only while somebody waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import json
import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import Answer, Outcome
from limpet.approvals import Approvals
from limpet.history import History
from living import wait_for
from terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commandline import Cli
    from limpet.model.question import Question

ASKING = Path(__file__).parent / "asking.py"
COMMAND = "git push"
"""Asked about, and nothing comes of it in a folder without a repository."""


def asked() -> Question:
    """The one that is open, once it is."""
    return wait_for(Approvals().questions, 20)[0][0]


class Asker:
    """A process that waits for an answer."""

    def __init__(self, cli: Cli, command: str = COMMAND, approver: str = "inbox") -> None:
        argv = [sys.executable, str(ASKING), command, approver]
        self.process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=cli.cwd, env=cli.environment())

    def question(self) -> Question:
        return asked()

    def heard(self) -> list[str]:
        out, _ = self.process.communicate(timeout=30)
        return out.rstrip("\n").split("|")


@pytest.fixture
def asker(cli: Cli) -> Iterator[Asker]:
    asker = Asker(cli)
    yield asker
    asker.process.kill()
    asker.process.communicate()


def test_a_question_is_shown_with_its_reasons_and_approved_from_elsewhere(cli: Cli, asker: Asker) -> None:
    question = asker.question()
    shown = cli("approvals").stdout
    assert shown.startswith(f"{question.short}  asked ")
    assert "`git push`: sends commits to a remote\n" in shown
    assert f"  in {cli.cwd}\n  asked by python (process {asker.process.pid})\n  --session: git push …\n" in shown
    done = cli("approve", question.short)
    assert (done.returncode, done.stderr) == (0, f"limpet: approved {question.short}\n")
    assert asker.heard()[0] == "exited"
    assert Approvals().questions() == []
    entries = History(os.environ["LIMPET_STATE_DIR"] + "/audit.db").entries()
    assert {entry.approved_by.partition(" on ")[0] for entry in entries} == {f"inbox: {getpass.getuser()}"}


def test_the_reason_of_a_refusal_reaches_whoever_asked(cli: Cli, asker: Asker) -> None:
    done = cli("deny", asker.question().short, "not", "on", "a\x1b[31m", "Friday")
    assert done.returncode == 0
    outcome, error, _ = asker.heard()
    assert outcome == "needs_approval"
    assert error.endswith("It was not approved: not on a<U+001B>[31m Friday")
    (entry,) = History(os.environ["LIMPET_STATE_DIR"] + "/audit.db").entries()
    assert " (answered by inbox: " in entry.reason


def test_the_first_answer_counts_and_the_others_are_told(cli: Cli, asker: Asker) -> None:
    question = asker.question()
    os.kill(asker.process.pid, signal.SIGSTOP)  # so that all of them find it open
    argv = cli.argv("deny", question.short, "one of eight")
    many = [subprocess.Popen(argv, env=cli.environment(), stderr=subprocess.PIPE, text=True) for _ in range(8)]
    words = [one.communicate(timeout=60)[1] for one in many]
    os.kill(asker.process.pid, signal.SIGCONT)
    assert sorted(one.returncode for one in many) == [0] + [1] * 7
    late = f"limpet: {question.short} was answered already, or has expired\n"
    assert sorted(words, key=len) == [f"limpet: denied {question.short}\n"] + [late] * 7
    assert asker.heard()[1].endswith("one of eight")


def test_nobody_answers_a_question_whose_asker_was_killed(cli: Cli, asker: Asker) -> None:
    question = asker.question()
    asker.process.kill()
    asker.process.wait()
    assert "; whoever asked is gone\n" in cli("approvals").stdout
    assert json.loads(cli("approvals", "--jsonl").stdout)["status"] == "gone"
    done = cli("approve", question.short)
    assert (done.returncode, done.stderr) == (
        1, f"limpet: whoever asked {question.short} (process {asker.process.pid}) is gone\n",
    )  # fmt: skip


def test_questions_are_private(asker: Asker) -> None:
    question = asker.question()
    folder = Path(os.environ["LIMPET_STATE_DIR"], "approvals")
    places = [folder, folder / question.id, *(folder / question.id).iterdir()]
    modes = {place.relative_to(folder).name: stat.S_IMODE(place.stat().st_mode) for place in places}
    assert modes == {"": 0o700, question.id: 0o700, "question": 0o600, "bell": 0o600}


@pytest.mark.parametrize("name", ["zzzzzz", "../../etc", "x", ""])
def test_an_id_that_means_no_question_is_told(cli: Cli, name: str) -> None:
    done = cli("approve", name)
    assert (done.returncode, "no open question" in done.stderr or "too short" in done.stderr) == (1, True)


def test_a_command_cannot_approve_itself_or_another(cli: Cli, asker: Asker) -> None:
    question = asker.question()
    inside = " ".join([f"PYTHONPATH={cli.environment()['PYTHONPATH']}", *cli.argv("approve", question.short)])
    (cli.cwd / "build.sh").write_text(f"LIMPET_STATE_DIR={os.environ['LIMPET_STATE_DIR']} {inside}\n")
    done = cli("run", "--profile", "open", "--", "bash build.sh")
    assert (done.returncode, "cannot answer questions" in done.stderr) == (1, True)
    assert [waits for _, waits in Approvals().questions()] == [True]


def test_what_was_not_offered_cannot_be_chosen(cli: Cli) -> None:
    asker = Asker(cli, "sudo true")
    try:
        done = cli("approve", "--always", asker.question().short)
        assert (done.returncode, "can only be approved once" in done.stderr) == (2, True)
    finally:
        asker.process.kill()
        asker.process.communicate()


def test_a_question_expires(workspace: Path) -> None:
    async def run() -> limpet.Result:
        settings = {"approval.patience": 0.2}
        async with limpet.open(workspace, profile="workspace", approver="inbox", settings=settings) as shell:
            return await shell.run(COMMAND)

    assert asyncio.run(run()).outcome is Outcome.NEEDS_APPROVAL
    assert Approvals().questions() == []


def test_a_cancelled_question_is_withdrawn(workspace: Path) -> None:
    async def run() -> None:
        async with limpet.open(workspace, profile="workspace", approver="inbox") as shell:
            asking = asyncio.ensure_future(shell.run(COMMAND))
            while not Approvals().questions():
                await asyncio.sleep(0.01)
            asking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asking

    asyncio.run(asyncio.wait_for(run(), 30))
    assert Approvals().questions() == []


def test_approved_for_the_session_is_not_asked_again(workspace: Path) -> None:
    async def run() -> tuple[limpet.Result, limpet.Decision]:
        async with limpet.open(workspace, profile="workspace", approver="inbox") as shell:
            asking = asyncio.ensure_future(shell.run(COMMAND))
            while not (found := Approvals().questions()):
                await asyncio.sleep(0.01)
            Approvals().answer(found[0][0], Answer(approved=True, session=True))
            return await asking, shell.check(COMMAND)

    result, decision = asyncio.run(asyncio.wait_for(run(), 30))
    assert (result.outcome, decision.verdict) == (Outcome.EXITED, limpet.Verdict.ALLOW)


@pytest.mark.parametrize("said", [Answer(approved=True), Answer(approved=False, reason="no")])
def test_of_several_who_are_asked_the_first_answer_counts(workspace: Path, said: Answer) -> None:
    async def run() -> limpet.Result:
        async with limpet.open(workspace, profile="workspace", approver="terminal+inbox") as shell:
            asking = asyncio.ensure_future(shell.run(COMMAND))
            while not (found := Approvals().questions()):
                await asyncio.sleep(0.01)
            Approvals().answer(found[0][0], said)
            return await asking

    result = asyncio.run(asyncio.wait_for(run(), 30))
    assert result.outcome is (Outcome.EXITED if said.approved else Outcome.NEEDS_APPROVAL)
    assert Approvals().questions() == []


def test_asked_later_a_command_finds_the_answer_that_was_given_meanwhile(workspace: Path) -> None:
    async def run() -> None:
        async with limpet.open(workspace, profile="workspace", approver="later") as shell:
            first = await shell.run(COMMAND)
            assert first.outcome is Outcome.NEEDS_APPROVAL
            ((question, _),) = Approvals().questions()
            assert f"`limpet approve {question.short}`" in (first.error or "")
            pending = shell.ask(COMMAND)
            assert pending is not None
            assert pending.question == question  # the same call asks nothing new
            Approvals().answer(question, Answer(approved=True))
            assert await pending.wait(20)
            assert (await shell.run("git push --force")).outcome is Outcome.NEEDS_APPROVAL  # not what was approved
            assert (await shell.run(COMMAND)).outcome is Outcome.EXITED
            assert (await shell.run(COMMAND)).outcome is Outcome.NEEDS_APPROVAL  # good for one call

    asyncio.run(asyncio.wait_for(run(), 60))
    assert Approvals().questions() == []


def test_an_answer_that_cannot_be_read_is_a_no(asker: Asker) -> None:
    place = Path(os.environ["LIMPET_STATE_DIR"], "approvals", asker.question().id)
    (place / "half").write_text('{"approved": tr')
    (place / "half").rename(place / "answer")
    outcome, error, _ = asker.heard()
    assert (outcome, "cannot be read" in error) == ("needs_approval", True)


def test_a_folder_of_somebody_else_is_not_used(workspace: Path, tmp_path: Path) -> None:
    Path(os.environ["LIMPET_STATE_DIR"], "approvals").symlink_to(tmp_path)

    async def run() -> limpet.Result:
        async with limpet.open(workspace, profile="workspace", approver="inbox") as shell:
            return await shell.run(COMMAND)

    with pytest.raises(limpet.limpetError, match="not a folder of your own"):
        asyncio.run(run())


@pytest.mark.parametrize("call", [["run"], ["run", "--json"], ["start"], ["try", "--sandbox", "auto", "--discard"]])
def test_who_waits_for_an_answer_in_the_inbox_says_how_to_give_it(cli: Cli, call: list[str]) -> None:
    argv = cli.argv(*call, "--inbox", "--profile", "workspace", "--", COMMAND)
    run = subprocess.Popen(
        argv, cwd=cli.cwd, env=cli.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stderr is not None
    assert run.stdout is not None
    line = run.stderr.readline()
    assert line == f"limpet: waiting for an answer: limpet approve {asked().short}\n"
    assert cli("deny", line.split()[-1], "later").returncode == 0
    out, words = run.communicate(timeout=30)
    said = json.loads(out)["error"] if "--json" in call else words
    assert (run.returncode, "It was not approved: later" in said) == (126, True)


def test_at_a_terminal_nothing_is_approved_that_was_not_shown(cli: Cli, asker: Asker) -> None:
    question = asker.question()
    argv = cli.argv("approve", question.short)
    with Terminal(argv, cwd=cli.cwd, env=cli.environment({"NO_COLOR": "1"})) as terminal:
        shown = terminal.until(lambda text: "may this run? [y/N]" in text)
        assert "`git push`: sends commits to a remote" in shown
        terminal.type("\n")
        assert terminal.wait() == 1
    assert [waits for _, waits in Approvals().questions()] == [True]
    with Terminal(argv, cwd=cli.cwd, env=cli.environment({"NO_COLOR": "1"})) as terminal:
        terminal.until(lambda text: "may this run? [y/N]" in text)
        terminal.type("y\n")
        assert terminal.wait() == 0
    assert asker.heard()[0] == "exited"


def test_the_record_of_a_task_in_the_background_has_who_approved_it(workspace: Path) -> None:
    async def ada(request: object, decision: object) -> Answer:
        return Answer(approved=True, by="ada")

    async def run() -> None:
        async with limpet.open(workspace, profile="workspace", approver=ada) as shell:
            await (await shell.start(COMMAND)).wait()

    asyncio.run(asyncio.wait_for(run(), 60))
    entries = History(os.environ["LIMPET_STATE_DIR"] + "/audit.db").entries()
    assert [entry.approved_by for entry in entries] == ["ada", "ada"]
