"""What a transaction changed, what stood in its way, and what became of it."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator


class Kind(enum.StrEnum):
    """What happened to a path."""

    ADDED = "added"
    MODIFIED = "modified"
    DELETED = "deleted"
    RENAMED = "renamed"


class Sort(enum.StrEnum):
    """What is at a path."""

    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"
    """A pipe, a socket or a device."""


class Aspect(enum.StrEnum):
    """What of it is different."""

    SORT = "sort"
    CONTENT = "content"
    TARGET = "target"
    MODE = "mode"
    OWNER = "owner"
    XATTRS = "xattrs"
    LINKS = "links"
    """Nothing but that it has become another name of a file that changed, or was added."""
    TIMES = "times"
    """When it was last modified, and nothing else."""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One side of a change: what was there, or what is to be there."""

    sort: Sort
    mode: int
    """Permissions, with the special bits."""
    uid: int
    gid: int
    size: int = 0
    """Bytes of a file; 0 for everything else."""
    mtime_ns: int = 0
    digest: str = ""
    """SHA-256 of a file's contents; empty when it is too large for that, or cannot be read."""
    target: str = ""
    """Where a link leads."""
    xattrs: tuple[tuple[str, bytes], ...] = ()
    links: int = 1
    """How many names the file has: those that are not changed keep what it was."""


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One path that is not what it was."""

    path: str
    """Relative to the workspace."""
    kind: Kind
    before: Side | None = None
    after: Side | None = None
    aspects: tuple[Aspect, ...] = ()
    """For what was modified, or renamed and modified."""
    source: str = ""
    """The path it was renamed from."""

    @property
    def paths(self) -> tuple[str, ...]:
        """All that it concerns."""
        return (self.path, self.source) if self.source else (self.path,)

    @property
    def grown(self) -> int:
        """Bytes that the workspace has more of for it."""
        return (self.after.size if self.after else 0) - (self.before.size if self.before else 0)


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is different, by path."""

    workspace: str
    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know: what could not be read, compared or covered."""

    def __iter__(self) -> Iterator[Change]:
        return iter(self.changes)

    def of(self, kind: Kind) -> tuple[Change, ...]:
        """Those of one kind."""
        return tuple(change for change in self.changes if change.kind is kind)

    @property
    def summary(self) -> str:
        """One line: `3 added, 1 deleted`; `nothing changed`."""
        counts = [f"{len(self.of(kind))} {kind}" for kind in Kind if self.of(kind)]
        return ", ".join(counts) or "nothing changed"


class Clash(enum.StrEnum):
    """How somebody else came in the way."""

    CHANGED = "changed"
    """It was changed since."""
    APPEARED = "appeared"
    """Something is there now where nothing was."""
    REMOVED = "removed"
    """It is not there any more."""


class Conflict(msgspec.Struct, frozen=True, kw_only=True):
    """A path that cannot be taken over without losing what somebody else did."""

    path: str
    clash: Clash
    ours: Side | None = None
    """What the commit or undo would put there; None: nothing."""
    theirs: Side | None = None
    """What is there now; None: nothing."""
    by: str = ""
    """The commit that did it, where it was one of ours."""


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """A commit: what was taken over, and can be undone."""

    id: str
    workspace: str
    at: float
    changes: tuple[Change, ...] = ()
    kept_bytes: int = 0
    """What is kept of what it replaced."""
    label: str = ""
    """What it was for, such as the command."""
    overwritten: tuple[Conflict, ...] = ()
    """Conflicts that were decided for the transaction; the other side is kept, too."""


class Undone(msgspec.Struct, frozen=True, kw_only=True):
    """What an undo, or a rollback of copies, has done."""

    id: str
    restored: tuple[str, ...] = ()
    """Paths that are again what they were."""
    deleted: tuple[str, ...] = ()
    """Paths that are gone again."""
    overwritten: tuple[Conflict, ...] = ()


class Recovered(msgspec.Struct, frozen=True, kw_only=True):
    """What was found half done after a crash, and what became of it."""

    rolled_back: tuple[str, ...] = ()
    """Commits that had not been finished: nothing of them is left in the workspace."""
    kept: tuple[str, ...] = ()
    """Undos that had not been finished: the commit is again what it was."""
    dropped: tuple[str, ...] = ()
    """Transactions whose owner is gone."""
    left: tuple[str, ...] = ()
    """What could not be put right, in words."""
