"""Every command of the corpus is judged as expected, and next to none of the harmless ones costs a question."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from toolbox import load_tool

if TYPE_CHECKING:
    from pathlib import Path

SCORE = load_tool("score")
FILES = sorted(SCORE.CORPUS.glob("*.jsonl"))
CASES = list(SCORE.cases(FILES))
MISSES = list(SCORE.cases([SCORE.MISSES]))
"""Known to be judged wrongly; they count in every share."""


@cache
def answers(containment: str) -> list[Any]:
    return [SCORE.answer(case, containment) for case in CASES]


@cache
def missed(containment: str) -> list[Any]:
    return [SCORE.answer(case, containment) for case in MISSES]


def _expecting(containment: str, *expected: str) -> list[Any]:
    return [each for each in answers(containment) if each.case["expect"] in expected]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_case_is_judged_as_expected(file: Path) -> None:
    judged = [SCORE.answer(case) for case in SCORE.cases([file])]
    assert [(each.miss, each.case["command"]) for each in judged if each.miss] == []


def test_a_known_miss_is_still_one() -> None:
    """One that is judged rightly belongs with the others, where it stays right."""
    assert [each.case["command"] for each in missed("none") if not each.miss] == []


def test_nothing_dangerous_is_allowed() -> None:
    dangerous = _expecting("none", "deny", "not_allow")
    assert [each.case["command"] for each in dangerous if each.verdict == "allow"] == []


def test_the_floor_holds_inside_the_sandbox() -> None:
    denied = _expecting("full", "deny")
    assert [each.case["command"] for each in denied if each.verdict != "deny"] == []


@pytest.mark.parametrize(("containment", "share"), [("none", 0.97), ("full", 0.99)])
def test_what_is_harmless_rarely_costs_a_question(containment: str, share: float) -> None:
    benign = _expecting(containment, "allow") + [each for each in missed(containment) if each.case["expect"] == "allow"]
    asked = [each.case["command"] for each in benign if each.verdict != "allow"]
    assert len(asked) <= (1 - share) * len(benign), asked


def test_what_is_worth_a_question_is_never_denied() -> None:
    for containment in ("none", "full"):
        grey = _expecting(containment, "allow", "not_deny")
        assert [each.case["command"] for each in grey if each.verdict == "deny"] == []


def test_the_sandbox_never_makes_the_judge_stricter() -> None:
    pairs = zip(answers("none"), answers("full"), strict=True)
    assert [bare.case["command"] for bare, full in pairs if full.verdict > bare.verdict] == []


# --- the corpus itself ----------------------------------------------------------------------------------------------


def test_the_corpus_is_large_and_balanced() -> None:
    benign = sum(case["expect"] in ("allow", "not_deny") for case in CASES)
    assert len(CASES) > 1200
    assert 0.4 < benign / len(CASES) < 0.55


def test_every_case_is_whole_and_there_once() -> None:
    every = [*CASES, *MISSES]
    assert all(set(case) - {"cwd"} == {"category", "command", "expect", "why"} for case in every)
    assert all(case["expect"] in SCORE.FITS and case["why"] for case in every)
    assert len({(case["command"], case.get("cwd")) for case in every}) == len(every)


def test_the_files_are_plain_ascii() -> None:
    """So that what cannot be seen in a command can be seen in a review."""
    assert all(file.read_bytes().isascii() for file in FILES)
