"""Events -> an OpenTelemetry span for each run."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import sys
from typing import TYPE_CHECKING

from limpet.audit.row import cleaner
from limpet.model.event import Finished, Prepared

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from opentelemetry.trace import Span, Tracer, TracerProvider

    from limpet.model.event import Event
    from limpet.model.request import Request
    from limpet.model.result import Result

_TRACE = "opentelemetry.trace"
_NAMED = "OTEL_PYTHON_TRACER_PROVIDER"
"""The variable by which a provider is chosen from outside."""
_UNFINISHED = 1_000
"""Spans kept open; more than this belong to runs that will never finish."""


def available() -> bool:
    """Whether OpenTelemetry is installed, found out without loading it."""
    try:
        return importlib.util.find_spec(_TRACE) is not None
    except ModuleNotFoundError:
        return False


class OtelRecorder:
    """A span named `limpet.run` from just before the command starts until nothing of it is alive.

    A run that was refused gets one as well, as an instant. Without a provider the process's own is used, and spans
    become children of whatever span is current where the run was asked for.
    """

    def __init__(
        self,
        *,
        redact: Callable[[str], str],
        redact_for: Callable[[Request], Callable[[str], str] | None] = lambda _: None,
        provider: TracerProvider | None = None,
    ) -> None:
        self._provider = provider
        self._clean = cleaner(redact)
        self._redact_for = redact_for
        self._spans: dict[str, Span] = {}
        self._named = _NAMED in os.environ

    async def record(self, event: Event) -> None:
        """Never fails: exporting is the provider's affair."""
        if isinstance(event, Prepared):
            if not self._somebody_listens():
                return
            self._make_room()
            self._spans[event.request.id] = self._start(event.request)
        elif isinstance(event, Finished):
            span = self._spans.pop(event.request.id, None)
            if span is not None or (event.result.usage is None and self._somebody_listens()):
                self._end(span or self._start(event.request), event.result)

    def may_be_heard(self) -> bool:
        """Whether it is worth telling: who has a provider has loaded OpenTelemetry, gives it, or names it."""
        return _TRACE in sys.modules or self._named or self._provider is not None

    @functools.cached_property
    def _trace(self) -> ModuleType:
        return importlib.import_module(_TRACE)  # slow, so not before somebody listens

    @functools.cached_property
    def _tracer(self) -> Tracer:
        tracer: Tracer = self._trace.get_tracer("limpet", tracer_provider=self._provider)
        return tracer

    def _somebody_listens(self) -> bool:
        """Without a configured provider every span would be thrown away."""
        if self._provider is not None:
            return True
        if not self.may_be_heard():
            return False
        return type(self._trace.get_tracer_provider()).__name__ != "ProxyTracerProvider"

    def close(self) -> None:
        """End the spans of runs that never told how they ended."""
        while self._spans:
            self._spans.popitem()[1].end()

    def _start(self, request: Request) -> Span:
        own, origin = self._redact_for(request), request.origin
        clean = self._clean if own is None else cleaner(own)
        facts = {
            "limpet.operation_id": clean(request.id),
            "limpet.command": clean(request.command),
            "limpet.cwd": clean(request.cwd),
            "limpet.description": clean(request.description),
            "limpet.surface": clean(origin.surface),
            "limpet.agent": clean(origin.agent),
            "limpet.caller": clean(origin.caller),
        }
        return self._tracer.start_span("limpet.run", attributes={name: text for name, text in facts.items() if text})

    def _end(self, span: Span, result: Result) -> None:
        span.set_attribute("limpet.outcome", result.outcome.value)
        span.set_attribute("limpet.duration_ms", result.duration_ms)
        if result.exit_code is not None:
            span.set_attribute("limpet.exit_code", result.exit_code)
        if result.decision is not None:
            span.set_attribute("limpet.verdict", result.decision.verdict.value)
        if not result.ok:
            span.set_status(
                self._trace.StatusCode.ERROR,
                self._clean(": ".join(filter(None, (result.what_happened(), result.error)))),
            )
        span.end()

    def _make_room(self) -> None:
        while len(self._spans) >= _UNFINISHED:
            self._spans.pop(next(iter(self._spans))).end()
