"""Ordinary work, as commands: what each prints, and what it cannot do without."""

from __future__ import annotations

from typing import NamedTuple

ME = "git -c user.name=me -c user.email=me@example.org"
COMMITTED = f"{ME} commit -qm"


class Work(NamedTuple):
    """A command, what it prints, and the programs that it cannot do without."""

    command: str
    prints: str
    needs: tuple[str, ...] = ()
    files: dict[str, str] = {}  # noqa: RUF012 - read only


def python(text: str) -> str:
    return f"python3 - <<'END'\n{text}\nEND"


SERVER = """
import http.server, threading, urllib.request
server = http.server.HTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/page").read().decode())
server.shutdown()
"""

DATABASE = """
import sqlite3
with sqlite3.connect("data.db") as db:
    db.execute("pragma journal_mode = wal")
    db.execute("create table t (n)")
    db.executemany("insert into t values (?)", [(n,) for n in range(100)])
print(sqlite3.connect("data.db").execute("select sum(n) from t").fetchone()[0])
"""

POOL = """
import multiprocessing, multiprocessing.shared_memory
def square(n): return n * n
if __name__ == "__main__":
    with multiprocessing.Pool(2) as pool: print(sum(pool.map(square, range(100))))
    with multiprocessing.Manager() as manager: print(len(manager.list([1, 2])))
    memory = multiprocessing.shared_memory.SharedMemory(create=True, size=1 << 20)
    memory.buf[0] = 7; print(memory.buf[0]); memory.close(); memory.unlink()
"""

MAKEFILE = "all: a b c d\n\t@cat $^\na b c d:\n\t@sleep 0.05; echo $@ > $@\n"

WORK = {
    "git from the start": Work(
        f"git init -q -b main . && git add . && {COMMITTED} one && git log --format=%s && git status --porcelain",
        "one\n",
        ("git",),
        {"a": "a\n"},
    ),
    "git branches and merges": Work(
        f"git init -q -b main . && git add . && {COMMITTED} one && git checkout -qb topic && echo b > b && git add b"
        f" && {COMMITTED} two && git checkout -q main && echo c > c && git add c && {COMMITTED} three"
        f" && {ME} merge -qm four topic && git tag v1 && git stash list && git log --format=%s | sort"
        " && git status --porcelain",
        "four\none\nthree\ntwo\n",
        ("git",),
        {"a": "a\n"},
    ),
    "git rebases": Work(
        f"git init -q -b main . && git add . && {COMMITTED} one && git checkout -qb topic && echo b > b && git add b"
        f" && {COMMITTED} two && git checkout -q main && echo c > c && git add c && {COMMITTED} three"
        f" && git checkout -q topic && {ME} rebase -q main && git log --format=%s && git gc -q && git fsck",
        "two\nthree\none\n",
        ("git",),
        {"a": "a\n"},
    ),
    "make in parallel": Work("make -s -j2", "a\nb\nc\nd\n", ("make",), {"Makefile": MAKEFILE}),
    "a program built and run": Work(
        "cc -O1 -o hello hello.c && ./hello",
        "hello\n",
        ("cc",),
        {"hello.c": '#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n'},
    ),
    "threads and processes built and run": Work(
        "cc -pthread -o t t.c && ./t",
        "3\n",
        ("cc",),
        {
            "t.c": "#include <pthread.h>\n#include <stdio.h>\n#include <sys/wait.h>\n#include <unistd.h>\n"
            "static void *run(void *n) { ++*(int *)n; return 0; }\n"
            "int main(void) { int n = 2; pthread_t t; pthread_create(&t, 0, run, &n); pthread_join(t, 0);"
            ' if (!fork()) _exit(0); wait(0); printf("%d\\n", n); return 0; }\n'
        },
    ),
    "a script of npm": Work(
        "npm run --silent sum",
        "3\n",
        ("npm",),
        {"package.json": '{"name": "x", "version": "1.0.0", "scripts": {"sum": "node -e \'console.log(1 + 2)\'"}}'},
    ),
    "node with workers": Work(
        "node work.js",
        "done 5\n",
        ("node",),
        {
            "work.js": "const {Worker} = require('worker_threads'); const {execFileSync} = require('child_process');\n"
            "new Worker('require(\"worker_threads\").parentPort.postMessage(5)', {eval: true})"
            ".on('message', n => console.log(execFileSync('echo', ['done', n]).toString().trim()));\n"
        },
    ),
    "a database": Work(python(DATABASE), "4950\n"),
    "a database by its own program": Work(
        "sqlite3 x.db 'create table t (n); insert into t values (4); select n from t'", "4\n", ("sqlite3",)
    ),
    "processes of python": Work("python3 pool.py", "328350\n2\n7\n", (), {"pool.py": POOL}),
    "shared memory": Work("echo shared > /dev/shm/x && cat /dev/shm/x", "shared\n"),
    "temporary files": Work(
        'f=$(mktemp) && echo kept > "$f" && cat "$f" && d=$(mktemp -d) && ls -A "$d" && echo ${TMPDIR:-/tmp}',
        "kept\n/tmp\n",
    ),
    "a program in a temporary folder": Work(
        "printf '#!/bin/sh\\necho ran\\n' > /tmp/x && chmod +x /tmp/x && /tmp/x && cp /bin/true /tmp/t && /tmp/t",
        "ran\n",
    ),
    "a list of processes": Work("sleep 5 & ps -e -o comm= | grep -c sleep; kill %1", "1\n", ("ps",)),
    "nobody else's processes": Work("ps -e -o pid= | wc -l | awk '{print ($1 < 10)}'", "1\n", ("ps",)),
    "jobs in the background": Work(
        "for n in 1 2 3; do (sleep 0.0$n; echo $n) & done; wait; echo all", "1\n2\n3\nall\n"
    ),
    "job numbers": Work("set -m; sleep 0.01 & fg >/dev/null; echo $?", "0\n"),
    "a pseudo-terminal by python": Work(
        python("import pty, sys\nsys.stdout.flush()\npty.spawn(['sh', '-c', 'test -t 1 && echo a terminal'])"),
        "a terminal\n",
    ),
    "a pseudo-terminal by script": Work(
        "script -qec 'test -t 1 && echo a terminal' /dev/null", "a terminal\n", ("script",)
    ),
    "a here-document": Work("cat <<END\nline $((1 + 1))\nEND\ncat <<<string", "line 2\nstring\n"),
    "process substitution": Work("diff <(echo a) <(echo b) | tail -1; echo x | tee >(cat >&2) 2>/dev/null", "> b\nx\n"),
    "a server and its client": Work(
        "python3 server.py 2>/dev/null", "hello\n\n", (), {"page": "hello\n", "server.py": SERVER}
    ),
    "a unix socket in the workspace": Work(
        python(
            "import socket\na = socket.socket(socket.AF_UNIX); a.bind('s'); a.listen()\nb = socket.socket("
            "socket.AF_UNIX); b.connect('s'); b.send(b'hi'); print(a.accept()[0].recv(9).decode())"
        ),
        "hi\n",
    ),
    "an abstract socket of its own": Work(
        python(
            "import socket\na = socket.socket(socket.AF_UNIX); a.bind('\\0s'); a.listen()\nb = socket.socket("
            "socket.AF_UNIX); b.connect('\\0s'); b.send(b'hi'); print(a.accept()[0].recv(9).decode())"
        ),
        "hi\n",
    ),
    "the standard streams by name": Work(
        "echo out > /dev/stdout; echo in | cat /dev/stdin; echo err 2>&1 >/dev/stderr; echo fd > /dev/fd/1",
        "out\nin\nerr\nfd\n",
    ),
    "devices": Work(
        "head -c 3 /dev/zero | wc -c; head -c 5 /dev/urandom | wc -c; echo x > /dev/null; "
        "echo x > /dev/full || echo full",
        "3\n5\nfull\n",
    ),
    "letters of the world": Work("locale charmap; python3 -c 'print(\"ä€\")'; x=ä€; echo ${#x}", "UTF-8\nä€\n2\n"),
    "links, pipes and locks": Work(
        "echo x > f && ln f g && ln -s f h && cat h && mkfifo p && (echo y > p &) && cat p && "
        "flock f echo locked && mv f i && cp -a i j && chmod 700 j && touch -d 2001-01-01 j"
        " && ls",
        "x\ny\nlocked\ng\nh\ni\nj\np\n",
    ),
    "files moved between folders": Work(
        "mkdir -p a/b c && echo x > a/b/f && mv a/b c/ && cat c/b/f && rm -r a c", "x\n"
    ),
    "an archive": Work("mkdir d && echo x > d/f && tar czf d.tgz d && rm -r d && tar xzf d.tgz && cat d/f", "x\n"),
    "time-outs and tubes of its own": Work(
        "timeout 0.1 sleep 5; echo $?; seq 9 | xargs -P3 -n3 echo | wc -l", "124\n3\n"
    ),
    "traps and signals": Work(
        "trap 'echo caught' USR1; kill -USR1 $$; (trap - USR1; kill -TERM $BASHPID); echo $?", "caught\n143\n"
    ),
    "limits of its own": Work("ulimit -n 50 && ulimit -n && ulimit -c", "50\n0\n"),
    "who and where": Work(
        "id -u | grep -c .; hostname | grep -c .; pwd | grep -c workspace; uname -s", "1\n1\n1\nLinux\n"
    ),
    "a cache in the home": Work("mkdir -p ~/.cache/tool && echo x > ~/.cache/tool/f && cat ~/.cache/tool/f", "x\n"),
    "the memory and processors of the machine": Work("nproc | grep -c .; grep -c MemTotal /proc/meminfo", "1\n1\n"),
    "watching files": Work(
        python(
            "import ctypes\nlibc = ctypes.CDLL(None)\nfd = libc.inotify_init1(0)\n"
            "print(libc.inotify_add_watch(fd, b'.', 0x100))"
        ),
        "1\n",
    ),
}
