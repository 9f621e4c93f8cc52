"""A repository's settings that limpet lets be: git finds nothing in them that makes anything run."""

from __future__ import annotations

import itertools
import random
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from limpet.sandbox.gitconfig import is_harmless

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

NOTHING_RUNS = {
    "core": {
        *("repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode"),
        *("symlinks", "autocrlf", "eol", "safecrlf", "abbrev", "worktree"),
    },
    "user": {"name", "email"},
    "init": {"defaultbranch"},
    "extensions": {"objectformat", "refstorage"},
    "branch": {"remote", "merge", "rebase"},
    "remote": {"url", "fetch", "tagopt"},
    "submodule": {"url", "active"},
}

LINES = [
    *(
        "[core]",
        "[alias]",
        "[pager]",
        '[remote "x"]',
        '[branch "x"]',
        "[branch]",
        "[CORE]",
        "[core",
        "[include]",
        "[user]",
    ),
    *("remote = evil", "merge = evil", "\tname = x", "bare = true", "url = https://example.org", "url = ext::evil"),
    *("fsmonitor = evil", "path = x", "# c", "; c", "", '"', "\\", "name = x \\", 'name = "x', "[core] bare = true"),
    *("name", "name = [core]", "[branch] # c", "# \\", '[branch "\\"]', '[branch "x"]remote = evil', "\ufeff[core]"),
]
ENDS = ["\n"] * 20 + [
    "\r",
    "\r\n",
    "\v",
    "\f",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x85",
    "\u2028",
    "\u2029",
    "\xa0",
    "\0",
    "\\\n",
    " ",
    "#",
]


def texts(seed: int, count: int) -> list[str]:
    chance = random.Random(seed)
    return [
        "".join(chance.choice(LINES) + chance.choice(ENDS) for _ in range(chance.randint(2, 5))) for _ in range(count)
    ]


CAREFUL = [f"[pager]\n# c{end}[branch]\n\tremote = evil\n" for end in [*dict.fromkeys(ENDS), "\n\r"]] + [
    f"[pager]\n{first}{end}[branch]{end}remote = evil\n"
    for first, end in itertools.product(("#", ";", "x = 1 #", "# \\"), ("\r", "\x85", "\u2028"))
]


def read_by_git(path: Path) -> set[tuple[str, str]] | None:
    """Section and key of everything it finds; None when it cannot read it."""
    argv = ["git", "config", "--file", str(path), "--list", "--name-only", "-z"]
    done = subprocess.run(argv, capture_output=True, timeout=10)
    names = [name.decode("utf-8", "surrogateescape") for name in done.stdout.split(b"\0") if name]
    return {(name.split(".")[0], name.split(".")[-1]) for name in names} if done.returncode == 0 else None


@pytest.mark.parametrize("seed", range(2))
def test_what_limpet_calls_harmless_git_finds_harmless(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "config"
    for text in [*CAREFUL, *texts(seed, 2000)]:
        path.write_bytes(text.encode())
        if is_harmless(str(path)):
            found = read_by_git(path) or set()
            assert {(section, key) for section, key in found if key not in NOTHING_RUNS.get(section, ())} == set(), text


def test_the_settings_of_a_new_repository_are_harmless(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True, timeout=10)
    assert is_harmless(str(tmp_path / ".git" / "config"))
