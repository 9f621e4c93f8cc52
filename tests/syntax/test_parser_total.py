"""Any text comes back as a tree that keeps its promises, however deep or long, in time that grows with its size."""

from __future__ import annotations

import re
import sys
import time
from functools import partial
from itertools import groupby, islice
from random import Random
from typing import TYPE_CHECKING

import pytest

from limpet.syntax.parser import parse
from limpet.syntax.tree import Literal, Node
from toolbox import load_tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.syntax.tree import Tree


FUZZ = load_tool("fuzz_grammar")

# --- promises -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", FUZZ.SEEDS)
def test_every_seed_keeps_the_promises_wherever_it_is_cut_off(text: str) -> None:
    for end in range(len(text) + 1):
        assert (text[:end], FUZZ.faults(text[:end])) == (text[:end], [])


@pytest.mark.parametrize("seed", range(8))
def test_broken_text_keeps_the_promises(seed: int) -> None:
    for text in islice(FUZZ.inputs(Random(seed)), 500):
        assert (text, FUZZ.faults(text)) == (text, [])


@pytest.mark.parametrize("text", FUZZ.SEEDS)
def test_a_continuation_anywhere_keeps_the_promises(text: str) -> None:
    for joined in _continued(text):
        assert (joined, FUZZ.faults(joined)) == (joined, [])


PLAIN = [
    text for text in (*FUZZ.SEEDS, *(nest.format("a", "b") for nest in FUZZ.NESTS)) if not re.search(r"'|# ", text)
]


@pytest.mark.parametrize("text", PLAIN)
def test_a_continuation_outside_single_quotes_changes_nothing_silently(text: str) -> None:
    expected = _bare(parse(text).body)
    for joined in _continued(text):
        tree = parse(joined)
        assert tree.opaque or (joined, _bare(tree.body)) == (joined, expected)


def _continued(text: str) -> list[str]:
    return [f"{text[:at]}\\\n{text[at:]}" for at in range(len(text) + 1) if text[at - 1 : at] != "\\"]


def _bare(value: object) -> object:
    """What a tree says, without where; literals side by side are one."""
    if isinstance(value, tuple):
        return tuple(_merged(list(value)))
    if isinstance(value, Node):
        return (type(value).__name__, *(_bare(getattr(value, name)) for name in value.__struct_fields__[2:]))
    return value


def _merged(values: list[object]) -> Iterator[object]:
    for quoted, group in groupby(values, lambda value: isinstance(value, Literal) and (value.quoted,)):
        if quoted:
            text = "".join(value.text for value in group if isinstance(value, Literal))
            yield from [(quoted, text)] if text else []
        else:
            yield from map(_bare, group)


@pytest.mark.parametrize(
    "text", ["", "\0", "a\0b", "\ud800", "\udc80", "é\udcff \ue000", "\ue000\ue000", "\ufeffa", "a\x00"]
)
def test_odd_characters_keep_the_promises(text: str) -> None:
    assert FUZZ.faults(text) == []


def test_the_promises_can_be_broken() -> None:
    """Or the tests above would prove nothing."""
    tree = parse("cmd 'a' $(b)")
    assert list(FUZZ.check(tree, b"cmd 'a' $(b)")) == []
    assert "a literal that is not the text it stands on" in FUZZ.check(tree, b"cmx 'a' $(b)")
    assert "the body is not the whole text" in FUZZ.check(tree, b"cmd 'a' $(b) ")
    assert "text lost between words" in FUZZ.check(tree, b"cmd;'a' $(b)")
    unclosed = parse("cmd 'a")
    assert "an Opaque node that is not listed" in FUZZ.check(type(unclosed)(unclosed.body, ()), b"cmd 'a")


# --- depth ----------------------------------------------------------------------------------------------------------

NESTS = [
    ("(", ")"), ("( ", " )"), ("$(", ")"), ("$(a ", ")"), ("{ ", "; }"), ("{ a; ", " }"), ("${x:-", "}"),
    ("${x:-a", "}"), ("${x[", "]}"), ('"$(', ')"'), ('"$(a "', '")"'), ('"${x:-', '}"'), ("`", "`"), ("`\\`", "\\``"),
    ("[[ (", ") ]]"), ("[[ -n $([[ ", " ]]) ]]"), ("[[ x =~ (", ")"), ("if ", "; then a; fi"), ("if a; then ", "; fi"),
    ("while ", "; do a; done"), ("until a; do ", "; done"), ("for x in a; do ", "; done"),
    ("for ((;;)); do ", "; done"), ("for ((", "; a; b)); do c; done"), ("select x; do ", "; done"),
    ("case x in a)", ";; esac"), ("case $(", ") in a) ;; esac"), ("((", "))"), ("(( ", " ))"), ("((a)", ")"),
    ("$((", "))"), ("$((a+(", ")))"), ("$[", "]"), ("<(", ")"), ("<((", "))"), (">(a ", ")"), ("a[", "]"),
    ("a[", "]=b"), ("a[$(", ")]=b"), ("x=(", ")"), ("x=([", "]=a)"), ("declare x=(", ")"), ("f() ", ""),
    ("f() { ", "; }"), ("function f ", ""), ("f()(", ")"), ("coproc ", ""), ("coproc x {", ";}"), ("! ", ""),
    ("time ", ""), ("a | ", "b"), ("a && ", "b"), ("a & ", ""), ("$'", "'"), ("cat <<E\n$(", ")\nE\n"),
    ("$(cat <<E\n", "\nE\n)"), ("cat <<-E\n\t$(", ")\n\tE\n"), ("@(", ")"), ("${x/", "/}"), ("${x:", ":1}"),
    ("${!", "}"), ("\\\n(", ")"), ("$\\\n(", ")"), ("#", "\n"),
]  # fmt: skip
IDS = [opening + closing for opening, closing in NESTS]


@pytest.mark.parametrize(("opening", "closing"), NESTS, ids=IDS)
def test_what_is_nested_too_deep_keeps_the_promises(opening: str, closing: str) -> None:
    for depth in (1, 40, 60):
        for text in (opening * depth, opening * depth + closing * depth, opening * depth + "a" + closing * depth):
            assert (depth, FUZZ.faults(text)) == (depth, [])


@pytest.mark.parametrize(("opening", "closing"), NESTS, ids=IDS)
def test_a_bomb_comes_back(opening: str, closing: str) -> None:
    depth = 10_000 // len(opening)
    for text in (opening * depth, opening * depth + "a" + closing * depth):
        assert parse(text).body.end == len(text)


@pytest.mark.parametrize("opening", ["(", "$(", "{ ", "${x:-", '"$(', "`\\`", "[[ (", "if ", "((", "a[", "x=("])
def test_a_long_bomb_comes_back(opening: str) -> None:
    text = opening * (100_000 // len(opening))
    assert parse(text).body.end == len(text)


@pytest.mark.parametrize(("opening", "closing"), NESTS, ids=IDS)
def test_a_bomb_comes_back_from_the_bottom_of_a_deep_stack(opening: str, closing: str) -> None:
    for depth in (3, 40, 300):
        text = opening * depth + "a" + closing * depth
        tree = _from_below(partial(parse, text), 700 - _depth())
        assert list(FUZZ.check(tree, FUZZ.to_bytes(text))) == []


def test_what_fits_on_the_stack_is_read_there_as_anywhere() -> None:
    text = 'a $(b "${c:-`d`}") && { e; } > f'
    assert _from_below(partial(parse, text), 700 - _depth()) == parse(text)


def _depth() -> int:
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth


def _from_below(call: Callable[[], Tree], frames: int) -> Tree:
    return call() if frames <= 0 else _from_below(call, frames - 1)


# --- time -----------------------------------------------------------------------------------------------------------


def many(unit: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + unit * (size // len(unit)) + after


def nested_backticks(around: str) -> Callable[[int], str]:
    """Each level doubles the backslashes of those inside: what reads a level twice reads the innermost very often."""

    def make(size: int) -> str:
        text = "x" * (size // 4)
        for level in reversed(range((size // 8).bit_length())):
            tick = "\\" * (2**level - 1) + "`"
            text = around.format(tick + text + tick)
        return text

    return make


SHAPES = {
    "heredocs that do not end": many("cat <<E\n"),
    "heredocs that do not end, on one line": many("<<E ", "cat ", "\nx\n"),
    "heredocs on one line": lambda size: "cat " + "<<E " * (size // 8) + "\n" + "x\nE\n" * (size // 8),
    "heredocs in substitutions": many("$(cat <<E\nx\nE\n)\n"),
    "heredocs in substitutions that do not end": many("$(cat <<E\n"),
    "heredocs with tabs": many("\tx $(y)\n", "cat <<-E\n", "\tE\n"),
    "a[ on each line": many("a[\n"),
    "a[ on each line, in backticks": many("a[\n", "`", "`"),
    "a[ and ${a[} in turn": many("x ${a[}\nb[ \n"),
    "(( on each line": many("((\n"),
    "((a)": many("((a) ;"),
    "$(( ))": many("$((a+(b)))\n"),
    "$( that do not end": many("$(a "),
    "$(( that do not end": many("$((a "),
    "<(( that do not end": many("<(("),
    '"$( that do not end': many('"$(a '),
    "${x:- that do not end": many("${x:-"),
    "${a[ that do not end": many("${a["),
    "${x:? with colons": many("?:(", "${x:", "}"),
    "backticks": many("`a`"),
    "backticks and backslashes": many("`\\`"),
    "nested backticks": nested_backticks("a {}"),
    "nested backticks in [[": nested_backticks("[[ -f {} ]]"),
    "nested backticks in a subscript": nested_backticks("a[{}]"),
    "nested backticks in case": nested_backticks("case x {} in a) ;; esac"),
    "nested backticks in an array": nested_backticks("a=([{}])"),
    "backslashes": many("\\"),
    "continuations": many("\\\n"),
    "continuations in quotes": many("\\\n", "'", "'"),
    "continuations after &": many("a &\\\n"),
    "words": many("word "),
    "lines": many("word\n"),
    "one word": many("w"),
    "one word like a reserved one": many("f"),
    "one number": many("1", "", ">f"),
    "one name": many("a", "", "=b"),
    "single quotes": many("'"),
    "double quotes": many('"'),
    "quoted words": many("'a' \"b$c\" "),
    "letters of two bytes": many("é a "),
    "[[ ]] on one line": many("[[ ]];", "", "\n"),
    "[[ that do not end": many("[[ -f\n"),
    "[[ with many tests": many("-f a && ", "[[ ", "a ]]"),
    "arms": many("a) b;;\n", "case x in ", " esac"),
    "functions": many("f() { a; }\n"),
    "functions of functions": many("f() "),
    "arrays": many("[a]=b c ", "x=(", ")"),
    "arrays that do not end": many("x=(["),
    "closers": many(") } fi ;; "),
    "redirections": many("{fd}>f 2>&1 <<<a "),
    "comments": many("a #b'\n"),
    "groups": many("{ "),
    "a script": many('if [ -f "$x" ]; then\n  echo "${y:-$(date +%s)}" | sed s/a/b/ >> out 2>&1\nfi\n'),
}
SMALL = 6_000


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES.keys())
def test_four_times_the_text_takes_about_four_times_as_long(make: Callable[[int], str]) -> None:
    """The bound is generous, as the machine may be busy; what grows with the square is beyond it on the second look."""
    small, large = make(SMALL), make(SMALL * 4)
    for _ in range(3):
        ratio = _seconds(large) / max(_seconds(small), 0.001)
        if ratio < 10:
            return
    pytest.fail(f"{ratio:.1f} times as long for {len(large) / len(small):.1f} times the text")


def _seconds(text: str) -> float:
    began = time.process_time()
    parse(text)
    return time.process_time() - began


@pytest.mark.parametrize("unit", ["w", "word ", "'", "\\\n", "\\"])
def test_a_megabyte_comes_back(unit: str) -> None:
    text = unit * (2**20 // len(unit))
    assert parse(text).body.end == len(text)
