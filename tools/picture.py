"""A real run on a real terminal -> docs/terminal.svg: `python tools/picture.py`."""

from __future__ import annotations

import io
import os
import pty
import re
import select
import sys
import tempfile
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parent.parent
COLUMNS = 90
SCENES = (
    ["run", "--description", "Run the tests", "--", "python3 check.py"],
    ["run", "--timeout", "1", "--", "echo 'about to hang' >&2; (setsid sleep 300 &); sleep 60"],
    ["check", "--", 'git pull && rm -rf "${HOME:?}"'],
    ["run", "--", "python3 curious.py"],
    ["try", "--discard", "--", "sed -i 's/41/42/' totals.txt; mkdir -p out; date > out/built"],
)
FILES = {
    "check.py": (
        "import sys\nprint('3 passed, 1 failed', flush=True)\n"
        "print('FAILED test_total: 41 != 42', file=sys.stderr)\nsys.exit(1)\n"
    ),
    "curious.py": (
        "import os, socket\n"
        "def attempt(what, deed):\n"
        "    try: deed()\n"
        "    except OSError as error: print(f'{what:22} {error.strerror}')\n"
        "    else: print(f'{what:22} done')\n"
        "home = os.path.expanduser('~')\n"
        "attempt('read ~/.ssh/id_ed25519', lambda: open(home + '/.ssh/id_ed25519').read())\n"
        "attempt('write ~/.bashrc', lambda: open(home + '/.bashrc', 'a'))\n"
        "attempt('connect 192.0.2.1:443', lambda: socket.create_connection(('192.0.2.1', 443), 5))\n"
        "attempt('write notes.txt', lambda: open('notes.txt', 'w'))\n"
    ),
    "totals.txt": "apples 41\npears 7\n",
    "../.ssh/id_ed25519": "a key\n",
    "../.bashrc": "# set up\n",
}


def main() -> None:
    """Run the scenes and write what they drew."""
    with tempfile.TemporaryDirectory(dir=Path.home()) as place:  # not in /tmp, which a command has to itself
        folder = Path(place, "project")
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        drawn = "\n".join([f"\x1b[1;36m$ limpet {_typed(scene)}\x1b[0m\n{_scene(scene, folder)}" for scene in SCENES])
    drawn = drawn.replace(str(Path(place).resolve()), "~").replace(place, "~")
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(drawn))
    # Fonts from elsewhere would not be loaded in a picture; a monospaced one is everywhere.
    plain = re.sub(r"@font-face \{\{.*?\}\}\n?", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    svg = console.export_svg(title="limpet", code_format=plain, unique_id="limpet")
    (ROOT / "docs" / "terminal.svg").write_text("\n".join([line.rstrip() for line in svg.splitlines()]) + "\n")


def _typed(scene: list[str]) -> str:
    return " ".join([word if re.fullmatch(r"[\w.-]+", word) else _quoted(word) for word in scene])


def _quoted(word: str) -> str:
    return f'"{word}"' if "'" in word else f"'{word}'"


def _scene(arguments: list[str], folder: Path) -> str:
    environ = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLUMNS": str(COLUMNS),
        "HOME": str(folder.parent),
        "LIMPET_STATE_DIR": str(folder.parent / "s"),
    }
    environ.pop("NO_COLOR", None)
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execve(sys.executable, [sys.executable, "-m", "limpet", *arguments], environ)  # noqa: S606, TID251
    drawn = b""
    while select.select([fd], [], [], 60)[0]:
        try:
            drawn += os.read(fd, 65536)
        except OSError:
            break
    os.close(fd)
    os.waitpid(pid, 0)
    # What was drawn and erased again is not there any more.
    return re.sub(r"[^\n]*\r\x1b\[2K", "", drawn.decode().replace("\r\n", "\n"))


if __name__ == "__main__":
    main()
