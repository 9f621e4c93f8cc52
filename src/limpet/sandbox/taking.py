"""A path of the workspace -> moved out of it, without being led astray by links that a command has put there."""

from __future__ import annotations

import errno
import os
import stat

_SMALL = 1 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def take_out(workspace: str, inside: str, keep_in: str) -> tuple[str, str]:
    """Move it to the same place below `keep_in`; the path that was moved, and where it is now. Raises OSError.

    A link on the way is what is moved: what it leads to may be anybody's. What another disk does not take as it is
    stays where it is, under a name that means nothing to anybody.
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
        moved = "/".join([*folders, name])
        return moved, _move(fd, name, os.path.join(keep_in, moved), f"{workspace}/{moved}")
    finally:
        os.close(fd)


def _move(folder: int, name: str, place: str, path: str) -> str:
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    try:
        _rename(folder, name, place)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        status = os.lstat(name, dir_fd=folder)
        if stat.S_ISLNK(status.st_mode) or (stat.S_ISREG(status.st_mode) and status.st_size <= _SMALL):
            import shutil  # noqa: PLC0415 - seldom needed, and it loads every kind of archive

            shutil.move(f"/proc/self/fd/{folder}/{name}", place)
            return place
        aside = f".limpet-{os.path.basename(os.path.dirname(place))}-{name.lstrip('.')}"
        os.rename(name, aside, src_dir_fd=folder, dst_dir_fd=folder)
        return os.path.join(os.path.dirname(path), aside)
    return place


def _rename(folder: int, name: str, place: str) -> None:
    """A folder that was closed to its own maker has to be opened for that."""
    try:
        os.rename(name, place, src_dir_fd=folder)
    except PermissionError:
        if not stat.S_ISDIR(os.lstat(name, dir_fd=folder).st_mode):
            raise
        os.chmod(name, 0o700, dir_fd=folder)
        os.rename(name, place, src_dir_fd=folder)


def _is_link(name: str, folder: int) -> bool:
    try:
        os.readlink(name, dir_fd=folder)
    except OSError:
        return False
    return True


def stand_alone(path: str) -> None:
    """A file that has other names gets none but this: who writes to another name would write to it as well."""
    if os.lstat(path).st_nlink > 1:
        import shutil  # noqa: PLC0415 - as above

        copy = f"{path}.{os.getpid()}"
        shutil.copy2(path, copy, follow_symlinks=False)
        os.replace(copy, path)
