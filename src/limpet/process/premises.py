"""Where a keeper's commands run: control groups, limits and walls that it takes on once; a job -> its shell there."""

from __future__ import annotations

import contextlib
import os
import signal
from typing import TYPE_CHECKING

from limpet.process import bound, cgroup, rlimit, scratch
from limpet.process.contained import ContainedRun
from limpet.process.memory import MemoryWatch, first_to_go
from limpet.process.run import Run

if TYPE_CHECKING:
    from limpet.process.house import House
    from limpet.process.walls import Walls
    from limpet.process.wire import Message

_ALL_SIGNALS = sorted(set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33})


class Premises:
    """Of one keeper, all of whose jobs have the same limits and walls."""

    def __init__(self, bases: cgroup.Bases, name: str) -> None:
        self._bases = bases
        self._name = name
        self._groups: cgroup.Cgroups | None = None
        self._walls: Walls | None = None
        self._scratch = b""
        self._enforced_by_us: list[str] = []
        self.enforced: list[str] = []
        """The limits that hold for the command."""

    def broken(self, run: Run) -> str:
        """The limit that it has run into: of interest only where something went wrong."""
        return run.limit or (self._groups.broken() if self._groups and not run.succeeded else "")

    def tidy(self) -> None:
        """Nobody is there any more."""
        if self._scratch:
            scratch.remove(self._scratch)

    def settle_in(self, job: Message, cwd: int) -> None:
        """In the folder of a job, with its limits."""
        os.fchdir(cwd)
        if is_kept_by_another(job):
            return
        os.umask(job["umask"])
        if self._groups is None:  # limits can only be lowered: the first job's are for life
            walled = job["confinement"] is not None and job["confinement"]["namespaces"]
            own = 3 if walled else 1  # the first process, and the thread that holds a shell's walls
            self._groups = cgroup.join(self._bases, job["limits"], self._name, own=own)
            held = self._groups.held
            self._enforced_by_us = [*held, *rlimit.apply(job["limits"], held, own=own)]

    def start(self, job: Message, script: int, streams: tuple[int, int, int]) -> Run:
        """The job's shell, which waits for its command. Raises OSError."""
        actions = [(os.POSIX_SPAWN_DUP2, fd, target) for target, fd in enumerate(streams)]
        if is_kept_by_another(job):
            from limpet.process.container import start  # noqa: PLC0415 - few commands run in one

            return start(job, actions, script)
        actions.append((os.POSIX_SPAWN_DUP2, script, job["script_fd"]))
        if self._groups is not None:
            self._groups.mark()  # what an earlier command has run into is not this one's
        bind = rlimit.binding(job["limits"], self._held())
        self.enforced = [*self._enforced_by_us, *bind]
        memory = MemoryWatch(job["limits"]["memory"]) if self._watches_memory(job) else None
        # Only in a memory group of its own can the kernel choose between the keeper and what it keeps.
        with first_to_go() if "memory" in self._held() else contextlib.nullcontext():
            confinement = job["confinement"]
            if confinement is not None and confinement["namespaces"]:
                house = self._house(job)
                return ContainedRun(house, *house.start(job, actions, bind), memory=memory)
            if bind or confinement is not None or job["terminal"]:
                pid = bound.start(job, actions, bind, self._own_folder(confinement))
            else:
                pid = os.posix_spawn(
                    job["executable"], job["argv"], job["env"], file_actions=actions, setsid=True,
                    setsigdef=_ALL_SIGNALS, setsigmask=(),
                )  # fmt: skip
        return Run(pid, memory=memory)

    def _house(self, job: Message) -> House:
        if self._walls is None:  # they can only be entered, never left: the first job's are for life
            from limpet.process.walls import Walls  # noqa: PLC0415 - a server that contains nothing does without

            self._walls = Walls(job["confinement"])
            # Its only children are the first process and a shell, and both have a descriptor that tells their end.
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        return self._walls.house()

    def _own_folder(self, confinement: Message | None) -> bytes:
        """A folder for the command alone, where it is to have one."""
        if confinement is None or not confinement["scratch"]:
            return b""
        if not self._scratch:
            self._scratch = scratch.place(self._name)
            scratch.sweep()
        scratch.remove(self._scratch)  # of a command that could not be started
        scratch.make(self._scratch)
        return self._scratch

    def _watches_memory(self, job: Message) -> bool:
        return job["limits"].get("memory") is not None and "memory" not in self._held()

    def _held(self) -> frozenset[str]:
        return self._groups.held if self._groups else frozenset()


def is_kept_by_another(job: Message) -> bool:
    """Whether a program that runs containers sees to its walls and limits."""
    return job["confinement"] is not None and job["confinement"]["engine"] is not None
