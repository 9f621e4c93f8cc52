"""Entering a user namespace without becoming somebody else."""

from __future__ import annotations

import os

from limpet.kernel import namespaces


def enter_user_namespace(more: int = 0) -> None:
    """Enter a new one, and new ones of other kinds, in which this user has the same ids as before, and all rights.

    Root keeps everybody's ids, so that files keep their owners; anybody else can keep only their own.
    """
    uid, gid = os.geteuid(), os.getegid()
    if uid != 0 or not _enter_with_all_ids(more):
        if uid != 0:
            namespaces.unshare(namespaces.USER | more)
        namespaces.keep_own_ids(uid, gid)


def _enter_with_all_ids(more: int) -> bool:
    """With a helper that stays outside. False when the ids are not mapped yet."""
    waiting, entered = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        _map_for_parent(waiting, entered)
    os.close(waiting)
    try:
        namespaces.unshare(namespaces.USER | more)
        os.write(entered, b"x")
    finally:
        os.close(entered)
        _, status = os.waitpid(pid, 0)
    return status == 0


def _map_for_parent(waiting: int, entered: int) -> None:
    """In a child: once the parent has entered. Never returns."""
    code = 1
    try:
        os.close(entered)
        if os.read(waiting, 1):
            namespaces.keep_all_ids(os.getppid())
            code = 0
    finally:
        os._exit(code)
