"""The text form says what happened and parses back, whatever the output holds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.model.result import Outcome, Result
from limpet.render.text import Report, parse, render, report, summary, write

OWN_WORDS = st.sampled_from(
    ["STDOUT:", "STDERR:", "(no output)", "(no errors)", "\\STDERR:", "\\\\(no output)", "\\", "Command: x",
     "Exit Code: 7", "", " ", "  ", "\r", "\x00", "\x85",
     "\u2028", "text", "Note: y", "$", "\x0b", "\udcff"]
)  # fmt: skip
CONTENT = st.lists(OWN_WORDS, max_size=7).map("\n".join) | st.text(max_size=30)
MAYBE = st.none() | CONTENT.filter(bool)


@pytest.mark.req("TU-11")
def test_the_text_form_of_a_plain_run() -> None:
    result = Result(command="echo hi", outcome=Outcome.EXITED, ok=True, exit_code=0, cwd="/w", stdout="hi\n")
    assert (
        render(result) == "Command: echo hi\nExit Code: 0\nWorking Directory: /w\n\nSTDOUT:\nhi\n\nSTDERR:\n(no errors)"
    )


@pytest.mark.req("TU-11", "ZE-24")
def test_lines_are_added_only_when_they_say_something() -> None:
    result = Result(
        command="a\nb",
        outcome=Outcome.TIMED_OUT,
        ok=False,
        cwd="/w",
        stderr="  bad\n\n",
        duration_ms=2000,
        truncated=True,
        output_file="/state/1.out",
        hint="guess: x; try y",
        error="stopped 2 processes",
    )
    assert render(result) == (
        "Command: a\n  b\nExit Code: none\nWorking Directory: /w\nOutcome: timed out after 2.0 s\n"
        "Note: stopped 2 processes\n"
        "Hint: guess: x; try y\nTruncated: yes\nOutput File: /state/1.out\n\nSTDOUT:\n(no output)\n\nSTDERR:\nbad"
    )


@pytest.mark.req("TU-18")
@settings(deadline=None, max_examples=500)
@given(
    st.builds(
        Report,
        command=CONTENT,
        exit_code=st.none() | st.integers(-300, 300),
        cwd=CONTENT,
        outcome=MAYBE,
        note=MAYBE,
        hint=MAYBE,
        truncated=st.booleans(),
        output_file=MAYBE,
        stdout=CONTENT,
        stderr=CONTENT,
    )
)
def test_any_report_parses_back(said: Report) -> None:
    assert parse(write(said)) == said


@pytest.mark.req("TU-18", "TU-10")
@settings(deadline=None, max_examples=200)
@given(CONTENT, CONTENT, CONTENT, st.sampled_from(Outcome), st.integers(0, 255))
def test_any_result_parses_back_to_what_it_said(
    command: str, stdout: str, stderr: str, outcome: Outcome, code: int
) -> None:
    result = Result(command=command, outcome=outcome, ok=False, exit_code=code, cwd="/w", stdout=stdout, stderr=stderr)
    said = parse(render(result))
    assert said == report(result)
    assert (said.command, said.exit_code, said.stdout, said.stderr) == (command, code, stdout.strip(), stderr.strip())


@pytest.mark.parametrize(
    "text", ["", "hello", "Command: x\n\nSTDOUT:\n\n\nSTDERR:\n", "Command: x\nExit Code: 0\nWorking Directory: /"]
)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a heading is missing"):
        parse(text)


@pytest.mark.req("ZE-01", "ZE-24")
def test_a_series_is_told_as_commands_with_their_output() -> None:
    results = [
        Result(command="ls", outcome=Outcome.EXITED, ok=True, exit_code=0, output="a\nb\n"),
        Result(command="true", outcome=Outcome.EXITED, ok=True, exit_code=0),
        Result(
            command="for x in 1\ndo false; done", outcome=Outcome.EXITED, ok=False, exit_code=3, output="stderr: no\n"
        ),
        Result(command="rm -rf /", outcome=Outcome.DENIED, ok=False, error="root-delete: deletes everything"),
    ]
    assert summary(results) == (
        "$ ls\na\nb\n\n$ true\n(no output)\n\n$ for x in 1\n> do false; done\nstderr: no\n[exit 3]\n\n"
        "$ rm -rf /\n(no output)\n[denied: root-delete: deletes everything]"
    )
    assert summary([]) == "(no output)"
