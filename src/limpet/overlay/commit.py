"""A transaction -> its changes in the workspace, all of them or those chosen, at once or not at all."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import ConflictError, TransactionError
from limpet.model.change import Clash, Committed, Conflict
from limpet.overlay import commits, stage, staging
from limpet.overlay.changes import survey, told
from limpet.overlay.choose import pick
from limpet.overlay.conflicts import Meanwhile, conflicts
from limpet.overlay.digest import Digests
from limpet.overlay.flush import flush, flush_taken
from limpet.overlay.folders import folders_of
from limpet.overlay.journal import Begun, Done, Kept, Planned, Stuck
from limpet.overlay.layer import differing
from limpet.overlay.left import left_by, own_of, put_back, remember_own, reserve_own
from limpet.overlay.remove import empty_tree
from limpet.overlay.stage import Yard
from limpet.overlay.steps import InTheWayError, Steps, Way, put_right, slot_name, take
from limpet.overlay.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limpet.model.change import Change
    from limpet.overlay.choose import Picked
    from limpet.overlay.place import Place
    from limpet.overlay.steps import Folder


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    """How to commit."""

    name: str
    """Of the commit: unlike any other, and after all earlier ones in order."""
    at: float
    """The time now."""
    paths: tuple[str, ...] | None = None
    """Only these, or what is in these folders; None: everything."""
    overwrite: tuple[str, ...] | bool = False
    """What somebody else changed is replaced all the same: everywhere, or at these paths. Undo brings it back."""
    durable: bool = True
    """Survives a power loss, not just a crash of limpet."""


def commit(state: str, place: Place, wish: Wish) -> Committed:
    """Take over what the transaction changed; it stays open, with what was not chosen.

    Raises ConflictError where somebody else changed the same paths meanwhile, TransactionError when it cannot be done;
    then the workspace is as it was, and so is the transaction. No command may be running in it, and whoever runs
    another one has to mount its layer anew.
    """
    workspace = place.about.workspace
    with place.alone(), commits.one_at_a_time(state, workspace), _trees(place) as (lower, upper):
        found = survey(lower, upper, differing(lower, upper), Digests())
        picked = pick(found, wish.paths)
        meanwhile = Meanwhile(place.since_ns, own_of(place.folder))
        overwritten = _judged(conflicts((lower, upper), found, picked, meanwhile), wish)
        folders = folders_of((lower, upper), picked, meanwhile)
        chosen = tuple(change for change in told(found) if _is_chosen(change, picked))
        if not (picked.pieces or picked.folders):
            return Committed(id="", workspace=workspace, at=wish.at, label=place.about.label)
        with explained(workspace):
            done = _Committing(state, place, wish, (lower, upper)).carry_out(
                picked, folders, lambda steps: _done(lower, steps, chosen, overwritten)
            )
    return Committed(
        id=wish.name, workspace=workspace, at=wish.at, changes=done.changes, kept_bytes=done.kept_bytes,
        label=place.about.label, overwritten=overwritten,
    )  # fmt: skip


def _is_chosen(change: Change, picked: Picked) -> bool:
    return (b"" if change.path == "." else os.fsencode(change.path)) in picked.paths


def _done(workspace: Tree, steps: Steps, changes: tuple[Change, ...], overwritten: tuple[Conflict, ...]) -> Done:
    return Done(
        left=left_by(workspace, steps, changes),
        changes=changes,
        kept_bytes=sum(change.before.size for change in changes if change.before is not None),
        overwritten=overwritten,
        times=staging.times_of(workspace.root),
    )


@contextlib.contextmanager
def _trees(place: Place) -> Iterator[tuple[Tree, Tree]]:
    try:
        lower = Tree(place.about.workspace, ours=True)
    except OSError as error:
        raise TransactionError(f"the workspace {place.about.workspace} is gone: {error.strerror}") from error
    with lower, Tree(place.upper, ours=True) as upper:
        status = lower.status(b"")
        if status is None or (status.st_dev, status.st_ino) != place.about.identity:
            raise TransactionError(f"another folder is at {place.about.workspace} than when the transaction was opened")
        yield lower, upper


def _judged(found: tuple[Conflict, ...], wish: Wish) -> tuple[Conflict, ...]:
    """Those that may be overwritten; ConflictError for the others."""
    allowed = wish.overwrite
    left = () if allowed is True else tuple(one for one in found if one.path not in (allowed or ()))
    if left:
        raise ConflictError(_words(left), left)
    return found


def _words(found: Sequence[Conflict]) -> str:
    shown = ", ".join(f"{one.path} was {one.clash}" for one in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return f"not committed, as somebody else changed the workspace meanwhile: {shown}{more}"


@contextlib.contextmanager
def explained(workspace: str) -> Iterator[None]:
    """What the system refuses, in words: nothing has changed then."""
    try:
        yield
    except InTheWayError as error:
        path = os.fsdecode(error.path)
        found = (Conflict(path=path, clash=Clash.CHANGED),)
        raise ConflictError(
            f"{path} was changed by somebody else at this very moment; nothing was done", found
        ) from None
    except OSError as error:
        where = f" ({os.fsdecode(error.filename)})" if error.filename else ""
        raise TransactionError(
            f"{workspace} could not be changed, and is as it was: {error.strerror}{where}"
        ) from error


class _Committing:
    """One commit on its way."""

    def __init__(self, state: str, place: Place, wish: Wish, trees: tuple[Tree, Tree]) -> None:
        self._place = place
        self._wish = wish
        self._lower, self._upper = trees
        self._commit = commits.new(state, wish.name, durable=wish.durable)
        self._unsettled = False
        """Something is left to be put right: the journal stays."""

    def carry_out(self, picked: Picked, folders: tuple[Folder, ...], finish: Callable[[Steps], Done]) -> Done:
        """All of it, or nothing; then it raises."""
        workspace = self._place.about.workspace
        apart = not commits.can_move(self._commit.around, self._lower)
        begun = Begun(
            workspace=workspace, at=self._wish.at, upper=self._place.upper, label=self._place.about.label,
            stage=staging.place_in(workspace, self._wish.name) if apart else "", times=staging.times_of(workspace),
        )  # fmt: skip
        try:
            self._commit.make(begun)
            if begun.stage:
                staging.make(begun.stage, begun.times)
            with self._yard(begun) as yard:
                done = self._attempt(yard, picked, folders, finish)
        except BaseException:
            if not self._unsettled:
                self._commit.remove(begun.stage, begun.times)
            raise
        self._tidy(begun, picked, done)
        with contextlib.suppress(OSError):
            stage.keep_times(self._upper, folders)
        return done

    def _attempt(
        self, yard: Yard, picked: Picked, folders: tuple[Folder, ...], finish: Callable[[Steps], Done]
    ) -> Done:
        steps = Steps((), folders)
        try:
            steps = Steps(stage.prepare(yard, picked.pieces), folders)
            reserve_own(self._place.folder, len(steps.steps) + len(folders))
            self._commit.add(Planned(steps=steps))
            stage.move_in(yard, steps.steps)
            self._flush(yard, steps)
            take(steps, Way.FORWARD, self._lower, yard.slots)
            if self._wish.durable:
                flush_taken(steps, self._lower, yard.slots)
            done = finish(steps)
            self._commit.add(done)
        except BaseException:
            self._take_back(yard, steps)
            raise
        return done

    def _flush(self, yard: Yard, steps: Steps) -> None:
        """What is to come, and copies of what was: from here on others are removed that they stand for."""
        if self._wish.durable:
            for tree in filter(None, (yard.slots, yard.keep)):
                flush(tree, [b"", *(slot_name(step.slot) for step in steps.steps)])

    def _take_back(self, yard: Yard, steps: Steps) -> None:
        self._unsettled = True  # until the last of it: whatever fails here is left to a recovery
        left = put_right(steps, Way.BACK, self._lower, yard.slots)
        if left.failed:
            raise TransactionError(
                f"{self._wish.name} is half committed, and could not be taken back: {os.fsdecode(left.failed[0])}; "
                "see what is wrong with the disk, then `limpet recover`"
            )
        if self._wish.durable:
            flush_taken(steps, self._lower, yard.slots)
        stage.move_back(yard, steps.without(left.taken))
        remember_own(self._place.folder, put_back(self._lower, steps.without([*left.taken, *left.theirs])))
        if left.taken:
            self._commit.add(Stuck(tuple(left.taken)))
        self._unsettled = bool(left.taken)

    @contextlib.contextmanager
    def _yard(self, begun: Begun) -> Iterator[Yard]:
        with contextlib.ExitStack() as held:
            keep = held.enter_context(Tree(self._commit.slots, ours=True))
            slots = held.enter_context(Tree(begun.stage, ours=True)) if begun.stage else keep
            yield Yard(self._lower, self._upper, slots, keep if begun.stage else None)

    def _tidy(self, begun: Begun, picked: Picked, done: Done) -> None:
        """It is done: nothing here may make it look otherwise."""
        with contextlib.suppress(OSError):
            if begun.stage:
                staging.remove(begun.stage, done.times)
                self._commit.add(Kept())
            self._commit.settle()
            if self._wish.paths is None:  # all that is left of the layer is as it is in the workspace now
                empty_tree(self._place.upper)
            else:
                stage.forget_marks(self._upper, picked.pieces)
            remember_own(self._place.folder, done.left)
