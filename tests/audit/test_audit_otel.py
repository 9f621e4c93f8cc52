from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from audit.happenings import DENIED, environment, finished, prepared, request, result, tell
from limpet.audit.otel import OtelRecorder, available
from limpet.model.event import Finished, Started
from limpet.model.result import Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from opentelemetry.sdk.trace import ReadableSpan

    from limpet.model.event import Event

STARTED = {
    "limpet.operation_id": "op-1",
    "limpet.command": "make test",
    "limpet.cwd": "/project",
    "limpet.description": "Run the tests",
    "limpet.surface": "python",
    "limpet.agent": "claude",
    "limpet.caller": "main",
}


class Traced:
    """A recorder with a provider of its own, and the spans that came out."""

    def __init__(self) -> None:
        self.exporter, self.provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
        self.provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.recorder = OtelRecorder(redact=lambda text: text.replace("hunter2", "***"), provider=self.provider)

    def spans(self, *events: Event) -> list[tuple[str, dict[str, object], str, str | None]]:
        tell(self.recorder, *events)
        return [_facts(span) for span in self.exporter.get_finished_spans()]


def _facts(span: ReadableSpan) -> tuple[str, dict[str, object], str, str | None]:
    return span.name, dict(span.attributes or {}), span.status.status_code.name, span.status.description


@pytest.mark.req("TK-17")
def test_a_run_is_a_span_from_its_start_to_its_end() -> None:
    traced = Traced()
    assert traced.spans(prepared(), Started(request=request(), pid=7)) == []
    ended = {"limpet.outcome": "exited", "limpet.duration_ms": 12, "limpet.exit_code": 0, "limpet.verdict": "allow"}
    assert traced.spans(finished()) == [("limpet.run", {**STARTED, **ended}, "UNSET", None)]


@pytest.mark.req("TK-17")
def test_a_refused_run_is_a_span_that_failed() -> None:
    ended = {"limpet.outcome": "denied", "limpet.duration_ms": 12, "limpet.verdict": "deny"}
    event = Finished(request=request(), result=result(Outcome.DENIED, decision=DENIED, error="no"))
    assert Traced().spans(event) == [("limpet.run", {**STARTED, **ended}, "ERROR", "denied: no")]


def test_runs_at_the_same_time_keep_their_spans_apart() -> None:
    spans = Traced().spans(prepared("a", "one"), prepared("b", "two"), finished("b", "two"), finished("a", "one"))
    assert [(span[1]["limpet.operation_id"], span[1]["limpet.command"]) for span in spans] == [
        ("b", "two"),
        ("a", "one"),
    ]


def test_secrets_and_odd_bytes_stay_out_of_spans() -> None:
    event = Finished(
        request=request(command="curl hunter2 \udcff"), result=result(Outcome.NOT_STARTED, error="no hunter2")
    )
    ((_, facts, _, description),) = Traced().spans(event)
    assert (facts["limpet.command"], description) == ("curl *** \\xff", "not started: no ***")


def test_spans_of_runs_that_never_end_are_ended_by_closing() -> None:
    traced = Traced()
    tell(traced.recorder, *(prepared(f"op-{n}") for n in range(1002)))
    assert len(traced.exporter.get_finished_spans()) == 2
    traced.recorder.close()
    assert len(traced.exporter.get_finished_spans()) == 1002


def test_a_span_belongs_to_the_one_around_the_call() -> None:
    traced = Traced()
    with traced.provider.get_tracer("test").start_as_current_span("agent") as outer:
        traced.spans(prepared(), finished())
    (span, _) = traced.exporter.get_finished_spans()
    assert span.parent == outer.get_span_context()


def test_looking_for_the_library_does_not_load_it() -> None:
    script = (
        "import sys; from limpet.audit.otel import available; print(available(), 'opentelemetry.trace' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True, timeout=30)
    assert (done.stdout, available()) == ("True False\n", True)


def test_without_the_library_it_is_not_available() -> None:
    script = (
        "import sys; sys.modules['opentelemetry'] = None; from limpet.audit.otel import available; print(available())"
    )
    done = subprocess.run([sys.executable, "-c", script], env=environment(), capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr) == ("False\n", "")


LATE = """
import asyncio, sys, limpet
async def main():
    async with limpet.open(sys.argv[1]) as shell:
        await shell.run("true")
        assert "opentelemetry.trace" not in sys.modules
        from opentelemetry import trace
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        exporter, provider = InMemorySpanExporter(), TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        await shell.run("echo unheard")
        trace.set_tracer_provider(provider)
        await shell.run("echo heard")
    print([span.attributes["limpet.command"] for span in exporter.get_finished_spans()])
asyncio.run(main())
"""


def test_who_begins_to_listen_hears_of_what_runs_from_then_on(workspace: Path) -> None:
    argv = [sys.executable, "-c", LATE, str(workspace)]
    done = subprocess.run(argv, env=environment(), capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("['echo heard']\n", "")
