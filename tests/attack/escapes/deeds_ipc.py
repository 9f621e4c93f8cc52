"""Ways to memory, queues and semaphores that processes share by name."""

from __future__ import annotations

import ctypes
import os
import stat
from pathlib import Path

from attack.escapes.deed import Loot, Victim, deed

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.shmat.restype = ctypes.c_void_p
SIZE = 8192


def checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


@deed("ipc")
def attach_shared_memory(victim: Victim) -> Loot:
    return attached(checked(LIBC.shmget(victim["key"], 0, 0)))


@deed("ipc")
def attach_shared_memory_by_its_number(victim: Victim) -> Loot:
    return attached(victim["memory"])


def attached(number: int) -> bytes:
    address = LIBC.shmat(number, None, 0o10000)
    if address is None or address == ctypes.c_void_p(-1).value:
        raise OSError(ctypes.get_errno(), "shmat")
    return ctypes.string_at(address, 64)


@deed("ipc")
def list_shared_memory(victim: Victim) -> Loot:
    return Path("/proc/sysvipc/shm").read_bytes()


@deed("ipc")
def receive_from_a_message_queue(victim: Victim) -> Loot:
    queue = checked(LIBC.msgget(victim["key"], 0))
    buffer = ctypes.create_string_buffer(SIZE)
    checked(LIBC.msgrcv(queue, buffer, ctypes.c_size_t(SIZE - 8), ctypes.c_long(0), 0o4000))
    return buffer.raw


@deed("ipc")
def raise_a_semaphore(victim: Victim) -> None:
    checked(LIBC.semctl(checked(LIBC.semget(victim["key"], 0, 0)), 0, 16, 7))


@deed("ipc")
def receive_from_a_posix_queue(victim: Victim) -> Loot:
    queue = checked(LIBC.mq_open(os.fsencode(victim["queue"]), os.O_RDONLY | os.O_NONBLOCK))
    buffer = ctypes.create_string_buffer(SIZE)
    checked(LIBC.mq_receive(queue, buffer, ctypes.c_size_t(SIZE), None))
    return buffer.raw


@deed("ipc")
def read_named_shared_memory(victim: Victim) -> Loot:
    fd = checked(LIBC.shm_open(os.fsencode(victim["shm"]), os.O_RDONLY, 0))
    return os.read(fd, SIZE)


@deed("ipc")
def remove_named_shared_memory(victim: Victim) -> None:
    checked(LIBC.shm_unlink(os.fsencode(victim["shm"])))


@deed("ipc")
def leave_shared_memory_behind(victim: Victim) -> None:
    """Where it stays, it can be found by its key."""
    checked(LIBC.shmget(victim["spare_key"], 4096, 0o1000 | stat.S_IRUSR | stat.S_IWUSR))


@deed("ipc")
def leave_named_shared_memory_behind(victim: Victim) -> None:
    Path("/dev/shm" + victim["spare"]).write_bytes(b"left")
