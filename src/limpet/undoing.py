"""What was committed -> taken back; what a crash left half done -> put right."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from limpet.config import state_dir
from limpet.errors import TransactionError
from limpet.kernel.identity import is_alive
from limpet.overlay import copies, kept
from limpet.overlay import place as places
from limpet.overlay import recover as recovering
from limpet.overlay import undo as taking_back
from limpet.overlay.commit import Wish

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from limpet.model.change import Committed, Recovered, Undone
    from limpet.overlay.place import Place


def undo(
    name: str | None = None,
    *,
    workspace: str | PathLike[str] | None = None,
    overwrite: bool = False,
    environ: Mapping[str, str] | None = None,
) -> Undone:
    """Take back what the transaction with this id changed, and nothing else; the workspace's last one unless named.

    Raises ConflictError where the same paths were changed since, unless they may be overwritten.
    """
    state = _state(environ)
    recovering.recover(state)
    return taking_back.undo(state, name or _last(workspace, environ), overwrite=overwrite)


def committed(
    *, workspace: str | PathLike[str] | None = None, environ: Mapping[str, str] | None = None
) -> list[Committed]:
    """What can be undone, oldest first: of one workspace, or of all."""
    folder = None if workspace is None else os.path.realpath(workspace)
    return list(reversed(kept.kept(_state(environ), folder)))


def undoable(names: Iterable[str], *, environ: Mapping[str, str] | None = None) -> frozenset[str]:
    """Those of these commits that can be undone: told by looking at no others."""
    return kept.standing(_state(environ), names)


def recover(
    *, roll_back: Iterable[str] = (), leave: Iterable[str] = (), environ: Mapping[str, str] | None = None
) -> Recovered:
    """Finish or drop what a crash left half done; done by itself whenever a shell is opened.

    What ran on copies has changed the workspace itself: such a one is put back, or left as it is, only by its name.
    """
    state = _state(environ)
    for name in roll_back:
        place = _abandoned(state, name)
        copies.roll_back(state, place, Wish(name=f"{name}-back", at=time.time()))
        place.drop()
    for name in leave:
        _abandoned(state, name).drop()
    return recovering.recover(state)


def _abandoned(state: str, name: str) -> Place:
    place = places.find(state, name)
    if is_alive(place.about.owner):  # one in another pid namespace is believed gone by who names it
        raise TransactionError(f"the transaction {name} is not abandoned: process {place.about.owner.pid} is at it")
    return place


def _state(environ: Mapping[str, str] | None) -> str:
    return state_dir(os.environ if environ is None else environ)


def _last(workspace: str | PathLike[str] | None, environ: Mapping[str, str] | None) -> str:
    folder = os.path.realpath(os.getcwd() if workspace is None else workspace)
    found = committed(workspace=folder, environ=environ)
    if not found:
        raise TransactionError(
            f"nothing of {folder} can be undone: no transaction was committed there, or too long ago"
        )
    return found[-1].id
