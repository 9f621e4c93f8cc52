"""One event -> several recorders, or those of them that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.errors import AuditError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from limpet.audit.otel import OtelRecorder
    from limpet.model.event import Event
    from limpet.protocols import Recorder


class SeveralRecorders:
    """Tells each recorder in turn. One that fails does not keep an event from the others; its error is raised last."""

    def __init__(self, *recorders: Recorder) -> None:
        self._recorders = recorders

    async def record(self, event: Event) -> None:
        """Raises the first AuditError of any of them."""
        failures: list[AuditError] = []
        for recorder in self._recorders:
            try:
                await recorder.record(event)
            except AuditError as error:
                failures.append(error)
        if failures:
            raise failures[0]

    def close(self) -> None:
        """All of them let go."""
        for recorder in self._recorders:
            recorder.close()


class WithSpans:
    """A recorder, and beside it spans, from when on somebody may hear of them."""

    def __init__(self, recorder: Recorder, spans: OtelRecorder) -> None:
        self._recorder = recorder
        self._spans = spans
        self._both = SeveralRecorders(recorder, spans)

    def record(self, event: Event) -> Coroutine[None, None, None]:
        """Raises the recorder's AuditError."""
        return (self._both if self._spans.may_be_heard() else self._recorder).record(event)

    def close(self) -> None:
        """Both let go."""
        self._both.close()
