"""One command at a time, kept: started, watched, ended with everything it started, accounted for.

Runs in a process of its own, forked by the server. It is a subreaper, so whatever leaves the command's group or
session still comes to it, and the kernel itself answers the question whether anything is left alive. It takes another
command only when nothing is.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from typing import TYPE_CHECKING

from limpet.process import bound, cgroup, rlimit, scratch, wire
from limpet.process.contained import ContainedRun
from limpet.process.heed import Heed, Limit
from limpet.process.memory import MemoryWatch, first_to_go
from limpet.process.run import NEVER, Run
from limpet.process.wakeups import child_wakeups, empty

if TYPE_CHECKING:
    from limpet.process.house import House
    from limpet.process.walls import Walls
    from limpet.process.wire import Message

_ALL_SIGNALS = sorted(set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33})


class Keeper:
    """Serves its client until the client goes away."""

    def __init__(self, sock: socket.socket, client: int, bases: cgroup.Bases, name: str) -> None:
        self._sock = sock
        self._client = client
        self._bases = bases
        self._name = name
        self._gone = False
        self._job: Message = {}
        self._groups: cgroup.Cgroups | None = None
        self._walls: Walls | None = None
        self._scratch = b""
        self._input = Heed()
        self._limit: Limit | None = None
        self._enforced: list[str] = []
        self._enforced_by_us: list[str] = []
        self._linger: float | None = None
        self._open: list[int] = []
        """Ends of pipes that are held so that nobody is woken by their closing."""
        self._wake = child_wakeups()
        self._poll = select.poll()
        for fd in (sock.fileno(), client, self._wake):
            self._poll.register(fd, select.POLLIN)

    def serve(self) -> None:
        """Start shells and see their commands through, until the client is gone."""
        waiting: Run | None = None
        while not self._client_gone() and (received := wire.receive(self._sock)) is not None:
            message, fds = received
            if "job" in message:
                waiting = self._prepare(wire.job_of(message, fds), fds)
            elif waiting is not None and "go" in message:  # a late word to stop is for a command that is over
                self._see_through(waiting, message["go"])
                self._rest(message["go"]["rest"])
                self._clear_away(waiting)
                again = message["go"]["again"] and not (self._gone or waiting.survivors)
                waiting = self._prepare_again() if again else None
                self._linger = message["go"]["linger"] if waiting else wire.LINGER
        if waiting is not None:
            waiting.stop(now=True)
            self._watch(waiting)
            self._clear_away(waiting)
        elif self._scratch:
            scratch.remove(self._scratch)

    def _client_gone(self) -> bool:
        """Wait for the socket; True when the client ended first, or has had no use for us for long."""
        while not self._gone:
            ready = {fd for fd, _ in self._poll.poll(None if self._linger is None else self._linger * 1000)}
            if self._sock.fileno() in ready:
                return False
            if self._client in ready or not ready:
                return True
            empty(self._wake)
        return True

    def _prepare(self, job: Message, fds: list[int]) -> Run | None:
        """Start a shell that waits for its command; with nothing but a folder, hand its ends to the client."""
        try:
            return self._begin(job, fds) if len(fds) > 1 else self._begin_ahead(job, fds[0])
        except OSError as error:
            self._tell({"failed": error.errno or 0, "why": error.strerror or str(error)})
            return None
        finally:
            for fd in fds:
                os.close(fd)

    def _prepare_again(self) -> Run | None:
        """Start another shell like the last one, in the same folder, and hand its ends to the client."""
        job = self._job
        fds: list[int] = []
        try:
            fds += [end.detach() for end in socket.socketpair()]
            fds += os.pipe2(os.O_CLOEXEC)
            fds += os.pipe2(os.O_CLOEXEC)
            for reading in (fds[2], fds[4]):
                os.set_blocking(reading, False)
            run = self._spawn(job, fds[1], (0, fds[3], fds[5]))
        except OSError as error:
            self._tell({"failed": error.errno or 0, "why": error.strerror or str(error)})
            return None
        else:
            self._tell({"ready": run.pid}, (fds[0], fds[2], fds[4]))
            self._open = [fds.pop(5), fds.pop(3)]
            return run
        finally:
            for fd in fds:
                os.close(fd)

    def _see_through(self, run: Run, go: Message) -> None:
        run.begin(go)
        if go["watch"]:
            self._input.begin(_ours(run))
        elif not self._job["terminal"]:  # there somebody may want to hear it later
            self._input.hold(None)
        if go["announce"]:
            self._tell({"started": run.pid, "enforced": self._enforced})
        self._watch(run)
        self._input.end()
        self._input.hold(None)
        # Of interest only where something went wrong.
        broken = run.limit or (self._groups.broken() if self._groups and not run.succeeded else "")
        self._tell({"limit": broken, "enforced": self._enforced, **run.report()})

    def _rest(self, seconds: float) -> None:
        """Let the client take its answer before there is other work, unless it is in a hurry."""
        empty(self._wake)
        self._poll.poll(seconds * 1000)

    def _watches_memory(self, job: Message) -> bool:
        return job["limits"].get("memory") is not None and "memory" not in self._held()

    def _held(self) -> frozenset[str]:
        return self._groups.held if self._groups else frozenset()

    def _begin(self, job: Message, fds: list[int]) -> Run:
        cwd, script, stdout, stderr, *more = fds
        self._settle_in(job, cwd)
        read = stdout if job["terminal"] else more[0] if more else None
        self._input.hold(None if _is_kept_by_another(job) else read)  # whose program reads all that comes, at once
        self._limit = Limit(*more) if len(more) > 1 else None
        return self._spawn(job, script, (more[0] if more else 0, stdout, stderr))  # descriptor 0 is /dev/null here

    def _begin_ahead(self, job: Message, cwd: int) -> Run | None:
        self._settle_in(job, cwd)
        self._linger = wire.LINGER
        return self._prepare_again()

    def _settle_in(self, job: Message, cwd: int) -> None:
        os.fchdir(cwd)
        self._job = job
        if _is_kept_by_another(job):
            return
        os.umask(job["umask"])
        if self._groups is None:  # limits can only be lowered: the first job's are for life
            walled = job["confinement"] is not None and job["confinement"]["namespaces"]
            own = 3 if walled else 1  # the first process, and a thread for a moment
            self._groups = cgroup.join(self._bases, job["limits"], self._name, own=own)
            self._enforced_by_us = [*self._groups.held, *rlimit.apply(job["limits"], self._groups.held)]

    def _spawn(self, job: Message, script: int, streams: tuple[int, int, int]) -> Run:
        actions = [(os.POSIX_SPAWN_DUP2, fd, target) for target, fd in enumerate(streams)]
        if _is_kept_by_another(job):
            from limpet.process.container import start  # noqa: PLC0415 - few commands run in one

            return start(job, actions, script)
        actions.append((os.POSIX_SPAWN_DUP2, script, job["script_fd"]))
        if self._groups is not None:
            self._groups.mark()  # what an earlier command has run into is not this one's
        bind = rlimit.binding(job["limits"], self._held())
        self._enforced = [*self._enforced_by_us, *bind]
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

    def _clear_away(self, run: Run) -> None:
        """What is left of the walls, once the client has its answer."""
        while self._open:
            os.close(self._open.pop())
        run.let_go()
        if self._scratch:
            scratch.remove(self._scratch)

    def _watch(self, run: Run) -> None:
        others = {*run.wakes, self._limit.alarm} if self._limit else set(run.wakes)
        for fd in others:
            self._poll.register(fd, select.POLLIN)
        while not run.over():
            wait = max(0.0, min(run.next_move(), self._look_at_input()) - time.monotonic())
            for fd, event in self._poll.poll(None if wait == NEVER else wait * 1000 + 0.5):
                if fd == self._wake:
                    empty(self._wake)
                elif fd == self._client:
                    self._let_go(fd, run)
                elif fd in others:
                    if not self._hear(run, fd) or event & ~select.POLLIN:  # it has said all it had to say
                        self._poll.unregister(fd)
                else:
                    self._obey(run)
        for fd in others:
            with contextlib.suppress(KeyError):
                self._poll.unregister(fd)

    def _hear(self, run: Run, fd: int) -> bool:
        """Whether there may be more to hear."""
        if self._limit is None or fd != self._limit.alarm:
            return run.hear(fd)
        if self._limit.broken():
            run.expire()
        return True

    def _look_at_input(self) -> float:
        """Tell the client when the command begins or ceases to wait for input; when to look again."""
        told = self._input.news()
        if told is not None:
            self._tell(told)
        return self._input.next_look

    def _obey(self, run: Run) -> None:
        received = wire.receive(self._sock)
        if received is None:
            self._let_go(self._sock.fileno(), run)
        elif "answers" in received[0]:
            self._input.answered(received[0]["answers"])
        elif "watch" in received[0]:
            self._input.begin(_ours(run), received[0]["watch"])
        elif "unwatch" in received[0]:
            self._input.end()
        else:
            run.stop(now=received[0].get("stop") == "now")

    def _let_go(self, fd: int, run: Run) -> None:
        """The client is gone: nobody waits for a graceful end, nor will there be another command."""
        self._gone = True
        self._poll.unregister(fd)
        run.stop(now=True)

    def _tell(self, message: Message, fds: tuple[int, ...] = ()) -> None:
        with contextlib.suppress(OSError):
            wire.send(self._sock, message, fds)


def _ours(run: Run) -> frozenset[int]:
    """Which of the processes are limpet's own."""
    return frozenset({os.getpid(), run.first} if isinstance(run, ContainedRun) else {os.getpid()})


def _is_kept_by_another(job: Message) -> bool:
    """Whether a program that runs containers sees to its walls and limits."""
    return job["confinement"] is not None and job["confinement"]["engine"] is not None
