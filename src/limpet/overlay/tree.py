"""A folder -> everything below it, reached from descriptor to descriptor so that no link is ever followed."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections import OrderedDict
from typing import TYPE_CHECKING, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    from limpet.kernel.files import Entry

_FOLDER = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_MOST_HELD = 48
_OWNER_ALL = 0o700

_Value = TypeVar("_Value")
Listing = list[tuple[bytes, os.stat_result]]


class Tree:
    """Paths are bytes, relative to the folder; the empty path is the folder itself."""

    def __init__(self, root: str, *, ours: bool = False) -> None:
        """`ours`: folders that are closed to their owner are opened to look into them, and closed at the end."""
        self.root = root
        self.ours = ours
        self._closed: dict[bytes, int] = {}
        self._held: OrderedDict[bytes, int] = OrderedDict({b"": os.open(root, _FOLDER)})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folders that are held; those that were closed are so again."""
        self.close_again()
        for fd in self._held.values():
            os.close(fd)
        self._held.clear()

    def close_again(self, below: bytes = b"") -> None:
        """Folders that were opened at a path or below it are as they were: the innermost first."""
        for path in sorted(self._closed, key=lambda path: path.count(b"/"), reverse=True):
            if is_within(path, below):
                mode = self._closed.pop(path)
                with contextlib.suppress(FileNotFoundError, NotADirectoryError):
                    chmod(self.entry(path), mode)

    def forget(self, below: bytes = b"") -> None:
        """Folders at a path or below it have been moved: look for them again."""
        for path in [path for path in self._held if path and is_within(path, below)]:
            os.close(self._held.pop(path))

    def entry(self, path: bytes) -> Entry:
        """The folder that a path is in, and its name there. Raises OSError where a folder on the way is none."""
        above, _, name = path.rpartition(b"/")
        return self._folder(above), name or b"."

    def name(self, path: bytes) -> bytes:
        """A name for calls that take no descriptor of a folder. Its last part may be a link: do not follow it."""
        folder, name = self.entry(path)
        return b"/proc/self/fd/%d/%b" % (folder, name)

    def mode(self, path: bytes, status: os.stat_result) -> int:
        """The permissions that it has when nobody looks into it."""
        return self._closed.get(path, stat.S_IMODE(status.st_mode))

    def status(self, path: bytes) -> os.stat_result | None:
        """What is there; None when nothing is, or when a folder on the way is not one, or closed to us."""
        try:
            return self._status(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except PermissionError:
            if not self.ours:
                return None
        self._open_up(path.rpartition(b"/")[0])
        return self.status(path)

    def listing(self, path: bytes) -> Listing:
        """What is in a folder, by name. One that cannot be read is empty, unless it is ours."""
        try:
            return self._list(path)
        except PermissionError:
            if not self.ours:
                return []
        self._open_up(path)
        return self._list(path)

    def children(self, path: bytes) -> Iterator[tuple[bytes, os.stat_result]]:
        """What is in a folder, by path."""
        return ((join(path, name), status) for name, status in self.listing(path))

    def below(self, path: bytes) -> Iterator[tuple[bytes, os.stat_result]]:
        """Everything below a folder: a folder before what is in it."""
        stack = [path]
        while stack:
            for here, status in self.children(stack.pop()):
                yield here, status
                if stat.S_ISDIR(status.st_mode):
                    stack.append(here)

    def open(self, path: bytes) -> int:
        """A file, to be read. One that is ours and closed to its owner is opened for a moment. Raises OSError."""
        return self.allowed(path, lambda: self._open(path))

    def allowed(self, path: bytes, action: Callable[[], _Value]) -> _Value:
        """Do something for which its owner needs rights on it, if need be by giving them for a moment."""
        try:
            return action()
        except PermissionError:
            entry = self.entry(path)
            mode = stat.S_IMODE(os.lstat(entry[1], dir_fd=entry[0]).st_mode)
            if not self.ours or mode & _OWNER_ALL == _OWNER_ALL:
                raise
        chmod(entry, mode | _OWNER_ALL)
        try:
            return action()
        finally:
            chmod(entry, mode)

    def loosen(self, path: bytes) -> None:
        """Let the owner of a folder do everything in it."""
        folder, name = self.entry(path)
        mode = stat.S_IMODE(os.lstat(name, dir_fd=folder).st_mode)
        if mode & _OWNER_ALL != _OWNER_ALL:
            self._closed.setdefault(path, mode)
            chmod((folder, name), mode | _OWNER_ALL)

    def settled(self, path: bytes) -> None:
        """Somebody else sees to it that a folder which was opened is as it should be."""
        self._closed.pop(path, None)

    def _open_up(self, path: bytes) -> None:
        """Every folder on the way, from the outermost. Raises PermissionError where that changes nothing."""
        before = len(self._closed)
        names = path.split(b"/") if path else []
        for count in range(len(names) + 1):
            self.loosen(b"/".join(names[:count]))
        if len(self._closed) == before:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), os.path.join(self.root, os.fsdecode(path)))

    def _open(self, path: bytes) -> int:
        folder, name = self.entry(path)
        return os.open(name, _READ, dir_fd=folder)

    def _status(self, path: bytes) -> os.stat_result:
        folder, name = self.entry(path)
        return os.lstat(name, dir_fd=folder)

    def _list(self, path: bytes) -> Listing:
        fd = os.open(b".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=self._folder(path))
        try:
            return [(name, status) for name in sorted(map(os.fsencode, os.listdir(fd))) if (status := _look(fd, name))]
        finally:
            os.close(fd)

    def _folder(self, path: bytes) -> int:
        if path in self._held:
            self._held.move_to_end(path)
            return self._held[path]
        above, _, name = path.rpartition(b"/")
        fd = os.open(name, _FOLDER, dir_fd=self._open_above(above))
        self._held[path] = fd
        self._drop_oldest()
        return fd

    def _open_above(self, path: bytes) -> int:
        """Step by step from the nearest folder that is held: a deep one is no deep recursion."""
        known = path
        while known not in self._held:
            known = known.rpartition(b"/")[0]
        missing = path[len(known) :].strip(b"/")
        for name in missing.split(b"/") if missing else ():
            known_fd = self._held[known]
            known = join(known, name)
            self._held[known] = os.open(name, _FOLDER, dir_fd=known_fd)
            self._drop_oldest(keep=known)
        self._held.move_to_end(path)
        return self._held[path]

    def _drop_oldest(self, keep: bytes = b"") -> None:
        while len(self._held) > _MOST_HELD:
            oldest = next(path for path in self._held if path and path != keep)
            os.close(self._held.pop(oldest))


def _look(folder: int, name: bytes) -> os.stat_result | None:
    try:
        return os.lstat(name, dir_fd=folder)
    except FileNotFoundError:  # somebody has removed it since it was listed
        return None


def join(folder: bytes, name: bytes) -> bytes:
    """The path of a name in a folder."""
    return folder + b"/" + name if folder else name


def is_within(path: bytes, folder: bytes) -> bool:
    """Whether it is that folder, or below it."""
    return not folder or path == folder or path.startswith(folder + b"/")


def chmod(entry: Entry, mode: int) -> None:
    """Of what is no link: one is never followed, as the name is opened as a folder or file that it is."""
    folder, name = entry
    fd = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    try:
        if not stat.S_ISLNK(os.fstat(fd).st_mode):
            os.chmod(f"/proc/self/fd/{fd}", mode)
    finally:
        os.close(fd)
