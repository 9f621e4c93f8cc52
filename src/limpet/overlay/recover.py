"""What a crash left half done -> all old or all new."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from limpet.errors import TransactionError
from limpet.model.change import Recovered
from limpet.overlay import commits, journal, place, stage, staging
from limpet.overlay.flush import flush_taken
from limpet.overlay.left import put_back, remember_own
from limpet.overlay.steps import Leftover, Way, put_right
from limpet.overlay.tree import Tree

if TYPE_CHECKING:
    from limpet.overlay.commits import Commit, Story


class _Outcome(NamedTuple):
    rolled_back: str = ""
    kept: str = ""
    left: str = ""


def recover(state: str) -> Recovered:
    """Put every unfinished commit and undo of this state directory right, and drop transactions whose owner is gone.

    May itself be ended at any point and run again. Whoever is committing at this moment is waited for.
    """
    found = [_recover(state, commit) for commit in commits.everyone(state) if not commit.is_settled]
    commits.sweep(state)
    dropped = place.sweep(state)
    found += [_Outcome(left=_undecided(one)) for one in place.abandoned(state) if one.has_copies]
    return Recovered(
        rolled_back=tuple(filter(None, (one.rolled_back for one in found))),
        kept=tuple(filter(None, (one.kept for one in found))),
        left=tuple(filter(None, (one.left for one in found))),
        dropped=dropped,
    )


def _undecided(one: place.Place) -> str:
    about = one.about
    return (
        f"{about.name}: its process ended while {about.workspace} was being changed; copies of what it was are in "
        f"{one.folder}: roll it back, or drop it to leave things as they are"
    )


def _recover(state: str, commit: Commit) -> _Outcome:
    try:
        story = commit.story()
        if story is None:
            return _Outcome(left=f"{commit.name}: its journal cannot be read; what it keeps is in {commit.folder}")
        with commits.one_at_a_time(state, story.begun.workspace):
            return _settle(commit)
    except (OSError, ValueError, TransactionError) as error:
        if not os.path.isdir(commit.folder):  # somebody else has put it right meanwhile, or undone it
            return _Outcome()
        return _Outcome(left=f"{commit.name}: {error}; what it keeps is in {commit.folder}")


def _is_settled(story: Story) -> bool:
    return bool(story.stuck) or (story.stands and not story.stage)


def _settle(commit: Commit) -> _Outcome:
    """Nobody else is at it now: what was read before may be out of date."""
    if not os.path.isdir(commit.folder):
        return _Outcome()
    story = commit.story()
    if story is None or _is_settled(story):
        commit.settle()
        return _Outcome()
    if story.undone:
        commit.remove(story.stage, story.times)
        return _Outcome()
    if story.stands:
        staging.remove(story.stage, story.times)
        commit.add(journal.Kept())
        commit.settle()
        return _Outcome()
    if story.undoing:
        return _finish(commit, story, Way.FORWARD)
    return _finish(commit, story, Way.BACK)


def _finish(commit: Commit, story: Story, way: Way) -> _Outcome:
    """A commit that was not finished never was; an undo that was not finished never was, either."""
    left = _put_right(commit, story, way)
    if left.failed:
        return _Outcome(left=f"{commit.name}: {_few(left.failed)} could not be put right; try again when the disk can")
    if left.taken:
        commit.add(journal.Stuck(tuple(left.taken)))
        return _Outcome(
            left=f"{commit.name}: {_few(left.taken)} changed since the crash: not touched; "
            f"what belongs there is kept in {story.stage or commit.slots}"
        )
    if way is Way.BACK:
        commit.remove(story.stage, story.times)
        return _Outcome(rolled_back=commit.name)
    if story.stage:
        staging.remove(story.stage, story.times)
    commit.add(journal.Restored())
    commit.settle()
    return _Outcome(kept=commit.name)


def _few(paths: list[bytes]) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(os.fsdecode(path) for path in paths[:3]) + more


def _put_right(commit: Commit, story: Story, way: Way) -> Leftover:
    at = story.stage or commit.slots
    if story.moving is None or not os.path.isdir(at):
        return Leftover([], [], [])
    with Tree(story.begun.workspace, ours=True) as workspace, Tree(at, ours=True) as slots:
        left = put_right(story.moving, way, workspace, slots)
        flush_taken(story.moving, workspace, slots)
        upper = story.begun.upper
        if way is Way.BACK and not left.failed and os.path.isdir(upper):
            with Tree(upper, ours=True) as layer:
                stage.move_back(stage.Yard(workspace, layer, slots, None), story.moving.without(left.taken))
            ours = story.moving.without([*left.taken, *left.theirs])
            remember_own(os.path.dirname(upper), put_back(workspace, ours))
    return left
