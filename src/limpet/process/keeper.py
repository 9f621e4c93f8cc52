"""One command at a time, kept: started, watched, ended with everything it started, accounted for.

Runs in a process of its own, forked by the server. It is a subreaper, so whatever leaves the command's group or
session still comes to it, and the kernel itself answers the question whether anything is left alive. It takes another
command only when nothing is.
"""

from __future__ import annotations

import os
import select
import socket
import time
from typing import TYPE_CHECKING

from limpet.process import wire
from limpet.process.contained import ContainedRun
from limpet.process.heed import Heed, Limit
from limpet.process.premises import Premises, is_kept_by_another
from limpet.process.run import NEVER, Run
from limpet.process.wakeups import child_wakeups, empty

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.process.cgroup import Bases
    from limpet.process.wire import Message


class Keeper:
    """Serves its client until the client goes away."""

    def __init__(self, sock: socket.socket, client: int, bases: Bases, name: str) -> None:
        self._sock = sock
        self._client = client
        self._premises = Premises(bases, name)
        self._gone = False
        self._job: Message = {}
        self._input = Heed()
        self._limit: Limit | None = None
        self._linger: float | None = None
        self._long_at = NEVER
        """When the client is to be told that the command still runs."""
        self._open: list[int] = []
        """Ends of pipes that are held so that nobody is woken by their closing."""
        self._wake = child_wakeups()
        self._poll = self._eye = self._poll_of(())
        """What is waited for; and while a command runs."""
        self._others: frozenset[int] = frozenset()
        """Who has something to say of the command, beside the client and the kernel."""

    def serve(self) -> None:
        """Start shells and see their commands through, until the client is gone."""
        waiting: Run | None = None
        while not self._client_gone() and (received := wire.receive(self._sock)) is not None:
            message, fds = received
            if "job" in message:
                waiting = self._attended(self._prepare(wire.job_of(message, fds), fds))
            elif waiting is not None and "go" in message:  # a late word to stop is for a command that is over
                go = wire.Go(*message["go"])
                self._see_through(waiting, go)
                self._rest(go.rest)
                self._input.end()
                self._input.hold(None)
                self._clear_away(waiting)
                again = go.again and not (self._gone or waiting.survivors)
                waiting = self._attended(self._prepare_again()) if again else None
                self._linger = go.linger if waiting else wire.LINGER
        if waiting is not None:
            waiting.stop(now=True)
            self._watch(waiting)
            self._clear_away(waiting)
        else:
            self._premises.tidy()

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
            run = self._premises.start(job, fds[1], (0, fds[3], fds[5]))
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

    def _see_through(self, run: Run, go: wire.Go) -> None:
        run.begin(go)
        if go.watch:
            self._input.begin(_ours(run))
        elif not self._job["terminal"]:  # there somebody may want to hear it later
            self._input.hold(None)
        if go.announce:
            self._tell({"started": run.pid, "enforced": self._premises.enforced})
        self._long_at = NEVER if go.long is None else go.began + go.long
        self._watch(run)
        self._long_at = NEVER
        self._tell({"limit": self._premises.broken(run), "enforced": self._premises.enforced, **run.report()})

    def _rest(self, seconds: float) -> None:
        """Let the client take its answer before there is other work, unless it is in a hurry.

        At once: the client may need this processor.
        """
        for fd, _ in self._poll.poll(seconds * 1000):
            if fd == self._wake:  # of somebody who ended with the command
                empty(self._wake)
                self._poll.poll(seconds * 1000)

    def _begin(self, job: Message, fds: list[int]) -> Run:
        cwd, script, stdout, stderr, *more = fds
        self._job = job
        self._premises.settle_in(job, cwd)
        read = stdout if job["terminal"] else more[0] if more else None
        self._input.hold(None if is_kept_by_another(job) else read)  # whose program reads all that comes, at once
        self._limit = Limit(*more) if len(more) > 1 else None
        stdin = more[0] if more else 0  # which is /dev/null here
        return self._premises.start(job, script, (stdin, stdout, stderr))

    def _begin_ahead(self, job: Message, cwd: int) -> Run | None:
        self._job = job
        self._premises.settle_in(job, cwd)
        self._linger = wire.LINGER
        return self._prepare_again()

    def _clear_away(self, run: Run) -> None:
        """What is left of the walls, once the client has its answer."""
        while self._open:
            os.close(self._open.pop())
        run.let_go()
        self._premises.tidy()

    def _watch(self, run: Run) -> None:
        while not run.over():
            now = time.monotonic()
            wait = max(0.0, min(run.next_move(), self._look_at_input(), self._next_word(now)) - now)
            for fd, event in self._eye.poll(None if wait == NEVER else wait * 1000 + 0.5):
                if fd == self._wake:
                    empty(self._wake)
                elif fd == run.end:
                    self._eye.unregister(fd)
                elif fd == self._client:
                    self._let_go(fd, run)
                elif fd in self._others:
                    if not self._hear(run, fd) or event & ~select.POLLIN:  # it has said all it had to say
                        self._eye.unregister(fd)
                else:
                    self._obey(run)

    def _attended(self, run: Run | None) -> Run | None:
        """Be ready to hear of it: when it has its command, there is no time to lose."""
        if run is not None:
            self._others = frozenset({*run.wakes, self._limit.alarm} if self._limit else run.wakes)
            self._eye = self._poll_of(self._others)
        return run

    def _poll_of(self, others: Iterable[int]) -> select.poll:
        poll = select.poll()
        for fd in (self._sock.fileno(), self._client, self._wake, *others):
            poll.register(fd, select.POLLIN)
        return poll

    def _hear(self, run: Run, fd: int) -> bool:
        """Whether there may be more to hear."""
        if self._limit is None or fd != self._limit.alarm:
            return run.hear(fd)
        if self._limit.broken():
            run.expire()
        return True

    def _next_word(self, now: float) -> float:
        """Tell the client that the command is a long one, when it is; when to look again."""
        if now >= self._long_at:
            self._long_at = NEVER
            self._tell({"long": True})
        return self._long_at

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
        self._eye.unregister(fd)
        run.stop(now=True)

    def _tell(self, message: Message, fds: tuple[int, ...] = ()) -> None:
        try:
            wire.send(self._sock, message, fds)
        except OSError:
            return


def _ours(run: Run) -> frozenset[int]:
    """Which of the processes are limpet's own."""
    return frozenset({os.getpid(), run.first} if isinstance(run, ContainedRun) else {os.getpid()})
