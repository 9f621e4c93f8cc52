"""Pieces that were picked -> steps, and in the slots what each step is to put in place.

A piece that the layer can do without is moved there once the journal has the steps; all others are copied before, as
their copies have to be known by then.
"""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from limpet.kernel.files import move_to_free
from limpet.overlay.clone import Cloner
from limpet.overlay.layer import is_folder, is_whiteout
from limpet.overlay.marks import mark_at
from limpet.overlay.meta import clean, mark
from limpet.overlay.steps import Step, slot_name
from limpet.overlay.tree import chmod

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.overlay.choose import Piece
    from limpet.overlay.steps import Folder, Steps
    from limpet.overlay.tree import Tree

_ALL = 0o700


class Yard(NamedTuple):
    """Where things come from and go to."""

    workspace: Tree
    upper: Tree
    slots: Tree
    """On the filesystem of the workspace."""
    keep: Tree | None
    """Beside the journal, where that is another filesystem: gets copies of what was."""


def prepare(yard: Yard, pieces: Iterable[Piece]) -> tuple[Step, ...]:
    """Copy what has to be copied, and say what is to be done. The workspace is as it was. Raises OSError."""
    new, old = Cloner(yard.upper, yard.slots), _keeper(yard)
    steps = []
    for slot, piece in enumerate(pieces):
        step = _step(yard, piece, slot, moved=piece.movable and yard.keep is None)
        if piece.pair.after is not None and step.source is None:
            wanted = None if piece.parts is None else piece.parts.__contains__
            new.clone(piece.pair.path, slot_name(slot), wanted)
            made = mark_at(yard.slots, slot_name(slot))
            step = Step(step.path, slot, step.old, made, step.old_mode, _mode(piece.pair.after))
        if old is not None and piece.pair.before is not None:
            old.clone(piece.pair.path, slot_name(slot))
        steps.append(step)
    return tuple(steps)


def move_in(yard: Yard, steps: Iterable[Step]) -> None:
    """From the layer into the slots, without the marks of the overlay. Raises OSError."""
    for step in steps:
        if step.source is not None:
            _clean(yard.upper, step.source)
            yard.upper.close_again(step.source)
            _move((yard.upper, step.source), (yard.slots, slot_name(step.slot)), step.new_mode)


def move_back(yard: Yard, steps: Steps) -> None:
    """As far as it was moved. The layer is then what it was."""
    for step in steps.steps:
        if step.source is None:
            continue
        if yard.upper.status(step.source) is None and yard.slots.status(slot_name(step.slot)) is not None:
            _move((yard.slots, slot_name(step.slot)), (yard.upper, step.source), step.new_mode)
        if step.opaque and is_folder(yard.upper.status(step.source)):
            _make_opaque(yard.upper, step.source)
    keep_times(yard.upper, steps.folders)


def _make_opaque(upper: Tree, path: bytes) -> None:
    upper.allowed(path, lambda: os.setxattr(upper.name(path), "user.overlay.opaque", b"y"))


def keep_times(upper: Tree, folders: Iterable[Folder]) -> None:
    """What was moved out of the layer, or back, is no change that anybody made there."""
    for one in folders:
        if is_folder(upper.status(one.path)):
            folder, name = upper.entry(one.path)
            os.utime(name, ns=(one.after.atime_ns, one.after.mtime_ns), dir_fd=folder, follow_symlinks=False)


def forget_marks(upper: Tree, pieces: Iterable[Piece]) -> None:
    """What is gone from the workspace needs no mark that it is."""
    for piece in pieces:
        if piece.pair.after is None:
            with contextlib.suppress(OSError):
                status = upper.status(piece.pair.path)
                if status is not None and is_whiteout(status):
                    folder, name = upper.entry(piece.pair.path)
                    upper.loosen(piece.pair.path.rpartition(b"/")[0])
                    os.unlink(name, dir_fd=folder)


def _keeper(yard: Yard) -> Cloner | None:
    return None if yard.keep is None else Cloner(yard.workspace, yard.keep)


def _step(yard: Yard, piece: Piece, slot: int, *, moved: bool) -> Step:
    pair = piece.pair
    comes = pair.after is not None and moved
    return Step(
        pair.path,
        slot,
        piece.old,
        mark_at(yard.upper, pair.path) if comes else None,
        _mode(pair.before),
        _mode(pair.after),
        pair.path if comes else None,
        comes and is_folder(pair.after) and mark(yard.upper, pair.path, "opaque") == b"y",
    )


def _mode(status: os.stat_result | None) -> int:
    return 0 if status is None else stat.S_IMODE(status.st_mode)


def _clean(upper: Tree, path: bytes) -> None:
    clean(upper, path)
    if is_folder(upper.status(path)):
        for one, status in upper.below(path):
            if is_whiteout(status):
                folder, name = upper.entry(one)
                os.unlink(name, dir_fd=folder)
            else:
                clean(upper, one)


def _move(one: tuple[Tree, bytes], other: tuple[Tree, bytes], mode: int) -> None:
    (source, path), (target, to) = one, other
    source.loosen(path.rpartition(b"/")[0])
    target.loosen(to.rpartition(b"/")[0])
    folder = is_folder(source.status(path)) and mode & _ALL != _ALL
    if folder:
        chmod(source.entry(path), mode | _ALL)
    move_to_free(source.entry(path), target.entry(to))
    if folder:
        chmod(target.entry(to), mode)
