"""A script -> run by bash on the layer of a transaction, in namespaces of its own, as whoever runs this."""

from __future__ import annotations

import os
import pickle
import stat
import sys
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING

from limpet.kernel import namespaces, rights
from limpet.kernel.mounts import carry_out
from limpet.overlay.mount import layer
from limpet.process.ids import enter_user_namespace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from limpet.overlay.place import Place

Facts = dict[str, tuple[object, ...]]


def in_layer(place: Place, action: Callable[[], object]) -> int:
    """Do it in a child that sees the layer where the workspace is, without rights; its exit status."""
    return _in_child(lambda: _enter(place), action)


@contextmanager
def held(place: Place) -> Iterator[None]:
    """While another process has the layer mounted."""
    reading, writing = os.pipe()
    waiting, ours = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(ours)
            _enter(place)
            os.write(writing, b"x")
            os.read(waiting, 1)
        finally:
            os._exit(0)
    for fd in (writing, waiting):
        os.close(fd)
    try:
        assert os.read(reading, 1) == b"x"
        yield
    finally:
        for fd in (reading, ours):
            os.close(fd)
        os.waitpid(pid, 0)


def directly(folder: Path, action: Callable[[], object]) -> int:
    """Do it in the folder itself, as somebody with as few rights."""

    def enter() -> None:
        enter_user_namespace(namespaces.MOUNT)
        os.chdir(folder)
        rights.give_up_capabilities()

    return _in_child(enter, action)


def _in_child(enter: Callable[[], None], action: Callable[[], object]) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid == 0:
        status = 125
        try:
            enter()
            status = int(bool(action()))
        except BaseException:  # noqa: BLE001 - it must not go on as a second test run
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def bash(place: Place, script: str) -> int:
    """The same with a script, by a shell without any rights of its own."""
    return in_layer(place, lambda: os.execvp("bash", ["bash", "-c", script]))


def _enter(place: Place) -> None:
    enter_user_namespace(namespaces.MOUNT)
    workspace = place.about.workspace
    carry_out((("private",), *layer(place), ("harden", workspace), ("put", workspace, workspace)))
    os.chdir(workspace)
    rights.give_up_capabilities()


def facts(folder: Path, *, times: bool = True) -> Facts:
    """Everything there is to know of a tree; files that are one file are told by the first of their names."""
    found: Facts = {}
    names: dict[int, str] = {}
    root = os.fsencode(folder)
    for path in sorted(_below(root)):
        status = os.lstat(path)
        name = os.fsdecode(path[len(root) :]) or "/"
        first = names.setdefault(status.st_ino, name)
        is_folder = stat.S_ISDIR(status.st_mode)
        attributes = tuple((one, os.getxattr(path, one, follow_symlinks=False)) for one in sorted(_xattrs(path)))
        found[name] = (
            oct(status.st_mode), status.st_uid, status.st_gid, attributes,
            *((status.st_mtime_ns,) if times else ()),
            *(() if is_folder else (first, status.st_nlink, _contents(path, status))),
        )  # fmt: skip
    return found


def facts_with_rights(folder: Path) -> Facts:
    """The same for somebody who cannot look into everything: in a child that is master of a namespace."""
    reading, writing = os.pipe()

    def look() -> None:
        with open(writing, "wb") as file:
            pickle.dump(facts(folder), file)

    pid = os.fork()
    if pid == 0:
        try:
            os.close(reading)
            enter_user_namespace(namespaces.MOUNT)
            look()
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as file:
        found: Facts = pickle.load(file)
    os.waitpid(pid, 0)
    return found


def _below(root: bytes) -> list[bytes]:
    found = [root]
    for place, folders, files in os.walk(root, onerror=_raise):
        found += [os.path.join(place, name) for name in (*folders, *files)]
    return found


def _raise(error: OSError) -> None:
    raise error


def _xattrs(path: bytes) -> list[str]:
    return os.listxattr(path, follow_symlinks=False)


def _contents(path: bytes, status: os.stat_result) -> object:
    if stat.S_ISLNK(status.st_mode):
        return os.readlink(path)
    if not stat.S_ISREG(status.st_mode):
        return status.st_rdev
    with open(path, "rb") as file:
        return status.st_size, file.read()
