"""Patterns as in .gitignore mean to us what they mean to git."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from limpet.policy.gitignore import matches

if TYPE_CHECKING:
    from pathlib import Path

PATHS = (
    "a", "a.o", "b.o", "src/a.o", "src/deep/a.o", "build/x", "src/build/x", "doc/a.txt", "doc/x/a.txt", "foo/bar",
    "x/foo/bar", "foo/x/bar", "foo/x/y/bar", "#hash", "!bang", "with space", "a[1].txt", "ab", "a-",
    "node_modules/p/i.js", "x/node_modules/p/i.js", "keep.o", "logs/a.log", "logs/keep/a.log", "A", "é", "star*",
    "back\\slash", "trail ", "b]",
)  # fmt: skip
SETS = (
    ["*.o"], ["/a.o"], ["build/"], ["build"], ["/build"], ["doc/*.txt"], ["**/foo"], ["foo/**"], ["foo/**/bar"],
    ["**"], ["*"], ["a?"], ["a[1].txt"], ["a[b-c]"], ["a[!b]"], ["[ab]"], ["\\#hash"], ["#hash"], ["\\!bang"],
    ["*.o", "!keep.o"], ["logs/", "!logs/keep/a.log"], ["logs/*", "!logs/keep/"], ["node_modules"], ["*space"],
    ["trail\\ "], ["trail "], ["**/deep/**"], ["src/**/a.o"], ["/*", "!/src"], ["a**o"], ["star\\*"], ["back\\\\slash"],
    ["[z-a]"], ["[[:digit:]a]*"], ["[![:alnum:]]*"],
    ["[]b]"], ["b[]]"], ["src/"], ["src/deep/"], ["./a"], [""], ["/"], ["é"], ["[[:alpha:]]"],
)  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_it_is_as_git_says(tmp_path: Path) -> None:
    for path in PATHS:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    git = ["git", "-C", str(tmp_path), "-c", "core.excludesFile=/dev/null"]
    subprocess.run([*git, "init", "-q"], check=True)
    wrong = []
    for patterns in SETS:
        (tmp_path / ".git/info/exclude").write_text("\n".join(patterns) + "\n")
        argv = [*git, "check-ignore", "--no-index", "-z", "--stdin"]
        said = subprocess.run(argv, input="\0".join(PATHS), capture_output=True, text=True)
        ignored = set(said.stdout.split("\0")) - {""}
        ours = {path for path in PATHS if matches(path, patterns)}
        if ours != ignored:
            wrong.append((patterns, sorted(ours ^ ignored)))
    assert wrong == []


def test_a_pattern_for_folders_does_not_mean_a_file() -> None:
    assert [matches("x", ["x/"], folder=folder) for folder in (False, True)] == [False, True]
