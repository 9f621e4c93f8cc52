"""A plan -> a shell that has been started and waits for its command."""

from __future__ import annotations

import functools
import os
import socket
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import LaunchError
from limpet.model.confinement import Confinement
from limpet.process import wire
from limpet.process.entry import Entry, set_up
from limpet.process.pump import Pipe, Pump

if TYPE_CHECKING:
    from limpet.model.limits import Limits
    from limpet.model.plan import Plan
    from limpet.model.terminal import Terminal
    from limpet.process.keepers import Held, Keepers

Folder = tuple[int, int]
"""Device and inode."""
LimitsKey = tuple[tuple[str, float | None], ...]


class ReadyKey(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """What a shell is started with."""

    executable: str
    argv: tuple[str, ...]
    script_fd: int
    cwd: str
    umask: int
    limits: LimitsKey
    env: tuple[tuple[str, str], ...]
    confinement: Confinement | None
    terminal: bool


class Prepared:
    """A shell in the hands of a keeper, with its folder, environment, limits and pipes: only the command is missing."""

    def __init__(
        self, held: Held, key: ReadyKey, pipes: list[Pipe], script: socket.socket | None, folder: Folder
    ) -> None:
        self.held = held
        self.entry: Entry | None = None
        """Where it reads what is sent to it."""
        self.pump = Pump(pipes)
        self.key = key
        self.folder = folder
        self._script = script

    def start(
        self, plan: Plan, *, again: bool, linger: float | None = None, rest: float = 0.0, long: float | None = None
    ) -> None:
        """Hand it the command; with `again`, the keeper starts another shell like this one when it is over.

        That shell is started after `rest` seconds, or when somebody waits for it, and waits for `linger` seconds, or
        as long as there is somebody to wait for. When the command has run for `long` seconds, the keeper says so.

        Raises OSError when the shell is gone: nothing has run then. A keeper that is gone is noticed by who listens to
        it: the shell has the command by then, and must not be thought to have run nothing.
        """
        ladder = plan.ladder
        go = wire.Go(
            began=time.monotonic(),
            timeout=plan.timeout,
            grace=ladder.grace,
            drain=ladder.drain,
            kill_wait=ladder.kill_wait,
            announce=plan.announce,
            long=long,
            watch=self.entry is not None,
            again=again,
            linger=linger,
            rest=rest,
        )
        try:
            self._deliver(plan.script)
        finally:  # also to a keeper whose shell is gone: it has that to report
            self._tell({"go": tuple(go)})

    def _tell(self, message: wire.Message) -> None:
        try:
            wire.send(self.held.sock, message)
        except ConnectionError:
            return

    def _deliver(self, command: bytes) -> None:
        if self._script is not None:
            self._script.sendall(command)
            # Closing would not do: a forked child of this process may hold a copy.
            self._script.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Let go of its ends."""
        if self._script is not None:
            self._script.close()
            self._script = None
        self.pump.destroy()
        if self.entry is not None:
            self.entry.close()

    def discard(self) -> None:
        """It is not needed: its keeper ends it."""
        self.close()
        self.held.let_go()


def prepare(plan: Plan, key: ReadyKey, keepers: Keepers) -> Prepared:
    """Have a keeper start the plan's shell. That it could not is told by the keeper's first message."""
    theirs: list[int] = []
    pipes: list[Pipe] = []
    script: socket.socket | None = None
    held: Held | None = None
    entries: list[Entry] = []
    try:
        cwd, folder = open_folder(plan.cwd)
        theirs.append(cwd)
        reading, script = _script(plan)
        theirs.append(reading)
        fds = (cwd, reading, *_streams(plan, pipes, entries, theirs))
        held = keepers.take((limits_key(plan.limits), plan.confinement))
        wire.send_job(held.sock, _job(key), fds)
        shell = Prepared(held, key, pipes, script, folder)
        shell.entry = entries[0] if entries else None
        return shell
    except BaseException as error:
        for pipe in pipes:
            pipe.close()
        for entry in entries:
            entry.close()
        if script is not None:
            script.close()
        if held is not None:
            held.let_go()
        if isinstance(error, OSError):
            raise LaunchError(f"cannot prepare the command: {error}", errno=error.errno) from error
        raise
    finally:
        for fd in theirs:
            os.close(fd)


def ready_key(plan: Plan) -> ReadyKey:
    """Plans with the same key can use each other's shells."""
    found = _keys.get(id(plan.env))
    if found is not None and found[0] is plan.env and found[1] is plan.limits and _is_of(found[2], plan):
        return found[2]
    key = ReadyKey(
        executable=plan.executable,
        argv=plan.argv,
        script_fd=plan.script_fd,
        cwd=plan.cwd,
        umask=plan.umask,
        limits=limits_key(plan.limits),
        env=tuple(plan.env.items()),
        confinement=plan.confinement,
        terminal=plan.terminal is not None,
    )
    if len(_keys) >= _MOST_KEYS:
        _keys.clear()
    _keys[id(plan.env)] = plan.env, plan.limits, key
    return key


_MOST_KEYS = 16
_keys: dict[int, tuple[dict[str, str], Limits, ReadyKey]] = {}
"""By the environment of the plan they are of: that of the next command is usually the very same."""


def _is_of(key: ReadyKey, plan: Plan) -> bool:
    """Whether a key is that of a plan with the same environment and limits."""
    return (
        key.confinement is plan.confinement
        and key.argv is plan.argv
        and key.cwd == plan.cwd
        and key.umask == plan.umask
        and key.terminal is (plan.terminal is not None)
        and key.executable == plan.executable
    )


def packed(plan: Plan) -> bytes:
    """The job as it is sent."""
    return _job(ready_key(plan))


def limits_key(limits: Limits) -> LimitsKey:
    """The limits a keeper takes on for good."""
    return (
        ("cpu", limits.cpu),
        ("memory", limits.memory),
        ("processes", limits.processes),
        ("file_size", limits.file_size),
        ("open_files", limits.open_files),
    )


def can_wait(plan: Plan) -> bool:
    """Whether a shell for this plan may be started before its command is known."""
    usual = plan.stdin is None and plan.terminal is None
    return (
        plan.ready > 0 and plan.short and usual and not (plan.inherit_stdin or plan.inherit_output or plan.open_stdin)
    )


def open_folder(path: str) -> tuple[int, Folder]:
    """A descriptor of the folder, and which one it is."""
    fd = os.open(path, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    status = os.fstat(fd)
    return fd, (status.st_dev, status.st_ino)


def _script(plan: Plan) -> tuple[int, socket.socket | None]:
    """The end the shell reads its command from, and the end it is written to."""
    if plan.short:
        ours, theirs = socket.socketpair()
        return theirs.detach(), ours
    return wire.anonymous_file("limpet-script", plan.script), None


def _streams(plan: Plan, pipes: list[Pipe], entries: list[Entry], theirs: list[int]) -> list[int]:
    """Its ends of stdout and stderr, and of stdin where there is something to read."""
    if plan.terminal is None:
        return [*open_outputs(plan, pipes, theirs), *_stdin(plan, entries, theirs)]
    passed_on = plan.confinement is not None and plan.confinement.engine is not None
    end = open_terminal(plan.terminal, pipes, entries, raw=passed_on)
    if plan.stdin is not None:  # typed ahead, and that is all there is
        entries[0].send(plan.stdin)
        entries[0].finish()
    return [end, end, end]


def open_terminal(size: Terminal, pipes: list[Pipe], entries: list[Entry], *, raw: bool = False) -> int:
    """A terminal: the command's end of it, which our end holds open; ours are added to both lists."""
    ours, end = os.openpty()
    os.set_blocking(ours, False)
    pipes.append(Pipe(1, ours, terminal=end))
    entries.append(Entry(os.dup(ours), terminal=True))
    set_up(ours, size.rows, size.columns, raw=raw)
    return end


def open_outputs(plan: Plan, pipes: list[Pipe], theirs: list[int]) -> list[int]:
    """Where stdout and stderr are written to; our ends are added to `pipes`, what is to be closed to `theirs`."""
    if plan.inherit_output:
        return [1, 2]
    writing = []
    for number in (1, 2):
        reading, end = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(reading, False)
        pipes.append(Pipe(number, reading))
        writing.append(end)
        theirs.append(end)
    return writing


def _stdin(plan: Plan, entries: list[Entry], theirs: list[int]) -> list[int]:
    if plan.open_stdin:
        reading, end = os.pipe2(os.O_CLOEXEC)
        theirs.append(reading)
        entries.append(Entry(end, terminal=False))
        return [reading]
    if plan.inherit_stdin:
        theirs.append(_readable_stdin())
        return [theirs[-1]]
    if plan.stdin is None:
        return []
    theirs.append(wire.anonymous_file("limpet-stdin", plan.stdin))
    return [theirs[-1]]


def _readable_stdin() -> int:
    """Our standard input, for reading alone: a terminal is open both ways, and nobody looks at what is written."""
    try:
        return os.open("/proc/self/fd/0", os.O_RDONLY | os.O_NOCTTY | os.O_CLOEXEC) if os.isatty(0) else os.dup(0)
    except OSError:
        return os.dup(0)


@functools.lru_cache(maxsize=16)
def _job(key: ReadyKey) -> bytes:
    """What a keeper needs to start the shell; one command's is usually that of the next."""
    return wire.packed_job(
        {
            "executable": os.fsencode(key.executable),
            "argv": [os.fsencode(word) for word in key.argv],
            "env": {os.fsencode(name): os.fsencode(value) for name, value in key.env},
            "umask": key.umask,
            "script_fd": key.script_fd,
            "limits": dict(key.limits),
            "cwd": os.fsencode(key.cwd),
            "terminal": key.terminal,
            "confinement": None if key.confinement is None else key.confinement.plain(),
        }
    )
