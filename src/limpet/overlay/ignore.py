"""Changes, and patterns as in .gitignore -> a view that leaves some out. A commit takes them over all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.change import Sort
from limpet.policy.gitignore import matches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.model.change import Change, Changes


def without_ignored(found: Changes, patterns: Sequence[str]) -> Changes:
    """What is left; `hidden` counts the others. A rename is shown unless both its paths are left out."""
    shown = tuple(change for change in found.changes if not _is_ignored(change, patterns))
    return msgspec.structs.replace(found, changes=shown, hidden=found.hidden + len(found.changes) - len(shown))


def _is_ignored(change: Change, patterns: Sequence[str]) -> bool:
    folder = any(side is not None and side.sort is Sort.FOLDER for side in (change.before, change.after))
    return all(matches(path, patterns, folder=folder) for path in change.paths)
