"""A hook call without a helper -> judged in a child, which the deadline does not wait for; and a helper started."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from limpet.beside import detach, within
from limpet.surfaces.hooks.wire import Blocked, pack, packed_answer, unpack, unpacked_answer

if TYPE_CHECKING:
    from limpet.surfaces.hooks.question import Told
    from limpet.surfaces.hooks.wire import Answer

_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from limpet.surfaces.hooks.helper import main; main(sys.argv[2:])"
_ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))


def judged_here(arguments: list[str], question: bytes, *, seconds: float) -> Answer:
    """The answer. Raises Blocked when there is none in time."""
    judge = _Judge(arguments, question)
    data = within(seconds, judge.answer, judge.record)
    if data is None:
        raise Blocked("no judgement in time; is a disk slow, or the machine busy?")
    if not data:
        raise Blocked("the judging process ended without an answer")
    answer, *helper = unpack(data)
    if helper:
        _start_helper(*map(os.fsdecode, helper))
    return unpacked_answer(answer)


class _Judge:
    """In the child, which may take its time."""

    def __init__(self, arguments: list[str], question: bytes) -> None:
        self._arguments = arguments
        self._question = question
        self._told: Told | None = None

    def answer(self) -> bytes:
        """The answer; and where a helper is to be started, its folder and how long it stays without calls."""
        _hurry()
        from limpet.surfaces.hooks.core import answer, helper_wanted  # noqa: PLC0415 - takes longer than all the rest

        said, self._told = answer(self._arguments, self._question, os.environ)
        return pack(packed_answer(said), *map(os.fsencode, helper_wanted(os.environ)))

    def record(self) -> None:
        """Write it down."""
        from limpet.surfaces.hooks.core import record  # noqa: PLC0415 - as above

        if self._told is not None:
            record(self._told, os.environ)


def _hurry() -> None:
    """What this process loads it needs once and to its end."""
    gc.disable()
    # msgspec would load it where it is installed, though `typing` has all that is used of it here: a fifth of the time.
    sys.modules.setdefault("typing_extensions", None)  # type: ignore[arg-type]  # how Python is told: there is none


def _start_helper(folder: str, idle: str) -> None:
    detach([sys.executable, "-I", "-c", _BOOT, _ROOT, folder, idle], {})
