"""Texts made to take for ever: each is answered, and no answer is larger than it may be."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.syntax.parser import parse
from limpet.syntax.tree import Arithmetic, Literal, Parameter, Simple, Word
from limpet.syntax.values.assign import assign
from limpet.syntax.values.field import ANY_NUMBER, Field, known
from limpet.syntax.values.resolve import fields
from limpet.syntax.values.scope import Scope

MANY = 100_000
HOSTILE = {
    "open braces": "{" * MANY,
    "open braces with commas": "{a," * MANY,
    "nested braces": "{a," * MANY + "}" * MANY,
    "empty braces": "{}" * MANY,
    "a product of braces": "{a,b}" * MANY,
    "half sequences": "{a.." * MANY,
    "a long sequence": "{1..99999999}",
    "many pieces": "{" + "a," * MANY + "}",
    "stars": "*" * MANY,
    "brackets": "[" * MANY + "]",
    "tildes": "a=" + "~:" * MANY,
    "expansions": "$x" * MANY,
    "parentheses": "$((" + "(" * MANY + "1" + ")" * MANY + "))",
    "a long sum": "$((" + "1+" * MANY + "1))",
    "signs": "$((" + "-" * MANY + "1))",
    "assignments": "$((" + "a=" * MANY + "1))",
    "powers": "$((" + "2**" * MANY + "1))",
    "choices": "$((" + "1?1:" * MANY + "1))",
    "half choices": "$((" + "1?" * MANY + "1))",
    "subscripts": "$((" + "a[" * MANY + "1" + "]" * MANY + "))",
    "nested defaults": "${x:-" * MANY + "}" * MANY,
}


def resolve(script: str) -> list[tuple[Field, ...]]:
    scope = Scope(home="/h", cwd="/w", positional=())
    found = []
    for command in parse(script).body.commands:
        if isinstance(command, Simple):
            for assignment in command.assignments:
                assign(assignment, scope)
            found += [fields(word, scope) for word in command.words if isinstance(word, Word)]
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_word_is_answered(name: str) -> None:
    for argument in resolve(f"show {HOSTILE[name]}")[1:]:
        assert len(argument) <= 1024


@pytest.mark.parametrize(
    "script",
    [
        "x=aaaaaaaa; " + "x=$x$x; " * 1000,
        "x=aaaa; " + "x=${x//a/$x}; " * 1000,
        "x='a b c d'; " + 'x="$x $x"; ' * 12 + "show $x; " * 1000,
        "x=" + "a" * 30_000 + "; show " + "${x//*a*a*a*b/c} " * 500,
        "x=" + "a" * 60_000 + '; show "$x"' * 1000,
        "show " + "{a,b}" * 8 + (" " + "{a,b}" * 8) * 1000,
        "".join(f"x{at + 1}='x{at}+x{at}'; " for at in range(40)) + "x0=1; " + "show $((x40)); " * 100,
        "a=(" + "x " * 20_000 + '); show "${a[@]}"',
        "a=(); " + "a+=(x); " * 3000 + "show ${#a[@]}",
    ],
    ids=["doubled", "replaced", "cut", "searched", "repeated", "braces", "sums", "array", "appended"],
)
def test_work_that_multiplies_is_given_up(script: str) -> None:
    assert sum(field.size for found in resolve(script) for field in found) < 1 << 22


def test_past_its_allowance_nothing_more_is_known() -> None:
    found = resolve("x=" + "a" * 60_000 + '; show "$x" $x' * 40)
    assert found[1] == (known("a" * 60_000),)
    assert found[-1] == (ANY_NUMBER,)


def test_words_nested_deeper_than_any_parser_makes_them_are_answered() -> None:
    word = Word(0, 0, (Literal(0, 0, "a"),))
    for _ in range(5000):
        word = Word(0, 0, (Parameter(0, 0, "x", ":-", (Word(0, 0, (Arithmetic(0, 0, word),)),)),))
    assert fields(word, Scope()) == (ANY_NUMBER,)


@given(st.text(st.sampled_from("${}[]()x1a@*#!:-+=?/%^,~&|<> '\"\\é\n"), max_size=40))
@settings(deadline=None, max_examples=500)
def test_any_text_is_answered(script: str) -> None:
    for argument in resolve(f"x=1; show {script}"):
        assert all(isinstance(field, Field) for field in argument)
