"""However a text repeats itself, following it takes work in proportion to its size, and what was left out is said."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import pytest

from limpet.syntax.parser import parse
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk
from limpet.syntax.walk.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.walk import Walk


def _walk(script: str, budget: Budget | None = None) -> Walk:
    return walk(script, Scope(home="/home/me", cwd="/work"), script, budget)


def _loops(count: int, around: Callable[[str], str], items: str = "1 2 3 4 5 6 7 8 9") -> str:
    text = "touch $a"
    for name in "abcdefgh"[:count]:
        text = f"for {name} in {items}; do {around(text)}; done"
    return text


AROUND: dict[str, Callable[[str], str]] = {
    "eval": lambda text: f"eval {shlex.quote(text)}",
    "a shell": lambda text: f"bash -c {shlex.quote(text)}",
    "a here-string": lambda text: f"bash <<< {shlex.quote(text)}",
    "a trap": lambda text: f"trap {shlex.quote(text)} EXIT",
    "an alias": lambda text: f"alias x={shlex.quote(text)}",
    "a prompt": lambda text: f"PS4={shlex.quote(f'$({text})')}",
    "a substitution": lambda text: f"x=$({text})",
    "a subscript": lambda text: f": $((a[$({text})]))",
    "a value that is expanded again": lambda text: f"x={shlex.quote(f'$({text})')}; : ${{x@P}}",
    "completion": lambda text: f"compgen -C {shlex.quote(text)}",
    "nothing": lambda text: text,
    "a break": lambda text: f"{text}; break",
}


@pytest.mark.parametrize("depth", [3, 4, 6])
@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND.keys())
def test_loops_in_text_that_is_evaluated_again_are_not_multiplied(around: Callable[[str], str], depth: int) -> None:
    script = _loops(depth, around)
    assert len(_walk(script).found) <= 1024 + len(script)


def test_what_was_too_much_to_follow_is_said() -> None:
    followed = _walk(_loops(6, AROUND["eval"]))
    assert any(reason.startswith("too much to follow") for _, _, reason in followed.opaque)


def test_what_stands_behind_is_found_after_all_work_is_spent() -> None:
    followed = _walk(_loops(6, AROUND["eval"]) + "; danger here; if a; then danger there; fi")
    names = [each.argv[1].text for each in followed.found if each.argv[:1] and each.argv[0].text == "danger"]
    assert names == ["here", "there"]


def test_text_is_evaluated_after_all_rounds_are_spent() -> None:
    followed = _walk(_loops(6, AROUND["nothing"]) + "; eval 'danger here'")
    assert [each.argv[1].text for each in followed.found if each.argv[0].text == "danger"] == ["here"]


def test_loops_that_go_round_often_are_walked_with_any_value() -> None:
    followed = _walk(_loops(4, AROUND["nothing"]))
    assert followed.opaque == ()
    assert {each.argv[1].text for each in followed.found if each.argv[0].text == "touch"} == {None}


def test_loops_that_go_round_a_few_times_are_walked_round_by_round() -> None:
    followed = _walk("for i in {1..16}; do for j in {1..16}; do touch $i-$j; done; done")
    touched = {each.argv[1].text for each in followed.found}
    assert touched == {f"{i}-{j}" for i in range(1, 17) for j in range(1, 17)}


def test_whether_an_inner_loop_is_unrolled_is_the_same_in_each_round() -> None:
    followed = _walk("for a in 1 2 3 4 5 6 7 8 9; do " * 3 + "touch $a;" + " done;" * 3)
    assert len({each.argv[1].text is None for each in followed.found}) == 1


@pytest.mark.parametrize("around", AROUND.values(), ids=AROUND.keys())
def test_texts_that_share_a_budget_do_not_take_more_than_one(around: Callable[[str], str]) -> None:
    script = _loops(3, around)
    budget = Budget(len(script))
    found = sum(len(_walk(script, budget).found) for _ in range(100))
    assert found <= 2048 + len(script)


def test_a_text_beyond_the_budget_is_said_to_be() -> None:
    budget = Budget(0)
    walks = [_walk("ls", budget) for _ in range(1000)]
    assert [len(each.found) for each in walks] == [1 - len(each.opaque) for each in walks]
    assert walks[-1].opaque != ()


def _calls(script: str) -> int:
    """How many calls of Python's functions it takes to read the script."""
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    parse(script)
    sys.setprofile(before)
    return count


@pytest.mark.parametrize(("opened", "closed"), [("$((", "))"), ("${x[", "]}"), ("$[", "]"), ("$((x[", "]))")])
def test_brackets_in_brackets_are_looked_through_once(opened: str, closed: str) -> None:
    few, many = (_calls(": " + opened * depth + "1" + closed * depth) for depth in (5, 20))
    assert many < 6 * few
