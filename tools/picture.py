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
    ["run", "--", 'echo \'{"name": "limpet", "ready": true}\'; sleep 300 & echo \'the work is done\''],
    ["run", "--timeout", "1", "--", "for n in 1 2 3; do echo step $n; done; echo 'about to hang' >&2; sleep 60"],
)
FILES = {
    "check.py": (
        "import sys\nprint('3 passed, 1 failed', flush=True)\n"
        "print('FAILED test_total: 41 != 42', file=sys.stderr)\nsys.exit(1)\n"
    ),
}


def main() -> None:
    """Run the scenes and write what they drew."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "project")
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(text)
        drawn = "\n".join([_scene(arguments, folder) for arguments in SCENES])
    drawn = drawn.replace(str(folder.resolve()), "~/project").replace(str(folder), "~/project")
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(drawn))
    # Fonts from elsewhere would not be loaded in a picture; a monospaced one is everywhere.
    plain = re.sub(r"@font-face \{\{.*?\}\}\n?", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    svg = console.export_svg(title="limpet", code_format=plain, unique_id="limpet")
    (ROOT / "docs" / "terminal.svg").write_text("\n".join([line.rstrip() for line in svg.splitlines()]) + "\n")


def _scene(arguments: list[str], folder: Path) -> str:
    environ = {
        **os.environ,
        "TERM": "xterm-256color",
        "COLUMNS": str(COLUMNS),
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
