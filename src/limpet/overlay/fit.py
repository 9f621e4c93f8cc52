"""A folder -> why the kernel would not keep changes there."""

from __future__ import annotations

import errno
import os

_MARK = "user.overlay.limpet"
_NEVER = {
    "overlay": "it is itself an overlay, as in a container; a volume or /dev/shm would do",
    "nfs": "it is on the network",
    "nfs4": "it is on the network",
    "cifs": "it is on the network",
    "smb3": "it is on the network",
    "9p": "it is another machine's",
    "virtiofs": "it is another machine's",
    "vfat": "its filesystem has no owners",
    "exfat": "its filesystem has no owners",
    "ntfs3": "its filesystem has no such names",
    "ecryptfs": "its filesystem is a layer itself",
}


def unfit(folder: str) -> str:
    """Empty where it would. The kernel has the last word when it mounts."""
    kind = filesystem(folder)
    if kind in _NEVER or kind.startswith("fuse"):
        return _NEVER.get(kind, "it is a program's") + f" ({kind})"
    try:
        os.setxattr(folder, _MARK, b"y")
        os.removexattr(folder, _MARK)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EPERM):
            return f"files there cannot have extended attributes ({kind or 'unknown filesystem'})"
        raise
    return ""


def unfit_workspace(workspace: str, state: str) -> str:
    """Why there can be no layer above a workspace that is kept in a state directory; empty where there can."""
    if f"{state}/".startswith(f"{workspace.rstrip('/')}/"):
        return (
            f"the state directory {state} lies in the workspace {workspace}: set LIMPET_STATE_DIR to a place outside it"
        )
    status, us = os.stat(workspace), (os.geteuid(), os.getegid())
    if us[0] != 0 and (status.st_uid, status.st_gid) != us:
        return (
            f"the workspace {workspace} belongs to user {status.st_uid} and group {status.st_gid}; a layer can only "
            f"have files of {us[0]} and {us[1]} in it"
        )
    inside = mounts_inside(workspace)
    if inside:
        return f"{inside[0]} is mounted inside the workspace {workspace}, where no layer can be put above it"
    return ""


def filesystem(path: str) -> str:
    """The kind of the filesystem that a path is on; empty when it is not listed."""
    device = os.stat(path).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    found = [words for words in _mounts() if words[2] == wanted]
    return next((words[words.index("-") + 1] for words in found), "")


def mounts_inside(folder: str) -> tuple[str, ...]:
    """Where something else is mounted below a folder: nobody without rights over the machine may look under it."""
    inside = folder.rstrip("/") + "/"
    return tuple(sorted({path for words in _mounts() if (path := _plain(words[4])).startswith(inside)}))


def _mounts() -> list[list[str]]:
    try:
        with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as file:
            return [line.split() for line in file]
    except OSError:
        return []


def _plain(word: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        word = word.replace(code, character)
    return word
