"""A regular expression that is compiled late answers like one that is compiled at once."""

from __future__ import annotations

import re

import pytest

from limpet.syntax.late import late

TEXT = "a1b22c"
ASKED = {
    "match": (TEXT, 1), "fullmatch": ("12",), "search": (TEXT, 2), "findall": (TEXT,), "split": (TEXT,),
    "sub": ("-", TEXT), "subn": ("-", TEXT),
}  # fmt: skip


@pytest.mark.parametrize("method", ASKED)
def test_each_method_answers_the_same_twice(method: str) -> None:
    ready, pattern = re.compile("[0-9]+"), late("[0-9]+")
    expected = str(getattr(ready, method)(*ASKED[method]))
    assert [str(getattr(pattern, method)(*ASKED[method])) for _ in range(2)] == [expected, expected]


def test_flags_pattern_and_groups_are_there_too() -> None:
    ready, pattern = re.compile("(a).", re.DOTALL), late("(a).", re.DOTALL)
    assert (pattern.flags, pattern.pattern, pattern.groups) == (ready.flags, ready.pattern, ready.groups)


def test_a_wrong_expression_is_found_when_it_is_used() -> None:
    with pytest.raises(re.error):
        late("(").match("a")
