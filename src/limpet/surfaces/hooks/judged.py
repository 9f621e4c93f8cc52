"""A tool that is about to run shell text -> what its agent is told."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from limpet import quote
from limpet.config import resolve, settings_files
from limpet.config.rules import load_rules
from limpet.deciding import check, containment
from limpet.model.decision import Decision, Reason, Risk, Verdict
from limpet.surfaces.hooks.question import OnAllow, OnAsk, Reply

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.surfaces.hooks.question import Agent, Call, Json, Options

_NOBODY = (
    "Nobody can be asked here: tell the user, who can run it, or allow such commands by a rule in limpet's policy.toml."
)
_FOREIGN = Reason(
    rule="opaque.shell", verdict=Verdict.ASK, message="is for PowerShell, which limpet cannot read", risk=Risk.OPAQUE
)


def judged(call: Call, agent: Agent, options: Options, environ: Mapping[str, str]) -> tuple[Reply, Decision]:
    """The verdict as far as this agent honours it, with the reason and what to do instead; and what it comes from."""
    workspace = workspace_of(call, options)
    decision = _decision(call, workspace, options, environ)
    verdict = decision.verdict
    text = f"limpet: {_told(decision)}"
    if verdict is Verdict.ASK and not _can_ask(call, agent, options):
        verdict, text = Verdict.DENY, f"{text} {_NOBODY}"
    approve = options.on_allow is OnAllow.APPROVE and (decision.read_only or not call.only_reads)
    wrap = options.wrap and verdict is not Verdict.DENY
    arguments = wrapped(call, workspace, approved=verdict is Verdict.ASK) if wrap else None
    return Reply(verdict=verdict, text=text, arguments=arguments, approve=approve), decision


def _can_ask(call: Call, agent: Agent, options: Options) -> bool:
    return agent.ASKS is not None and call.attended and (options.on_ask or agent.ASKS) is OnAsk.ASK


def _told(decision: Decision) -> str:
    if decision.verdict is Verdict.ALLOW:
        return "allowed."
    from limpet.render.decision import for_model  # noqa: PLC0415 - most commands are allowed, and in a hurry

    return for_model(decision)


def workspace_of(call: Call, options: Options) -> str:
    """The folder that counts as inside: as told, else the agent's project around the command, else where it runs."""
    if options.workspace is not None:
        return options.workspace
    if call.project and os.path.isabs(call.project):
        project, cwd = os.path.realpath(call.project), os.path.realpath(call.cwd)
        if os.path.commonpath([project, cwd]) == project:
            return project
    return call.cwd


def _decision(call: Call, workspace: str, options: Options, environ: Mapping[str, str]) -> Decision:
    if not call.readable:
        return Decision(verdict=Verdict.ASK, reasons=(_FOREIGN,), opaque=True)
    settings = resolve(workspace=workspace, environ=environ).settings
    return check(
        call.command,
        workspace=workspace,
        cwd=call.cwd,
        profile=settings.policy.profile,
        containment=containment(workspace, environ=environ) if options.wrap else "none",
        rules=load_rules(settings, settings_files(workspace, environ)),
    )


def wrapped(call: Call, workspace: str, *, approved: bool) -> Json:
    """The tool's arguments with a command that runs the same through limpet. How long it may take the agent knows."""
    words = [*limpet_command(), "run", "--workspace", workspace, "--cwd", call.cwd, "--timeout", "none"]
    words += ["--yes"] if approved else []
    return call.rewritten(" ".join(map(quote, [*words, "--", call.command])))


def limpet_command() -> list[str]:
    """How this limpet is called by anybody, from anywhere."""
    script = os.path.join(os.path.dirname(sys.executable), "limpet")
    # -P: a folder called limpet where the command runs must not be taken for this one.
    return [script] if os.access(script, os.X_OK) else [sys.executable, "-Pm", "limpet"]
