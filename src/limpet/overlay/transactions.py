"""Transactions, as the road uses them."""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, NamedTuple

from limpet.overlay import copies
from limpet.overlay import place as places
from limpet.overlay.changes import changes
from limpet.overlay.commit import Wish, commit
from limpet.overlay.diff import diff
from limpet.overlay.mount import layer
from limpet.overlay.recover import recover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.model.change import Changes, Committed
    from limpet.model.confinement import Steps
    from limpet.model.request import Request
    from limpet.overlay.copies import Scope
    from limpet.overlay.place import Place

    Guard = Callable[[Request], Callable[[], tuple[str, ...]]]


class Means(NamedTuple):
    """What transactions are made with."""

    state: str
    """The state directory."""
    guard: Guard
    """Called before something comes into the workspace; what it returns, after that."""
    can_layer: Callable[[Request], bool]
    """Whether the command can be shown a layer above the workspace; else copies are taken of it."""
    scope: Scope
    """What is copied."""


class Transactions:
    """Those of one state directory."""

    def __init__(self, means: Means) -> None:
        self._means = means

    def begin(self, request: Request) -> OpenTransaction:
        """The one that the request names, or one of its own. Raises TransactionError."""
        name = request.transaction.name if request.transaction is not None else ""
        if not name:
            return self._new(request, own=True)
        return _opened(self._means, places.find(self._means.state, name), request, own=False)

    def can_layer(self, request: Request) -> bool:
        """Whether it would run apart from the workspace."""
        return self._means.can_layer(request)

    def open(self, request: Request) -> OpenTransaction:
        """One that is settled by the caller. Raises TransactionError."""
        return self._new(request, own=False)

    def _new(self, request: Request, *, own: bool) -> OpenTransaction:
        state, copied = self._means.state, not self._means.can_layer(request)
        recover(state)
        place = places.create(state, request.id, request.workspace, label=request.command, copies=copied)
        try:
            if copied:
                copies.snapshot(place, self._means.scope)
        except BaseException:
            place.drop()
            raise
        return _opened(self._means, place, request, own=own)


def _opened(means: Means, place: Place, request: Request, *, own: bool) -> OpenTransaction:
    kind = CopiedTransaction if place.about.copies else OpenTransaction
    return kind(means, place, request, own=own)


class OpenTransaction:
    """One that is open, as a layer above the workspace."""

    def __init__(self, means: Means, place: Place, request: Request, *, own: bool) -> None:
        self._means = means
        self._place = place
        self._request = request
        self._own = own

    @property
    def name(self) -> str:
        """What it is found by."""
        return self._place.about.name

    @property
    def layer(self) -> Steps | None:
        """What stands in a command's view in place of the workspace."""
        return layer(self._place)

    @property
    def is_its_own(self) -> bool:
        """Whether it is settled when the command has run."""
        return self._own

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """While a command runs in it."""
        asked = self._request.transaction
        if not self._own and not (asked is not None and asked.goes_on):  # one of its own was opened just now
            self._place.begin()
        with self._place.in_use():
            yield

    def changes(self) -> Changes:
        """What it has changed."""
        return changes(self._place)

    def diff(self) -> str:
        """The same, line by line, as git shows it."""
        return diff(self._place, self.changes())

    def commit(
        self, paths: tuple[str, ...] | None = None, *, overwrite: tuple[str, ...] | bool = False, name: str = ""
    ) -> tuple[Committed, tuple[str, ...]]:
        """Take it over, or only some paths; and what a person should know. Raises ConflictError, TransactionError."""
        if not self._own:  # a command that ran in it has noted when that began
            self._place = places.find(self._means.state, self.name)
        settle = self._means.guard(self._request)
        wish = Wish(name=name or self._request.id, at=time.time(), paths=paths, overwrite=overwrite)
        done = commit(self._means.state, self._place, wish)
        return done, settle()

    def drop(self) -> None:
        """The workspace is as it was."""
        self._place.drop()


class CopiedTransaction(OpenTransaction):
    """One where the workspace itself is changed, and copies of what it was are kept."""

    def __init__(self, means: Means, place: Place, request: Request, *, own: bool) -> None:
        super().__init__(means, place, request, own=own)
        self._settled = False

    @property
    def layer(self) -> Steps | None:
        """None: a command sees the workspace."""
        return None

    def changes(self) -> Changes:
        """What is different from the copies."""
        return copies.changes(self._place)

    def commit(
        self, paths: tuple[str, ...] | None = None, *, overwrite: tuple[str, ...] | bool = False, name: str = ""
    ) -> tuple[Committed, tuple[str, ...]]:
        """The changes stay. What runs later was taken out when each command ended."""
        chosen = None if paths in ((".",), None) else paths
        done = copies.keep(
            self._means.state,
            self._place,
            Wish(name=name or self._request.id, at=time.time(), paths=chosen, overwrite=overwrite),
        )
        self._settled = True
        return done, ()

    def drop(self) -> None:
        """What was copied is put back, unless it was settled before."""
        if not self._settled:
            self._settled = True
            copies.roll_back(self._means.state, self._place, Wish(name=f"{self._request.id}-back", at=time.time()))
        self._place.drop()
