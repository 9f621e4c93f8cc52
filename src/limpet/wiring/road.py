"""Settings -> everything that a run needs."""

from __future__ import annotations

import atexit
import functools
from typing import TYPE_CHECKING

from limpet.approval.kept import Kept
from limpet.approval.remembered import Remembered
from limpet.config import settings_files, state_dir
from limpet.config.rules import approved_path, load_rules
from limpet.engine.judge import PolicyJudge
from limpet.engine.parts import Parts
from limpet.engine.permission import WithPermission
from limpet.engine.store import Store
from limpet.process.launch import PipeLauncher
from limpet.process.places import Places
from limpet.process.ready import ReadyShells
from limpet.process.shared import keepers
from limpet.wiring.approvers import Approvers
from limpet.wiring.containing import sandboxes
from limpet.wiring.recording import recorder, redactors
from limpet.wiring.reversing import transactions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.config import Settings
    from limpet.model.decision import Verdict
    from limpet.model.session import SessionState
    from limpet.protocols import Approver, Judge
    from limpet.sandbox.choose import Chosen
    from limpet.session.launch import SessionLauncher

    Permission = Callable[[str], Verdict | str]


@functools.cache
def ready_shells() -> ReadyShells:
    """The shells of this process that wait for a command."""
    made = ReadyShells()
    atexit.register(made.rest)
    return made


@functools.cache
def places() -> Places:
    """The line in which the commands of this process wait."""
    return Places()


def parts(
    settings: Settings,
    environ: Mapping[str, str],
    workspace: str,
    *,
    approver: str | Approver = "deny",
    permission: Permission | None = None,
    lasting: bool = True,
) -> Parts:
    """Everything a run needs. `lasting`: more than one command is to come."""
    files = settings_files(workspace, environ)
    remembered = Remembered(load_rules(settings, files))
    kept = _keep(approved_path(files), workspace)
    approvers = Approvers(environ, remembered if lasting else None, kept, settings)
    sandbox = sandboxes(settings, environ)
    return Parts(
        settings=settings,
        judge=_judge(environ, remembered, sandbox, permission),
        approver=approvers(approver),
        approvers=approvers,
        sandbox=sandbox,
        launcher=PipeLauncher(keepers(), ready_shells()),
        recorder=recorder(settings, environ),
        store=Store(state_dir(environ)),
        transactions=transactions(settings, environ, sandbox),
        queue=places(),
        redactor=redactors(settings, environ),
        files=remembered.rules.files,
    )


def session(folder: str, *, restart: bool, state: SessionState | None) -> SessionLauncher:
    """A launcher whose process goes on living."""
    from limpet.process.live import LiveStarter  # noqa: PLC0415 - few shells have sessions
    from limpet.session.launch import SessionLauncher  # noqa: PLC0415 - as above

    return SessionLauncher(LiveStarter(keepers(), ready_shells()), folder=folder, restart=restart, state=state)


def _keep(path: str | None, workspace: str) -> Kept | None:
    kept = None if path is None else Kept(path, workspace)
    return kept if kept is not None and kept.possible else None


def _judge(environ: Mapping[str, str], remembered: Remembered, sandbox: Chosen, permission: Permission | None) -> Judge:
    judge = PolicyJudge(environ, lambda: remembered.rules, sandbox.containment)
    return judge if permission is None else WithPermission(judge, permission)
