"""Transactions, as the road uses them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from limpet.overlay import place as places
from limpet.overlay.changes import changes
from limpet.overlay.commit import Wish, commit
from limpet.overlay.mount import layers
from limpet.overlay.recover import recover

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable

    from limpet.model.change import Changes, Committed
    from limpet.model.request import Request
    from limpet.model.transaction import Layers
    from limpet.overlay.place import Place

    Guard = Callable[[Request], Callable[[], tuple[str, ...]]]


class OverlayTransactions:
    """In the state directory."""

    def __init__(self, state: str, guard: Guard) -> None:
        """`guard`: called before something comes into the workspace; what it returns, after that."""
        self._state = state
        self._guard = guard

    def begin(self, request: Request) -> OverlayTransaction:
        """The one that the request names, or a new one. Raises TransactionError."""
        name = request.transaction.name if request.transaction is not None else ""
        if name:
            return OverlayTransaction(self._state, places.find(self._state, name), self._guard, request, own=False)
        return self._new(request, own=True)

    def open(self, request: Request) -> OverlayTransaction:
        """One that is settled by the caller. Raises TransactionError."""
        return self._new(request, own=False)

    def _new(self, request: Request, *, own: bool) -> OverlayTransaction:
        recover(self._state)
        place = places.create(self._state, request.id, request.workspace, label=request.command)
        return OverlayTransaction(self._state, place, self._guard, request, own=own)


class OverlayTransaction:
    """One that is open."""

    def __init__(self, state: str, place: Place, guard: Guard, request: Request, *, own: bool) -> None:
        self._state = state
        self._place = place
        self._guard = guard
        self._request = request
        self._own = own

    @property
    def name(self) -> str:
        """What it is found by."""
        return self._place.about.name

    @property
    def layers(self) -> Layers:
        """What stands in a command's view in place of the workspace."""
        return layers(self._place)

    @property
    def is_its_own(self) -> bool:
        """Whether it is settled when the command has run."""
        return self._own

    def running(self) -> contextlib.AbstractContextManager[None]:
        """While a command runs in it."""
        return self._place.in_use()

    def changes(self) -> Changes:
        """What it has changed."""
        return changes(self._place)

    def commit(
        self, paths: tuple[str, ...] | None = None, *, overwrite: tuple[str, ...] | bool = False, name: str = ""
    ) -> tuple[Committed, tuple[str, ...]]:
        """Take it over, or only some paths; and what a person should know. Raises ConflictError, TransactionError."""
        wish = Wish(name=name or self._request.id, at=time.time(), paths=paths, overwrite=overwrite)
        settle = self._guard(self._request)
        done = commit(self._state, self._place, wish)
        return done, settle()

    def drop(self) -> None:
        """The workspace is as it was."""
        self._place.drop()
