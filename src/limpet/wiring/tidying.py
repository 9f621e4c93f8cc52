"""What is done for the state directory whenever a shell is opened."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING

from limpet.audit.log import Log
from limpet.audit.sqlite import SqliteRecorder
from limpet.config import audit_path, state_dir
from limpet.engine.store import Store
from limpet.errors import AuditError, TransactionError
from limpet.overlay.whereabouts import is_used

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.config import Settings


def tidy(settings: Settings, environ: Mapping[str, str]) -> None:
    """Put right what a crash left half done; delete what has grown old."""
    state = state_dir(environ)
    if is_used(state):
        _recover(state)
    prune(settings, environ)


def prune(settings: Settings, environ: Mapping[str, str]) -> None:
    """Delete what has grown old, at most once an hour. What fails is tried again then."""
    state, output = state_dir(environ), settings.output
    if not Store(state).prune(keep_days=output.keep_days, keep_bytes=output.keep_bytes):
        return
    if is_used(state):
        _forget(state, settings)
    if settings.audit.enabled:
        _shorten(settings, environ)


def _recover(state: str) -> None:
    from limpet.overlay.recover import recover  # noqa: PLC0415 - only where there were transactions

    with contextlib.suppress(TransactionError, OSError):
        recover(state)


def _forget(state: str, settings: Settings) -> None:
    from limpet.overlay.kept import prune as forget  # noqa: PLC0415 - as above

    kept = settings.transaction
    with contextlib.suppress(TransactionError, OSError):
        forget(state, keep_days=kept.keep_days, keep_bytes=kept.keep_bytes, now=time.time())


def _shorten(settings: Settings, environ: Mapping[str, str]) -> None:
    with contextlib.suppress(AuditError):
        recorder = SqliteRecorder(Log(audit_path(environ)), redact=str, patience=1.0)
        recorder.prune(keep_days=settings.audit.keep_days, keep_rows=settings.audit.keep_rows)
        recorder.close()
