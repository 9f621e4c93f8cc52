"""The commits that can still be undone: listed, and forgotten when they are too old or too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.change import Committed
from limpet.overlay import commits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.overlay.commits import Commit, Story

_DAY = 86_400.0


def kept(state: str, workspace: str | None = None) -> tuple[Committed, ...]:
    """Of one workspace or of all, the latest first."""
    return tuple(
        _committed(commit, story)
        for commit, story in _readable(state)
        if story.stands and workspace in (None, story.begun.workspace)
    )


def standing(state: str, names: Iterable[str]) -> frozenset[str]:
    """Of commits with these names, those that can be undone."""
    wanted = frozenset(names)
    some = [commit for commit in commits.everyone(state) if commit.name in wanted]
    return frozenset(commit.name for commit, story in _stories(some) if story.stands)


def prune(state: str, *, keep_days: float, keep_bytes: int, now: float) -> tuple[str, ...]:
    """Forget those that are too old, and the oldest of those that together keep too much; their names.

    What they changed stays as it is. One that is being undone at this moment is not taken away under it.
    """
    gone = []
    total = 0
    for commit, story in _readable(state):
        total += story.done.kept_bytes if story.done is not None else 0
        settled = story.stands or bool(story.stuck)
        if settled and (now - story.begun.at > keep_days * _DAY or total > keep_bytes):
            with commits.one_at_a_time(state, story.begun.workspace):
                commit.remove(story.stage, story.times)
            gone.append(commit.name)
    return tuple(gone)


def _readable(state: str) -> Iterator[tuple[Commit, Story]]:
    return _stories(reversed(commits.everyone(state)))


def _stories(some: Iterable[Commit]) -> Iterator[tuple[Commit, Story]]:
    for commit in some:
        try:
            story = commit.story()
        except (OSError, ValueError):  # gone just now, or damaged: `recover` tells
            continue
        if story is not None:
            yield commit, story


def _committed(commit: Commit, story: Story) -> Committed:
    assert story.done is not None
    return Committed(
        id=commit.name,
        workspace=story.begun.workspace,
        at=story.begun.at,
        changes=story.done.changes,
        kept_bytes=story.done.kept_bytes,
        label=story.begun.label,
        overwritten=story.done.overwritten,
    )
