"""Allow, ask and deny: what is refused is never executed, and is on record."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import msgspec
import pytest

import limpet
from limpet import Outcome, Verdict, sync
from limpet.history import History
from limpet.testing import FakeLauncher, FixedJudge, ScriptedApprover

if TYPE_CHECKING:
    from pathlib import Path

    from limpet import Result, Shell
    from limpet.model.request import Request


def judged(
    workspace: Path, verdict: Verdict, approver: object = None, **options: object
) -> tuple[Result, FakeLauncher]:
    launcher = FakeLauncher([(1, b"ran\n")])

    async def run() -> Result:
        async with limpet.open(workspace) as shell:
            judge = FixedJudge(verdict, rule="no-fun", message="this is no fun", suggestion="try something else")
            rewire(shell, judge, launcher)
            return await shell.run("do it", approver=approver, **options)  # type: ignore[arg-type]  # as given

    return asyncio.run(run()), launcher


def rewire(shell: Shell, judge: FixedJudge, launcher: FakeLauncher) -> None:
    shell._parts = msgspec.structs.replace(shell._parts, judge=judge, launcher=launcher)


def test_bash_execute_checks_permission_before_running(workspace: Path) -> None:
    result, launcher = judged(workspace, Verdict.ALLOW)
    assert (result.ok, result.stdout, len(launcher.plans)) == (True, "ran\n", 1)


@pytest.mark.req("CH-10", "MY-09")
def test_bash_execute_denied_command_not_executed(workspace: Path) -> None:
    result, launcher = judged(workspace, Verdict.DENY, approver="yes")
    assert (result.outcome, result.exit_code, launcher.plans) == (Outcome.DENIED, None, [])
    assert (result.error, result.hint) == ("Denied by no-fun: the command (this is no fun).", "Try something else.")
    with pytest.raises(limpet.CommandDeniedError):
        result.check()
    (entry,) = History(os.environ["LIMPET_STATE_DIR"] + "/audit.db").entries()
    assert (entry.kind, entry.result, entry.rule, entry.command) == ("finished", "blocked", "no-fun", "do it")


def test_bash_execute_ask_result_returned_to_caller(workspace: Path) -> None:
    result, launcher = judged(workspace, Verdict.ASK)
    assert (result.outcome, launcher.plans) == (Outcome.NEEDS_APPROVAL, [])
    assert result.error == "Needs approval: the command (this is no fun)."


def test_what_is_approved_runs(workspace: Path) -> None:
    assert judged(workspace, Verdict.ASK, approver="yes")[0].stdout == "ran\n"
    yes, no = ScriptedApprover(True), ScriptedApprover(False)
    assert judged(workspace, Verdict.ASK, approver=yes)[0].ok
    assert judged(workspace, Verdict.ASK, approver=no)[0].outcome is Outcome.NEEDS_APPROVAL
    assert [request.command for request in (*yes.asked, *no.asked)] == ["do it", "do it"]


def test_nobody_is_asked_about_a_deny_or_an_allow(workspace: Path) -> None:
    approver = ScriptedApprover(True, True)
    judged(workspace, Verdict.DENY, approver=approver)
    judged(workspace, Verdict.ALLOW, approver=approver)
    assert approver.asked == []


def test_an_approver_that_fails_lets_nothing_run(workspace: Path) -> None:
    async def broken(request: object, decision: object) -> bool:
        raise RuntimeError("the approver fell over")

    with pytest.raises(RuntimeError, match="fell over"):
        judged(workspace, Verdict.ASK, approver=broken)


def test_the_strictest_verdict_is_the_greatest() -> None:
    assert max(Verdict.ASK, Verdict.ALLOW, Verdict.DENY) is Verdict.DENY
    assert sorted([Verdict.DENY, Verdict.ALLOW, Verdict.ASK]) == [Verdict.ALLOW, Verdict.ASK, Verdict.DENY]


def test_an_approver_may_be_a_plain_function(workspace: Path) -> None:
    def agrees(request: Request, decision: limpet.Decision) -> bool:
        return request.command == "do it" and decision.verdict is Verdict.ASK

    assert judged(workspace, Verdict.ASK, approver=agrees)[0].ok
    shell = sync.open(workspace, approver=lambda *_: True)  # type: ignore[arg-type]  # that is the point
    assert shell.start("sleep 0 $(kill -0 $PPID; echo 0)").wait(30).ok


def test_an_exception_tells_once_what_happened(workspace: Path) -> None:
    with pytest.raises(limpet.CommandDeniedError, match=r"^Denied by no-fun: the command \(this is no fun\)\.$"):
        judged(workspace, Verdict.DENY)[0].check()
