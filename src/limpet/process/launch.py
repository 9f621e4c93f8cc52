"""Plan -> a running command behind two pipes."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.model.ended import Ended, Ending
from limpet.model.limits import Limits, Usage
from limpet.process import wire
from limpet.process.pump import Pipe, Pump

if TYPE_CHECKING:
    from limpet.model.plan import Plan
    from limpet.process.keepers import Held, Keepers
    from limpet.protocols import Sink

_LOST_PATIENCE = 10.0


class PipeLauncher:
    """Starts commands through the keepers of this process."""

    def __init__(self, keepers: Keepers) -> None:
        self._keepers = keepers

    async def launch(self, plan: Plan) -> PipeRun:
        """Hand the plan to a keeper. That it could not be started is told by `finish`."""
        if not self._keepers.started:
            await asyncio.to_thread(self._keepers.start)
        return _hand_over(plan, self._keepers)


class PipeRun:
    """A command in the hands of a keeper."""

    def __init__(self, keepers: Keepers, held: Held, pump: Pump, limits: Limits) -> None:
        self._keepers = keepers
        self._held = held
        self._pump = pump
        self._limits = limits
        self._over: wire.Message | None = None
        self._done: asyncio.Future[None] | None = None
        self._enforced: tuple[str, ...] = ()
        self._closed = False

    async def finish(self, sink: Sink) -> Ended:
        """Pump until the keeper says that nothing is alive. May be called again after a cancellation."""
        if self._over is None:
            await self._pump_until_over(sink)
        self._pump.drain(sink)
        assert self._over is not None
        if "failed" in self._over:
            raise _launch_error(self._over)
        return self._ended(self._over)

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
        self._pump.destroy()
        if self._over is not None and self._over["reusable"]:
            self._keepers.give_back(self._held)
        else:
            self._held.sock.close()

    async def _pump_until_over(self, sink: Sink) -> None:
        loop = asyncio.get_running_loop()
        self._done = loop.create_future()
        control = self._held.sock.fileno()
        loop.add_reader(control, self._hear, sink)
        self._pump.open(loop, sink)
        try:
            await self._done
        finally:
            self._pump.close()
            loop.remove_reader(control)
        if self._over is None:
            await self._settle()

    def _hear(self, sink: Sink) -> None:
        try:
            received = wire.receive(self._held.sock)
        except BlockingIOError:
            return
        if received is not None and "started" in received[0]:
            self._enforced = tuple(received[0]["enforced"])
            sink.started(received[0]["started"])
            return
        if received is not None:
            self._over = {**received[0], "reusable": not received[0].get("survivors")}
        if self._done is not None and not self._done.done():
            self._done.set_result(None)

    async def _settle(self) -> None:
        """The keeper was killed: its parent ends what it left behind."""
        settled = await asyncio.to_thread(self._keepers.settle, self._held.pid)
        survivors = [] if settled else ["whatever its killed keeper left behind"]
        self._over = {"ended": "lost", "status": None, "survivors": survivors, "reusable": False}

    def _ended(self, over: wire.Message) -> Ended:
        status = over["status"]
        code = None if status is None else os.waitstatus_to_exitcode(status)
        usage = _usage(over)
        limit = over.get("limit") or _broken(self._limits, code, usage)
        return Ended(
            ending=Ending(over["ended"]),
            exit_code=code if code is not None and code >= 0 else None,
            signal=-code if code is not None and code < 0 else None,
            usage=usage,
            left_behind=tuple(over.get("left", ())),
            survivors=tuple(over.get("survivors", ())),
            limit=limit,
            enforced=self._enforced,
        )


def _hand_over(plan: Plan, keepers: Keepers) -> PipeRun:
    theirs: list[int] = []
    pipes: list[Pipe] = []
    try:
        fds = _descriptors(plan, pipes, theirs)
        held = keepers.take(_key(plan.limits))
        try:
            wire.send_job(held.sock, _job(plan), fds)
        except OSError:
            held.sock.close()
            raise
    except BaseException as error:
        for pipe in pipes:
            pipe.reader.close()
        if isinstance(error, OSError):
            raise LaunchError(f"cannot prepare the command: {error}", errno=error.errno) from error
        raise
    finally:
        for fd in theirs:
            os.close(fd)
    return PipeRun(keepers, held, Pump(pipes), plan.limits)


def _descriptors(plan: Plan, pipes: list[Pipe], theirs: list[int]) -> tuple[int, ...]:
    """What goes to the keeper: the folder, stdout, stderr, and where there is one stdin and a script.

    What is ours to read is added to `pipes`, what is ours to close once it has been sent to `theirs`.
    """
    fds = [os.open(plan.cwd, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)]
    theirs.append(fds[0])
    for number in (1, 2):
        if plan.inherit_output:
            fds.append(number)
            continue
        reading, writing = os.pipe2(os.O_CLOEXEC)
        theirs.append(writing)
        fds.append(writing)
        pipes.append(Pipe(number, reading))
    if plan.inherit_stdin:
        fds.append(0)
    for name, data in (("limpet-stdin", plan.stdin), ("limpet-script", plan.script)):
        if data is not None:
            theirs.append(wire.anonymous_file(name, data))
            fds.append(theirs[-1])
    return tuple(fds)


def _job(plan: Plan) -> wire.Message:
    return {
        "executable": os.fsencode(plan.executable),
        "argv": [os.fsencode(word) for word in plan.argv],
        "env": {os.fsencode(name): os.fsencode(value) for name, value in plan.env.items()},
        "timeout": plan.timeout,
        "grace": plan.ladder.grace,
        "drain": plan.ladder.drain,
        "kill_wait": plan.ladder.kill_wait,
        "umask": plan.umask,
        "script_fd": plan.script_fd,
        "stdin": plan.inherit_stdin or plan.stdin is not None,
        "limits": dict(_key(plan.limits)),
    }


def _key(limits: Limits) -> tuple[tuple[str, float | None], ...]:
    return (
        ("cpu", limits.cpu),
        ("memory", limits.memory),
        ("processes", limits.processes),
        ("file_size", limits.file_size),
        ("open_files", limits.open_files),
    )


def _usage(over: wire.Message) -> Usage:
    return Usage(
        cpu_user=over.get("user", 0.0),
        cpu_system=over.get("system", 0.0),
        max_rss=over.get("rss", 0),
        wall=over.get("wall", 0.0),
    )


def _broken(limits: Limits, code: int | None, usage: Usage) -> str:
    """The limit whose own signal ended the shell, or the command that the shell reports on."""
    if limits.cpu is not None and usage.cpu_user + usage.cpu_system >= limits.cpu:
        by_kernel = {-signal.SIGXCPU, 128 + signal.SIGXCPU, -signal.SIGKILL, 128 + signal.SIGKILL}
        if code in by_kernel:
            return "cpu"
    if limits.file_size is not None and code in {-signal.SIGXFSZ, 128 + signal.SIGXFSZ}:
        return "file_size"
    return ""


def _launch_error(over: wire.Message) -> LaunchError:
    return LaunchError(f"cannot start the shell: {over['why']}", errno=over["failed"])
