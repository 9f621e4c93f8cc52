"""Shared memory, queues and a semaphore of the user's, each seen to be there and unread; and none left behind."""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import struct
from pathlib import Path
from typing import TYPE_CHECKING

from attack.escapes.deed import Victim, deeds
from attack.escapes.deeds_ipc import LIBC, checked
from attack.escapes.stage import secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attack.escapes.stage import Scene

CREATE = 0o1000 | 0o666
REMOVE, GET = 0, 12
FOR_ALL = 0o666
SMALL = struct.pack("=qqqq", 0, 1, 128, 0) + bytes(32)
"""One short message: users have little room for queues."""


class Shared:
    """One of each kind, open to every user of the machine."""

    def __init__(self, name: str, owner: int) -> None:
        self._owner = owner
        self.secret = secret()
        self.key, self.spare_key = (secrets.randbelow(1 << 30) + 1 for _ in range(2))
        self.name = f"/limpet-{name[:24]}-{self.key}"
        self.spare = self.name + "-spare"
        self.memory = self.messages = self.semaphore = -1

    def make(self) -> None:
        """All of it. What was made until then is removed like the rest where something cannot be."""
        self.memory = checked(LIBC.shmget(self.key, 4096, CREATE))
        address = LIBC.shmat(self.memory, None, 0)
        ctypes.memmove(address, self.secret.encode(), len(self.secret))
        LIBC.shmdt(ctypes.c_void_p(address))
        self.messages = checked(LIBC.msgget(self.key, CREATE))
        message = struct.pack("=q", 1) + self.secret.encode()
        checked(LIBC.msgsnd(self.messages, message, ctypes.c_size_t(len(self.secret)), 0o4000))
        self.semaphore = checked(LIBC.semget(self.key, 1, CREATE))
        self._post()

    def _post(self) -> None:
        queue = checked(LIBC.mq_open(self.name.encode(), os.O_RDWR | os.O_CREAT, FOR_ALL, SMALL))
        LIBC.mq_send(queue, self.secret.encode(), ctypes.c_size_t(len(self.secret)), 1)
        os.close(queue)
        path = Path("/dev/shm" + self.name)
        path.write_text(self.secret)
        path.chmod(FOR_ALL)
        os.chown(path, self._owner, -1)

    def told(self) -> Victim:
        numbers = {"key": self.key, "spare_key": self.spare_key, "memory": self.memory}
        return {**numbers, "queue": self.name, "shm": self.name, "spare": self.spare}

    def disturbed(self) -> bool:
        """Something was changed or removed, or something was left."""
        left = LIBC.shmget(self.spare_key, 0, 0) >= 0 or Path("/dev/shm" + self.spare).exists()
        changed = LIBC.semctl(self.semaphore, 0, GET) != 0 or not Path("/dev/shm" + self.name).exists()
        return left or changed

    def remove(self) -> None:
        spare = LIBC.shmget(self.spare_key, 0, 0)
        for number in (self.memory, spare):
            LIBC.shmctl(number, REMOVE, None)
        LIBC.msgctl(self.messages, REMOVE, None)
        LIBC.semctl(self.semaphore, 0, REMOVE)
        LIBC.mq_unlink(self.name.encode())
        for name in (self.name, self.spare):
            Path("/dev/shm" + name).unlink(missing_ok=True)


class AllShared:
    """For each deed its own."""

    def __init__(self, shared: dict[str, Shared]) -> None:
        self._shared = shared
        self.told = {name: one.told() for name, one in shared.items()}

    def fell(self, name: str, loot: bytes | None) -> bool:
        one = self._shared[name]
        seen = (one.secret.encode(), str(one.key).encode() if name.startswith("list") else one.secret.encode())
        return one.disturbed() or any(word in (loot or b"") for word in seen)


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[AllShared]:
    with contextlib.ExitStack() as stack:
        shared = {}
        for one in deeds("ipc"):
            shared[one.name] = Shared(one.name, scene.uid)
            stack.callback(shared[one.name].remove)
            shared[one.name].make()
        yield AllShared(shared)
