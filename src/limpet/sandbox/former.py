"""Files that make other programs do something later, and that nothing keeps a run from changing: told when it has.

They are not put back: somebody else may have changed them meanwhile. But what they were is kept.
"""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from limpet.sandbox.quarantine import Watch

_LARGEST = 1 << 16
_MOST_FILES = 500


class _Contents(NamedTuple):
    mode: int = 0
    data: bytes = b""
    """Or where a link leads."""
    changed: int = 0
    """When, for a file that is too large to be kept."""


class Former:
    """What files were before a run. Paths may be folders: all that is in them counts."""

    def __init__(self, paths: Iterable[str], workspace: str, *, keep_in: str) -> None:
        self._workspace = workspace.rstrip("/")
        self._keep_in = keep_in
        self._folders = [path for path in paths if _is_folder(path)]
        self._files = {file: _look(file) for path in paths for file in _files(path)}

    def settle(self, why: Callable[[str], str], watch: Watch) -> tuple[str, ...]:
        """Say what has changed; what is new in a folder that was there before is taken out like everything new."""
        new = [file for folder in self._folders for file in _files(folder) if file not in self._files]
        told = [watch.take_out(path, why(path)) for path in new]
        told += [self._tell(path, was, why) for path, was in self._files.items() if _look(path) != was]
        return tuple(filter(None, told))

    def _tell(self, path: str, was: _Contents, why: Callable[[str], str]) -> str:
        inside = path[len(self._workspace) + 1 :]
        said = f"{inside} {'was changed' if os.path.lexists(path) else 'was removed'}, {why(path)}"
        if was.changed:
            return f"{said}; what it was is too large to be kept"
        place = os.path.join(self._keep_in, "before", inside)
        try:
            os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
            with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
                file.write(was.data)
        except OSError as error:
            return f"{said}; what it was could not be kept: {error.strerror}"
        return f"{said}; what it was is kept in {place}"


def _files(path: str) -> Iterator[str]:
    if not _is_folder(path):
        yield path
        return
    left = _MOST_FILES
    for folder, folders, names in os.walk(path):
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in sorted([*names, *links])[:left]:
            yield os.path.join(folder, name)
        left -= len(names) + len(links)
        if left <= 0:
            return


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) and not os.path.islink(path)


def _look(path: str) -> _Contents:
    with contextlib.suppress(OSError):
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            return _Contents(status.st_mode, os.fsencode(os.readlink(path)))
        if status.st_size > _LARGEST or not stat.S_ISREG(status.st_mode):
            return _Contents(status.st_mode, changed=status.st_ctime_ns)
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(fd, "rb") as file:
            return _Contents(status.st_mode, file.read(_LARGEST + 1))
    return _Contents()
