"""Settings -> the parts of the road: the one place that picks implementations."""

from __future__ import annotations

import atexit
import contextlib
import functools
import os
import tempfile
import time
from typing import TYPE_CHECKING

from limpet.approval import ApproveAll, DenyAll
from limpet.approval.effects import OnEffects
from limpet.approval.first import FirstAnswer
from limpet.approval.kept import Kept
from limpet.approval.remembered import Remembered
from limpet.audit import otel
from limpet.audit.several import SeveralRecorders
from limpet.audit.sqlite import SqliteRecorder
from limpet.config import Settings, audit_path, resolve, settings_files, state_dir
from limpet.config.rules import approved_path, load_rules
from limpet.engine.admit import admit
from limpet.engine.judge import PolicyJudge
from limpet.engine.parts import Parts
from limpet.engine.permission import WithPermission
from limpet.engine.store import Store
from limpet.errors import AuditError, InvalidRequestError, SandboxUnavailableError, TransactionError
from limpet.model.decision import Verdict
from limpet.model.options import Options
from limpet.model.request import Origin
from limpet.output.key_shapes import is_secret_name
from limpet.output.redact import Redactor
from limpet.overlay import kept as commits
from limpet.overlay.copies import Scope
from limpet.overlay.recover import recover
from limpet.overlay.transactions import Means, Transactions
from limpet.policy.effects import EffectLimits
from limpet.process.launch import PipeLauncher
from limpet.process.live import LiveStarter
from limpet.process.places import Places
from limpet.process.prepared import packed
from limpet.process.ready import ReadyShells
from limpet.process.shared import keepers
from limpet.sandbox.bare import Bare
from limpet.sandbox.bubblewrap import Bubblewrap
from limpet.sandbox.capable import Capable
from limpet.sandbox.choose import Chosen
from limpet.sandbox.container import Container
from limpet.sandbox.landlocked import Landlocked
from limpet.sandbox.native import Native
from limpet.session.launch import SessionLauncher

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.approval.inbox import Inbox
    from limpet.model.request import Request
    from limpet.model.session import SessionState
    from limpet.overlay.transactions import Guard
    from limpet.protocols import Approver, Judge, Recorder

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
    secrets = secret_values(environ)
    redactor = Redactor(secrets)
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
        recorder=_recorder(settings, environ, redactor),
        store=Store(state_dir(environ)),
        transactions=_transactions(settings, environ, sandbox),
        queue=places(),
        redactor=_redactors(settings, redactor, secrets),
        files=remembered.rules.files,
    )


def session(folder: str, *, restart: bool, state: SessionState | None) -> SessionLauncher:
    """A launcher whose process goes on living."""
    return SessionLauncher(LiveStarter(keepers(), ready_shells()), folder=folder, restart=restart, state=state)


def prune(parts: Parts, environ: Mapping[str, str]) -> None:
    """Put right what a crash left half done; delete what has grown old, at most once an hour.

    What fails is tried again then.
    """
    with contextlib.suppress(TransactionError, OSError):
        recover(state_dir(environ))
    output, audit, kept = parts.settings.output, parts.settings.audit, parts.settings.transaction
    if not parts.store.prune(keep_days=output.keep_days, keep_bytes=output.keep_bytes):
        return
    with contextlib.suppress(TransactionError, OSError):
        commits.prune(state_dir(environ), keep_days=kept.keep_days, keep_bytes=kept.keep_bytes, now=time.time())
    if audit.enabled:
        with contextlib.suppress(AuditError):
            recorder = SqliteRecorder(audit_path(environ), redact=str, patience=1.0)
            recorder.prune(keep_days=audit.keep_days, keep_rows=audit.keep_rows)
            recorder.close()


def _effects(settings: Settings) -> EffectLimits:
    wanted = settings.effects
    return EffectLimits(
        files=wanted.files, deletions=wanted.deletions, bytes=wanted.bytes, only=wanted.only, never=wanted.never,
        executables=wanted.executables, dotfiles=wanted.dotfiles, links_outside=wanted.links_outside,
        verdict=Verdict.DENY if wanted.drop else Verdict.ASK,
    )  # fmt: skip


class Approvers:
    """Names -> who answers: nobody, everybody, the person at the terminal, or whoever reads the inbox."""

    def __init__(
        self,
        environ: Mapping[str, str],
        remembered: Remembered | None,
        keep: Kept | None,
        settings: Settings = Settings(),  # noqa: B008 - it cannot change
    ) -> None:
        patience, limits = settings.approval.patience, _effects(settings)
        inbox = functools.cache(lambda: _in_inbox(environ, patience, remembered, keep))
        later = functools.cache(lambda: _later(inbox(), patience))
        self._known: dict[str, Callable[[], Approver]] = {
            "deny": DenyAll,
            "yes": ApproveAll,
            "effects": lambda: OnEffects(limits, self("terminal+inbox")),
            "terminal": functools.cache(lambda: _on_terminal(environ, remembered, keep)),
            "inbox": inbox,
            "later": later,
        }

    def __call__(self, approver: str | Approver) -> Approver:
        """The one that is meant; of several, as in `terminal+inbox`, the first answer. Raises InvalidRequestError."""
        if callable(approver):
            return approver
        names = approver.split("+") if isinstance(approver, str) else [approver]
        if not all(name in self._known for name in names):
            known = ", ".join(map(repr, self._known))
            message = f"approver must be {known}, several of them joined by +, or an async callable, not {approver!r}"
            raise InvalidRequestError(message, field="approver")
        chosen = [self._known[name]() for name in names]
        return chosen[0] if len(chosen) == 1 else FirstAnswer(*chosen)


def _on_terminal(environ: Mapping[str, str], remembered: Remembered | None, keep: Kept | None) -> Approver:
    from limpet.approval.terminal import AskOnTerminal  # noqa: PLC0415 - few commands are asked about

    return AskOnTerminal(environ, remembered=remembered, keep=keep)


def _in_inbox(environ: Mapping[str, str], patience: float, remembered: Remembered | None, keep: Kept | None) -> Inbox:
    from limpet.approval.box import Box  # noqa: PLC0415 - as above
    from limpet.approval.inbox import Inbox  # noqa: PLC0415 - as above
    from limpet.approval.lasting import Lasting  # noqa: PLC0415 - as above

    return Inbox(Box(state_dir(environ)), patience=patience, lasting=Lasting(remembered, keep))


def _later(inbox: Inbox, patience: float) -> Approver:
    from limpet.approval.later import Later  # noqa: PLC0415 - as above

    return Later(inbox, patience=patience)


def _keep(path: str | None, workspace: str) -> Kept | None:
    kept = None if path is None else Kept(path, workspace)
    return kept if kept is not None and kept.possible else None


def _native(settings: Settings, environ: Mapping[str, str]) -> Native:
    return Native(Bare(settings, environ), settings, environ, state_dir(environ))


def _transactions(settings: Settings, environ: Mapping[str, str], sandbox: Chosen) -> Transactions:
    kept = settings.transaction
    scope = Scope(never=kept.skip, most_bytes=kept.copy_bytes)
    return Transactions(Means(state_dir(environ), _guard(settings, environ), sandbox.can_layer, scope))


def _guard(settings: Settings, environ: Mapping[str, str]) -> Guard:
    """Made when it is first needed: few commands run in a transaction."""
    native = functools.cache(lambda: _native(settings, environ))
    return lambda request: native().guard(request)


def sandboxes(settings: Settings, environ: Mapping[str, str]) -> Chosen:
    """All ways to contain a command, for each to get the one that it is to have."""
    bare, place = Bare(settings, environ), state_dir(environ)
    ladder = (_native(settings, environ), Landlocked(bare, settings, environ, place))
    capable = Capable(place, lambda plan: keepers().trouble(packed(plan)))
    others = (Bubblewrap(bare, settings, environ, place), Container(bare, settings, environ, place))
    return Chosen(bare, ladder, others, capable.trouble)


def containment(workspace: str, environ: Mapping[str, str], *, sandbox: str | None, profile: str | None) -> str:
    """How the judge may think of commands that run there: `full` or `none`. The folder need not exist."""
    settings = resolve(workspace=workspace, environ=environ).settings
    with contextlib.ExitStack() as stack:
        folder = workspace if os.path.isdir(workspace) else stack.enter_context(tempfile.TemporaryDirectory())
        options = Options(sandbox=sandbox, profile=profile)
        request = admit("true", options, settings=settings, workspace=os.path.realpath(folder), origin=Origin())
        with contextlib.suppress(SandboxUnavailableError):  # then it would not run at all
            return sandboxes(settings, environ).containment(request)
    return "none"


def _judge(environ: Mapping[str, str], remembered: Remembered, sandbox: Chosen, permission: Permission | None) -> Judge:
    judge = PolicyJudge(environ, lambda: remembered.rules, sandbox.containment)
    return judge if permission is None else WithPermission(judge, permission)


def secret_values(environ: Mapping[str, str]) -> list[str]:
    """Values that must not be seen: those of variables whose names say so."""
    return [value for name, value in environ.items() if is_secret_name(name)]


def command_redactor(environ: Mapping[str, str], request: Request) -> Callable[[str], str]:
    """What blanks out secrets in whatever is written down about this request."""
    return Redactor([*secret_values(environ), *secret_values(request.env)]).command


def _redactors(settings: Settings, usual: Redactor, secrets: list[str]) -> Callable[[Request], Redactor | None]:
    def redactor(request: Request) -> Redactor | None:
        if not settings.output.redact:
            return None
        more = secret_values(request.env) if request.env else []
        return Redactor([*secrets, *more]) if more else usual

    return redactor


def _recorder(settings: Settings, environ: Mapping[str, str], redactor: Redactor) -> Recorder:
    def redact_for(request: Request) -> Callable[[str], str] | None:
        """For a command that was given secrets of its own."""
        more = secret_values(request.env) if request.env else []
        return Redactor([*secret_values(environ), *more]).command if more else None

    recorders: list[Recorder] = []
    if settings.audit.enabled:
        recorders.append(SqliteRecorder(audit_path(environ), redact=redactor.command, redact_for=redact_for))
    if otel.available():
        recorders.append(otel.OtelRecorder(redact=redactor.command, redact_for=redact_for))
    return recorders[0] if len(recorders) == 1 else SeveralRecorders(*recorders)
