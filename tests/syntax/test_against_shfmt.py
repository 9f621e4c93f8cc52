"""Our reading of a script must be that of shfmt, a parser of other people's: the same words at the same places."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings

from oracle import bash, cases, quirks, shfmt
from oracle.comparing import Kind, Outcome, with_bash, with_shfmt
from oracle.smaller import smallest
from syntax.scripts import NOT_SHRUNK, scripts

Judged = list[tuple[str, Outcome]]


@pytest.fixture(scope="module")
def judged() -> Judged:
    texts = [case.text for case in cases.load() if case.accepted or case.extended]
    with ThreadPoolExecutor(2) as pool:
        return list(zip(texts, pool.map(_outcome, texts), strict=True))


def _outcome(text: str) -> Outcome:
    return with_shfmt(text, bash.read(text), shfmt.read(text))


def test_there_is_a_shfmt_to_ask() -> None:
    assert shfmt.present()


def test_no_case_is_read_in_another_way_than_shfmt_reads_it(judged: Judged) -> None:
    assert {text: outcome.detail for text, outcome in judged if outcome.kind is Kind.DIFFERENT} == {}


def test_whatever_shfmt_refuses_though_bash_does_not_has_a_name(judged: Judged) -> None:
    assert {text: outcome.detail for text, outcome in judged if outcome.detail.startswith("unnamed")} == {}


def test_shfmt_is_a_witness_for_most_cases(judged: Judged) -> None:
    same = [text for text, outcome in judged if outcome.kind is Kind.SAME]
    assert len(same) > 0.9 * len(judged)


@pytest.mark.parametrize("quirk", quirks.REFUSALS, ids=lambda quirk: quirk.name)
def test_shfmt_still_refuses_what_bash_accepts(quirk: quirks.Quirk) -> None:
    read = shfmt.read(quirk.example)
    assert bash.read(quirk.example).accepted
    assert read.tree is None
    assert quirks.of_complaint(read.complaint) == quirk.name


@pytest.mark.parametrize("quirk", quirks.READINGS, ids=lambda quirk: quirk.name)
def test_shfmt_still_reads_in_another_way_what_we_read_as_bash_does(quirk: quirks.Quirk) -> None:
    reading = bash.read(quirk.example)
    assert with_bash(quirk.example, reading).kind is Kind.SAME
    outcome = with_shfmt(quirk.example, reading, shfmt.read(quirk.example))
    assert outcome.kind is Kind.UNPROVEN
    assert quirk.name in outcome.detail


@settings(NOT_SHRUNK, max_examples=150)
@given(scripts())
def test_no_script_with_disguises_is_read_in_another_way_than_shfmt_reads_it(text: str) -> None:
    if _is_wrong(text):
        small = smallest(text, _is_wrong)
        pytest.fail(f"{small!r}\n{_outcome(small).detail}")


def _is_wrong(text: str) -> bool:
    return bash.read(text).accepted and _outcome(text).kind is Kind.DIFFERENT
