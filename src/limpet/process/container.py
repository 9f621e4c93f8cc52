"""A run in a container: the keeper's child is the program that runs it, and what lives in it may be anybody's child.

It is ended by its first process, which the keeper tells; that program has things to put away then, so it is killed
only where it does not come to an end.
"""

from __future__ import annotations

import errno
import os
import signal
import time
from typing import TYPE_CHECKING

from limpet.process import bound, meeting
from limpet.process.run import Run

if TYPE_CHECKING:
    from limpet.process import tree
    from limpet.process.wire import Message

_PUTS_AWAY = 5.0
"""Seconds for what the program does after its container is gone."""
_FORCE_AFTER = 0.5
_MARGIN = 0.5
"""Seconds before the wait for the dead is over: then everybody is killed."""
_ALL_SIGNALS = sorted(set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33})


def start(job: Message, actions: list[tuple[int, int, int]], script: int) -> ContainerRun:
    """Start the program that runs the container. Raises OSError."""
    engine = job["confinement"]["engine"]
    _sweep(job)
    with open(os.dup(script), "rb") as file:
        command = file.read()
    environment = b"".join(b"%b=%b\0" % pair for pair in job["env"].items())
    files = {**dict(engine["files"]), "command": command, "environment": environment}
    place = meeting.Meeting(engine["folder"], files)
    try:
        pid = bound.start({**job, "env": engine["env"], "confinement": None}, actions, {}, b"")
    except BaseException:
        place.hang_up()
        place.remove()
        raise
    return ContainerRun(pid, place, job)


class ContainerRun(Run):
    """One command from the start of its container to the end of the program that ran it."""

    def __init__(self, pid: int, place: meeting.Meeting, job: Message) -> None:
        super().__init__(pid, memory=None)
        self._place = place
        self._job = job
        self._engine: Message = job["confinement"]["engine"]
        self._unread = b""
        self._enforced: list[str] | None = None
        self._removing = 0

    @property
    def wakes(self) -> tuple[int, ...]:
        """Where the first process speaks."""
        return (self._place.up,)

    def hear(self, fd: int) -> bool:  # noqa: ARG002 - there is one
        """That it is there, with the limits it sees; who was left when the command was over; what limit it met."""
        *lines, self._unread = (self._unread + self._place.heard()).split(b"\n")
        for line in lines:
            word, _, rest = os.fsdecode(line).partition(" ")
            if word == "up" and self._enforced is None:
                self._begun(rest)
            elif word == "left":
                self._left.append(rest)
            elif word == "hit" and rest in self._engine["limits"]:
                self.limit = self.limit or rest
        return True

    def report(self) -> Message:
        """With why it did not start, where that program ended before there was a container."""
        self.hear(self._place.up)
        if self._killing and self._status is not None:
            self._status = int(signal.SIGKILL)  # all that was left in it was killed, whatever its program makes of that
        report = {**super().report(), "limit": self.limit, "enforced": self._enforced or []}
        if self._enforced is None and self._ending == "itself" and self._status is not None:
            code = os.waitstatus_to_exitcode(self._status)
            name = os.fsdecode(self._job["argv"][0])
            report |= {"failed": errno.ENOEXEC, "why": f"{name} ended with status {code}"}
            report |= {"advice": self._engine["advice"]}
        return report

    def let_go(self) -> None:
        """Nobody is left in it."""
        self._place.hang_up()
        self._place.remove()

    def _begun(self, seen: str) -> None:
        self._place.seal()
        held = dict(zip(("memory", "processes"), seen.split(), strict=False))
        wanted = self._engine["limits"]
        by_group = [name for name, most in wanted.items() if _at_most(held.get(name, ""), most)]
        self._enforced = [*by_group, *self._engine["given"]]
        self._place.say("go")

    def _terminate(self, now: float, grace: float) -> None:
        self._kill_at = now + grace
        for word in ("TERM", "CONT"):  # a stopped process acts on TERM only when it goes on
            self._place.say(word)

    def _end_leftovers(self, now: float) -> None:
        """The program is gone, and with it the container; what is left is its own, and puts things away."""
        if self._drain_until == float("inf"):
            self._drain_until = now + _PUTS_AWAY
        if now >= self._drain_until:
            self._kill(now)

    def _kill_everything(self) -> None:
        self._place.hang_up()
        if not self._removing and time.monotonic() >= self._give_up_at - self._kill_wait + _FORCE_AFTER:
            self._removing = _remove(self._job, self._engine["remove"])

    def _living(self) -> list[tree.Proc]:
        late = time.monotonic() >= self._give_up_at - _MARGIN
        return super()._living() if late else []


def _at_most(seen: str, wanted: int) -> bool:
    return seen.isdigit() and int(seen) <= wanted


def _remove(job: Message, words: tuple[str, ...]) -> int:
    """Have the container ended by force."""
    engine = job["confinement"]["engine"]
    null = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in range(3)]
    return os.posix_spawn(
        job["executable"], words, engine["env"], file_actions=null, setsid=True, setsigdef=_ALL_SIGNALS, setsigmask=()
    )


def _sweep(job: Message) -> None:
    """Containers whose keepers were killed have ended by themselves; what they have left behind is put away."""
    engine = job["confinement"]["engine"]
    for name in meeting.abandoned(os.path.dirname(engine["folder"])):
        _remove(job, (*engine["remove"][:-1], f"limpet-{name}"))
