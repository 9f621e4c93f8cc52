"""Ways to change what lies outside the workspace. A victim is a folder with a file and a folder in it."""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING

from attack.escapes.deed import ROOT, SOME_HOSTS, Victim, deed, launcher

if TYPE_CHECKING:
    from collections.abc import Callable

HARM = b"changed\n"
FLIPPING = 0.5


def overwrite(path: str | Path) -> None:
    """Without creating it: inside, a path may lead to somewhere else than outside."""
    fd = os.open(path, os.O_WRONLY | os.O_TRUNC)
    try:
        os.write(fd, HARM)
    finally:
        os.close(fd)


@deed("files")
def write(victim: Victim) -> None:
    overwrite(victim["file"])


@deed("files")
def append(victim: Victim) -> None:
    os.write(os.open(victim["file"], os.O_WRONLY | os.O_APPEND), HARM)


@deed("files")
def truncate(victim: Victim) -> None:
    os.truncate(victim["file"], 1)


@deed("files")
def make_a_file(victim: Victim) -> None:
    os.open(victim["folder"] + "/new", os.O_WRONLY | os.O_CREAT)


@deed("files")
def make_a_folder(victim: Victim) -> None:
    os.mkdir(victim["folder"] + "/new")


@deed("files")
def make_a_symlink(victim: Victim) -> None:
    os.symlink("/nowhere", victim["folder"] + "/new")


@deed("files")
def make_a_fifo(victim: Victim) -> None:
    os.mkfifo(victim["folder"] + "/new")


@deed("files")
def remove_a_file(victim: Victim) -> None:
    os.unlink(victim["file"])


@deed("files")
def remove_a_folder(victim: Victim) -> None:
    os.rmdir(victim["folder"] + "/empty")


@deed("files")
def rename_a_file_over_it(victim: Victim) -> None:
    Path("mine").write_bytes(HARM)
    os.rename("mine", victim["file"])


@deed("files")
def rename_it_in_its_folder(victim: Victim) -> None:
    os.rename(victim["file"], victim["file"] + "-moved")


@deed("files")
def move_it_into_the_workspace(victim: Victim) -> None:
    os.rename(victim["file"], "mine")


@deed("files")
def move_its_folder_away(victim: Victim) -> None:
    os.rename(victim["folder"] + "/empty", victim["folder"] + "/moved")


@deed("files")
def write_by_a_symlink(victim: Victim) -> None:
    os.symlink(victim["file"], "link")
    overwrite("link")


@deed("files")
def write_by_a_symlinked_folder(victim: Victim) -> None:
    os.symlink(victim["folder"], "link")
    overwrite("link/file")


@deed("files")
def write_by_a_hard_link(victim: Victim) -> None:
    os.link(victim["file"], "link")
    overwrite("link")


@deed("files")
def hard_link_from_the_workspace(victim: Victim) -> None:
    Path("mine").write_bytes(HARM)
    os.link("mine", victim["folder"] + "/link")


@deed("files")
def write_by_dots(victim: Victim) -> None:
    overwrite(os.path.relpath(victim["file"]))


@deed("files")
def write_by_the_folder_above_a_descriptor(victim: Victim) -> None:
    here = os.open("..", os.O_PATH, dir_fd=os.open("..", os.O_PATH))
    path = os.path.relpath(victim["file"], os.path.realpath(os.path.join(os.getcwd(), "../..")))
    os.write(os.open(path, os.O_WRONLY | os.O_TRUNC, dir_fd=here), HARM)


@deed("files")
def write_by_proc_self_root(victim: Victim) -> None:
    overwrite("/proc/self/root" + victim["file"])


@deed("files")
def write_by_proc_self_cwd(victim: Victim) -> None:
    overwrite("/proc/self/cwd/" + os.path.relpath(victim["file"]))


@deed("files")
def write_by_the_root_of_the_first_process(victim: Victim) -> None:
    overwrite(f"/proc/{launcher(victim)}/root" + victim["file"])


@deed("files")
def reopen_a_descriptor_for_writing(victim: Victim) -> None:
    overwrite(f"/proc/self/fd/{os.open(victim['file'], os.O_RDONLY)}")


@deed("files")
def reopen_a_path_descriptor_for_writing(victim: Victim) -> None:
    overwrite(f"/dev/fd/{os.open(victim['file'], os.O_PATH)}")


@deed("files")
def write_by_memory(victim: Victim) -> None:
    fd = os.open(victim["file"], os.O_RDWR)
    with mmap.mmap(fd, 0) as memory:
        memory[0:1] = b"X"


@deed("files")
def make_read_only_memory_writable(victim: Victim) -> None:
    fd = os.open(victim["file"], os.O_RDONLY)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    page = libc.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, fd, 0)
    if libc.mprotect(ctypes.c_void_p(page), mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_WRITE):
        overwrite(f"/proc/self/fd/{fd}")  # as it is refused everywhere, at least what it stands for
    else:
        ctypes.memset(page, 0x58, 1)


@deed("files")
def change_its_mode(victim: Victim) -> None:
    os.chmod(victim["file"], 0o777)


@deed("files")
def change_the_mode_by_a_descriptor(victim: Victim) -> None:
    os.fchmod(os.open(victim["file"], os.O_RDONLY), 0o777)


@deed("files")
def change_its_times(victim: Victim) -> None:
    os.utime(victim["file"], (1, 1))


@deed("files")
def change_the_times_of_its_folder(victim: Victim) -> None:
    os.utime(victim["folder"], (1, 1))


@deed("files")
def change_its_owner(victim: Victim) -> None:
    os.chown(victim["file"], -1, os.getgid())  # to whom it belongs already; the time of the change tells


@deed("files", SOME_HOSTS)
def set_an_attribute(victim: Victim) -> None:
    os.setxattr(victim["file"], "user.mark", b"1")


@deed("files")
def flip_a_symlink_while_writing(victim: Victim) -> None:
    """Between a harmless file and the victim, as fast as it goes, while another process writes to whatever it is."""
    Path("harmless").touch()
    os.symlink("harmless", "link")
    pid = os.fork()
    if pid == 0:
        flip(victim["file"])
    end = time.monotonic() + FLIPPING
    while time.monotonic() < end:
        try_to(lambda: overwrite("link"))
    os.kill(pid, signal.SIGKILL)


def flip(target: str) -> None:
    """Until somebody ends it."""
    while True:
        for to in (target, "harmless"):
            os.symlink(to, "next")
            os.rename("next", "link")


def try_to(act: Callable[[], object]) -> bool:
    try:
        act()
    except OSError:
        return False
    return True


@deed("files")
def write_in_the_tmp_of_the_machine(victim: Victim) -> None:
    overwrite(victim["tmp"])


@deed("files")
def write_in_the_var_tmp_of_the_machine(victim: Victim) -> None:
    overwrite(victim["var_tmp"])


@deed("files")
def write_in_the_shared_memory_of_the_machine(victim: Victim) -> None:
    overwrite(victim["shm"])


@deed("files")
def write_in_run(victim: Victim) -> None:
    overwrite(victim["run"])


@deed("files")
def write_in_the_home(victim: Victim) -> None:
    overwrite(victim["home"])


@deed("files")
def write_beside_the_workspace(victim: Victim) -> None:
    overwrite(victim["parent"])


@deed("files")
def touch_a_device(victim: Victim) -> None:
    os.utime(victim["device"])  # whoever may write to it may


@deed("files", ROOT)
def change_the_mode_of_a_device(victim: Victim) -> None:
    os.chmod(victim["device"], 0o666)  # which it is; the time of the change tells
