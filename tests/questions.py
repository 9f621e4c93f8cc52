"""Programs that wait for input, each with what it asks, and programs that do not."""

from __future__ import annotations

import shutil

LOOP = """
import asyncio
async def main():
    loop = asyncio.get_running_loop()
    loop.add_reader(0, print)
    print("loop?")
    await loop.create_future()
asyncio.run(main())
"""
LIKE_NPM = """
import asyncio, sys, tty
async def main():
    tty.setraw(0)
    asyncio.get_running_loop().add_reader(0, sys.exit)
    print("package name: (sample) ", end="", flush=True)
    await asyncio.get_running_loop().create_future()
asyncio.run(main())
"""
CONSOLE = """
import socket, threading, sys
threading.Thread(target=sys.stdin.readline).start()
socket.create_server(("127.0.0.1", 0)).accept()
"""
SERVER = """
import asyncio
async def main():
    asyncio.get_running_loop().add_reader(0, print)
    await (await asyncio.start_server(print, "127.0.0.1", 0)).serve_forever()
asyncio.run(main())
"""

NAPPING = """
import sys, threading, time
threading.Thread(target=sys.stdin.read, daemon=True).start()
time.sleep(1.5)
print("went on", flush=True)
import os; os._exit(0)
"""

ASKING: dict[str, tuple[str, str | None]] = {
    "read": ("read -p 'name? ' x", "name?"),
    "input()": ("python3 -c 'input(\"python? \")'", "python?"),
    "a password": ("python3 -c 'import getpass; getpass.getpass(\"sudo: \")'", "sudo:"),
    "yes or no, again and again": (
        'while :; do read -rp "Do you want to continue? [Y/n] " a; case $a in [yn]) break; esac; done',
        "Do you want to continue? [Y/n]",
    ),
    "a word for /dev/tty": ("echo asked >/dev/tty; exec 3</dev/tty; read -u 3 x </dev/null", "asked"),
    "a pager": ("less numbers.txt", None),
    "an editor for a commit": (
        "git init -q . && git add README.md && EDITOR='ed' git -c user.name=x -c user.email=x@x commit", None,
    ),
    "select": ("python3 -c 'import select, sys; print(\"s?\"); select.select([sys.stdin], [], [])'", "s?"),
    "poll": (
        "python3 -c 'import select; print(\"p?\"); p = select.poll(); p.register(0, 1); p.poll()'", "p?",
    ),
    "epoll": (
        "python3 -c 'import select; print(\"e?\"); e = select.epoll(); e.register(0, 1); e.poll()'", "e?",
    ),
    "a thread that reads": (
        "python3 -c 'import threading as t, sys; print(\"t?\"); t.Thread(target=sys.stdin.readline).start()'",
        "t?",
    ),
    "an event loop": (f"python3 -c '{LOOP}'", "loop?"),
    "something left in the background": ("sleep 1000 & setsid -f sleep 1000; read -p 'bg? ' x", "bg?"),
    "a terminal in the terminal": ("script -qc 'read -p \"inner? \" x' /dev/null", "inner?"),
}  # fmt: skip

if shutil.which("npm"):
    ASKING["npm init"] = ("npm_config_update_notifier=false npm init", None)
else:
    ASKING["npm init"] = (f"python3 -c '{LIKE_NPM}'", "package name: (sample)")

BUSY = {
    "sleep": "sleep 100",
    "computing": "while :; do :; done",
    "a build": "for i in {1..1000}; do sleep 0.05; true | cat; done",
    "a server": "exec python3 -m http.server --bind 127.0.0.1 0",
    "a server in accept": "python3 -c 'import socket; socket.create_server((\"127.0.0.1\", 0)).accept()'",
    "a server with a console": f"python3 -c '{CONSOLE}'",
    "a server whose event loop looks at input": f"python3 -c '{SERVER}'",
    "tail -f": "tail -f numbers.txt",
    "a pipeline that sleeps": "cat | sleep 100",
    "input from elsewhere": "mkfifo queue; exec 3<>queue; cat <&3",
    "a reader in the background": "cat <&0 & sleep 100",
    "looking at input now and then": (
        "python3 -c 'import select, sys\nwhile True: select.select([sys.stdin], [], [], 0.1)'"
    ),
    "a reader that was stopped": "cat <&0 & sleep 0.3; kill -STOP $!; flock README.md -c 'flock README.md true'",
    "a wrapper around a sleep": "script -qc 'sleep 100' /dev/null",
}  # fmt: skip

MOST_USUAL = ("read", "input()", "a password", "yes or no, again and again", "an editor for a commit", "npm init")
"""Of those that ask."""
MOST_QUIET = ("sleep", "a build", "a server", "a server in accept", "tail -f")
"""Of those that do not."""
