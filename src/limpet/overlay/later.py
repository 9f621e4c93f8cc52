"""A commit, and the workspace as it is now -> what was changed there since, and by which commit."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.model.change import Clash, Conflict
from limpet.overlay import commits
from limpet.overlay.digest import digest
from limpet.overlay.layer import is_folder
from limpet.overlay.left import is_as_left
from limpet.overlay.meta import read_meta
from limpet.overlay.side import now_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.overlay.commits import Commit, Story
    from limpet.overlay.journal import Left
    from limpet.overlay.steps import Folder, Step
    from limpet.overlay.tree import Tree


def later_conflicts(state: str, commit: Commit, story: Story, workspace: Tree) -> tuple[Conflict, ...]:
    """Paths that an undo would take from somebody. By path."""
    assert story.steps is not None
    assert story.done is not None
    expected = {left.path: left for left in story.done.left}
    found: dict[bytes, Clash] = {}
    for step in story.steps.steps:
        found |= dict(_of_step(workspace, step, expected))
    found |= {folder.path: Clash.CHANGED for folder in story.steps.folders if _was_set(workspace, folder)}
    if not found:
        return ()
    authors = list(_later(state, commit, story))
    return tuple(
        Conflict(path=os.fsdecode(path) or ".", clash=clash, theirs=now_at(workspace, path), by=_author(path, authors))
        for path, clash in sorted(found.items())
    )


def _of_step(workspace: Tree, step: Step, expected: dict[bytes, Left]) -> Iterator[tuple[bytes, Clash]]:
    above = step.path.rpartition(b"/")[0]
    if not is_folder(workspace.status(above)):
        yield above, Clash.REMOVED
        return
    status = workspace.status(step.path)
    if step.new is None:
        if status is not None:
            yield step.path, Clash.APPEARED
        return
    there = {step.path: status} if status is not None else {}
    if is_folder(status):
        there |= dict(workspace.below(step.path))
    wanted = {path for path in expected if path == step.path or path.startswith(step.path + b"/")}
    yield from ((path, Clash.REMOVED) for path in wanted - there.keys())
    for path, now in there.items():
        left = expected.get(path)
        if left is None:
            yield path, Clash.APPEARED
        elif not is_as_left(left, now) and not _has_same_contents(workspace, left, now):
            yield path, Clash.CHANGED


def _has_same_contents(workspace: Tree, left: Left, now: os.stat_result) -> bool:
    """Copied or written again, but with the same bytes in it: as after a restored backup."""
    if (left.mode, left.size) != (now.st_mode, now.st_size) or not left.digest:
        return False
    try:
        return digest(workspace, left.path) == left.digest
    except OSError:
        return False


def _was_set(workspace: Tree, folder: Folder) -> bool:
    """Only where the commit itself had set something: else it goes on as it is."""
    if folder.before.same_but_times(folder.after) or workspace.status(folder.path) is None:
        return False
    return not read_meta(workspace, folder.path).same_but_times(folder.after)


def _later(state: str, commit: Commit, story: Story) -> Iterator[tuple[str, frozenset[bytes]]]:
    """Later commits in the same workspace, the latest first, with the paths they changed."""
    for other in reversed(commits.everyone(state)):
        if other.name == commit.name:
            return
        try:
            told = other.story()
        except (OSError, ValueError):
            continue
        if told is not None and told.stands and told.steps and told.begun.workspace == story.begun.workspace:
            yield other.name, frozenset(step.path for step in told.steps.steps)


def _author(path: bytes, authors: list[tuple[str, frozenset[bytes]]]) -> str:
    while path:
        for name, paths in authors:
            if path in paths:
                return name
        path = path.rpartition(b"/")[0]
    return ""
