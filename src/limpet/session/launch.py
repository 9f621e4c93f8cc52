"""Commands -> one live bash, started when it is needed and again, from its last state, when it is gone."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import LaunchError
from limpet.session import telling, words
from limpet.session.changes import may_change, says_exit
from limpet.session.hearing import Hearing
from limpet.session.recent import ENOUGH, Recent
from limpet.session.restoring import restoring
from limpet.session.run import SessionRun

if TYPE_CHECKING:
    from limpet.model.plan import Plan
    from limpet.model.session import SessionState, ShellFacts
    from limpet.model.terminal import Terminal
    from limpet.session.seams import LiveShell, LiveStarter

_LEAST_FILES = 64
_X = "x"
_PATIENCE = 10.0
"""Seconds for a shell to tell its state, which takes it a few milliseconds."""


class SessionLauncher:
    """A launcher whose process already runs."""

    def __init__(
        self, starter: LiveStarter, *, folder: str, restart: bool = False, state: SessionState | None = None
    ) -> None:
        """`folder` is where it begins, `state` what it goes on from, `restart` whether that can be an exit."""
        self._restart = restart
        self._starter = starter
        self._folder = folder
        self._live: LiveShell | None = None
        self._settling = asyncio.Lock()
        self._nonce = self._asked = ""
        self._hearing = Hearing("", telling=True)
        self._pending = self._busy = False
        self._flags = ""
        self.status = 0
        """Of the last command, as `$?` will have it."""
        self.state = state
        """The last that is known."""
        self.size: Terminal | None = None
        """Of the terminal, where somebody has changed it."""
        self.recent = Recent()
        """What is on the terminal, where there is one."""
        self.kept: list[tuple[int, bytes]] = []
        """Output that came between two commands."""
        self.ended = ""
        """How the session ended; empty while it lives."""
        self.remark = ""
        """What the next answer has to tell."""

    @property
    def alive(self) -> bool:
        """Whether there is a shell now."""
        return self._live is not None and not self._live.over and not self._live.deaf

    @property
    def pid(self) -> int:
        """Of the shell; 0 where there is none."""
        return self._live.pid if self._live is not None else 0

    @property
    def cwd(self) -> str:
        """Where the next command will run, as the kernel knows it while there is a shell."""
        real = self._live.cwd() if self._live is not None and self.alive else None
        return real or (self.state.cwd if self.state is not None else "") or self._folder

    @property
    def facts(self) -> ShellFacts | None:
        """What the judge has to know of the shell."""
        return telling.facts(self.state) if self.state is not None else None

    async def launch(self, plan: Plan) -> SessionRun:
        """Hand the command to the shell. Raises LaunchError."""
        await self.settle()
        live = self._live if self.alive else None
        token = secrets.token_hex(4)
        try:
            if live is None:
                raise BrokenPipeError
            deadline = self._hand_over(live, plan, token)
        except OSError:  # it is gone, or went just now: nothing of the command has run
            live = await self._begin(plan)
            deadline = self._hand_over(live, plan, token)
        self._busy = True
        return SessionRun(self, live, plan, deadline, (token, self._nonce))

    async def settle(self) -> None:
        """Hear what the shell has to tell of its state since the last command."""
        if self._pending or self._settling.locked():
            async with self._settling:
                await self._settle()

    async def _settle(self) -> None:
        if not self._pending or self._live is None:
            return
        hearing = self._hearing
        with contextlib.suppress(TimeoutError):  # somebody has stopped it, or what it does first takes for ever
            async with asyncio.timeout(_PATIENCE):
                await self._live.listen(_Keeping(self.kept), hearing)
        self._pending = False  # not before: who was called off has heard a part of it, and the next goes on
        told = telling.read(hearing.told, self._asked)
        if told is not None:
            self.state = told
        else:  # what it has become is not known, so it is not gone on with
            self._drop()
            self.remark = "the session's shell was lost after the command before, so what that one changed is lost, too"

    def resize(self, size: Terminal) -> None:
        """The terminal, now and in shells to come."""
        self.size = size
        if self._live is not None:
            self._live.resize(size.rows, size.columns)

    def drawn(self) -> bytes:
        """The last that was drawn on the terminal, by whoever runs in the background, too."""
        waiting = sum(len(data) for _, data in self.kept)
        # While a command runs, what is in the terminal is of its output, and comes by that way.
        if self._live is not None and self.alive and waiting < ENOUGH and not self._busy:
            self._live.drain(_Keeping(self.kept))
        return self.recent.data + b"".join(data for _, data in self.kept)

    def may_exit(self, plan: Plan) -> bool:
        """Whether the command says to exit, and that is the end; else it was an error that ended the shell."""
        if self._restart:
            return False
        functions = self.state.functions if self.state is not None else ""
        return says_exit(_text(plan), functions, self._names())

    def over(self, plan: Plan, status: int, flags: str) -> None:
        """A command has ended and left the shell alive: what it has changed is asked for while nobody waits."""
        self.status, self._flags, self._busy = status, flags, False
        if self._live is not None and may_change(_text(plan), self._names()):
            self._ask(self._live)

    def gone(self, state: SessionState | None, *, ended: str) -> None:
        """The shell has ended; `state` is what it told of itself then."""
        self.state = state or self.state
        self.ended = ended
        self._pending = self._busy = False
        self._drop()

    async def rest(self) -> tuple[str, ...]:
        """End the shell for a while: the next command goes on in a new one. What runs in its background prevents it."""
        await self.settle()
        others = self._live.background() if self._live is not None and self.alive else []
        if not others:
            self._drop()
        return tuple(others)

    async def leave(self, patience: float) -> None:
        """Let the shell end by itself, for that long, and then end it, with all that it has started."""
        live = self._live
        if live is not None and self.alive:
            live.hang_up()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(live.listen(_Keeping([]), Hearing("")), patience)
        self._drop()

    def _drop(self) -> None:
        live, self._live = self._live, None
        if live is not None:
            live.close()

    @property
    def state_options(self) -> tuple[str, ...]:
        """What is switched on in it, as far as that is known."""
        return self.state.options if self.state is not None else ()

    def _names(self) -> frozenset[str]:
        return telling.names(self.state) if self.state is not None else frozenset()

    def _ask(self, live: LiveShell) -> None:
        try:
            self._asked = secrets.token_hex(8)
            self._hearing = Hearing(self._asked, telling=True)
            live.say(telling.request(self._asked))
            self._pending = True
        except OSError:
            self._pending = False

    def _hand_over(self, live: LiveShell, plan: Plan, token: str) -> float | None:
        """When its time will be up."""
        deadline = None if plan.timeout is None else time.monotonic() + plan.timeout
        live.expect(deadline)
        if plan.terminal is not None and plan.stdin is not None:  # typed ahead, and that is all there is
            live.send(plan.stdin)
            live.close_input()
        status = 0 if "e" in self._flags or words.is_comment(plan.script) else self.status
        typed = plan.terminal is not None
        source = words.source(terminal=typed, stdin=plan.stdin is not None)
        apart = self._apart()
        if len(plan.script) > words.LONGEST and (typed or plan.stdin is None):
            live.say(words.asking_for_long(token, source=source, status=status, apart=apart), file=plan.script)
            return deadline
        text = words.asking(plan.script, token, source=source, status=status, apart=apart)
        live.say(text, file=None if typed else plan.stdin)
        return deadline

    def _apart(self) -> words.Apart:
        """Where a function is called `trap`, a DEBUG trap cannot be taken away: it sees what is not the command's."""
        return words.Apart(
            shadowed="eval" in self._names() and "posix" not in self.state_options,
            traced=_X in self._flags,
            debug=telling.debug_trap(self.state) if self.state is not None and "trap" not in self._names() else None,
        )

    async def _begin(self, plan: Plan) -> LiveShell:
        """Start a shell, and have it go on where the last one was."""
        self._drop()
        if plan.limits.open_files is not None and plan.limits.open_files < _LEAST_FILES:
            raise LaunchError(f"a session needs {_LEAST_FILES} descriptors (the limit open_files)")
        try:
            return await self._started(plan)
        except _NotRestoredError:
            self.state, self.remark = None, "the state of the session could not be brought back: it begins anew"
            return await self._started(plan)

    async def _started(self, plan: Plan) -> LiveShell:
        self._nonce = secrets.token_hex(8)
        size = plan.terminal and (self.size or plan.terminal)
        live = self._live = await self._starter.start(msgspec.structs.replace(plan, cwd=self._folder, terminal=size))
        try:
            await self._open(live, plan)
        except BaseException:
            self._drop()
            raise
        return live

    async def _open(self, live: LiveShell, plan: Plan) -> None:
        trap = words.quoted(telling.last_words(self._nonce).encode())
        text = words.opening(terminal=plan.terminal is not None) + b"trap -- %s EXIT\n" % trap
        state = self.state
        self._flags = ""
        script = b"" if state is None else restoring(state, plan.env).encode("utf-8", "surrogateescape")
        again = b'eval -- "$(</dev/fd/%d)" </dev/null >/dev/null 2>&1\n' % words.INPUT if script else b""
        live.say(text + again + words.report(self._nonce), file=script)
        hearing = Hearing(self._nonce)
        await live.listen(_Keeping([]), hearing)
        if hearing.answer is None:
            raise _NotRestoredError("the session's shell ended while it was set up")
        live.find()
        self._flags = hearing.answer.flags + (_X if state is not None and "xtrace" in state.options else "")
        if state is None or not state.whole:
            self._ask(live)
            await self.settle()


def _text(plan: Plan) -> str:
    return plan.script.decode("utf-8", "replace")


class _NotRestoredError(LaunchError):
    """The shell has not survived the state that it was to have."""


class _Keeping:
    """Keeps what is printed while no command runs."""

    def __init__(self, kept: list[tuple[int, bytes]]) -> None:
        self._kept = kept

    def started(self, pid: int) -> None:
        """Known already."""

    def write(self, stream: int, data: bytes) -> None:
        self._kept.append((stream, data))

    def waiting(self, waiting: bool, *, for_ever: bool) -> None:  # noqa: FBT001 - a fact, not an option
        """Nothing runs that could wait."""

    def busy(self) -> bool:
        return False
