"""Whatever the text is, the walk ends, without an exception, and says where it could not follow."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.syntax.parser import parse
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk
from syntax.evaluating import DOES_NOT_RUN, RUNS
from syntax.scripts import GENERATED
from syntax.walkscripts import Writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from limpet.syntax.walk import Walk

FRAMES = 520
"""What is left of Python's stack for the deepest script."""
SNIPPETS = (
    "$(", "`", "${", "((", "))", "$((", "}", "]]", "[[", ";;", "esac", "fi", "done", "<<E\n", "\nE\n", "'",
    '"', "\\", "\n", "{", "(", ")",
    "eval ", "f() {", "x=", "a[", "]", "@P", "!", "trap ", "\0", "\xff", "\udcff", "|&", "&>", "<(", "coproc ",
    "select x in ", "time ",
    "declare -n ", "${!x", "=(", "cd ", "set -- ", "local ", "function ", "for ((", "while ", "if ", "then ", "do ",
    "case x in ",
)  # fmt: skip


def _walk(script: str) -> Walk:
    return walk(script, Scope(home="/home/me", cwd="/work"))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _mutated(random: Random) -> str:
    made = (
        lambda: Writer(random, folders=True, faults=True).script(),
        lambda: random.choice(RUNS) + "\n" + random.choice(DOES_NOT_RUN),
        lambda: "".join(random.choice(SNIPPETS) for _ in range(random.randint(1, 30))),
    )
    text = random.choice(made)()
    for _ in range(random.randint(0, 6)):
        at = random.randint(0, len(text))
        put = random.choice((random.choice(SNIPPETS), chr(random.randint(0, 255)), ""))
        text = text[:at] + put + text[at + random.choice((0, 0, 1, 5)) :]
    return text


@settings(GENERATED, max_examples=400)
@given(st.randoms(use_true_random=False))
def test_any_text_is_walked_to_its_end(random: Random) -> None:
    text = _mutated(random)
    followed = _walk(text)
    size = len(text.encode("utf-8", "surrogateescape"))
    assert all(0 <= each.start <= each.end <= size for each in followed.found)
    assert all(0 <= start <= end <= size for start, end, _ in followed.opaque)


@settings(max_examples=200, derandomize=True, deadline=None, database=None)
@given(st.text(st.characters(max_codepoint=255), max_size=60))
def test_any_characters_are_walked(text: str) -> None:
    _walk(text)


def _chain(body: str, count: int) -> str:
    return "".join(f"f{number}() {{ {body.format(number + 1)}; }}\n" for number in range(count)) + "f0 a\n"


DEEP = {
    "substitutions": "echo " + "$(a " * 60 + ")" * 60,
    "quoted substitutions": "echo " + '"$(a ' * 60 + ')"' * 60,
    "groups": "{ " * 47 + "a;" + " }" * 47,
    "loops": "while a; do " * 47 + "b; " + "done; " * 47,
    "cases": "case a in b) " * 47 + "x;;" + " esac;;" * 47,
    "defaults": "echo " + "${x:-" * 60 + "}" * 60,
    "expressions": "echo " + "$((" * 60 + "1" + "))" * 60,
    "heredocs": "a <<E\n" + "$(b " * 50 + ")" * 50 + "\nE\n",
    "functions": _chain("if a; then for i in b; do f{}; done; fi", 80),
    "functions in substitutions": _chain("x=$(f{})", 80),
    "functions in eval": _chain("eval f{}", 80),
    "functions around a deep text": _chain("eval f{}",
    14) + "f14() { eval " + _quoted("echo " + "$(a " * 47 + ")" * 47) + "; }; f0",
    "variables that name each other": "".join(f"v{number}=v{number + 1}; " for number in range(99)) + "((v0))",
    "text that evaluates itself": "a='b[$((c))]'; c='b[$((a))]'; ((a)); x='${x@P}'; echo ${x@P}",
    "a function that calls itself": "f() { f \"$1$1\" | f; }; f a",
}  # fmt: skip


@pytest.fixture
def little_stack() -> Iterator[None]:
    """As much of Python's stack as the walk may need, and not more."""
    depth = 0
    frame = sys._getframe()
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + FRAMES)
    yield
    sys.setrecursionlimit(before)


@pytest.mark.parametrize("script", DEEP.values(), ids=DEEP.keys())
def test_the_deepest_script_fits_into_half_of_the_stack(script: str, little_stack: None) -> None:
    assert [reason for _, _, reason in _walk(script).opaque if "no room left" in reason] == []


def test_too_little_stack_is_said_and_not_raised() -> None:
    def deeper(left: int) -> Walk:
        return deeper(left - 1) if left else _walk("{ " * 40 + "a;" + " }" * 40)

    depth = 0
    frame = sys._getframe()
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    assert any("no room left" in reason for _, _, reason in deeper(sys.getrecursionlimit() - depth - 150).opaque)


_ASSIGNMENTS = "".join(f"x{number}=$1\n" for number in range(1500))
ENDLESS = {
    "nested unrolled loops": "for i in 1 2 3 4 5 6 7 8; do " * 12 + "b $i; " + "done; " * 12,
    "calls that double": "".join(f"f{number}() {{ f{number + 1}; f{number + 1}; }}\n" for number in range(40)) + "f0",
    "eval of text that doubles": "x=ls\n" + 'x="$x; $x"; eval "$x"\n' * 40,
    "eval of a large value": "x='" + "ls; " * 5000 + "'\n" + 'eval "$x"\n' * 200,
    "functions that are large": f"f() {{\n{_ASSIGNMENTS}}}\n" + "while f; do f a; done\n" * 1500,
    "names that many branches change": "".join(f"v{number}=1 && w=3 || w=2\n" for number in range(3000)),
    "functions that branches define": "if a; then f() { a; }; fi; f\n" * 1500,
    "traps": "trap 'rm $x' EXIT; x=1\n" * 1500,
    "shells in shells": "bash -c " + _quoted("bash -c " + _quoted("bash -c " + _quoted("ls; ls"))) + "\n",
    "a long line of arithmetic": "i=$((j + 1)); " * 3000,
    "one long list": "a=1" + "".join(f" && v{number}=1" for number in range(3000)),
    "one long case": "case $x in " + "".join(f"a{number}) x={number};& " for number in range(2000)) + "esac\n",
    "plain commands": "ls -l a b\n" * 10000,
    "brackets that do not close": "echo '" + "[" * 200000 + "'",
    "folders in folders": "cd a; " * 15000,
}  # fmt: skip


@pytest.mark.parametrize("script", ENDLESS.values(), ids=ENDLESS.keys())
def test_what_would_take_for_ever_is_cut_short(script: str) -> None:
    assert len(_walk(script).found) <= 32768 + 5 * len(script)


def test_what_was_cut_short_is_said() -> None:
    for name in ("calls that double", "eval of text that doubles", "eval of a large value"):
        assert _walk(ENDLESS[name]).opaque != (), name


@pytest.mark.parametrize("script", ["x=1; echo $x", "x=1; : $((y)); x=2\necho $x", "for i in a b; do echo $i; done"])
def test_a_tree_is_walked_like_its_text(script: str) -> None:
    scope = Scope(home="/home/me", cwd="/work")
    assert walk(parse(script), scope, script) == _walk(script)


def test_a_tree_without_its_text_is_not_trusted_to_end_lines() -> None:
    followed = walk(parse("x=1; : $((y)); x=2\necho $x"), Scope(cwd="/work"))
    assert followed.found[-1].argv[-1].text is None
