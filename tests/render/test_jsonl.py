"""Events become one line of JSON each."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.model.decision import Decision, Verdict
from limpet.model.event import Event, Finished, Output, Prepared, Started
from limpet.model.guarantees import Guarantees
from limpet.model.limits import Limits
from limpet.model.plan import Ladder, Plan
from limpet.model.request import Request
from limpet.model.result import Outcome, Result
from limpet.model.window import Window
from limpet.render.jsonl import line

REQUEST = Request(
    id="r1", command="echo hi", workspace="/w", cwd="/w", timeout=5, limits=Limits(), window=Window.of(100)
)
PLAN = Plan(
    executable="/bin/bash",
    argv=("bash", "-c", "echo hi"),
    env={"TOKEN": "very-secret", "HOME": "/h"},
    cwd="/w",
    ladder=Ladder(grace=1, drain=1, kill_wait=1),
    limits=Limits(),
    guarantees=Guarantees(level="bare", backend="bare"),
)


@pytest.mark.req("ZE-15")
def test_output_carries_text_and_not_bytes() -> None:
    event = Output(stream="stderr", data=b"\xffhi\n", text="\ufffdhi\n", skipped_bytes=7)
    assert json.loads(line(event)) == {
        "type": "output",
        "stream": "stderr",
        "text": "\ufffdhi\n",
        "bytes": 4,
        "skipped_bytes": 7,
    }


@pytest.mark.req("ZE-15")
@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Started(request=REQUEST, pid=7), "started"),
        (Prepared(request=REQUEST, decision=Decision(verdict=Verdict.ALLOW), plan=PLAN), "prepared"),
        (Finished(request=REQUEST, result=Result(command="x\udcff\n", outcome=Outcome.EXITED, ok=True)), "finished"),
    ],
)
def test_each_event_is_one_line_that_names_its_type(event: Event, kind: str) -> None:
    said = line(event)
    assert "\n" not in said
    assert json.loads(said)["type"] == kind


def test_the_values_of_an_environment_are_not_told() -> None:
    said = line(Prepared(request=REQUEST, decision=Decision(verdict=Verdict.ALLOW), plan=PLAN))
    assert "very-secret" not in said
    assert json.loads(said)["plan"]["env"] == ["HOME", "TOKEN"]


@settings(deadline=None)
@given(st.text() | st.text(alphabet="\n\r\u2028\x00\udc80\x1b"))
def test_any_text_stays_on_one_line(text: str) -> None:
    assert "\n" not in line(Output(stream="stdout", data=b"", text=text))
