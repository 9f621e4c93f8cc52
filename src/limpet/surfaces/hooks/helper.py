"""The process that stays: everything that judges is loaded, and each hook call is judged in a child of it.

The child takes the folder and the environment of the caller, reads settings and rules anew, and runs what the hook
would have run itself; so the answers are the same, only sooner.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import os
import pkgutil
import signal
import socket
import sys
from typing import TYPE_CHECKING

from limpet.beside import Waiting
from limpet.surfaces.hooks.client import SECONDS
from limpet.surfaces.hooks.wire import helper_name, identity, packed_answer, unpack

if TYPE_CHECKING:
    from collections.abc import Iterator

_WAITING = 64
_BLOCK = 1 << 16
_PRELOADED = ("limpet.policy", "limpet.syntax", "limpet.config", "limpet.surfaces.hooks")
_CREDENTIALS = 12
_SAMPLE = b"""{"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": "/", "tool_input":
    {"command": "cd src && git status --short | head -5 && make test"}}"""


def main(arguments: list[str]) -> None:
    """Listen in a folder until nobody has called for a while: `helper FOLDER SECONDS`."""
    folder, idle = arguments
    with contextlib.suppress(OSError), _alone(folder) as path:
        if path is not None:
            _listen(path, float(idle))


@contextlib.contextmanager
def _alone(folder: str) -> Iterator[str | None]:
    """The path to listen on, while no other helper does; None when one does."""
    with contextlib.suppress(FileExistsError):
        os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
        os.mkdir(folder, 0o700)
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    status = os.fstat(held)
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        yield None
        return
    place = f"/proc/self/fd/{held}/{helper_name()}"
    lock = os.open(f"{place}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield None
        return
    yield place


def _listen(path: str, idle: float) -> None:
    _preload()
    code = _Code()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    os.umask(0o177)
    listener.bind(path)
    listener.listen(_WAITING)
    mine = os.stat(path).st_ino
    try:
        waiting = Waiting(listener, lambda caller: _handle(caller, code), _warm)
        waiting.serve(idle=idle, wanted=lambda: _inode(path) == mine and code.same())
    finally:
        if _inode(path) == mine:
            os.unlink(path)


def _inode(path: str) -> int | None:
    try:
        return os.stat(path, follow_symlinks=False).st_ino
    except OSError:
        return None


def _preload() -> None:
    """Everything that a judgement may import, so that no child has to."""
    import limpet.noting  # noqa: PLC0415 - not before it is certain that this process is the one
    import limpet.surfaces.hooks.core  # noqa: PLC0415 - as above
    import limpet.wiring.containing  # noqa: F401, PLC0415 - as above; for commands that are judged as contained

    for package in _PRELOADED:
        home = importlib.import_module(package)
        for module in pkgutil.walk_packages(home.__path__, f"{package}."):
            importlib.import_module(module.name)
    importlib.import_module("tomllib")
    gc.collect()
    gc.freeze()  # children share these pages


def _warm() -> None:
    """Judge something: the first time costs more, and nobody waits for this one."""
    from limpet.surfaces.hooks.core import answer  # noqa: PLC0415 - loaded by now

    answer(["claude"], _SAMPLE, os.environ)


class _Code:
    """The files of limpet that are loaded: when one of them changes, an old judge must not go on answering."""

    def __init__(self) -> None:
        files = [getattr(module, "__file__", None) for name, module in sys.modules.items() if name.startswith("limpet")]
        self._files = {file: _mark(file) for file in files if file}
        self._folders = {folder: _mark(folder) for folder in map(os.path.dirname, self._files)}

    def same(self) -> bool:
        """Looked at now and then."""
        return self.same_files() and all(_mark(file) == mark for file, mark in self._files.items())

    def same_files(self) -> bool:
        """Quick enough for every call: whoever installs another limpet puts other files into its folders."""
        return all(_mark(folder) == mark for folder, mark in self._folders.items())


def _mark(file: str) -> tuple[int, int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size


def _handle(caller: socket.socket, code: _Code) -> None:
    """In a child of its own. One that takes too long is ended: its caller has given up on it."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, SECONDS * 2)
    caller.settimeout(SECONDS)
    peer = caller.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _CREDENTIALS)
    if int.from_bytes(peer[4:8], sys.byteorder) != os.geteuid() or not code.same_files():
        return
    who, words, folder, environ, question = unpack(_received(caller))
    if who != identity():
        return
    _take_place(folder, unpack(environ))
    from limpet.surfaces.hooks.core import answer, record  # noqa: PLC0415 - loaded by now

    said, told = answer([os.fsdecode(word) for word in unpack(words)], question, os.environ)
    caller.sendall(packed_answer(said))
    caller.close()
    if told is not None:
        record(told, os.environ)


def _received(caller: socket.socket) -> bytes:
    blocks = []
    while block := caller.recv(_BLOCK):
        blocks.append(block)
    return b"".join(blocks)


def _take_place(folder: bytes, environ: list[bytes]) -> None:
    """Stand where the caller stands, with its environment."""
    os.chdir(folder)
    os.environb.clear()
    os.environb.update(zip(environ[::2], environ[1::2], strict=True))
