"""Names of runs sort by time, and no two are the same."""

from __future__ import annotations

import itertools
import os
import time
from concurrent.futures import ThreadPoolExecutor

from limpet.engine.ids import TASK, is_task, new_id, time_of


def many(count: int = 3_000) -> list[str]:
    return [new_id() for _ in range(count)]


def test_one_made_later_comes_later() -> None:
    names = many(20_000)
    assert all(one < other for one, other in itertools.pairwise(names))


def test_a_name_tells_when_it_was_made() -> None:
    for _ in range(30):
        before = time.time()
        name = new_id()
        assert before - 0.002 <= time_of(name) <= time.time() + 0.002
        time.sleep(0.05)  # so that every digit of the time changes
    assert (is_task(name), is_task(new_id(TASK))) == (False, True)


def test_threads_and_forked_children_never_make_the_same() -> None:
    new_id()  # so that there are some to inherit
    reading, writing = os.pipe()
    children = []
    for _ in range(3):
        children.append(os.fork())
        if children[-1] == 0:
            os.write(writing, " ".join([*many(200), ""]).encode())
            os._exit(0)
    os.close(writing)
    with ThreadPoolExecutor(4) as pool:
        names = [name for some in pool.map(lambda _: many(), range(8)) for name in some]
    with open(reading, encoding="ascii") as file:
        names += file.read().split()
    for child in children:
        os.waitpid(child, 0)
    assert len(set(names)) == len(names) == 8 * 3_000 + 3 * 200
