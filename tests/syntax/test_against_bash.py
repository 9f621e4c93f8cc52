"""Our reading of a script must be our reading of the script as bash prints it: bash has then read what we have read."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings

from limpet.syntax.parser import parse
from limpet.syntax.tree import Literal, Script, Simple, Tree, Word
from oracle import bash, blanks, cases, places
from oracle.comparing import WITHOUT_PLACES, Kind, Outcome, closely_with_bash
from oracle.outside import to_bytes
from oracle.printing import settled
from oracle.smaller import smallest
from syntax.scripts import NOT_SHRUNK, scripts

Judged = list[tuple[cases.Case, bash.Reading, Outcome]]


@pytest.fixture(scope="module")
def judged() -> Judged:
    every = cases.load()
    with ThreadPoolExecutor(2) as pool:
        readings = list(pool.map(lambda case: bash.read(case.text), every))
        outcomes = pool.map(lambda case, read: closely_with_bash(case.text, read), every, readings)
        return list(zip(every, readings, outcomes, strict=True))


def test_there_are_many_cases_and_none_twice() -> None:
    texts = [case.text for case in cases.load()]
    assert len(texts) > 1500
    assert len(texts) == len(set(texts))


def test_bash_accepts_and_refuses_the_cases_as_their_headings_say(judged: Judged) -> None:
    wrong = [case for case, read, _ in judged if (read.accepted, read.extended) != _expected(case)]
    assert wrong == []


def _expected(case: cases.Case) -> tuple[bool, bool]:
    return (case.accepted or case.extended, case.extended)


def test_no_case_is_read_in_another_way_than_bash_reads_it(judged: Judged) -> None:
    assert _texts(judged, Kind.DIFFERENT) == {}


def test_every_case_that_bash_accepts_is_understood(judged: Judged) -> None:
    known = [(case, read, outcome) for case, read, outcome in judged if case.known]
    assert _texts(known, Kind.OPAQUE) == {}


def test_every_case_that_bash_refuses_has_something_opaque(judged: Judged) -> None:
    assert _texts(judged, Kind.MISSED) == {}


def test_bash_is_a_witness_for_nearly_every_case(judged: Judged) -> None:
    unproven = _texts(judged, Kind.UNPROVEN)
    assert len(unproven) < 10, unproven


def _texts(judged: Judged, kind: Kind) -> dict[str, str]:
    return {case.text: outcome.detail for case, _, outcome in judged if outcome.kind is kind}


def test_every_node_stands_inside_the_node_it_belongs_to() -> None:
    every = [(case.text, parse(case.text, extglob=case.extended)) for case in cases.load()]
    wrong = {text: places.misplaced(tree, len(to_bytes(text))) for text, tree in every}
    assert {text: found for text, found in wrong.items() if found} == {}


@settings(NOT_SHRUNK, max_examples=200)
@given(scripts())
def test_no_script_with_disguises_is_read_in_another_way_than_bash_reads_it(text: str) -> None:
    if _is_wrong(text):
        small = smallest(text, _is_wrong)
        pytest.fail(f"{small!r}\n{closely_with_bash(small, bash.read(small))}")


def _is_wrong(text: str) -> bool:
    return closely_with_bash(text, bash.read(text)).kind in {Kind.DIFFERENT, Kind.OPAQUE}


@settings(NOT_SHRUNK, max_examples=150)
@given(scripts())
def test_every_node_of_a_script_with_disguises_stands_inside_another(text: str) -> None:
    if _misplaced(text):
        small = smallest(text, lambda one: bool(_misplaced(one)))
        pytest.fail(f"{small!r}\n{_misplaced(small)}")


def _misplaced(text: str) -> list[str]:
    return places.misplaced(parse(text), len(to_bytes(text)))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a b", "ab"),
        ("a 'b c'", "a b c"),
        ("a | b", "a |& b"),
        ("a && b", "a || b"),
        ("a > b", "a >> b"),
        ("(a)", "{ a; }"),
        ("$(a)", "`a`"),
        ("a <<E\nb\nE", "a <<'E'\nb\nE"),
        ("a <<E\nb\nE", "a <<E\nc\nE"),
        ("if a; then b; fi", "while a; do b; done"),
        ("a \\*", "a *"),
        ("x=1 a", "a x=1"),
        ("${a:-b}", "${a-b}"),
        ("a & b", "a; b"),
    ],
)
def test_two_scripts_that_differ_do_not_have_one_form(text: str, printed: str) -> None:
    forms = [settled(WITHOUT_PLACES.script(parse(one).body)) for one in (text, printed)]
    assert forms[0] != forms[1]


def test_a_word_that_we_take_for_several_is_seen() -> None:
    words = (Word(0, 2, (Literal(0, 2, "a\\"),)), Word(3, 4, (Literal(3, 4, "b"),)))
    assert blanks.misjudged("a\\ b", _tree(words), bash.read("a\\ b"))


def test_words_that_we_take_for_one_are_seen() -> None:
    words = (Word(0, 5, (Literal(0, 5, "[ a ]"),)),)
    assert blanks.misjudged("[ a ]", _tree(words), bash.read("[ a ]"))


def _tree(words: tuple[Word, ...]) -> Tree:
    end = words[-1].end
    return Tree(Script(0, end, (Simple(0, end, (), words, ()),)), ())


def test_many_texts_are_read_as_each_of_them_alone() -> None:
    texts = ["a  b", "if", "a <<E\nb\nE", "a <<E\nb", "'open", "x;y", "@(a)", "# only", "a &"]
    assert [_essence(one) for one in bash.read_many(texts)] == [_essence(bash.read(one)) for one in texts]


def _essence(reading: bash.Reading) -> tuple[bool, bool, str]:
    return (reading.accepted, reading.extended, reading.printed.strip())
