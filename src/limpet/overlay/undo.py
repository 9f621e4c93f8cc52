"""A commit -> taken back, and nothing else with it."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import ConflictError, TransactionError
from limpet.model.change import Conflict, Kind, Undone
from limpet.overlay import commits, journal, staging
from limpet.overlay.clone import Cloner
from limpet.overlay.commit import explained
from limpet.overlay.flush import flush, flush_taken
from limpet.overlay.later import later_conflicts
from limpet.overlay.marks import Mark, mark_at
from limpet.overlay.meta import read_meta
from limpet.overlay.steps import Folder, Step, Steps, Way, put_right, slot_name, take
from limpet.overlay.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.overlay.commits import Commit, Story


def undo(state: str, name: str, *, overwrite: bool = False, durable: bool = True) -> Undone:
    """Every path of the commit is again what it was before it.

    Raises ConflictError where it was changed since, by a later commit or by anybody, unless that may be overwritten;
    TransactionError when there is no such commit, or it cannot be undone. Then the workspace is as it was.
    """
    commit, story = _find(state, name)
    workspace = story.begun.workspace
    with commits.one_at_a_time(state, workspace):
        commit, story = _find(state, name)  # somebody may have been faster
        with _opened(workspace) as tree:
            seen = _seen(story, tree)  # before it is judged: what changes afterwards is noticed when it is moved
            found = later_conflicts(state, commit, story, tree)
            if found and not overwrite:
                raise ConflictError(_words(name, found), found)
            with explained(workspace):
                _take_back(commit, story, (tree, seen), durable=durable)
    return _told(name, story, found)


class _HalfUndoneError(Exception):
    """Some steps could neither be taken back nor taken again."""


def _find(state: str, name: str) -> tuple[Commit, Story]:
    for commit in commits.everyone(state):
        if commit.name == name:
            story = _story(commit)
            if story is not None and story.stands:
                return commit, story
            raise TransactionError(f"the commit {name} was not finished; `limpet recover` puts that right")
    raise TransactionError(f"there is no commit {name!r} to be undone: it was undone, or is too old, or never was")


def _story(commit: Commit) -> Story | None:
    try:
        return commit.story()
    except (OSError, ValueError) as error:
        raise TransactionError(f"the commit {commit.name} cannot be undone: {error}") from error


@contextlib.contextmanager
def _opened(workspace: str) -> Iterator[Tree]:
    try:
        tree = Tree(workspace, ours=True)
    except OSError as error:
        raise TransactionError(
            f"the workspace {workspace} is gone: {error.strerror}; one that was moved has to be moved back first"
        ) from error
    with tree:
        yield tree


def _words(name: str, found: tuple[Conflict, ...]) -> str:
    shown = ", ".join(f"{one.path} was {one.clash}{f' by {one.by}' if one.by else ''}" for one in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    return f"{name} is not undone, as the same paths were changed since: {shown}{more}"


Seen = dict[bytes, Mark | None]
"""What was at a path."""


def _seen(story: Story, workspace: Tree) -> Seen:
    assert story.steps is not None
    return {step.path: mark_at(workspace, step.path) for step in story.steps.steps}


def _take_back(commit: Commit, story: Story, now: tuple[Tree, Seen], *, durable: bool) -> None:
    """With a journal of its own: a crash leaves the commit as it stands."""
    workspace, seen = now
    apart = not commits.can_move(commit.folder, workspace)
    at = staging.place_in(story.begun.workspace, commit.name) if apart else ""
    before = staging.times_of(workspace.root)
    commit.unsettle()
    commit.add(journal.Undoing(at, before))
    try:
        if at:
            _bring_near(commit, at, before)
        with Tree(at or commit.slots, ours=True) as slots:
            if at and durable:
                flush(slots, [b"", *(name for name, _ in slots.listing(b""))])
            steps = _as_it_is(story, workspace, slots, seen)
            commit.add(journal.Planned(steps=steps))
            after = _go_back(commit, steps, (workspace, slots), durable=durable)
    except _HalfUndoneError as error:
        raise TransactionError(
            f"{commit.name} is half undone, and that could not be taken back: {error}; "
            "see what is wrong there, then `limpet recover`"
        ) from None
    except BaseException:
        with contextlib.suppress(OSError):  # else the next recovery finds that nothing but this is left to be done
            if at:
                staging.remove(at, before)
            commit.add(journal.Restored())
        raise
    with contextlib.suppress(OSError):  # it is undone: what is left of it goes with the next recovery
        commit.remove(at, after)


def _go_back(commit: Commit, steps: Steps, trees: tuple[Tree, Tree], *, durable: bool) -> staging.Times:
    """Take all steps back and note that; the times of the workspace then."""
    workspace, _ = trees
    after: staging.Times | None = None
    try:
        take(steps, Way.BACK, *trees)
        if durable:
            flush_taken(steps, *trees)
        after = staging.times_of(workspace.root)
        commit.add(journal.Undone(after))
    except BaseException:
        if after is not None and _is_noted(commit):
            return after
        _go_on(steps, *trees, durable=durable)
        raise
    return after


def _is_noted(commit: Commit) -> bool:
    """Whether it is on record as undone, although to write that failed: then whoever recovers takes it for that."""
    try:
        story = commit.story()
    except (OSError, ValueError):
        return False
    return story is not None and bool(story.undone)


def _go_on(steps: Steps, workspace: Tree, slots: Tree, *, durable: bool) -> None:
    """As if nothing had been taken back."""
    left = put_right(steps, Way.FORWARD, workspace, slots)
    stuck = [*left.failed, *left.taken]
    if stuck:
        raise _HalfUndoneError(os.fsdecode(stuck[0])) from None
    if durable:
        try:
            flush_taken(steps, workspace, slots)
        except OSError as error:
            raise _HalfUndoneError(error.strerror) from None


def _bring_near(commit: Commit, at: str, times: staging.Times) -> None:
    """What is kept on another filesystem, copied to where it can be put in place at once."""
    staging.make(at, times)
    with Tree(commit.slots, ours=True) as kept, Tree(at, ours=True) as near:
        cloner = Cloner(kept, near)
        for name, _ in kept.listing(b""):
            cloner.clone(name, name)


def _as_it_is(story: Story, workspace: Tree, slots: Tree, seen: Seen) -> Steps:
    """The steps as they can be taken now: a copy has another inode, and folders other times."""
    assert story.steps is not None
    return Steps(
        tuple(_step(step, workspace, slots, seen[step.path]) for step in story.steps.steps),
        tuple(_folder(folder, workspace) for folder in story.steps.folders if workspace.status(folder.path)),
    )


def _step(step: Step, workspace: Tree, slots: Tree, new: Mark | None) -> Step:
    here = workspace.status(step.path)
    mode = stat.S_IMODE(here.st_mode) if here is not None else 0
    old = mark_at(slots, slot_name(step.slot))
    return msgspec.structs.replace(step, old=old, new=new, new_mode=mode, source=None)


def _folder(folder: Folder, workspace: Tree) -> Folder:
    now = read_meta(workspace, folder.path)
    untouched = folder.times and now.mtime_ns == folder.after.mtime_ns
    before = folder.before if now.same_but_times(folder.after) else now
    return Folder(folder.path, before, now, times=untouched)


def _told(name: str, story: Story, overwritten: tuple[Conflict, ...]) -> Undone:
    assert story.done is not None
    restored: list[str] = []
    deleted: list[str] = []
    for change in story.done.changes:
        if change.kind is Kind.RENAMED:
            restored.append(change.source)
        (deleted if change.kind in (Kind.ADDED, Kind.RENAMED) else restored).append(change.path)
    return Undone(id=name, restored=tuple(sorted(restored)), deleted=tuple(sorted(deleted)), overwritten=overwritten)
