"""Settings and environment -> who writes down what happens, and what blanks out secrets in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.audit import otel
from limpet.audit.log import log_at
from limpet.audit.several import SeveralRecorders, WithSpans
from limpet.audit.sqlite import SqliteRecorder
from limpet.config import audit_path
from limpet.output.key_shapes import is_secret_name
from limpet.output.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.config import Settings
    from limpet.model.judgement import Judgement
    from limpet.model.request import Request
    from limpet.protocols import Recorder


def secret_values(environ: Mapping[str, str]) -> list[str]:
    """Values that must not be seen: those of variables whose names say so."""
    return [value for name, value in environ.items() if is_secret_name(name)]


def command_redactor(environ: Mapping[str, str], request: Request) -> Callable[[str], str]:
    """What blanks out secrets in whatever is written down about this request."""
    return Redactor([*secret_values(environ), *secret_values(request.env)]).command


def redactors(settings: Settings, environ: Mapping[str, str]) -> Callable[[Request], Redactor | None]:
    """What blanks out secrets in the output of a request; None where nothing is to be."""
    secrets = secret_values(environ)
    usual = Redactor(secrets)

    def redactor(request: Request) -> Redactor | None:
        if not settings.output.redact:
            return None
        more = secret_values(request.env) if request.env else []
        return Redactor([*secrets, *more]) if more else usual

    return redactor


def note(judgement: Judgement, settings: Settings, environ: Mapping[str, str]) -> None:
    """Write down what a program was told, where there is a record. Raises AuditError."""
    if settings.audit.enabled:
        redact = Redactor(secret_values(environ)).command
        record = SqliteRecorder(log_at(audit_path(environ)), redact=redact, patience=1.0)
        record.note(judgement)
        record.close()


def recorder(settings: Settings, environ: Mapping[str, str]) -> Recorder:
    """The audit trail where it is kept, and spans where OpenTelemetry is installed."""
    redact = Redactor(secret_values(environ)).command

    def redact_for(request: Request) -> Callable[[str], str] | None:
        """For a command that was given secrets of its own."""
        return command_redactor(environ, request) if request.env and secret_values(request.env) else None

    kept: Recorder = SeveralRecorders()
    if settings.audit.enabled:
        kept = SqliteRecorder(log_at(audit_path(environ)), redact=redact, redact_for=redact_for)
    return WithSpans(kept, otel.OtelRecorder(redact=redact, redact_for=redact_for)) if otel.available() else kept
