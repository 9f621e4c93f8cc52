"""Shells that stay, by name, as long as the server lives."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from limpet.errors import InvalidRequestError

if TYPE_CHECKING:
    from limpet.sessions import Session
    from limpet.shell import Shell

_MOST = 16


class Kept(NamedTuple):
    """A session that is open."""

    shell: Shell
    session: Session
    terminal: bool
    """Whether it has one."""


class Sessions:
    """Those that are open, by workspace and name."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Kept] = {}
        self._turn = asyncio.Lock()

    def known(self, shell: Shell, name: str) -> Session | None:
        """The one of this name, if there is one."""
        kept = self._open.get((shell.workspace, name))
        return None if kept is None else kept.session

    async def find(self, shell: Shell, name: str, *, terminal: bool) -> Kept:
        """The one of this name, opened if there is none. A command that ends it does not: it goes on from there.

        And so it does in a new shell, where other settings and rules count now. One that is open keeps its terminal.
        """
        key = shell.workspace, name
        async with self._turn:
            if key not in self._open and len(self._open) >= _MOST:
                raise InvalidRequestError(f"there are {_MOST} sessions already: close one of them", field="name")
            kept = self._open.get(key)
            if kept is not None and terminal and not kept.terminal:
                raise InvalidRequestError(
                    f"session {name} has no terminal: close it first, or take another name", field="terminal"
                )
            if kept is None or kept.shell is not shell:
                self._open[key] = await _opened(shell, name, kept, terminal=terminal)
            return self._open[key]

    async def close(self, shell: Shell, name: str) -> str:
        """End one, with everything that it has started."""
        if (shell.workspace, name) not in self._open:
            raise InvalidRequestError(f"there is no session {name!r}", field="name")
        await self._open.pop((shell.workspace, name)).session.close()
        return f"Session {name} is closed; the next command in it begins anew."

    async def close_all(self) -> None:
        """End all of them."""
        while self._open:
            await self._open.popitem()[1].session.close()


async def _opened(shell: Shell, name: str, before: Kept | None, *, terminal: bool) -> Kept:
    """A new one, which goes on from the one before."""
    state = None if before is None else await before.session.snapshot()
    has = terminal or (before is not None and before.terminal)
    kept = Kept(shell, shell.session(name=name, restart=True, state=state, terminal=has), has)
    if before is not None:
        await before.session.close()
    return kept
