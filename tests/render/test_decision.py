"""A decision is told like a good compiler tells an error: where, what, why, and what instead."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.model.decision import Decision, FoundCommand, Reason, Risk, Verdict
from limpet.render.decision import advice, explain, for_model, refusal
from limpet.render.marking import marked_lines

OURS = re.compile(r"\x1b\[[0-9;]*m")
ASK, DENY, ALLOW = Verdict.ASK, Verdict.DENY, Verdict.ALLOW


def reason(
    span: tuple[int, int] | None,
    message: str = "does it",
    verdict: Verdict = ASK,
    rule: str = "a.rule",
    instead: str = "",
) -> Reason:
    return Reason(rule=rule, verdict=verdict, message=message, risk=Risk.NETWORK, suggestion=instead, span=span)


def asked(text: str, *wanted: str, verdict: Verdict = ASK) -> Decision:
    """A decision about each of the words, with the commands that stand between `; `."""
    spans = [(at, at + len(each.encode())) for each in wanted for at in [text.encode().index(each.encode())]]
    starts = [text.encode().index(part.encode()) for part in text.split("; ")]
    commands = tuple(
        FoundCommand(argv=tuple(part.split()), span=(start, start + len(part.encode())))
        for start, part in zip(starts, text.split("; "), strict=True)
    )
    return Decision(verdict=verdict, reasons=tuple(reason(span, verdict=verdict) for span in spans), commands=commands)


def carets(text: str, *spans: tuple[int, int], width: int = 80) -> list[tuple[str, str]]:
    return [(line.text, line.carets) for line in marked_lines(text, spans, width=width)]


def test_carets_stand_under_the_words_and_each_reason_is_told() -> None:
    decision = Decision(
        verdict=DENY,
        reasons=(
            reason((3, 11), "deletes everything", DENY, "floor.delete", "Delete less."),
            reason((13, 16), "sends", DENY, "floor.send"),
            reason((0, 1), "lists", ASK),
        ),
        commands=tuple(FoundCommand(argv=("x",), span=span) for span in ((0, 1), (3, 11), (13, 16))),
    )
    assert explain("l; rm -rf /; scp", decision, width=80, color=False) == (
        "  l; rm -rf /; scp\n"
        "     ^^^^^^^^  ^^^\n"
        "deny  floor.delete (network)\n"
        "      `rm -rf /`: deletes everything\n"
        "      instead: Delete less.\n"
        "deny  floor.send (network)\n"
        "      `scp`: sends\n"
        "deny: 2 reasons in 2 of 3 commands; 1 lesser reason not shown\n"
    )


def test_what_is_allowed_is_one_line_and_its_sum() -> None:
    decision = Decision(verdict=ALLOW, read_only=True, commands=(FoundCommand(argv=("ls",), span=(0, 2)),))
    assert explain("ls", decision, width=80, color=False) == ("  ls\nallow: nothing speaks against it; it only reads\n")
    assert for_model(decision) == "Allowed."


def test_the_verdict_has_its_color_and_color_changes_no_text() -> None:
    decision = asked("ls; curl x", "curl x")
    text = explain("ls; curl x", decision, width=80, color=True)
    assert "\x1b[1;33m    ^^^^^^\x1b[0m\n\x1b[1;33mask   \x1b[0ma.rule (network)\n" in text
    assert OURS.sub("", text) == explain("ls; curl x", decision, width=80, color=False)


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        ("echo é; curl x", "curl x", "        ^^^^^^"),
        ("echo 漢字; curl x", "curl x", "           ^^^^^^"),
        ("echo 漢字", "漢字", "     ^^^^"),
        ("echo e\u0301; curl", "curl", "        ^^^^"),
        ("echo 🙂; curl", "curl", "         ^^^^"),
        ("\techo\tcurl", "curl", "      ^^^^"),
        ("a\x1bb; curl", "curl", "            ^^^^"),
        ("a \u202e; curl", "\u202e", "  ^^^^^^^^"),
    ],
)
def test_bytes_become_columns(text: str, words: str, shown: str) -> None:
    start = text.encode().index(words.encode())
    (line,) = marked_lines(text, [(start, start + len(words.encode()))], width=80)
    assert line.carets == shown


def test_bytes_that_are_no_text_count_one_each_and_lone_surrogates_three() -> None:
    assert carets("\udcff\udc80 x", (3, 4)) == [("<U+DCFF><U+DC80> x", " " * 17 + "^")]
    assert carets("\ud800\udc80 x", (7, 8)) == [("<U+D800><U+DC80> x", " " * 17 + "^")]


def test_a_span_that_lies_outside_marks_only_what_is_there() -> None:
    spans = ((-3, 2), (1, 90), (90, 95), (2, 1), (-5, -1))
    assert [carets("abc", span) for span in spans] == [[("abc", mark)] for mark in ("^^", " ^^", "", "", "")]


def test_each_line_of_a_command_has_its_own_carets() -> None:
    decision = Decision(verdict=ASK, reasons=(reason((7, 24)),))
    assert explain("echo a\ncurl x \\\n    -d 1\nls\n", decision, width=80, color=False).splitlines()[:-3] == [
        "1 | echo a",
        "2 | curl x \\",
        "  | ^^^^^^^^",
        "3 |     -d 1",
        "  |     ^^^^",
        "4 | ls",
    ]


def test_of_many_lines_those_are_shown_where_something_begins() -> None:
    text = "".join(f"line {n}\n" for n in range(1, 101))
    late = text.index("line 90")
    decision = Decision(verdict=ASK, reasons=(reason((7, late - 300)), reason((late, late + 7))))
    shown = explain(text, decision, width=80, color=False).splitlines()
    assert shown[:3] == ["  1 | line 1", "  2 | line 2", "    | ^^^^^^"]
    assert shown[17:22] == [
        "    … 80 lines",
        " 90 | line 90",
        "    | ^^^^^^^",
        "    … 10 lines",
        "ask   a.rule (network)",
    ]
    assert sum(line[3:6] == " | " and line[:3] != "   " for line in shown) == 10


def test_a_long_line_is_cut_around_its_first_mark() -> None:
    text = "x" * 100 + " curl y; " + "z" * 100
    assert carets(text, (101, 107), width=40) == [
        ("…xxxxxxxxx curl y; zzzzzzzzzzzzzzzzzzzz…"[:40], "          " + " ^^^^^^")
    ]
    assert carets(text, (0, 3), width=12) == [("xxxxxxxxxxx…", "^^^")]
    assert carets("x" * 12, (0, 3), width=12) == [("x" * 12, "^^^")]
    assert carets("x" * 40 + " curl", (41, 45), width=20) == [("…xxxxxxxxxxxxxx curl", " " * 16 + "^^^^")]


def test_a_floor_is_final_and_says_so() -> None:
    decision = Decision(
        verdict=DENY,
        reasons=(
            reason(
                (0, 8), "deletes / and all that is in it", DENY, "floor.delete", "Delete a path inside the workspace."
            ),
        ),
        commands=(FoundCommand(argv=("rm", "-rf", "/"), span=(0, 8)),),
    )
    assert for_model(decision) == (
        "Denied by floor.delete: `rm -rf /` (deletes / and all that is in it). Delete a path inside the workspace. "
        "Do not try to reach the same effect another way."
    )


def test_another_deny_says_what_instead() -> None:
    decision = Decision(verdict=DENY, reasons=(reason((0, 1), "is not ours", DENY, "ours", "use uv"),))
    assert (refusal(decision), advice(decision)) == ("Denied by ours: the command (is not ours).", "Use uv.")


def test_a_question_names_the_parts_that_need_an_answer() -> None:
    text = "ls; git push; make; curl -sS https://example.org/; pwd"
    assert for_model(asked(text, "git push", "curl -sS https://example.org/")) == (
        "2 of 5 commands need approval: `git push` (does it), `curl -sS https://example.org/` (does it). "
        "The rest is allowed without it."
    )
    assert refusal(asked(text, "git push")) == "1 of 5 commands needs approval: `git push` (does it)."
    assert for_model(asked("git push", "git push")) == (
        "Needs approval: `git push` (does it). Ask the user to approve it."
    )
    many = "a; b; c; d; e"
    assert refusal(asked(many, *many.split("; "))) == (
        "5 of 5 commands need approval: `a` (does it), `b` (does it), `c` (does it) and 2 more."
    )


def test_words_that_are_not_known_or_too_many_are_left_out() -> None:
    command = FoundCommand(argv=("curl", None, "x" * 100), span=(0, 9))
    said = refusal(Decision(verdict=ASK, reasons=(reason((0, 9)),), commands=(command,)))
    assert said == f"Needs approval: `curl … {'x' * 52}…` (does it)."


def test_without_reasons_it_is_still_a_sentence() -> None:
    assert refusal(Decision(verdict=DENY)) == "Denied by policy: no reason was given."
    assert refusal(Decision(verdict=ASK)) == "Needs approval: no reason was given."


HOSTILE = st.lists(
    st.sampled_from(
        [
            "a",
            " ",
            "\n",
            "\t",
            "\r",
            "\b",
            "\x1b[2J",
            "\x9b6n",
            "\u202e",
            "\u200b",
            "\udcff",
            "\ud800",
            "漢",
            "é",
            "\x00",
        ]
    ),
    max_size=40,
).map("".join)


@settings(deadline=None, max_examples=100)
@given(
    HOSTILE,
    HOSTILE,
    st.tuples(st.integers(-3, 90), st.integers(-3, 90)),
    st.integers(1, 60),
    st.sampled_from(list(Verdict)),
)
def test_any_text_and_any_span_is_told_and_nothing_hostile_passes(
    text: str, other: str, span: tuple[int, int], width: int, verdict: Verdict
) -> None:
    decision = Decision(
        verdict=verdict,
        reasons=(reason(span, other, verdict, other, other), reason(None, other, verdict)),
        commands=(FoundCommand(argv=(text, None, other), span=span),),
    )
    plain = explain(text, decision, width=width, color=False)
    assert OURS.sub("", explain(text, decision, width=width, color=True)) == plain
    for said, allowed in ((plain, {"\n"}), (for_model(decision), set[str]())):
        assert {one for one in said if unicodedata.category(one) in ("Cc", "Cs", "Cf")} <= allowed
