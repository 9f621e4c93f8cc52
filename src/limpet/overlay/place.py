"""Where a transaction lives: `transactions/<name>/` below the state directory, for its user alone.

`about` says what it is, `upper` has what changed, `work` is the kernel's, `own` lists what it has committed itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import NoOverlayError, TransactionError
from limpet.kernel.identity import Identity, is_alive, mine
from limpet.overlay import fit
from limpet.overlay.meta import copy_folder
from limpet.overlay.pack import pack, unpack
from limpet.overlay.remove import remove_tree
from limpet.overlay.whereabouts import TRANSACTIONS, check_name, is_abandoned, unfinished_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNFINISHED = "."
_MOST_TICKS = 10_000
_A_STEP = 100_000_000
"""Nanoseconds; less is no clock that was set, but one that was read slowly."""


class About(msgspec.Struct, frozen=True, kw_only=True):
    """What a transaction is, as it stands in its folder."""

    name: str
    workspace: str
    identity: tuple[int, int]
    """Device and inode of the workspace."""
    owner: Identity
    opened_ns: int
    """By the clock that files get their times from: what was changed later has this time or a later one."""
    ahead_ns: int = 0
    """By how much the clock was ahead of the time since the machine was started: less later, if it was set back."""
    label: str = ""
    copies: bool = False
    """No overlay: the workspace itself is changed, and copies of what it was are kept."""


class Place:
    """The folders of one transaction."""

    def __init__(self, folder: str, about: About) -> None:
        self.folder = folder
        self.about = about

    @property
    def since_ns(self) -> int:
        """What was changed at this time or later may have been changed since it was opened."""
        back = self.about.ahead_ns - _ahead()
        return self.about.opened_ns - (back if back > _A_STEP else 0)

    @property
    def upper(self) -> str:
        """What has changed: files as they are to be, and marks where something is gone. For copies: what was."""
        return os.path.join(self.folder, "upper")

    @property
    def work(self) -> str:
        """The kernel's own."""
        return os.path.join(self.folder, "work")

    @property
    def seen(self) -> str:
        """For copies: the file that lists what was copied, once all of it is."""
        return os.path.join(self.folder, "seen")

    @property
    def has_copies(self) -> bool:
        """Whether the workspace may have been changed, with what it was kept here alone."""
        return os.path.exists(self.seen)

    def begin(self) -> None:
        """Before a command: as long as nothing was changed in it, what others change until now is no conflict."""
        if os.listdir(self.upper):
            return
        self.about = msgspec.structs.replace(self.about, opened_ns=_next_tick(self.folder), ahead_ns=_ahead())
        beside = os.path.join(self.folder, "about.new")
        with open(beside, "wb") as file:
            file.write(pack(self.about))
        os.rename(beside, os.path.join(self.folder, "about"))

    @contextlib.contextmanager
    def in_use(self) -> Iterator[None]:
        """While a command runs in it: nobody commits meanwhile. Any number may be in it at once."""
        with self._locked(fcntl.LOCK_SH):
            yield

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """While it is looked at as a whole. Raises TransactionError when a command runs in it."""
        with self._locked(fcntl.LOCK_EX):
            yield

    def drop(self) -> None:
        """Nothing of it is left; an overlay never touched the workspace. Raises TransactionError when it is in use."""
        if os.path.isdir(self.folder):
            with self.alone(), contextlib.suppress(FileNotFoundError):  # somebody else was faster
                hidden = _hidden(self.folder)  # one that is half removed, after a crash, is not taken for another
                os.rename(self.folder, hidden)
                remove_tree(hidden)

    @contextlib.contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        try:
            fd = os.open(os.path.join(self.folder, "lock"), os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            raise TransactionError(f"the transaction {self.about.name} is over") from None
        try:
            try:
                fcntl.flock(fd, how | fcntl.LOCK_NB)
            except BlockingIOError:
                raise TransactionError(
                    f"the transaction {self.about.name} is in use; wait until its command, commit or drop has ended"
                ) from None
            yield
        finally:
            os.close(fd)


def create(state: str, name: str, workspace: str, *, label: str = "", copies: bool = False) -> Place:
    """Open a transaction. Raises TransactionError when it cannot live there; nothing is left then."""
    check_name(name)
    state, workspace = os.path.realpath(state), os.path.realpath(workspace)
    status = _workspace(workspace)
    if not copies and (why := fit.unfit_workspace(workspace, state)):
        raise NoOverlayError(why)
    folder = os.path.join(state, TRANSACTIONS)
    unfinished = _hidden(os.path.join(folder, name))
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        os.mkdir(unfinished, 0o700)
        place = _furnish(unfinished, os.path.join(folder, name), workspace, copies=copies)
        about = About(
            name=name, workspace=workspace, identity=(status.st_dev, status.st_ino), owner=mine(),
            opened_ns=_next_tick(unfinished), ahead_ns=_ahead(), label=label, copies=copies,
        )  # fmt: skip
        with open(os.path.join(unfinished, "about"), "wb") as file:
            file.write(pack(about))
        os.rename(unfinished, place)
    except OSError as error:
        _discard(unfinished)
        raise TransactionError(
            f"no transaction can be kept in {folder}: {error.strerror}; free space there or set LIMPET_STATE_DIR"
        ) from error
    except TransactionError:
        _discard(unfinished)
        raise
    return Place(place, about)


def find(state: str, name: str) -> Place:
    """One that is open. Raises TransactionError."""
    for place in everyone(state):
        if place.about.name == name:
            return place
    raise TransactionError(f"there is no open transaction {name!r}")


def everyone(state: str) -> list[Place]:
    """All of this user's that are open, by name, whichever process they belong to."""
    folder = os.path.join(os.path.realpath(state), TRANSACTIONS)
    found = []
    for name in _names(folder):
        if not name.startswith(_UNFINISHED):
            about = os.path.join(folder, name, "about")
            with contextlib.suppress(OSError, ValueError), open(about, "rb") as file:
                if os.fstat(file.fileno()).st_uid == os.geteuid():
                    found.append(Place(os.path.join(folder, name), unpack(file.read(), About)))
    return found


def abandoned(state: str) -> list[Place]:
    """Those whose owner is known to be gone."""
    return [place for place in everyone(state) if is_alive(place.about.owner) is False]


def sweep(state: str) -> tuple[str, ...]:
    """Drop those whose owner is gone, and what is left of some that never came to be; their names.

    Not those with copies: the workspace was changed under them, and only they know what it was.
    """
    dropped = []
    for place in abandoned(state):
        if not place.has_copies:
            with contextlib.suppress(TransactionError):  # somebody looks at it just now
                place.drop()
                dropped.append(place.about.name)
    folder = os.path.join(os.path.realpath(state), TRANSACTIONS)
    for name in _names(folder):
        if name.startswith(_UNFINISHED) and is_abandoned(name):
            remove_tree(os.path.join(folder, name))
    return tuple(dropped)


def _hidden(folder: str) -> str:
    """Its name before it is whole, and when it is whole no more."""
    around, name = os.path.split(folder)
    return os.path.join(around, unfinished_name(name))


def _workspace(workspace: str) -> os.stat_result:
    try:
        status = os.stat(workspace)
        os.listdir(workspace)
    except OSError as error:
        raise TransactionError(f"the workspace {workspace} cannot be read: {error.strerror}") from error
    return status


def _furnish(unfinished: str, place: str, workspace: str, *, copies: bool) -> str:
    for name in ("upper", "work"):
        os.mkdir(os.path.join(unfinished, name), 0o700)
    os.mknod(os.path.join(unfinished, "lock"), 0o600)
    upper = os.path.join(unfinished, "upper")
    why = "" if copies else fit.unfit(upper)
    if why:
        raise NoOverlayError(f"what changes cannot be kept in {os.path.dirname(place)}: {why}; set LIMPET_STATE_DIR")
    copy_folder(workspace, upper)
    return place


def _next_tick(folder: str) -> int:
    """A time that no file changed before now has, and every file changed from now on reaches.

    Files get their times from a clock that moves in steps of milliseconds.
    """
    path = os.path.join(folder, "tick")
    first = now = 0
    for _ in range(_MOST_TICKS):
        with open(path, "wb"):
            now = os.stat(path).st_ctime_ns
        first = first or now
        if now > first:
            break
    os.unlink(path)
    return now


def _ahead() -> int:
    return time.clock_gettime_ns(time.CLOCK_REALTIME) - time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except FileNotFoundError:
        return []


def _discard(folder: str) -> None:
    with contextlib.suppress(OSError):
        remove_tree(folder)
