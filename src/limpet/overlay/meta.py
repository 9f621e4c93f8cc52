"""What a file or folder is apart from its contents: mode, owner, times and extended attributes."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from typing import TYPE_CHECKING

import msgspec

from limpet.overlay.tree import chmod

if TYPE_CHECKING:
    from limpet.overlay.tree import Tree

_OF_THE_OVERLAY = b"user.overlay."
_ESCAPED = b"user.overlay.overlay."
_NOT_OURS = (b"security.", b"trusted.", b"system.")
"""May be refused to an ordinary user, or by another filesystem."""
_REFUSED = (errno.EPERM, errno.EACCES, errno.EOPNOTSUPP, errno.EINVAL)

Xattrs = tuple[tuple[bytes, bytes], ...]


class Meta(msgspec.Struct, frozen=True, array_like=True):
    """Of one path."""

    mode: int
    uid: int
    gid: int
    atime_ns: int
    mtime_ns: int
    xattrs: Xattrs = ()

    def same_but_times(self, other: Meta) -> bool:
        """Whether all that somebody sets on purpose is alike."""
        return (self.mode, self.uid, self.gid, self.xattrs) == (other.mode, other.uid, other.gid, other.xattrs)


def read_meta(tree: Tree, path: bytes) -> Meta:
    """What it is now, without the marks of the overlay."""
    folder, name = tree.entry(path)
    status = os.lstat(name, dir_fd=folder)
    return Meta(
        tree.mode(path, status), status.st_uid, status.st_gid, status.st_atime_ns, status.st_mtime_ns,
        read_xattrs(tree, path),
    )  # fmt: skip


def write_meta(tree: Tree, path: bytes, meta: Meta, *, times: bool = True) -> None:
    """Make it so. Owner first, as a change of it takes special bits away; times last."""
    now = read_meta(tree, path)
    entry = folder, name = tree.entry(path)
    if (now.uid, now.gid) != (meta.uid, meta.gid):
        os.chown(name, meta.uid, meta.gid, dir_fd=folder, follow_symlinks=False)
    write_xattrs(tree.name(path), now.xattrs, meta.xattrs)
    if stat.S_IMODE(os.lstat(name, dir_fd=folder).st_mode) != meta.mode:
        chmod(entry, meta.mode)
    if times:
        # Somebody else's folder that we may write to: its times are theirs to set.
        with contextlib.suppress(PermissionError) if now.uid != os.geteuid() else contextlib.nullcontext():
            os.utime(name, ns=(meta.atime_ns, meta.mtime_ns), dir_fd=folder, follow_symlinks=False)


def read_xattrs(tree: Tree, path: bytes) -> Xattrs:
    """Those that are a file's own, by name, as they were called inside the overlay. What cannot be read is left out."""
    try:
        return tree.allowed(path, lambda: _xattrs(tree.name(path)))
    except OSError as error:
        if error.errno not in _REFUSED:
            raise
        return ()


def _xattrs(name: bytes | str) -> Xattrs:
    found = []
    for text in os.listxattr(name, follow_symlinks=False):
        attribute = os.fsencode(text)
        if not attribute.startswith(_OF_THE_OVERLAY) or attribute.startswith(_ESCAPED):
            found.append((_inside(attribute), os.getxattr(name, attribute, follow_symlinks=False)))
    return tuple(sorted(found))


def write_xattrs(name: bytes | str, now: Xattrs, wanted: Xattrs) -> None:
    """Set those that differ, take away those that are too many."""
    for attribute, value in wanted:
        if (attribute, value) not in now:
            _try_xattr(os.setxattr, name, attribute, value)
    kept = {attribute for attribute, _ in wanted}
    for attribute, _ in now:
        if attribute not in kept:
            _try_xattr(os.removexattr, name, attribute)


def clean(tree: Tree, path: bytes) -> None:
    """Take away the marks of the overlay, and give back the names that it had to write otherwise. Raises OSError."""
    tree.allowed(path, lambda: _clean(tree.name(path)))


def _clean(name: bytes) -> None:
    with contextlib.suppress(FileNotFoundError):
        for text in os.listxattr(name, follow_symlinks=False):
            attribute = os.fsencode(text)
            if attribute.startswith(_ESCAPED):
                value = os.getxattr(name, attribute, follow_symlinks=False)
                os.removexattr(name, attribute, follow_symlinks=False)
                os.setxattr(name, _inside(attribute), value, follow_symlinks=False)
            elif attribute.startswith(_OF_THE_OVERLAY):
                os.removexattr(name, attribute, follow_symlinks=False)


def mark(tree: Tree, path: bytes, which: str) -> bytes | None:
    """One of the overlay's own marks; None when it is not there."""
    attribute = _OF_THE_OVERLAY + which.encode()
    try:
        return tree.allowed(path, lambda: os.getxattr(tree.name(path), attribute, follow_symlinks=False))
    except OSError:
        return None


def copy_folder(source: str, target: str) -> None:
    """A folder of our own becomes like another in all but what is in it."""
    status = os.stat(source)
    with contextlib.suppress(PermissionError):
        os.chown(target, status.st_uid, status.st_gid)
    write_xattrs(target, (), _xattrs(source))
    os.chmod(target, stat.S_IMODE(status.st_mode))
    os.utime(target, ns=(status.st_atime_ns, status.st_mtime_ns))


def _inside(attribute: bytes) -> bytes:
    return _OF_THE_OVERLAY + attribute[len(_ESCAPED) :] if attribute.startswith(_ESCAPED) else attribute


def _try_xattr(function: object, name: bytes | str, attribute: bytes, *value: bytes) -> None:
    assert callable(function)
    try:
        function(name, attribute, *value, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _REFUSED or not attribute.startswith(_NOT_OURS):
            raise
