"""A process is told apart from every other that has, had or will have its number."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import msgspec
import pytest

from limpet.kernel.identity import as_suffix, is_alive, mine, of_suffix, pin
from limpet.overlay.whereabouts import is_abandoned, unfinished_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.kernel.identity import Identity


@pytest.fixture
def me() -> Identity:
    return mine()


@pytest.fixture
def stranger() -> Iterator[int]:
    """The number of another process."""
    with subprocess.Popen(["sleep", "60"]) as process:
        yield process.pid
        process.kill()


def test_who_is_there_is_alive(me: Identity) -> None:
    assert is_alive(me) is True


def test_a_number_that_somebody_else_has_now_is_not_the_same_process(me: Identity, stranger: int) -> None:
    other = msgspec.structs.replace(me, pid=stranger)
    assert (is_alive(other), pin(other)) == (False, None)


def test_after_a_restart_of_the_machine_nobody_is_the_same(me: Identity) -> None:
    assert is_alive(msgspec.structs.replace(me, boot="another")) is False


def test_who_is_in_another_pid_namespace_cannot_be_seen(me: Identity) -> None:
    elsewhere = msgspec.structs.replace(me, space="pid:[1]")
    assert (is_alive(elsewhere), pin(elsewhere)) == (None, None)


def test_a_file_name_says_whose_it_is(me: Identity) -> None:
    assert of_suffix(f".some.name.{as_suffix(me)}") == me
    assert [of_suffix(name) for name in ("", "plain", "a.1.2.3", "a.b.c.d.e")] == [None] * 4


def test_what_somebody_makes_is_abandoned_once_they_are_known_to_be_gone(me: Identity, stranger: int) -> None:
    gone = msgspec.structs.replace(me, pid=stranger)
    elsewhere = msgspec.structs.replace(me, space="pid:[1]")
    names = [unfinished_name("it"), f".it.{as_suffix(gone)}", f".it.{as_suffix(elsewhere)}", ".it"]
    assert [is_abandoned(name) for name in names] == [False, True, False, False]
