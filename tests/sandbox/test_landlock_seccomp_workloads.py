"""Everyday programs under the filter, alone and with Landlock: they must be in nobody's way."""

from __future__ import annotations

import shutil
import tempfile
from typing import TYPE_CHECKING, Any

import pytest

from limpet.kernel import landlock, syscalls
from sandbox.trying import script

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(syscalls.machine() is None, reason="no system call numbers for this machine")

POOL = """
import multiprocessing, sys
def double(number): return 2 * number
if __name__ == "__main__":
    for way in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(way).Pool(2) as pool: print(pool.map(double, range(3)))
    with multiprocessing.Manager() as manager: print(manager.list([1, 2]))
"""

PYTHON = """
import asyncio, os, socket, subprocess, threading
threads = [threading.Thread(target=lambda: None) for _ in range(8)]
[thread.start() for thread in threads]; [thread.join() for thread in threads]
os.waitpid(os.posix_spawn("/bin/true", ["true"], {}), 0)
subprocess.run(["true"], check=True, close_fds=False)
subprocess.run(["true"], check=True, start_new_session=True)
async def main():
    server = await asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", 0)
    reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
    assert await reader.read() == b""
    writer.close(); server.close()
    child = await asyncio.create_subprocess_exec("true")
    assert await child.wait() == 0
asyncio.run(main())
socket.if_nameindex(); socket.getaddrinfo("localhost", 80); socket.socketpair()
os.openpty(); os.memfd_create("x"); os.mkfifo("fifo")
print("fine")
"""

GIT = """
set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
git init -q -b main . && echo one > file && git add . && git commit -qm one && git checkout -qb other
echo two > file && git commit -qam two && git checkout -q main && git merge -q other && git gc -q && git clone -q . copy
git -C copy log --format=%s
"""

PTY = """
import os, pty, sys
pty.spawn(["sh", "-c", "stty -a >/dev/null && tty >/dev/null && echo on a terminal"], lambda fd: os.read(fd, 1024))
"""

THREADS = """
#include <pthread.h>
void *run(void *x) { return x; }
int main(void) { pthread_t t; return pthread_create(&t, 0, run, 0) || pthread_join(t, 0); }
"""

NODE = """
const { Worker } = require("worker_threads");
new Worker('console.log(String(require("child_process").execSync("echo hi")).trim())', { eval: true });
"""

PROGRAMS = {
    "python multiprocessing": ("python3", ["python3", "pool.py"], "[0, 2, 4]\n[0, 2, 4]\n[0, 2, 4]\n[1, 2]\n"),
    "python threads, spawn, sockets": ("python3", ["python3", "everyday.py"], "fine\n"),
    "a terminal of its own": ("stty", ["python3", "terminal.py"], "on a terminal\n"),
    "git": ("git", ["bash", "-c", GIT], "two\none\n"),
    "bash jobs": (
        "bash",
        ["bash", "-c", "(sleep 0.01; echo in) | cat & wait; echo <(:) >/dev/null; echo out"],
        "in\nout\n",
    ),
    "a process listing": ("ps", ["bash", "-c", "ps -o comm= -p $$; :"], "bash\n"),
    "make and a compiler": ("gcc", ["bash", "-c", "make -s -j2 && ./threads && echo built"], "built\n"),
    "node": ("node", ["node", "worker.js"], "hi\n"),
    "npm": ("npm", ["npm", "run", "--silent", "hello"], "hello\n"),
    "java": ("java", ["java", "-version"], ""),
    "another personality": ("setarch", ["setarch", "-R", "echo", "same addresses"], "same addresses\n"),
}


FILES_TOO = {"read": ["/"], "write": [tempfile.gettempdir(), "/dev/shm"], "use": ["/dev", "/proc"]}


@pytest.mark.parametrize("walls", [{"seccomp": {}}, {"landlock": FILES_TOO, "seccomp": {}}], ids=["filter", "both"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_everyday_programs_run_as_ever(name: str, walls: dict[str, Any], tmp_path: Path) -> None:
    if "landlock" in walls and not landlock.version():
        pytest.skip("this kernel has no Landlock")
    needed, argv, expected = PROGRAMS[name]
    if shutil.which(needed) is None:
        pytest.skip(f"{needed} is not here")
    for file, text in FILES.items():
        (tmp_path / file).write_text(text)
    text = f"done = subprocess.run({argv!r}, capture_output=True, text=True); tell([done.returncode, done.stdout])"
    assert script(text, cwd=tmp_path, **walls) == [[0, expected]]


FILES = {
    "pool.py": POOL,
    "everyday.py": PYTHON,
    "terminal.py": PTY,
    "threads.c": THREADS,
    "worker.js": NODE,
    "Makefile": "all: threads other\nthreads: threads.c\n\tgcc -pthread -o $@ $<\nother:\n\ttouch other\n",
    "package.json": '{"name": "x", "version": "1.0.0", "scripts": {"hello": "echo hello"}}',
}


@pytest.mark.parametrize(
    "argv", [["unshare", "--user", "true"], ["unshare", "--mount", "true"], ["unshare", "-n", "true"]]
)
def test_programs_that_want_namespaces_fail_with_plain_words(argv: list[str]) -> None:
    text = f"done = subprocess.run({argv!r}, capture_output=True, text=True); tell([done.returncode, done.stderr])"
    assert script(text, seccomp={}) == [[1, "unshare: unshare failed: Operation not permitted\n"]]
