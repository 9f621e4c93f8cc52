"""Changes that wait to be kept or dropped: one open transaction for each workspace, as long as the server lives."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from limpet.errors import InvalidRequestError
from limpet.render.changes import counts, tree

if TYPE_CHECKING:
    from limpet.shell import Shell
    from limpet.transaction import Transaction


class Drafts:
    """Those that are open, by workspace."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[Shell, Transaction]] = {}
        self._turn = asyncio.Lock()

    async def begin(self, shell: Shell) -> Transaction:
        """The draft of this workspace, opened if there is none. Raises TransactionError, SandboxUnavailableError."""
        async with self._turn:
            if shell.workspace not in self._open:
                draft = shell.transaction(label="mcp")
                await draft.__aenter__()
                self._open[shell.workspace] = shell, draft
            there, draft = self._open[shell.workspace]
            if there is not shell:
                raise InvalidRequestError("the settings have changed since the draft was begun: keep or drop it first")
            return draft

    def show(self, shell: Shell) -> str:
        """What keeping it would change."""
        changes = self._find(shell).changes()
        notes = "".join(f"\nNote: {note}" for note in changes.notes)
        return f"Draft: {changes.summary}\n{tree(changes.changes, color=False)}".rstrip("\n") + notes

    async def keep(self, shell: Shell, paths: list[str] | None) -> str:
        """Take it over, all or these paths. Raises ConflictError where somebody else changed the same."""
        draft = self._find(shell)
        committed, notes = await draft.commit(paths)
        if paths is None:
            await self._forget(shell)
        left = "" if paths is None else f"\n{self.show(shell)}"
        undo = f"Kept: {counts(committed.changes)}. To take it back: limpet undo {committed.id}"
        return undo + "".join(f"\nNote: {note}" for note in notes) + left

    async def drop(self, shell: Shell) -> str:
        """It never was."""
        summary = self._find(shell).changes().summary
        await self._forget(shell)
        return f"Dropped: {summary}. The workspace is as it was."

    async def close(self) -> None:
        """Drop all of them."""
        while self._open:
            _, (_, draft) = self._open.popitem()
            await draft.drop()

    async def _forget(self, shell: Shell) -> None:
        await self._open.pop(shell.workspace)[1].drop()

    def _find(self, shell: Shell) -> Transaction:
        if shell.workspace not in self._open:
            raise InvalidRequestError("there is no draft: call bash with draft, and what it changes waits here")
        return self._open[shell.workspace][1]
