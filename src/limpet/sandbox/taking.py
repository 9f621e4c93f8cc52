"""A path of the workspace -> moved out of it, without being led astray by links that a command has put there."""

from __future__ import annotations

import os
import shutil

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def take_out(workspace: str, inside: str, keep_in: str) -> str:
    """Move it to the same place below `keep_in`; the path that was moved. Raises OSError.

    A link on the way is what is moved: what it leads to may be anybody's.
    """
    *folders, name = inside.split("/")
    fd = os.open(workspace, _FOLDER)
    try:
        for count, folder in enumerate(folders):
            if _is_link(folder, fd):
                name, folders = folder, folders[:count]
                break
            above, fd = fd, os.open(folder, _FOLDER, dir_fd=fd)
            os.close(above)
        place = os.path.join(keep_in, *folders, name)
        os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
        _open_up(f"/proc/self/fd/{fd}/{name}")
        shutil.move(f"/proc/self/fd/{fd}/{name}", place)
    finally:
        os.close(fd)
    return "/".join([*folders, name])


def _open_up(path: str) -> None:
    """So that it can be moved: a folder may have been closed to its own maker."""
    if os.path.isdir(path) and not os.path.islink(path):
        os.chmod(path, 0o700)
        for folder, names, _ in os.walk(path):
            for name in names:
                if not os.path.islink(os.path.join(folder, name)):
                    os.chmod(os.path.join(folder, name), 0o700)


def _is_link(name: str, folder: int) -> bool:
    try:
        os.readlink(name, dir_fd=folder)
    except OSError:
        return False
    return True


def stand_alone(path: str) -> None:
    """A file that has other names gets none but this: who writes to another name would write to it as well."""
    if os.lstat(path).st_nlink > 1:
        copy = f"{path}.{os.getpid()}"
        shutil.copy2(path, copy, follow_symlinks=False)
        os.replace(copy, path)
