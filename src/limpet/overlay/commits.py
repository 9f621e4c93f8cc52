"""The commits that are kept: `commits/<name>/` below the state directory, each with its journal and its slots."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import TransactionError
from limpet.overlay import staging
from limpet.overlay.flush import flush_folders
from limpet.overlay.journal import (
    Begun,
    Done,
    Journal,
    Kept,
    Planned,
    Record,
    Restored,
    Stuck,
    Undoing,
    Undone,
    records_of,
)
from limpet.overlay.remove import remove_tree
from limpet.overlay.steps import Steps
from limpet.overlay.tree import Tree
from limpet.overlay.whereabouts import COMMITS, check_name, is_abandoned, unfinished_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOCK = ".lock-"
_PATIENCE = 60.0
_PAUSE = 0.02


class Story(msgspec.Struct, frozen=True, kw_only=True):
    """What the journal of a commit comes to."""

    begun: Begun
    steps: Steps | None = None
    done: Done | None = None
    undoing: bool = False
    undone: bool = False
    stage: str = ""
    """Where the slots are now: a folder in the workspace, or empty for those beside the journal."""
    times: staging.Times = (0, 0)
    """Of the workspace's folder, as they are to be when the stage is gone."""
    stuck: tuple[bytes, ...] = ()
    moving: Steps | None = None
    """Those that may have been taken, or taken back, without it being said that all were."""

    @property
    def stands(self) -> bool:
        """It was finished, and neither undone nor half undone."""
        return self.done is not None and not (self.undoing or self.undone)


class Commit:
    """The folder of one."""

    def __init__(self, folder: str, *, durable: bool = True) -> None:
        self.folder = folder
        self.around, self.name = os.path.split(folder)
        self.slots = os.path.join(folder, "slots")
        self._journal = os.path.join(folder, "journal")
        self._mark = os.path.join(folder, "settled")
        self._durable = durable

    def make(self, begun: Begun) -> None:
        """The folder, and its first record: it is there with both, or not at all. Raises OSError."""
        unfinished = Commit(_hidden(self.folder), durable=self._durable)
        os.mkdir(unfinished.folder, 0o700)
        os.mkdir(unfinished.slots, 0o700)
        unfinished.add(begun)
        unfinished._flush()
        os.rename(unfinished.folder, self.folder)
        if self._durable:
            with Tree(self.around) as around:
                flush_folders(around, [b""])

    @property
    def is_settled(self) -> bool:
        """Whether it needs no recovery, by a mark: to read the journals of all would take longer with each."""
        return os.path.exists(self._mark)

    def settle(self) -> None:
        """It stands, and nothing of it is on its way. Without the mark, a recovery looks and puts it there."""
        with contextlib.suppress(OSError):
            os.close(os.open(self._mark, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))

    def unsettle(self) -> None:
        """Before an undo: the mark is gone for good before anything is moved. Raises OSError."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._mark)
        self._flush()

    def _flush(self) -> None:
        """Which names are in its folder."""
        if self._durable:
            with Tree(self.folder) as folder:
                flush_folders(folder, [b""])

    def add(self, *records: Record) -> None:
        """To its journal."""
        journal = Journal(self._journal, durable=self._durable)
        try:
            for record in records:
                journal.add(record)
        finally:
            journal.close()

    def story(self) -> Story | None:
        """What happened to it so far; None when it never began."""
        return _told(records_of(self._journal))

    def remove(self, stage: str = "", times: staging.Times = (0, 0)) -> None:
        """With everything that is kept for it, and its folder in the workspace. A crash leaves it whole, or hidden."""
        if stage:
            staging.remove(stage, times)
        with contextlib.suppress(FileNotFoundError):
            os.rename(self.folder, _hidden(self.folder))
        remove_tree(_hidden(self.folder))


def new(state: str, name: str, *, durable: bool = True) -> Commit:
    """One that is not there yet. Raises TransactionError for a name that is taken, or is none."""
    check_name(name)
    folder = os.path.join(os.path.realpath(state), COMMITS, name)
    if os.path.lexists(folder):
        raise TransactionError(f"there is a commit {name} already; every one needs a name of its own")
    return Commit(folder, durable=durable)


def sweep(state: str) -> None:
    """What is left of commits that were about to come or to go when their process ended."""
    folder = os.path.join(os.path.realpath(state), COMMITS)
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir(folder):
            if name.startswith(".") and not name.startswith(_LOCK) and is_abandoned(name):
                remove_tree(os.path.join(folder, name))


def _hidden(folder: str) -> str:
    around, name = os.path.split(folder)
    return os.path.join(around, unfinished_name(name))


def everyone(state: str) -> list[Commit]:
    """All that are kept, oldest first by name."""
    folder = os.path.join(os.path.realpath(state), COMMITS)
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except FileNotFoundError:
        return []
    return [Commit(os.path.join(folder, name)) for name in names]


@contextlib.contextmanager
def one_at_a_time(state: str, workspace: str) -> Iterator[None]:
    """No two commits, undos or recoveries of a workspace at once; who comes later waits. Raises TransactionError."""
    folder = os.path.join(os.path.realpath(state), COMMITS)
    name = hashlib.sha256(os.fsencode(workspace)).hexdigest()[:16]
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        fd = os.open(
            os.path.join(folder, f"{_LOCK}{name}"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600
        )
    except OSError as error:
        raise TransactionError(f"commits cannot be kept in {folder}: {error.strerror}; set LIMPET_STATE_DIR") from error
    try:
        _lock(fd, workspace)
        yield
    finally:
        os.close(fd)


def can_move(folder: str, workspace: Tree) -> bool:
    """Whether files can be moved between them: the same filesystem is not enough, it has to be the same mount."""
    with Tree(folder) as tree:
        return _mount(tree) == _mount(workspace)


def _lock(fd: int, workspace: str) -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > end:
                raise TransactionError(f"another commit or undo in {workspace} does not come to an end") from None
            time.sleep(_PAUSE)
        else:
            return


def _mount(tree: Tree) -> tuple[int, bytes]:
    folder, _ = tree.entry(b"")
    device = os.fstat(folder).st_dev
    try:
        with open(f"/proc/self/fdinfo/{folder}", "rb") as file:
            found = [line for line in file if line.startswith(b"mnt_id")]
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise
        return device, b""
    return device, found[0] if found else b""


def _told(records: list[Record]) -> Story | None:
    """Record by record."""
    if not records or not isinstance(records[0], Begun):
        return None
    story = Story(begun=records[0], stage=records[0].stage, times=records[0].times)
    for record in records[1:]:
        story = msgspec.structs.replace(story, **_news(record))
    return story


def _news(record: Record) -> dict[str, object]:
    match record:
        case Planned(steps=steps):
            return {"steps": steps, "moving": steps}
        case Done(times=times):
            return {"done": record, "moving": None, "times": times}
        case Kept():
            return {"stage": ""}
        case Undoing(stage=stage, times=times):
            return {"undoing": True, "stage": stage, "times": times}
        case Undone(times=times):
            return {"undoing": False, "undone": True, "moving": None, "times": times}
        case Restored():
            return {"undoing": False, "stage": "", "moving": None}
        case Stuck(paths=paths):
            return {"stuck": paths}
        case _:
            return {}
