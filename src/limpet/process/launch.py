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
    from limpet.process.lookout import Lookout
    from limpet.process.prepared import ReadyKey
    from limpet.process.ready import Promise, ReadyShells
    from limpet.protocols import Sink

SHORT = 0.001
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
            run = None
            while shell is not None and run is None:
                run = self._begun(shell, plan, promise)
                shell = self._ready.take(plan, key) if run is None else shell
            scarce = scarce and run is not None
            run = run or self._new(plan, key, promise)
        except BaseException:
            if promise:
                self._ready.break_promise(promise)
            raise
        if scarce:
            start_another_later(self._ready, self._keepers, plan, key)
        return run

    def _begun(self, shell: Prepared, plan: Plan, promise: Promise | None) -> PipeRun | None:
        """None when the shell was killed while it waited."""
        run = PipeRun(self._keepers, self._ready, shell, plan, promise)
        try:
            run.hand_over()
        except OSError:
            shell.discard()
            return None
        return run

    def _new(self, plan: Plan, key: ReadyKey, promise: Promise | None) -> PipeRun:
        self._ready.missed(plan, key)
        shell = prepare(plan, key, self._keepers)
        run = PipeRun(self._keepers, self._ready, shell, plan, promise)
        try:
            run.hand_over()
        except OSError as error:
            # The keeper answers why, if it is there to answer.
            if error.errno != errno.EPIPE:
                shell.discard()
                raise LaunchError(f"cannot hand over the command: {error.strerror}", errno=error.errno) from error
        return run


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
        self._long = False
        self._lookout: Lookout | None = None
        self._lost = False
        self._closed = False
        self._enforced: tuple[str, ...] = ()
        self._sink: Sink | None = None
        self._waits = False
        self._answers = 0

    def hand_over(self) -> None:
        """Hand the command over, as the last thing before it is waited for: its shell may need this processor.

        Raises OSError when the shell is gone: nothing has run then.
        """
        self._attend(asyncio.get_running_loop())
        promise = self._promise
        try:
            if promise is None:
                self._shell.start(self._plan, again=False, long=SHORT)
            else:
                self._shell.start(self._plan, again=True, linger=promise.linger, rest=promise.rest, long=SHORT)
        except OSError:
            self._leave()
            raise

    async def finish(self, sink: Sink) -> Ended:
        """Pump until the keeper says that nothing is alive. May be called again after a cancellation."""
        confinement = self._plan.confinement
        if confinement is not None and confinement.engine is not None:
            sink = Overheard(sink)
        self._sink = sink
        if self._over is None:
            await self._pump_until_over(sink)
        self._pump.drain(sink)
        over = self._over
        assert over is not None
        if "failed" in over:
            self._raise_if_failed(sink.said if isinstance(sink, Overheard) else "")
        return ended(over, self._plan.limits)

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
        over, promise = self._over, self._promise
        reusable = over is not None and over["reusable"]
        if promise is not None and reusable and over is not None and "failed" not in over:
            if self._ready.keep(self._shell, promise):
                self._once_answered(self._clear_away, promise)
                return
            start_another_later(self._ready, self._keepers, self._plan, self._shell.key)
        else:
            if promise is not None:
                self._ready.break_promise(promise)
            if reusable and not self._plan.once:
                self._keepers.give_back(self._held)
            else:
                self._held.let_go()
        self._once_answered(self._shell.close)

    def _once_answered(self, call: Callable[..., None], *arguments: object) -> None:
        """Whoever waits for the answer comes first."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # nobody does
            self._shell.close()
        else:
            self._keepers.lookouts.of(loop).afterwards(call, *arguments)  # that of another loop may be closed

    def _clear_away(self, promise: Promise) -> None:
        self._shell.close()
        asyncio.get_running_loop().call_later(promise.rest + _BUILDING, self._ready.fetch, promise.key)

    async def _pump_until_over(self, sink: Sink) -> None:
        loop = asyncio.get_running_loop()
        if self._done is None or self._lookout is None:
            self._attend(loop)
        assert self._done is not None
        assert self._lookout is not None
        self._sink = sink
        self._pump.open(loop, self._lookout, sink)
        if self._long:
            self._pump.listen()
        entry = self._shell.entry
        if entry is not None:
            entry.open(loop)
        try:
            await self._done
        finally:
            self._pump.close()
            if entry is not None:
                entry.rest()
            self._leave()
        if self._lost:
            await self._settle()

    def _attend(self, loop: asyncio.AbstractEventLoop) -> None:
        """Be there to hear what comes. What is heard is for who calls `finish`, before the loop turns."""
        self._done = loop.create_future()
        self._lookout = lookout = self._keepers.lookouts.of(loop)
        lookout.hear(self._held.sock.fileno(), self._hear)
        lookout.visit(loop, self._nudge)

    def _leave(self) -> None:
        self._done = None
        if self._lookout is not None:
            self._lookout.ignore(self._held.sock.fileno())
            self._lookout.leave(self._nudge)

    def _nudge(self) -> None:
        """Wake the server now and then: a command may have stopped it, and it wakes a keeper that was stopped."""
        self._keepers.wake()

    def _hear(self) -> None:
        try:
            received = wire.receive(self._held.sock)
        except BlockingIOError:
            return
        sink = self._sink
        if received is not None and "long" in received[0]:
            self._long = True
            if sink is not None:
                self._pump.listen()
            return
        if sink is not None and received is not None and "started" in received[0]:
            self._enforced = tuple(received[0]["enforced"])
            sink.started(received[0]["started"])
            return
        if sink is not None and received is not None and "waiting" in received[0]:
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
