"""The steps of a commit, and how each is taken, forward or back, from wherever a crash left it.

Of each path there is what was (`old`) and what is to be (`new`). One is in the workspace, the other in a numbered
slot. Their marks tell which is where: nothing else has to be written down.
"""

from __future__ import annotations

import enum
import os
import stat
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from limpet.kernel import files
from limpet.overlay.marks import Mark, mark_at
from limpet.overlay.meta import Meta, write_meta
from limpet.overlay.tree import chmod

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from limpet.kernel.files import Entry
    from limpet.overlay.tree import Tree

_OWNER_ALL = 0o700
_ASIDE = b".aside"


class Step(msgspec.Struct, frozen=True, array_like=True):
    """One path that gets something else."""

    path: bytes
    slot: int
    old: Mark | None
    new: Mark | None
    old_mode: int
    new_mode: int
    """Of folders: one that is closed has to be opened to be moved."""
    source: bytes | None = None
    """Where in the layer the new one was taken from; None for a copy, or nothing."""
    opaque: bool = False
    """It hid, there, what was below it."""


class Folder(msgspec.Struct, frozen=True, array_like=True):
    """A folder that goes on, and is to look as if the changes in it had been made there."""

    path: bytes
    before: Meta
    after: Meta
    times: bool = True
    """Whether its times are set: not where somebody else has changed it, too."""


class Steps(msgspec.Struct, frozen=True, array_like=True):
    """All of them."""

    steps: tuple[Step, ...]
    folders: tuple[Folder, ...]

    def without(self, paths: Collection[bytes]) -> Steps:
        """Those of other paths."""
        return Steps(tuple(step for step in self.steps if step.path not in paths), self.folders)


class Way(enum.Enum):
    """Where to."""

    FORWARD = enum.auto()
    BACK = enum.auto()


class InTheWayError(Exception):
    """Something is at a path that is neither what was nor what is to be."""

    def __init__(self, path: bytes) -> None:
        super().__init__(os.fsdecode(path))
        self.path = path


def slot_name(slot: int) -> bytes:
    """The name of a slot among the slots."""
    return b"%d" % slot


def take(steps: Steps, way: Way, workspace: Tree, slots: Tree) -> None:
    """All of them, one way. Raises InTheWayError or OSError at the first that cannot be."""
    _open_folders(steps, workspace)
    for step in _ordered(steps, way):
        _move(step, way, workspace, slots)
    _finish_folders(steps, way, workspace)


class Leftover(NamedTuple):
    """Paths that are not as they were, or were to be."""

    theirs: list[bytes]
    """Somebody else has changed what we have not touched, or have put right before: it stays, and is all there is."""
    taken: list[bytes]
    """Somebody else has them in their hands now, and what belongs there is in the slots."""
    failed: list[bytes]
    """The system refused, perhaps not for ever."""


def put_right(steps: Steps, way: Way, workspace: Tree, slots: Tree) -> Leftover:
    """As many as can be, one way, after a crash or a failure."""
    left = Leftover([], [], [])
    _open_folders(steps, workspace, strict=False)
    for step in _ordered(steps, way):
        try:
            _move(step, way, workspace, slots)
        except (InTheWayError, FileNotFoundError, NotADirectoryError):  # also the folder around it may be gone
            ours = step.new if way is Way.BACK else step.old
            (left.theirs if mark_at(slots, slot_name(step.slot)) == ours else left.taken).append(step.path)
        except OSError:
            left.failed.append(step.path)
    _finish_folders(steps, way, workspace, strict=False)
    return left


def _ordered(steps: Steps, way: Way) -> list[Step]:
    """What only goes away goes first: its name may be another's on a filesystem that takes A and a for the same."""
    ordered = sorted(steps.steps, key=lambda step: step.new is not None)
    return ordered if way is Way.FORWARD else ordered[::-1]


def _move(step: Step, way: Way, workspace: Tree, slots: Tree) -> None:
    wanted, other = (step.new, step.old) if way is Way.FORWARD else (step.old, step.new)
    name = slot_name(step.slot)
    slot, here = slots.entry(name), workspace.entry(step.path)
    _finish_exchange(slot, here)
    workspace.close_again(step.path)  # what was opened to be looked into is moved as it was
    slots.close_again(name)
    _close_both(step, here, slot)
    found = mark_at(workspace, step.path)
    if found != wanted:
        if found != other:
            raise InTheWayError(step.path)
        try:
            _trade(step.path, wanted, other, here, slot)
        finally:  # it may have been done even where it was said to have failed
            workspace.forget(step.path)
            slots.forget(name)
        _close_both(step, here, slot)
        if other is not None and mark_at(slots, name) != other:
            # Changed in the moment before it was moved: it goes back, as it is.
            slots.forget(name)
            _exchange(slot, here) if wanted is not None else files.move_to_free(slot, here)
            raise InTheWayError(step.path)


def _trade(path: bytes, wanted: Mark | None, other: Mark | None, here: Entry, slot: Entry) -> None:
    _open(here, other)
    _open(slot, wanted)
    if wanted is None:
        files.move_to_free(here, slot)
    elif other is None:
        try:
            files.move_to_free(slot, here)
        except FileExistsError:
            raise InTheWayError(path) from None
    else:
        _exchange(slot, here)


def _exchange(slot: Entry, here: Entry) -> None:
    try:
        files.exchange(slot, here)
    except OSError as error:
        if not files.is_unknown(error):
            raise
        exchange_in_turn(slot, here)


def exchange_in_turn(slot: Entry, here: Entry) -> None:
    """Where the filesystem knows no exchange. For a moment nothing is there; `_finish_exchange` knows what to do."""
    aside = (slot[0], slot[1] + _ASIDE)
    files.move_to_free(here, aside)
    files.move_to_free(slot, here)
    files.move_to_free(aside, slot)


def _finish_exchange(slot: Entry, here: Entry) -> None:
    aside = (slot[0], slot[1] + _ASIDE)
    if _look(aside) is not None:
        files.move_to_free(aside, slot if _look(slot) is None else here)


def _look(entry: Entry) -> os.stat_result | None:
    try:
        return os.lstat(entry[1], dir_fd=entry[0])
    except FileNotFoundError:
        return None


def _open(entry: Entry, mark: Mark | None) -> None:
    """A folder can only be moved by who may write to it. Root may."""
    if mark is not None and mark.kind == stat.S_IFDIR and os.geteuid() != 0:
        mode = stat.S_IMODE(os.lstat(entry[1], dir_fd=entry[0]).st_mode)
        if mode & _OWNER_ALL != _OWNER_ALL:
            chmod(entry, mode | _OWNER_ALL)


def _close_both(step: Step, *entries: Entry) -> None:
    """What was opened to be moved, wherever it is now."""
    for entry in entries:
        _close(entry, step.old, step.old_mode)
        _close(entry, step.new, step.new_mode)


def _close(entry: Entry, mark: Mark | None, mode: int) -> None:
    if mark is None or mark.kind != stat.S_IFDIR or mode & _OWNER_ALL == _OWNER_ALL:
        return
    status = _look(entry)
    if status is not None and mark.is_at(status) and stat.S_IMODE(status.st_mode) == mode | _OWNER_ALL:
        chmod(entry, mode)


def _open_folders(steps: Steps, workspace: Tree, *, strict: bool = True) -> None:
    """The outermost first."""
    for folder in sorted(steps.folders, key=lambda one: one.path.count(b"/")):
        if folder.before.mode & folder.after.mode & _OWNER_ALL != _OWNER_ALL:
            _perhaps(partial(workspace.loosen, folder.path), strict=strict)


def _finish_folders(steps: Steps, way: Way, workspace: Tree, *, strict: bool = True) -> None:
    """The innermost first: one that is closed again cannot be gone through."""
    for folder in sorted(steps.folders, key=lambda one: one.path.count(b"/"), reverse=True):
        meta = folder.after if way is Way.FORWARD else folder.before
        workspace.settled(folder.path)
        _perhaps(partial(write_meta, workspace, folder.path, meta, times=folder.times), strict=strict)


def _perhaps(action: Callable[[], None], *, strict: bool) -> None:
    try:
        action()
    except OSError:
        if strict:
            raise
