"""What people see has four zones, and nothing in it that a command could abuse."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.model.decision import Decision, Reason, Risk, Verdict
from limpet.model.guarantees import Guarantees
from limpet.model.result import Outcome, Result
from limpet.render.ansi import blocked, closing, notice, opening, zones
from limpet.render.paint import columns, shorten
from limpet.render.viewport import Highlighter, viewport

OURS = re.compile(r"\x1b\[[0-9;]*m")
DONE = Result(
    command="make test",
    outcome=Outcome.EXITED,
    ok=True,
    exit_code=0,
    stdout="one\ntwo\n",
    stderr="warn\n",
    duration_ms=1234,
    operation_id="r1",
    cwd="/w",
)


def failed(**facts: object) -> Result:
    return Result(**({"command": "x", "outcome": Outcome.EXITED, "ok": False, "exit_code": 3} | facts))  # type: ignore[arg-type]  # checked by each test


@pytest.mark.req("TU-17")
def test_four_zones_without_color() -> None:
    assert zones(DONE, timeout=30, width=80, color=False, description="Run the tests") == (
        "$ make test  ok\n  Run the tests | in /w | time limit 30 s\none\ntwo\nwarn\n"
        "2 lines out, 1 line err | 1.2 s | r1\n"
    )


@pytest.mark.req("TU-17")
def test_four_zones_with_color() -> None:
    assert zones(DONE, timeout=None, width=80, color=True) == (
        "\x1b[1m$ make test\x1b[0m\x1b[1;32m  ok\x1b[0m\n\x1b[2m  in /w | no time limit\x1b[0m\n"
        "one\ntwo\n\x1b[31mwarn\x1b[0m\n"
        "\x1b[2m2 lines out, 1 line err | 1.2 s | r1\x1b[0m\n"
    )


@pytest.mark.req("TU-17")
@pytest.mark.parametrize(
    ("result", "word"),
    [
        (failed(), "exit 3"),
        (failed(outcome=Outcome.TIMED_OUT, exit_code=None, duration_ms=2000), "timed out after 2.0 s"),
        (failed(outcome=Outcome.SIGNALLED, exit_code=None, signal="SIGKILL"), "killed by SIGKILL"),
        (failed(outcome=Outcome.CANCELLED, exit_code=None), "cancelled"),
    ],
)
def test_the_header_says_how_it_ended(result: Result, word: str) -> None:
    assert zones(result, timeout=2, width=80, color=False).split("\n")[0] == f"$ x  {word}"


def test_truncation_is_told_in_the_status_line() -> None:
    result = failed(truncated=True, output_file="/state/1.out", stdout="x\n", duration_ms=120, operation_id="r2")
    assert (
        zones(result, timeout=1, width=80, color=False).splitlines()[-1]
        == "truncated; all of it: /state/1.out | 1 line out, 0 lines err | 0.1 s | r2"
    )


@pytest.mark.parametrize(
    ("held", "said"),
    [
        (Guarantees(level="native", backend="native", network="off"), "contained: native"),
        (Guarantees(level="landlock", backend="landlock", network="open"), "contained: landlock, network open"),
        (Guarantees(level="bare", backend="bare"), "not contained"),
    ],
)
def test_how_it_was_contained_is_always_said(held: Guarantees, said: str) -> None:
    result = failed(guarantees=held, duration_ms=120, operation_id="r2")
    assert closing(result, lines=(0, 0), color=False) == f"exit 3  0.1 s | 0 lines out, 0 lines err | {said} | r2\n"
    assert zones(result, timeout=1, width=80, color=False).splitlines()[-1].endswith(f" | 0.1 s | {said} | r2")


def test_after_a_live_run_everything_worth_knowing_has_a_line() -> None:
    result = failed(truncated=True, error="one\ntwo", hint="guess: x", duration_ms=120, operation_id="r2")
    assert closing(result, lines=(12345, 1), color=False) == (
        "exit 3  0.1 s | 12,345 lines out, 1 line err | r2\n  one two\n  guess: x\n"
        "  truncated for a model; all of it: limpet logs r2\n"
    )


def test_on_a_narrow_terminal_parts_go_to_the_next_line() -> None:
    assert closing(DONE, lines=(2, 1), color=False, width=36) == "ok  1.2 s | 2 lines out, 1 line err\n  r1\n"
    assert opening("make -j8", "Build", "/w/long", 60, color=False, width=20) == (
        "$ make -j8\n  Build | in /w/long\n  time limit 60 s\n"
    )


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({}, ""),
        ({"error": "timed out after 1 s"}, "limpet: timed out after 1 s\n"),
        ({"hint": "guess: x"}, ""),
        ({"error": "ended: \x1b[2Ja\nb (7)"}, "limpet: ended: <U+001B>[2Ja b (7)\n"),
        (
            {"outcome": Outcome.DENIED, "error": "denied: no (r)", "hint": "name a directory"},
            "limpet: denied: no (r); name a directory\n",
        ),
    ],
)
def test_in_a_pipe_only_the_unexpected_is_said_on_one_line(facts: dict[str, object], said: str) -> None:
    assert notice(failed(**facts)) == said


def test_in_a_pipe_what_is_known_of_a_failure_is_said_and_guesses_are_not() -> None:
    assert notice(failed(exit_code=1, hint="guess: the disk is full; try freeing space")) == ""
    assert notice(failed(exit_code=1, hint="The sandbox has no network.")) == "limpet: The sandbox has no network.\n"
    assert notice(failed(exit_code=1, error="it broke", hint="Do it.")) == "limpet: it broke; Do it.\n"
    assert notice(failed(exit_code=1, error="Denied.", hint="Do it.")) == "limpet: Denied. Do it.\n"


def test_a_live_run_opens_and_closes_around_its_output() -> None:
    assert opening("make -j8", "Build", "/w", 60, color=False) == "$ make -j8\n  Build | in /w | time limit 60 s\n"
    assert closing(DONE, lines=(2, 1), color=False) == "ok  1.2 s | 2 lines out, 1 line err | r1\n"
    late = failed(outcome=Outcome.TIMED_OUT, exit_code=None, duration_ms=2000)
    assert (
        closing(late, lines=(0, 0), color=True)
        == "\x1b[1;31mtimed out\x1b[0m\x1b[2m  2.0 s | 0 lines out, 0 lines err\x1b[0m\n"
    )


def test_a_block_says_what_matched_why_and_what_instead() -> None:
    reasons = (
        Reason(
            rule="root-delete",
            verdict=Verdict.DENY,
            message="deletes everything",
            risk=Risk.DESTROYS,
            suggestion="name a directory",
            span=(9, 17),
        ),
        Reason(rule="echo", verdict=Verdict.ALLOW, message="harmless"),
    )
    result = failed(
        command="echo hi; rm -rf /",
        outcome=Outcome.DENIED,
        exit_code=None,
        decision=Decision(verdict=Verdict.DENY, reasons=reasons),
        operation_id="r3",
    )
    assert blocked(result, color=False) == (
        "[blocked] $ echo hi; rm -rf /\n  rule     root-delete (destroys)\n  matched  rm -rf /\n"
        "  why      deletes everything\n"
        "  instead  name a directory\n0 lines out, 0 lines err | 0.0 s | r3\n"
    )
    assert OURS.sub("", blocked(result, color=True)) == blocked(result, color=False)


HOSTILE = st.lists(
    st.sampled_from(
        [
            "a",
            "\n",
            "\t",
            "\r",
            "\b",
            "\x1b[2J",
            "\x1b]0;t\x07",
            "\x9b6n",
            "\x1b",
            "\u202e",
            "\u200b",
            "\udcff",
            "漢",
            '{"a": 1}',
            "+x",
            "--- a\n+++ b\n",
            "\x00",
        ]
    ),
    max_size=12,
).map("".join)


@pytest.mark.req("TU-17")
@settings(deadline=None, max_examples=200)
@given(HOSTILE, HOSTILE, HOSTILE, st.integers(5, 120))
def test_color_changes_no_text_and_nothing_hostile_passes(command: str, stdout: str, stderr: str, width: int) -> None:
    decision = Decision(
        verdict=Verdict.DENY,
        reasons=(Reason(rule="r", verdict=Verdict.DENY, message=stdout, suggestion=stderr, span=(0, 3)),),
    )
    result = failed(
        command=command,
        stdout=stdout,
        stderr=stderr,
        cwd=stderr,
        error=stdout,
        output_file=stderr,
        truncated=True,
        decision=decision,
        operation_id=command,
    )
    for plain, colored in (
        (
            zones(result, timeout=1, width=width, color=False, description=stdout),
            zones(result, timeout=1, width=width, color=True, description=stdout),
        ),
        (opening(command, stdout, stderr, 1, color=False), opening(command, stdout, stderr, 1, color=True)),
        (closing(result, lines=(1, 2), color=False), closing(result, lines=(1, 2), color=True)),
        (blocked(result, color=False), blocked(result, color=True)),
    ):
        assert OURS.sub("", colored) == plain
        assert {one for one in plain if unicodedata.category(one) in ("Cc", "Cs", "Cf")} <= {"\n", "\t"}
        plain.encode()


@settings(deadline=None, max_examples=200)
@given(HOSTILE, st.integers(20, 60))
def test_a_shortened_command_is_one_line_that_fits(command: str, room: int) -> None:
    short = shorten(command, room)
    assert "\n" not in short
    assert columns(short) <= room


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("ls", "ls"),
        ("a" * 30, "a" * 19 + "…"),
        ("one\ntwo\nthree\n", "one (+2 lines)"),
        ("one\ntwo", "one (+1 line)"),
        ("rm x\recho", "rm x<U+000D>echo"),
        ("漢" * 20, "漢" * 9 + "…"),
    ],
)
def test_commands_are_shortened_with_counts(command: str, shown: str) -> None:
    assert shorten(command, 20) == shown


def test_json_and_diffs_are_recognised() -> None:
    assert viewport('{"a": [1, true, "x"]}\n', "")[0] == [
        ("{", ""), ('"a"', "cyan"), (": [", ""), ("1", "magenta"), (", ", ""), ("true", "yellow"), (", ",
        ""), ('"x"', "green"), ("]}", ""),
    ]  # fmt: skip
    assert viewport("--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n z\n", "")[0] == [
        ("--- a\n", "bold"), ("+++ b\n", "bold"), ("@@ -1 +1 @@\n", "cyan"), ("-x\n", "red"), ("+y\n",
        "green"), (" z", ""),
    ]  # fmt: skip
    assert viewport("- a list\n+ is no diff\n", "") == [[("- a list\n+ is no diff", "")]]
    assert viewport("[1, 2\n", "bad") == [[("[1, 2", "")], [("bad", "red")]]
    assert viewport("", "\n") == [[("(no output)", "dim")]]


@pytest.mark.req("TU-17")
def test_what_is_still_coming_is_recognised_line_by_line() -> None:
    live = Highlighter()
    assert live.feed("plain\n[INFO] x\n") == [("plain\n", ""), ("[INFO] x\n", "")]
    assert live.feed('{"a": 1}\n') == [("{", ""), ('"a"', "cyan"), (": ", ""), ("1", "magenta"), ("}\n", "")]
    assert live.feed('{\n  "a": null\n}\nnull\n') == [
        ("{\n", ""), ("  ", ""), ('"a"', "cyan"), (": ", ""), ("null", "yellow"), ("\n", ""), ("}\n", ""),
        ("null\n", ""),
    ]  # fmt: skip
    assert live.feed("diff --git a b\nindex 1\n@@ -1 +1 @@\n-x\n+y\nend\n-x\n") == [
        ("diff --git a b\n", "bold"), ("index 1\n", ""), ("@@ -1 +1 @@\n", "cyan"), ("-x\n", "red"), ("+y\n", "green"),
        ("end\n", ""), ("-x\n", ""),
    ]  # fmt: skip


def test_a_line_in_pieces_is_passed_on_at_once_and_plain() -> None:
    live = Highlighter()
    pieces = ["@@ -1", " +1 @@\n", "@@ -1 +1 @@\n+a\n+b", "c\n+d\n"]
    assert [live.feed(piece) for piece in pieces] == [
        [("@@ -1", "")],
        [(" +1 @@\n", "")],
        [("@@ -1 +1 @@\n", "cyan"), ("+a\n", "green"), ("+b", "")],
        [("c\n", ""), ("+d\n", "green")],
    ]


@settings(deadline=None, max_examples=200)
@given(st.lists(st.sampled_from(["{\n", "}\n", '"a": 1', "\n", "@@ -1\n", "+x\n", "[", "]\n", "x"]), max_size=12))
def test_recognising_changes_no_text(pieces: list[str]) -> None:
    live = Highlighter()
    assert "".join([span.text for piece in pieces for span in live.feed(piece)]) == "".join(pieces)
