from __future__ import annotations

import pytest

from limpet.syntax.values.field import ANYTHING, UNKNOWN, Field, Pattern, known
from limpet.syntax.values.scope import UNSET, Scope


def test_a_field_merges_its_neighbours() -> None:
    field = Field(("a", "", "b", UNKNOWN, UNKNOWN, "c", Pattern("*"), "d", "e"))
    assert field.pieces == ("ab", UNKNOWN, "c", Pattern("*"), "de")
    assert (field.text, field.prefix, field.suffix) == (None, "ab", "de")


def test_only_a_whole_field_has_a_text() -> None:
    found = [Field(), Field(("a", "b")), ANYTHING, Field(("a",), many=True), Field(("a", UNKNOWN))]
    assert [field.text for field in found] == ["", "ab", None, None, None]


def test_what_was_never_assigned_may_come_from_the_environment() -> None:
    scope = Scope(home="/home/u", cwd="/work")
    assert [scope.get(name) for name in ("x", "HOME", "PWD", "IFS")] == [
        None,
        known("/home/u"),
        known("/work"),
        known(" \t\n"),
    ]


def test_a_copy_goes_its_own_way() -> None:
    scope = Scope()
    scope.assign("x", known("1"))
    copy = scope.copy()
    copy.assign("x", known("2"))
    scope.assign("y", known("3"))
    assert [one.get(name) for one in (scope, copy) for name in ("x", "y")] == [known("1"), known("3"), known("2"), None]


def test_a_join_keeps_what_both_agree_on() -> None:
    one = Scope(cwd="/a", positional=())
    one.assign("same", known("1"))
    one.assign("differs", known("2"))
    one.assign("list", {0: known("a")})
    other = one.copy()
    other.assign("differs", known("3"))
    other.assign("new", known("4"))
    other.assign_element("list", 1, known("b"))
    other.move("/b")
    other.positional = (known("x"),)
    one.join(other)
    assert [one.get(name) for name in ("same", "differs", "new", "list", "PWD")] == [known("1"), None, None, None, None]
    assert (one.cwd, one.positional) == (None, None)


def test_text_assigned_to_an_array_is_its_first_element() -> None:
    scope = Scope()
    scope.assign("a", {0: known("x"), 2: known("y")})
    scope.assign("a", known("z"))
    assert scope.get("a") == {0: known("z"), 2: known("y")}


def test_an_element_of_what_may_be_keyed_is_not_known() -> None:
    scope = Scope()
    scope.assign_element("a", 1, known("x"))
    assert scope.get("a") is None
    scope.unset("a")
    assert scope.get("a") == UNSET
    scope.assign_element("a", 1, known("x"))
    assert scope.get("a") == {1: known("x")}
    scope.assign_element("a", -1, known("y"))
    assert scope.get("a") == {1: known("y")}


@pytest.mark.parametrize("name", ["RANDOM", "SECONDS", "_", "REPLY", "PIPESTATUS", "BASHPID", "OPTIND", "UID"])
def test_what_bash_changes_on_its_own_is_never_known(name: str) -> None:
    scope = Scope()
    scope.assign(name, known("1"))
    assert scope.get(name) is None


def test_a_pinned_variable_stays_unknown() -> None:
    scope = Scope()
    scope.assign("n", known("1"))
    scope.pin_unknown("n")
    scope.assign("n", known("2"))
    assert scope.copy().get("n") is None


def test_an_assignment_through_a_reference_may_change_any_variable() -> None:
    scope = Scope()
    scope.assign("x", known("1"))
    scope.pin_unknown("r", reference=True)
    scope.assign("x", known("1"))
    scope.assign("r", known("2"))
    assert scope.get("x") is None


def test_separators_are_known_only_as_whole_text() -> None:
    scope = Scope()
    seen = [scope.separators]
    for value in (known(":"), Field((":", UNKNOWN)), known("é")):
        scope.assign("IFS", value)
        seen.append(scope.separators)
    scope.unset("IFS")
    seen.append(scope.separators)
    scope.forget_all()
    seen.append(scope.separators)
    assert seen == [" \t\n", ":", None, None, " \t\n", None]


def test_moving_changes_the_folder_and_its_variable() -> None:
    scope = Scope(cwd="/a")
    scope.assign("PWD", known("/elsewhere"))
    assert (scope.cwd, scope.get("PWD")) == ("/a", known("/elsewhere"))
    scope.move("/b")
    assert (scope.cwd, scope.get("PWD")) == ("/b", known("/b"))
    scope.move(None)
    assert (scope.cwd, scope.get("PWD")) == (None, None)


def test_a_value_that_grows_without_end_is_let_go() -> None:
    scope = Scope()
    scope.assign("x", known("a" * (1 << 16)))
    assert scope.get("x") is not None
    scope.assign("x", known("a" * ((1 << 16) + 1)))
    assert scope.get("x") is None
