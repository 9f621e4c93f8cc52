"""What a shell can do with sessions, and with what an interactive shell sets up."""

from __future__ import annotations

import asyncio
import weakref
from typing import TYPE_CHECKING

import msgspec

from limpet import setups
from limpet.sessions import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Unpack

    from limpet.config import Settings
    from limpet.engine.cancel import CancelToken
    from limpet.engine.feed import Feed
    from limpet.engine.handle import Handle
    from limpet.model.options import RunOptions
    from limpet.model.request import Request
    from limpet.model.result import Result
    from limpet.model.session import SessionState, SetUp
    from limpet.protocols import Approver, Launcher
    from limpet.sessions import Execute


class SessionVerbs:
    """Part of `Shell`."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self._sessions: weakref.WeakSet[Session] = weakref.WeakSet()

    def session(
        self,
        *,
        name: str | None = None,
        restart: bool = False,
        state: SessionState | None = None,
        **options: Unpack[RunOptions],
    ) -> Session:
        """A bash that stays: folder, variables, functions and options of one command are there for the next.

        A command that exits ends the session; with `restart` the next one goes on from there in a new shell. `state`
        is a snapshot to begin from. Leaving the block ends it, with what runs in its background.
        """
        return self._opened(self._admit, self._execute, options, name=name, restart=restart, state=state)

    def _opened(
        self,
        admit: Callable[[str, RunOptions], Request],
        execute: Execute,
        options: RunOptions,
        *,
        name: str | None,
        restart: bool,
        state: SessionState | None,
    ) -> Session:
        state = state or setups.stored(self.settings, self._environ)
        opened = Session(admit, execute, admit("true", options), options, name=name, restart=restart, state=state)
        self._sessions.add(opened)
        return opened

    async def capture(self) -> SetUp:
        """Run your interactive bash once and store what it sets up, for when the setting `run.setup` is on.

        For a person to ask for: the start-up files run with all the rights of the user, and are not judged.
        """
        return await asyncio.to_thread(setups.capture, self.settings, self._environ)

    async def close_sessions(self) -> None:
        """End all sessions of this shell, with everything that they have started."""
        for session in list(self._sessions):
            await session.close()

    async def _set_up(
        self,
        request: Request,
        approver: str | Approver | None,
        cancel: CancelToken | None,
        feed: Feed | None,
    ) -> Result:
        """In a session of one command, which begins with the set-up."""
        setups.refuse_what_cannot(request)
        state = setups.stored(self.settings, self._environ)
        from limpet.wiring import road  # noqa: PLC0415 - the shell is loaded without what runs it

        launcher = road.session(request.cwd, restart=False, state=state)
        request = msgspec.structs.replace(request, live=True, facts=launcher.facts)
        try:
            return await self._execute(request, approver, cancel, feed, None, launcher)
        finally:
            await launcher.leave(self.settings.run.drain)

    if TYPE_CHECKING:  # the shell's own

        @property
        def settings(self) -> Settings:
            """The settings in force."""
            ...

        def _admit(self, command: str, options: RunOptions, settings: Settings | None = None) -> Request: ...

        async def _execute(
            self,
            request: Request,
            approver: str | Approver | None,
            cancel: CancelToken | None,
            feed: Feed | None,
            handle: Handle | None = None,
            launcher: Launcher | None = None,
        ) -> Result: ...
