"""A shell that has seen everything that went on in a workspace holds exactly what one that was just opened holds."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from limpet import Limits, sync

if TYPE_CHECKING:
    from limpet import Result

SECONDS = 5.0
FILES = [
    ".envrc", ".git", ".git/config", ".git/hooks", ".git/hooks/pre-commit", ".vscode/tasks.json", ".vscode",
    "sub/.git/config", "sub/.git/hooks/post-merge", "sub/.git", "sub", "HEAD", "config", "hooks/update", "plain.txt",
    "home/.bashrc", "home/.netrc", "home/.ssh/id_rsa", "home/.cache/thing",
]  # fmt: skip
FOLDERS = [
    ".git", ".git/hooks", ".vscode", "sub", "sub/.git", "sub/.git/hooks", "objects", "refs", "hooks", "home/.ssh",
    "home/.cache",
]  # fmt: skip
LINKS = [(".git", "sub/.git"), (".git/hooks", "../hooks"), (".vscode", "sub"), ("sub", "objects"), (".envrc", "config")]
COMMAND = """
for name in {names}; do
  if [ -f "$name" ]; then
    if cat -- "$name" >/dev/null 2>&1 && [ -s "$name" ]; then echo "read $name"; fi
    if (: >> "$name") 2>/dev/null; then echo "written $name"; fi
  elif [ -d "$name" ]; then
    if (: > "$name/.probe") 2>/dev/null; then rm -f "$name/.probe"; echo "added $name"; fi
  fi
done
{more}
"""
MAKING = [
    "echo evil > .envrc", "mkdir -p .vscode && echo {} > .vscode/tasks.json", "mkdir -p .git/hooks",
    "mkdir -p sub/.git/hooks; echo evil > sub/.git/hooks/post-merge", "mv .git away && mv away .git", "rm -rf .git",
    "mkdir -p objects refs; echo ref: x > HEAD; mkdir -p hooks; echo evil > hooks/update", "mv sub away; mv away sub",
    "ln -s sub/.git .git", "rm -rf sub; ln -s objects sub", "printf '[core]\\nfsmonitor = x\\n' > .git/config",
    "rm -f HEAD; rm -rf objects refs", "echo evil > .git", "rm -f .envrc; echo x > .envrc",
]  # fmt: skip


class Change(NamedTuple):
    """Something that somebody outside does, or a command."""

    kind: str
    path: str
    other: str = ""


def drawn(chance: random.Random, workspace: Path) -> Change:
    """Mostly about what is there: that is what walls stand at."""
    kind = chance.choice(["write", "save", "save", "anew", "anew", "remove", "folder", "move", "link", "touch"])
    there = [name for name in [*FILES, *FOLDERS] if os.path.lexists(workspace / name)]
    if kind == "link":
        return Change(kind, *chance.choice(LINKS))
    if kind in ("write", "folder") or not there:
        return Change(kind, chance.choice(FOLDERS if kind == "folder" else FILES))
    return Change(kind, chance.choice(there))


def carry_out(change: Change, workspace: Path) -> None:
    """What is in the way of it keeps it from being done."""
    path, aside = workspace / change.path, workspace / "aside"
    with contextlib.suppress(OSError):
        if change.kind in ("write", "folder", "link"):
            path.parent.mkdir(parents=True, exist_ok=True)
        if change.kind == "write":
            path.write_text("mine\n")
        elif change.kind == "folder":
            path.mkdir()
        elif change.kind == "link":
            path.symlink_to(change.other)
        elif change.kind == "touch":
            os.utime(path, (1, 1))
        elif change.kind == "move":
            path.rename(aside)
            aside.rename(path)
        else:
            replace(path, aside, change.kind)


def replace(path: Path, aside: Path, kind: str) -> None:
    """By something that looks the same; or by nothing."""
    is_folder = path.is_dir() and not path.is_symlink()
    if kind != "remove":
        shutil.copytree(path, aside, symlinks=True) if is_folder else shutil.copy2(path, aside, follow_symlinks=False)
    if is_folder or kind != "save":
        shutil.rmtree(path) if is_folder else path.unlink()
    if kind != "remove":
        aside.rename(path)


def seen_in(workspace: Path) -> list[tuple[str, str]]:
    """All that is in it."""
    found = []
    for folder, folders, files in os.walk(workspace):
        for name in (*folders, *files):
            path = Path(folder, name)
            what = os.readlink(path) if path.is_symlink() else "folder" if path.is_dir() else path.read_text()
            found.append((str(path.relative_to(workspace)), what))
    return sorted(found)


def told(result: Result) -> tuple[object, ...]:
    error = (result.error or "").replace(result.operation_id or "?", "ID")
    return result.exit_code, sorted(result.stdout.splitlines()), sorted(error.replace("short", "long_").split("; "))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_held_does_not_depend_on_how_long_a_shell_is_open(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_LOOK_EVERY", "_LOOK_AGAIN"):
        monkeypatch.setattr(f"limpet.sandbox.secrets.{name}", -1.0)  # new secrets are looked for now and then only
    chance, until = random.Random(seed), time.monotonic() + SECONDS
    command = COMMAND.format(names=" ".join([*FILES, *FOLDERS]), more="{more}")
    workspaces = {name: tmp_path / name for name in ("long_", "short")}
    for place in workspaces.values():
        (place / "home").mkdir(parents=True)

    def opened(name: str) -> sync.Shell:
        monkeypatch.setenv("HOME", str(workspaces[name] / "home"))
        return sync.open(workspaces[name], sandbox="native", profile="open")

    done: list[Change | str] = []
    with opened("long_") as shell:
        while time.monotonic() < until:
            if chance.random() < 0.1:
                wait_until_old(workspaces["long_"])
            for _ in range(chance.randint(0, 2)):
                done.append(change := drawn(chance, workspaces["long_"]))
                for place in workspaces.values():
                    carry_out(change, place)
            done.append(more := chance.choice(MAKING) if chance.random() < 0.3 else "true")
            of_the_long = told(shell.run(command.replace("{more}", more)))
            unlike = Limits(open_files=1000 + len(done))  # so that nothing that waits in this process will do for it
            with opened("short") as fresh:
                of_the_short = told(fresh.run(command.replace("{more}", more), limits=unlike))
            assert of_the_long == of_the_short, done
            assert seen_in(workspaces["long_"]) == seen_in(workspaces["short"]), done


def wait_until_old(workspace: Path) -> None:
    """Until nothing in it has changed for so long that what was found there is remembered."""
    end = time.monotonic() + 5
    while time.time() - workspace.stat().st_ctime < 0.3 and time.monotonic() < end:
        time.sleep(0.05)  # for the clock, which gives no sign
