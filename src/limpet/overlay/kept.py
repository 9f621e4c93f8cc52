"""The commits that can be undone, and for how long."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import TransactionError
from limpet.model.change import Committed
from limpet.overlay import commits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.overlay.commits import Commit, Story

_DAY = 86_400.0
_PRUNE_EVERY = 3600.0


def standing(state: str) -> list[Committed]:
    """Oldest first. One whose journal cannot be read is left to `recover`."""
    return [_told(commit, story) for commit, story in _standing(state)]


def prune(state: str, *, keep_days: float, keep_bytes: int, now: float) -> None:
    """Let go of what was replaced too long ago, and of the oldest of what is too much. Looks at most once an hour."""
    if not _due(state, now):
        return
    total = 0
    for commit, story in reversed(list(_standing(state))):
        total += story.done.kept_bytes if story.done is not None else 0
        if now - story.begun.at > keep_days * _DAY or total > keep_bytes:
            with contextlib.suppress(OSError, TransactionError), commits.one_at_a_time(state, story.begun.workspace):
                commit.remove()


def _standing(state: str) -> Iterator[tuple[Commit, Story]]:
    for commit in commits.everyone(state):
        with contextlib.suppress(OSError, msgspec.MsgspecError, TransactionError):
            story = commit.story()
            if story is not None and story.stands and not story.stuck:
                yield commit, story


def _told(commit: Commit, story: Story) -> Committed:
    assert story.done is not None
    return Committed(
        id=commit.name, workspace=story.begun.workspace, at=story.begun.at, changes=story.done.changes,
        kept_bytes=story.done.kept_bytes, label=story.begun.label, overwritten=story.done.overwritten,
    )  # fmt: skip


def _due(state: str, now: float) -> bool:
    marker = os.path.join(commits.place(state), ".lock-pruned")
    try:
        if now - os.stat(marker).st_mtime < _PRUNE_EVERY:
            return False
    except OSError:
        if not os.path.isdir(commits.place(state)):
            return False
    with contextlib.suppress(OSError):
        os.close(os.open(marker, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        os.utime(marker, (now, now))
    return True
