"""Changes as a diff that git and patch understand, and a view without what is ignored."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from limpet.overlay.changes import changes
from limpet.overlay.diff import diff, stat
from overlay.layered import facts

if TYPE_CHECKING:
    from pathlib import Path

    from overlay.conftest import Bench


def test_text_is_shown_line_by_line(bench: Bench) -> None:
    bench.write(file="one\ntwo\nthree\n")
    place = bench.run("sed -i s/two/2/ file; printf end > new; chmod 755 new")
    assert diff(place, changes(place)) == (
        "diff --git a/file b/file\n--- a/file\n+++ b/file\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n"
        "diff --git a/new b/new\nnew file mode 100755\n--- /dev/null\n+++ b/new\n@@ -0,0 +1 @@\n+end\n"
        "\\ No newline at end of file\n"
    )


def test_what_is_no_text_is_told_by_its_size(bench: Bench) -> None:
    (bench.workspace / "image").write_bytes(b"\x89PNG\0" * 10)
    place = bench.run("printf '\\0more' >> image; mkfifo pipe")
    assert diff(place, changes(place)) == (
        "diff --git a/image b/image\nBinary files a/image and b/image differ (50 -> 55 bytes)\n"
        "diff --git a/pipe b/pipe\nnew file mode 010644\nBinary files /dev/null and b/pipe differ (0 -> 0 bytes)\n"
    )


def test_a_name_cannot_pretend_to_be_a_line_of_the_diff(bench: Bench) -> None:
    place = bench.run("echo x > $'a\\n+++ b'; echo y > $'\\e[2J'; echo z > $'\\xff\"'")
    names = [line for line in diff(place, changes(place)).splitlines() if line.startswith("+++")]
    assert names == ['+++ "b/\\u001b[2J"', '+++ "b/a\\n+++ b"', '+++ "b/\\\\xff\\""']


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_git_can_apply_it(bench: Bench, tmp_path: Path) -> None:
    bench.write(
        file="".join(f"{n}\n" for n in range(50)), gone="x\ny\n", moved="some text\n" * 5, mode="m\n", folder__a="a"
    )
    os.symlink("file", bench.workspace / "link")
    copy = tmp_path / "copy"
    shutil.copytree(bench.workspace, copy, symlinks=True)
    place = bench.run(
        "sed -i -e 3d -e 's/^4/x/' -e '$aend' file; rm gone; mv moved there; chmod 755 mode; ln -sfn mode link; "
        "mkdir -p n/e; printf 'no newline' > n/e/w; echo added > 'with space'; rm -r folder"
    )
    text = diff(place, changes(place))
    bench.commit(place)
    subprocess.run(["git", "apply", "--unsafe-paths", "-"], cwd=copy, input=text, text=True, check=True)
    assert {name: fact[0:1] + fact[5:] for name, fact in facts(copy, times=False).items()} == {
        name: fact[0:1] + fact[5:] for name, fact in facts(bench.workspace, times=False).items()
    }


def test_in_short_it_is_a_line_a_change(bench: Bench) -> None:
    bench.write(file="one\n", gone="x", moved="text")
    place = bench.run("echo more >> file; rm gone; mv moved there; chmod 600 there; echo x > 'a b'")
    assert stat(changes(place).changes) == (
        "A a b (+2 bytes)\nM file (content, times, +5 bytes)\nD gone (-1 bytes)\nR moved -> there (mode)\n"
    )
