"""Shells that stay, by name, as long as the server lives."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from limpet.errors import InvalidRequestError

if TYPE_CHECKING:
    from limpet.sessions import Session
    from limpet.shell import Shell

_MOST = 16


class Sessions:
    """Those that are open, by workspace and name."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], tuple[Shell, Session]] = {}
        self._turn = asyncio.Lock()

    async def find(self, shell: Shell, name: str) -> Session:
        """The one of this name, opened if there is none. A command that ends it does not: it goes on from there.

        And so it does in a new shell, where other settings and rules count now.
        """
        key = shell.workspace, name
        async with self._turn:
            if key not in self._open and len(self._open) >= _MOST:
                raise InvalidRequestError(f"there are {_MOST} sessions already: close one of them", field="name")
            there, session = self._open.get(key, (None, None))
            if session is None or there is not shell:
                state = await session.snapshot() if session is not None else None
                self._open[key] = shell, shell.session(name=name, restart=True, state=state)
                if session is not None:
                    await session.close()
            return self._open[key][1]

    async def close(self, shell: Shell, name: str) -> str:
        """End one, with everything that it has started."""
        if (shell.workspace, name) not in self._open:
            raise InvalidRequestError(f"there is no session {name!r}", field="name")
        _, session = self._open.pop((shell.workspace, name))
        await session.close()
        return f"Session {name} is closed; the next command in it begins anew."

    async def close_all(self) -> None:
        """End all of them."""
        while self._open:
            _, (_, session) = self._open.popitem()
            await session.close()
