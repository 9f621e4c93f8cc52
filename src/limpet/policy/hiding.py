"""Changes, and patterns as in .gitignore -> those that a reader wants to see. A commit takes all of them over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.change import Sort
from limpet.policy.gitignore import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limpet.model.change import Change


def seen(changes: Iterable[Change], hide: Sequence[str]) -> tuple[Change, ...]:
    """Those that fit no pattern; a rename is seen unless both its paths fit."""
    return tuple(change for change in changes if not _is_hidden(change, hide))


def _is_hidden(change: Change, hide: Sequence[str]) -> bool:
    folder = any(side is not None and side.sort is Sort.FOLDER for side in (change.before, change.after))
    return all(matches(path, hide, folder=folder) for path in change.paths)
