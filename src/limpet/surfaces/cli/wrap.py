"""`limpet wrap`: the shell prefix of Claude Code; what the model wrote runs through `limpet run`, contained."""

from __future__ import annotations

import contextlib
import os
import tempfile

import click

from limpet import quote
from limpet.beside import become
from limpet.surfaces.cli.run import command as run
from limpet.surfaces.hooks.prefix import Line, is_the_agents_own, unwrapped

_MARKS = (".git", ".claude", ".limpet.toml")
_MOST = 4096


@click.command("wrap", context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.argument("line", type=click.UNPROCESSED)
def command(line: str) -> int:
    """Run the command in LINE, as Claude Code hands it to $CLAUDE_CODE_SHELL_PREFIX, judged and contained.

    `limpet init claude --wrap` sets it. What Claude Code runs for itself, such as your hooks, runs as ever.
    """
    if is_the_agents_own(dict(os.environ)):
        become(["/bin/sh", "-c", line])
    return _contained(unwrapped(line))


def _contained(line: Line) -> int:
    cwd = os.path.realpath(".")
    words = ["--workspace", project_of(cwd), "--cwd", cwd, "--timeout", "none", "--"]
    if line.place is None:
        return _run([*words, line.command])
    with tempfile.TemporaryDirectory(prefix="limpet-wrap-") as folder:
        kept = os.path.join(folder, "cwd")
        _let_write(folder)
        tell = quote(f"pwd -P >| {quote(kept)}")
        status = _run([*words, f"trap {tell} EXIT\n{line.command}"])
        _tell(kept, line.place, otherwise=cwd)
    return status


def _run(words: list[str]) -> int:
    return int(run.main(words, prog_name="limpet run", standalone_mode=False) or 0)


def _let_write(folder: str) -> None:
    """There the command tells in which folder it ended; one that others had let it write to stays."""
    known = os.environ.get("LIMPET_SANDBOX_WRITE", "")
    os.environ["LIMPET_SANDBOX_WRITE"] = ",".join(part for part in (known, folder) if part)


def _tell(kept: str, place: str, *, otherwise: str) -> None:
    """Where the next command is to begin. What the command left there is anything, until it is seen to be a folder."""
    told = otherwise
    with contextlib.suppress(OSError, ValueError):
        descriptor = os.open(kept, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, encoding="utf-8") as file:
            found = file.read(_MOST).removesuffix("\n")
        told = found if os.path.isabs(found) and "\n" not in found and os.path.isdir(found) else otherwise
    with contextlib.suppress(OSError), open(place, "w", encoding="utf-8") as file:
        file.write(told + "\n")


def project_of(cwd: str) -> str:
    """The nearest folder around it that looks like a project, below home; else the folder itself."""
    home, folder = os.path.realpath(os.path.expanduser("~")), cwd
    while folder not in (home, "/"):
        if any(os.path.lexists(os.path.join(folder, mark)) for mark in _MARKS):
            return folder
        folder = os.path.dirname(folder)
    return cwd
