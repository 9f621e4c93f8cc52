"""What an agent program was told about a command that it runs itself -> a row of the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.config import resolve
from limpet.engine.ids import new_id
from limpet.model.judgement import Judgement
from limpet.model.request import Origin
from limpet.wiring import recording
from limpet.wiring.tidying import prune

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.model.decision import Decision, Verdict


def note(
    environ: Mapping[str, str], *, command: str, workspace: str, cwd: str, agent: str, description: str,
    decision: Decision | None, told: Verdict, reason: str,
) -> None:  # fmt: skip
    """Write it down, where there is a record. Raises AuditError, ConfigError."""
    judgement = Judgement(
        id=new_id(), command=command, workspace=workspace, cwd=cwd, description=description,
        origin=Origin(surface="hook", agent=agent), decision=decision, told=told, reason=reason,
    )  # fmt: skip
    settings = resolve(workspace=workspace, environ=environ).settings
    recording.note(judgement, settings, environ)
    prune(settings, environ)  # there may never be a run that does it
