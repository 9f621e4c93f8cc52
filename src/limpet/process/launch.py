"""Plan -> a running command behind two pipes."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.process import wire
from limpet.process.coming import awaited, start_another_later
from limpet.process.endings import ended, launch_error
from limpet.process.overheard import Overheard
from limpet.process.prepared import Prepared, can_wait, prepare, ready_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.ended import Ended
    from limpet.model.plan import Plan
    from limpet.process.keepers import Keepers
    from limpet.process.prepared import ReadyKey
    from limpet.process.ready import Promise, ReadyShells
    from limpet.protocols import Sink

_SHORT = 0.001
"""Seconds: what a command prints that takes no longer is read when it is over."""
_BUILDING = 0.01
"""Seconds within which a shell usually is there that a keeper has begun to start."""


class PipeLauncher:
    """Starts commands through the keepers of this process."""

    def __init__(self, keepers: Keepers, ready: ReadyShells) -> None:
        self._keepers = keepers
        self._ready = ready

    async def launch(self, plan: Plan) -> PipeRun:
        """Hand the command to a shell that waits for one, or to a new one. That it could not start tells `finish`."""
        if not self._keepers.started:
            self._keepers.start()  # a millisecond: the new process is not waited for
        key = ready_key(plan)
        waits = can_wait(plan)
        shell = self._ready.take(plan, key) if waits else None  # before the promise: what is taken makes room
        scarce = waits and shell is None
        if scarce:
            shell = await awaited(self._ready, plan, key)
        promise = self._ready.promise(plan, key) if waits else None
        try:
            while shell is not None and not _started(shell, plan, promise):
                shell = self._ready.take(plan, key)
            scarce = scarce and shell is not None
            shell = shell or self._new(plan, key, promise)
        except BaseException:
            if promise:
                self._ready.break_promise(promise)
            raise
        if scarce:
            start_another_later(self._ready, self._keepers, plan, key)
        return PipeRun(self._keepers, self._ready, shell, plan, promise)

    def _new(self, plan: Plan, key: ReadyKey, promise: Promise | None) -> Prepared:
        self._ready.missed(plan, key)
        shell = prepare(plan, key, self._keepers)
        try:
            _start(shell, plan, promise)
        except OSError as error:
            # The keeper answers why, if it is there to answer.
            if error.errno != errno.EPIPE:
                shell.discard()
                raise LaunchError(f"cannot hand over the command: {error.strerror}", errno=error.errno) from error
        return shell


def _started(shell: Prepared, plan: Plan, promise: Promise | None) -> bool:
    try:
        _start(shell, plan, promise)
    except OSError:  # it was killed while it waited
        shell.discard()
        return False
    return True


def _start(shell: Prepared, plan: Plan, promise: Promise | None) -> None:
    if promise is None:
        shell.start(plan, again=False)
    else:
        shell.start(plan, again=True, linger=promise.linger, rest=promise.rest)


class PipeRun:
    """A command in the hands of a keeper."""

    def __init__(
        self, keepers: Keepers, ready: ReadyShells, shell: Prepared, plan: Plan, promise: Promise | None
    ) -> None:
        self._keepers = keepers
        self._ready = ready
        self._shell = shell
        self._promise = promise
        self._held = shell.held
        self._pump = shell.pump
        self._plan = plan
        self._over: wire.Message | None = None
        self._done: asyncio.Future[None] | None = None
        self._lost = False
        self._closed = False
        self._enforced: tuple[str, ...] = ()
        self._sink: Sink | None = None
        self._waits = False
        self._answers = 0

    async def finish(self, sink: Sink) -> Ended:
        """Pump until the keeper says that nothing is alive. May be called again after a cancellation."""
        confinement = self._plan.confinement
        if confinement is not None and confinement.engine is not None:
            sink = Overheard(sink)
        self._sink = sink
        if self._over is None:
            await self._pump_until_over(sink)
        self._pump.drain(sink)
        assert self._over is not None
        self._raise_if_failed(sink.said if isinstance(sink, Overheard) else "")
        return ended(self._over, self._plan.limits)

    def _raise_if_failed(self, said: str = "") -> None:
        if self._over is not None and "failed" in self._over:
            raise launch_error(self._over, said)

    def send(self, data: bytes) -> None:
        """Have it read this, where it takes input."""
        if self._shell.entry is not None:
            self._shell.entry.send(data)
            self._answered()

    def close_input(self) -> None:
        """Nothing more will be sent."""
        if self._shell.entry is not None:
            self._shell.entry.finish()
            self._answered()

    def resize(self, rows: int, columns: int) -> None:
        """Its terminal, where it has one, is of another size now."""
        if self._shell.entry is not None:
            self._shell.entry.resize(rows, columns)

    def _answered(self) -> None:
        """It is not known to wait any more; when it does so again, the keeper tells that anew."""
        with contextlib.suppress(OSError):
            wire.send(self._held.sock, {"answers": self._answers + 1})
            self._answers += 1
        if self._waits and self._sink is not None:
            self._waits = False
            self._sink.waiting(self._waits, for_ever=False)

    def stop(self, *, now: bool = False) -> None:
        """Ask the keeper to end it."""
        if self._over is None:
            with contextlib.suppress(OSError):
                wire.send(self._held.sock, {"stop": "now" if now else "term"})

    def close(self) -> None:
        """Close the pipes; keep the keeper for the next command, or, where this one is not over, let it kill."""
        if self._closed:
            return
        self._closed = True
        _once_answered(self._shell.close)
        reusable = self._over is not None and self._over["reusable"]
        if self._promise and reusable and self._over is not None and "failed" not in self._over:
            if self._ready.keep(self._shell, self._promise):
                _once_answered(self._fetch, self._promise)
            else:
                start_another_later(self._ready, self._keepers, self._plan, self._shell.key)
            return
        if self._promise:
            self._ready.break_promise(self._promise)
        if reusable and not self._plan.once:
            self._keepers.give_back(self._held)
        else:
            self._held.let_go()

    def _fetch(self, promise: Promise) -> None:
        asyncio.get_running_loop().call_later(promise.rest + _BUILDING, self._ready.fetch, promise.key)

    async def _pump_until_over(self, sink: Sink) -> None:
        loop = asyncio.get_running_loop()
        self._done = loop.create_future()
        lookout = self._keepers.lookouts.of(loop)
        control = self._held.sock.fileno()
        lookout.hear(control, self._hear, sink)
        lookout.visit(loop, self._nudge)
        self._pump.open(loop, lookout, sink)
        long = loop.call_later(_SHORT, self._pump.listen)
        entry = self._shell.entry
        if entry is not None:
            entry.open(loop)
        try:
            await self._done
        finally:
            self._pump.close()
            if entry is not None:
                entry.rest()
            lookout.ignore(control)
            lookout.leave(self._nudge)
            long.cancel()
        if self._lost:
            await self._settle()

    def _nudge(self) -> None:
        """Wake the server now and then: a command may have stopped it, and it wakes a keeper that was stopped."""
        self._keepers.wake()

    def _hear(self, sink: Sink) -> None:
        try:
            received = wire.receive(self._held.sock)
        except BlockingIOError:
            return
        if received is not None and "started" in received[0]:
            self._enforced = tuple(received[0]["enforced"])
            sink.started(received[0]["started"])
            return
        if received is not None and "waiting" in received[0]:
            self._hear_of_waiting(received[0], sink)
            return
        self._lost = received is None
        if received is not None:
            self._over = {**received[0], "reusable": not received[0].get("survivors")}
        if self._done is not None and not self._done.done():
            self._done.set_result(None)

    def _hear_of_waiting(self, told: wire.Message, sink: Sink) -> None:
        if told["answers"] == self._answers:  # else it was seen before it had what was sent meanwhile
            self._pump.catch_up()  # what it printed before it began to wait is what it asks
            self._waits = told["waiting"]
            sink.waiting(self._waits, for_ever=told["for_ever"])

    async def _settle(self) -> None:
        """The keeper was killed: its parent ends what it left behind."""
        settled = await asyncio.to_thread(self._keepers.settle, self._held.pid)
        survivors = [] if settled else ["whatever its killed keeper left behind"]
        self._over = {"ended": "lost", "status": None, "survivors": survivors, "reusable": False}


def _once_answered(call: Callable[..., None], *arguments: object) -> None:
    """When the event loop turns again: whoever waits for the answer has it by then."""
    try:
        asyncio.get_running_loop().call_soon(call, *arguments)
    except RuntimeError:
        call(*arguments)
