"""What the kernel tells is what it tells now, whoever has done what to the descriptor."""

from __future__ import annotations

import os
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from limpet.kernel.told import Told
from limpet.kernel.umask import umask

if TYPE_CHECKING:
    from collections.abc import Iterator

MANY = 400


@pytest.fixture
def status() -> Told:
    told = Told("/proc/self/status", b"Name:")
    assert told.whole().startswith(b"Name:")
    return told


@pytest.fixture
def names() -> Iterator[set[bytes]]:
    """More sockets than the kernel tells of at once, each with a long name."""
    sockets, given = [], set()
    try:
        for number in range(MANY):
            name = f"/limpet/{os.getpid()}/{number}/".ljust(100, "x").encode()
            given.add(name)
            sockets.append(socket.socket(socket.AF_UNIX))
            sockets[-1].bind(b"\0" + name)
        yield given
    finally:
        for one in sockets:
            one.close()


def pid_in(status: bytes) -> int:
    return int(status.partition(b"\nPid:")[2].split(None, 1)[0])


def test_a_forked_child_is_told_of_itself(status: Told) -> None:
    child = os.fork()
    if child == 0:
        os._exit(pid_in(status.whole()) != os.getpid())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert pid_in(status.whole()) == os.getpid()


def test_a_descriptor_that_somebody_closed_is_replaced(status: Told) -> None:
    os.close(status._opened[1])
    assert pid_in(status.whole()) == os.getpid()


def test_another_file_by_its_number_is_neither_believed_nor_closed(status: Told) -> None:
    number = status._opened[1]
    reading, writing = os.pipe()
    os.dup2(reading, number)
    os.close(reading)
    assert pid_in(status.whole()) == os.getpid()
    os.write(writing, b"still there")
    os.close(writing)
    assert os.read(number, 100) == b"still there"
    os.close(number)


def test_it_is_told_whole(names: set[bytes]) -> None:
    told = Told("/proc/net/unix", b"Num")
    for _ in range(2):
        listed = told.whole()
        assert len(told.now()) < len(listed), "else this shows nothing"
        assert names <= {line.rpartition(b" @")[2] for line in listed.splitlines()}


def test_several_threads_are_told_whole(names: set[bytes]) -> None:
    told = Told("/proc/net/unix", b"Num")

    def missing(_: int) -> int:
        return len(names - {line.rpartition(b" @")[2] for line in told.whole().splitlines()})

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(missing, range(40))) == {0}


def test_the_umask_is_that_of_this_moment() -> None:
    before = os.umask(0o027)
    try:
        assert umask() == 0o027
        os.umask(0o077)
        assert umask() == 0o077
    finally:
        os.umask(before)
