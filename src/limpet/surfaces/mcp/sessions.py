"""Shells that stay, by name, as long as the server lives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.errors import InvalidRequestError

if TYPE_CHECKING:
    from limpet.sessions import Session
    from limpet.shell import Shell

_MOST = 16


class Sessions:
    """Those that are open, by workspace and name."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, str], Session] = {}

    def find(self, shell: Shell, name: str) -> Session:
        """The one of this name, opened if there is none. A command that ends it does not: it goes on from there."""
        key = shell.workspace, name
        if key not in self._open:
            if len(self._open) >= _MOST:
                raise InvalidRequestError(f"there are {_MOST} sessions already: close one of them", field="name")
            self._open[key] = shell.session(name=name, restart=True)
        return self._open[key]

    async def close(self, shell: Shell, name: str) -> str:
        """End one, with everything that it has started."""
        session = self._open.pop((shell.workspace, name), None)
        if session is None:
            raise InvalidRequestError(f"there is no session {name!r}", field="name")
        await session.close()
        return f"Session {name} is closed; the next command in it begins anew."

    async def close_all(self) -> None:
        """End all of them."""
        while self._open:
            _, session = self._open.popitem()
            await session.close()
