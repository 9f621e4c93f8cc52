"""What a word becomes when not all of it is known: the shape of the answer, which bash cannot be asked for."""

from __future__ import annotations

import pytest

from limpet.syntax.parser import parse
from limpet.syntax.tree import Literal, Opaque, Parameter, Simple, Word
from limpet.syntax.values.assign import assign
from limpet.syntax.values.field import ANY_NUMBER, ANYTHING, NUMBER, OWN, UNKNOWN, Field, Pattern, known
from limpet.syntax.values.resolve import fields, target, text
from limpet.syntax.values.scope import Scope
from limpet.syntax.values.tilde import Tildes


def words(script: str) -> tuple[list[Word], Scope]:
    """The words of the last command, and what is known before it."""
    scope = Scope(home="/home/u", cwd="/work")
    *before, last = [command for command in parse(script).body.commands if isinstance(command, Simple)]
    for assignment in [assignment for command in before for assignment in command.assignments]:
        assign(assignment, scope)
    return [word for word in last.words if isinstance(word, Word)], scope


def resolved(script: str) -> list[Field]:
    found, scope = words(script)
    return [field for word in found for field in fields(word, scope)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ('"a$x/b"', [Field(("a", UNKNOWN, "/b"))]),
        ("a$x/b", [Field(("a", UNKNOWN, "/b"), many=True)]),
        ("$x", [ANY_NUMBER]),
        ("$x$y", [ANY_NUMBER]),
        ("$x-$y", [ANY_NUMBER]),
        ('"$x-$y"', [Field((UNKNOWN, "-", UNKNOWN))]),
        ('"$@"', [ANY_NUMBER]),
        ('"a$@b"', [Field(("a", UNKNOWN, "b"), many=True)]),
        ('"$*"', [ANYTHING]),
        ("/tmp/x.$$", [Field(("/tmp/x.", OWN))]),
        ("$((x + 1))b", [Field((NUMBER, "b"))]),
        ("a$(date)b", [Field(("a", UNKNOWN, "b"), many=True)]),
        ('"a$(date)b"', [Field(("a", UNKNOWN, "b"))]),
        ("<(ls)", [Field(("/dev/fd/", UNKNOWN))]),
        ("~root/x", [known("/root/x")]),
        ("~other/x", [Field((UNKNOWN, "/x"))]),
        ("~-/x", [Field((UNKNOWN, "/x"))]),
    ],
)
def test_known_text_stays_around_what_is_not_known(script: str, expected: list[Field]) -> None:
    assert resolved(script) == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("*", Field((Pattern("*"),), many=True)),
        ("/tmp/*.txt", Field(("/tmp/", Pattern("*"), ".txt"), many=True)),
        ("a*/x/?b", Field(("a", Pattern("*/x/?"), "b"), many=True)),
        ("a[bc]d", Field(("a", Pattern("[bc]"), "d"), many=True)),
        ("'a*'*'?'x", Field(("a*", Pattern("*"), "?x"), many=True)),
        ("*'*'*", Field((Pattern("*\\**"),), many=True)),
        ('*"$x"*', Field((Pattern("*"), UNKNOWN, Pattern("*")), many=True)),
        ('[a"$x"]', ANY_NUMBER),
        ("a[b$x", Field(("a", UNKNOWN), many=True)),
        ("$x]b", Field((UNKNOWN, "b"), many=True)),
        ("me@$x", Field(("me", UNKNOWN), many=True)),
        ("p='*'; $p", Field((Pattern("*"),), many=True)),
        ("p='\\a'; /$p/b", Field(("/", UNKNOWN, "a/b"), many=True)),
        ("[", known("[")),
        ("'*'", known("*")),
        ("p='*'; \"$p\"", known("*")),
    ],
)
def test_a_glob_is_a_pattern_between_known_text(script: str, expected: Field) -> None:
    assert resolved(script) == [expected]


def test_a_path_that_a_loop_goes_over_keeps_its_pattern_only_in_quotes() -> None:
    found, scope = words('"$f" "x/$f" $f')
    scope.assign("f", Field((Pattern("*"), ".c"), many=True))
    expected = [Field((Pattern("*"), ".c")), Field(("x/", Pattern("*"), ".c")), Field((UNKNOWN, ".c"), many=True)]
    assert [field for word in found for field in fields(word, scope)] == expected


def test_arguments_of_unknown_number_keep_the_ends_of_what_they_join() -> None:
    found, scope = words('"a$@b" $# $1 "$2"')
    scope.positional = (known("x"), Field((UNKNOWN,), many=True))
    expected = [known("ax"), Field((UNKNOWN, "b"), many=True), Field((NUMBER,)), known("x"), ANYTHING]
    assert [field for word in found for field in fields(word, scope)] == expected


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("x=a; $x/b", known("a/b")),
        ("x='a b'; $x", ANYTHING),
        ("{a,b}", ANYTHING),
        ("x=; $x", ANYTHING),
        ("/tmp/*.log", Field(("/tmp/", Pattern("*"), ".log"))),
        ("/tmp/$x", Field(("/tmp/", UNKNOWN))),
    ],
)
def test_a_redirection_opens_one_file(script: str, expected: Field) -> None:
    found, scope = words(script)
    assert target(found[0], scope) == expected


def test_a_text_is_neither_cut_nor_looked_up() -> None:
    found, scope = words("x='a  b'; $x*{c,d} a:~")
    assert text(found[0], scope) == known("a  b*{c,d}")
    assert [text(found[1], scope, where) for where in (Tildes.START, Tildes.VALUE)] == [
        known("a:~"),
        known("a:/home/u"),
    ]


def test_what_was_not_understood_is_any_number_of_arguments() -> None:
    word = Word(0, 4, (Literal(0, 1, "a"), Opaque(1, 4, "some reason")))
    assert fields(word, Scope()) == (Field(("a", UNKNOWN), many=True),)


def test_options_that_change_how_words_are_read_leave_braces_and_patterns_unknown() -> None:
    found, scope = words("x=aA; {a,b} ${x#a} a")
    scope.ordinary = False
    assert [field for word in found for field in fields(word, scope)] == [ANY_NUMBER, ANY_NUMBER, known("a")]


@pytest.mark.parametrize(
    "script",
    [
        "x=1; $((u[x=2]))",
        "x=1; ${u[x=2]}",
        "x=1; ${u:+$((x=2))}",
        "x=1; $((u ? (x=2) : 0))",
        "x=1; $((x=u))",
        "x=1; $((x=$u))",
    ],
)
def test_what_may_have_been_assigned_is_no_longer_known(script: str) -> None:
    found, scope = words(script)
    fields(found[0], scope)
    assert scope.get("x") is None


@pytest.mark.parametrize("script", ["a[i=5]=x; b", "a=([i=5]=x); b", "b=(x); b[i=5]=x; b", "b=([i=5]=x); b"])
def test_a_subscript_is_computed_only_where_it_is_no_key(script: str) -> None:
    _, scope = words(f"i=1; {script}")
    assert scope.get("i") == (known("5") if "b[" in script else None)


@pytest.mark.parametrize("script", ["$((u + 1))", "$(($u + 1))", "x='a[$(id)]'; $((x))", "${a[u]}"])
def test_arithmetic_on_what_is_not_known_is_told(script: str) -> None:
    found, scope = words(script)
    assert not scope.evaluates
    fields(found[0], scope)
    assert scope.evaluates


def test_a_part_of_no_length_is_read_as_any_other() -> None:
    word = Word(0, 0, (Parameter(0, 0, "x"), Literal(0, 0, "/b")))
    scope = Scope()
    scope.assign("x", known("a"))
    assert fields(word, scope) == (known("a/b"),)
