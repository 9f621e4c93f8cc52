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
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        try:
            pipes = [] if plan.inherit_output else _pipes(theirs, ours)
            fds = _descriptors(plan, pipes, theirs)
        except OSError as error:
            raise LaunchError(f"cannot prepare the command: {error.strerror}", errno=error.errno) from error
        held = keepers.take(_key(plan.limits))
        try:
            wire.send(held.sock, {"job": 1}, tuple(fds))
        except OSError as error:
            held.sock.close()
            raise LaunchError(f"the keeper is gone: {error.strerror}", errno=error.errno) from error
        ours.pop_all()
        return PipeRun(keepers, held, Pump([pipe for pipe, _ in pipes]), plan.limits)


def _pipes(theirs: contextlib.ExitStack, ours: contextlib.ExitStack) -> list[tuple[Pipe, int]]:
    """For stdout and stderr: the end we read, and the end the command writes to."""
    pipes = []
    for number in (1, 2):
        reading, writing = os.pipe2(os.O_CLOEXEC)
        theirs.callback(os.close, writing)
        pipe = Pipe(number, reading)
        ours.callback(pipe.reader.close)
        pipes.append((pipe, writing))
    return pipes


def _descriptors(plan: Plan, pipes: list[tuple[Pipe, int]], theirs: contextlib.ExitStack) -> list[int]:
    """What goes to the keeper: the job, and for the command stdin, stdout, stderr, its folder and its script."""

    def opened(fd: int) -> int:
        theirs.callback(os.close, fd)
        return fd

    outputs = [writing for _, writing in pipes] or [1, 2]
    job = opened(wire.pack(_job(plan)))
    stdin = 0 if plan.inherit_stdin else opened(_stdin(plan))
    cwd = opened(os.open(plan.cwd, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC))
    script = [] if plan.script is None else [opened(wire.anonymous_file("limpet-script", plan.script))]
    return [job, stdin, *outputs, cwd, *script]


def _stdin(plan: Plan) -> int:
    if plan.stdin is None:
        return os.open("/dev/null", os.O_RDONLY | os.O_CLOEXEC)
    return wire.anonymous_file("limpet-stdin", plan.stdin)


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
