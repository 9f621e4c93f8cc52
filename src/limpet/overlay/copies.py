"""Where no overlay can be had: copies of the workspace, taken before a command that writes, and put back on demand.

The command changes the workspace itself. What somebody else changes meanwhile cannot be told from what it changed.
"""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from limpet.errors import TransactionError
from limpet.model.change import Change, Changes, Committed, Kind, Undone
from limpet.overlay import commits, staging
from limpet.overlay.changes import Survey, survey, told
from limpet.overlay.clone import Cloner
from limpet.overlay.commit import Wish, explained
from limpet.overlay.flush import flush, flush_taken
from limpet.overlay.journal import Begun, Done, Kept, Planned
from limpet.overlay.layer import Pair, compared, is_folder
from limpet.overlay.left import left_by
from limpet.overlay.marks import mark_at
from limpet.overlay.meta import read_meta
from limpet.overlay.pack import pack, unpack
from limpet.overlay.steps import Folder, Step, Steps, Way, put_right, slot_name, take
from limpet.overlay.tree import Tree
from limpet.policy.gitignore import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.overlay.commits import Commit
    from limpet.overlay.place import Place


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """What is copied. Patterns as in .gitignore."""

    only: tuple[str, ...] = ()
    """Files that match one of these; none: all."""
    never: tuple[str, ...] = ()
    """Not these, nor what is in them."""
    most_bytes: int = 1 << 30
    """More than this is not copied at all."""

    def covers(self, path: bytes, *, folder: bool) -> bool:
        """Whether what is at a path belongs to it; a folder does when something in it could."""
        name = os.fsdecode(path)
        if self.never and matches(name, self.never, folder=folder):
            return False
        return folder or not self.only or matches(name, self.only)


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What was copied."""

    files: int
    bytes: int


class _Seen(msgspec.Struct, frozen=True, kw_only=True):
    """How everything was when it was copied: what is still so has not changed."""

    scope: Scope
    files: dict[bytes, tuple[int, int]]
    """Inode, and when it last changed in whatever way."""


def snapshot(place: Place, scope: Scope) -> Taken:
    """Copy the workspace into the transaction. Raises TransactionError when it is too large, or cannot be read."""
    workspace = place.about.workspace
    with Tree(workspace) as tree, Tree(place.upper, ours=True) as copy:
        there = dict(_covered(tree, scope))
        size = sum(status.st_size for status in there.values() if stat.S_ISREG(status.st_mode))
        if size > scope.most_bytes:
            raise TransactionError(
                f"{workspace} has {size:,} bytes that would have to be copied first, more than {scope.most_bytes:,}; "
                "narrow what is copied, or allow more"
            )
        try:
            Cloner(tree, copy).fill({path for path in there if path})
        except OSError as error:
            raise TransactionError(f"{workspace} could not be copied to {place.folder}: {error.strerror}") from error
    files = {path: (status.st_ino, status.st_ctime_ns) for path, status in there.items()}
    with open(place.seen, "wb") as file:
        file.write(pack(_Seen(scope=scope, files=files)))
    return Taken(files=len(files), bytes=size)


def changes(place: Place) -> Changes:
    """What is different from the copies."""
    with _trees(place) as (before, after):
        found = _survey(place, before, after)
    return Changes(workspace=place.about.workspace, changes=told(found))


def keep(state: str, place: Place, wish: Wish) -> Committed:
    """The changes stay; what was there before is kept, so that they can be undone."""
    if wish.paths is not None:
        raise TransactionError("without an overlay, everything is committed or nothing")
    workspace = place.about.workspace
    with place.alone(), commits.one_at_a_time(state, workspace), _trees(place) as trees:
        found = _survey(place, *trees)
        if not found.changed:
            return Committed(id="", workspace=workspace, at=wish.at, label=place.about.label)
        with explained(workspace):
            done = _Settling(state, place, wish, trees).keep(found)
    return Committed(
        id=wish.name, workspace=workspace, at=wish.at, changes=done.changes, kept_bytes=done.kept_bytes,
        label=place.about.label,
    )  # fmt: skip


def roll_back(state: str, place: Place, wish: Wish) -> Undone:
    """Everything that was copied is again as it was, and what was not there is gone."""
    workspace = place.about.workspace
    with place.alone(), commits.one_at_a_time(state, workspace), _trees(place) as trees:
        found = _survey(place, *trees)
        if found.changed:
            with explained(workspace):
                _Settling(state, place, wish, trees).roll_back(found)
    told_changes = sorted(found.changed.values(), key=lambda change: change.path)
    return Undone(
        id=wish.name,
        restored=tuple(change.path for change in told_changes if change.kind is not Kind.ADDED),
        deleted=tuple(change.path for change in told_changes if change.kind is Kind.ADDED),
    )


@contextlib.contextmanager
def _trees(place: Place) -> Iterator[tuple[Tree, Tree]]:
    try:
        after = Tree(place.about.workspace, ours=True)
    except OSError as error:
        raise TransactionError(f"the workspace {place.about.workspace} is gone: {error.strerror}") from error
    with Tree(place.upper, ours=True) as before, after:
        yield before, after


def _covered(tree: Tree, scope: Scope) -> Iterator[tuple[bytes, os.stat_result]]:
    root = tree.status(b"")
    assert root is not None
    yield b"", root
    stack = [b""]
    while stack:
        for path, status in tree.children(stack.pop()):
            if scope.covers(path, folder=is_folder(status)):
                yield path, status
                if is_folder(status):
                    stack.append(path)


def _survey(place: Place, before: Tree, after: Tree) -> Survey:
    seen = _seen(place)
    return survey(before, after, (pair for pair in compared(before, after) if _is_of_interest(pair, seen)))


def _seen(place: Place) -> _Seen:
    try:
        with open(place.seen, "rb") as file:
            return unpack(file.read(), _Seen)
    except (OSError, ValueError):
        raise TransactionError(f"the transaction {place.about.name} has no copies to compare with") from None


def _is_of_interest(pair: Pair, seen: _Seen) -> bool:
    if not pair.path:
        return True
    if not seen.scope.covers(pair.path, folder=is_folder(pair.before) or is_folder(pair.after)):
        return False
    now = pair.after
    return now is None or is_folder(now) or seen.files.get(pair.path) != (now.st_ino, now.st_ctime_ns)


class _Prepared(NamedTuple):
    commit: Commit
    slots: Tree
    steps: Steps


class _Settling:
    """The end of a transaction with copies."""

    def __init__(self, state: str, place: Place, wish: Wish, trees: tuple[Tree, Tree]) -> None:
        self._place = place
        self._wish = wish
        self._before, self._after = trees
        self._commit = commits.new(state, wish.name, durable=wish.durable)

    def keep(self, found: Survey) -> Done:
        """The slots are beside the journal, wherever that is: nothing is moved in the workspace."""
        begun = self._begun("")
        try:
            with self._prepared(found, begun, self._commit.slots) as ready:
                shown = told(found)
                left = left_by(self._after, ready.steps, shown)
                done = Done(left=left, changes=shown, kept_bytes=_bytes(found.changed.values()))
                self._commit.add(Planned(steps=ready.steps), done, Kept())
        except BaseException:
            self._commit.remove()
            raise
        self._commit.settle()
        return done

    def roll_back(self, found: Survey) -> None:
        """A crash on the way leaves a commit that was not finished, and so is taken back: that is what is wanted."""
        apart = not commits.can_move(self._commit.around, self._after)
        at = staging.place_in(self._place.about.workspace, self._wish.name) if apart else ""
        begun = self._begun(at)
        try:
            with self._prepared(found, begun, at or self._commit.slots) as ready:
                self._commit.add(Planned(steps=ready.steps))
                self._go_back(ready)
        finally:
            self._commit.remove(at, staging.times_of(self._after.root))

    def _go_back(self, ready: _Prepared) -> None:
        try:
            take(ready.steps, Way.BACK, self._after, ready.slots)
            if self._wish.durable:
                flush_taken(ready.steps, self._after, ready.slots)
        except BaseException:
            put_right(ready.steps, Way.FORWARD, self._after, ready.slots)
            raise

    def _begun(self, at: str) -> Begun:
        about = self._place.about
        return Begun(
            workspace=about.workspace,
            at=self._wish.at,
            stage=at,
            label=about.label,
            times=staging.times_of(about.workspace),
        )

    @contextlib.contextmanager
    def _prepared(self, found: Survey, begun: Begun, slots: str) -> Iterator[_Prepared]:
        self._commit.make(begun)
        if begun.stage:
            staging.make(begun.stage, begun.times)
        with Tree(slots, ours=True) as tree:
            steps = self._steps(found, tree)
            if self._wish.durable:
                flush(tree, [b"", *(slot_name(step.slot) for step in steps.steps)])
            yield _Prepared(self._commit, tree, steps)

    def _steps(self, found: Survey, slots: Tree) -> Steps:
        cloner = Cloner(self._before, slots)
        steps = []
        tops = [pair for pair in found.pairs if pair.unit == pair.path and _has_change(pair, found)]
        for slot, pair in enumerate(tops):
            if pair.before is not None:
                cloner.clone(pair.path, slot_name(slot))
            old, new = mark_at(slots, slot_name(slot)), mark_at(self._after, pair.path)
            steps.append(Step(pair.path, slot, old, new, _mode(pair.before), _mode(pair.after)))
        return Steps(tuple(steps), tuple(self._folders(found)))

    def _folders(self, found: Survey) -> Iterator[Folder]:
        for pair in found.pairs:
            if pair.unit is None:
                before, after = read_meta(self._before, pair.path), read_meta(self._after, pair.path)
                if before != after:
                    yield Folder(pair.path, before, after)


def _has_change(pair: Pair, found: Survey) -> bool:
    return pair.path in found.changed


def _mode(status: os.stat_result | None) -> int:
    return 0 if status is None else stat.S_IMODE(status.st_mode)


def _bytes(changed: Iterable[Change]) -> int:
    return sum(change.before.size for change in changed if change.before is not None)
