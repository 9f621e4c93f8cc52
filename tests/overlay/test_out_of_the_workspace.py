"""Whoever may write to the workspace cannot make a commit, an undo or a recovery touch anything outside of it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest

from attack.hostile import NOBODY, somebody
from limpet.errors import TransactionError
from limpet.overlay import commit as committing
from limpet.overlay import steps
from limpet.overlay import undo as undoing
from limpet.overlay.kept import kept
from limpet.overlay.recover import recover
from overlay.conftest import elsewhere
from overlay.layered import facts

if TYPE_CHECKING:
    from pathlib import Path

    from overlay.conftest import Bench


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """What is not to be touched, with names that a commit knows."""
    folder = tmp_path / "outside"
    (folder / "deep").mkdir(parents=True)
    for name in ("file", "gone", "0", "1", "2", "deep/file"):
        (folder / name).write_text("outside")
    return folder


def _swap(folder: Path, outside: Path) -> None:
    folder.rename(folder.with_name("moved away"))
    folder.symlink_to(outside)


CHANGING = (
    "echo new > in/file; rm in/gone; echo new > in/made; echo new > in/deep/file; mkdir in/more; chmod 750 in/deep"
)


@pytest.mark.parametrize("which", ["in", "in/deep"])
@pytest.mark.parametrize("what", ["commit", "undo"])
def test_a_folder_that_becomes_a_link_under_way_is_not_followed(
    bench: Bench, outside: Path, monkeypatch: pytest.MonkeyPatch, what: str, which: str
) -> None:
    bench.write(in__file="old", in__gone="old", in__deep__file="old")
    before = facts(outside)
    place = bench.run(CHANGING)
    done = bench.commit(place) if what == "undo" else None

    def take(*given: object) -> None:
        _swap(bench.workspace / which, outside)
        steps.take(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(undoing if done else committing, "take", take)
    with contextlib.suppress(TransactionError):
        bench.undo(done) if done else bench.commit(place)
    monkeypatch.undo()
    recover(str(bench.state))
    assert facts(outside) == before


def test_a_folder_of_our_own_in_the_workspace_that_becomes_a_link_is_not_followed(
    bench: Bench, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.write(file="old", gone="old")
    before = facts(outside)
    with elsewhere() as folder:
        bench.state = folder
        place = bench.run("echo new > file; rm gone; echo new > made")

        def die(*given: object) -> None:
            steps.take(*given)  # type: ignore[arg-type]
            os.kill(os.getpid(), signal.SIGKILL)

        monkeypatch.setattr(committing, "take", die)
        pid = os.fork()
        if pid == 0:
            try:
                bench.commit(place, name="c")
            finally:
                os._exit(1)
        os.waitpid(pid, 0)
        _swap(bench.workspace / ".limpet-c", outside)
        recover(str(bench.state))
    assert facts(outside) == before


def test_marks_of_the_overlay_that_a_command_forges_are_refused_or_mean_nothing(bench: Bench) -> None:
    bench.write(file="old", folder__file="old")
    place = bench.run(
        """
        mkdir made; mknod made/x c 0 0; mknod y c 0 0
        python3 -c '
import os
for name, value in (("opaque", b"y"), ("redirect", b"/etc"), ("whiteout", b"y"), ("metacopy", b""), ("origin", b"x")):
    for path in ("folder", "file"):
        try:
            os.setxattr(path, "user.overlay." + name, value)
        except OSError:
            pass
        '
        true
        """
    )
    bench.commit(place)
    assert (bench.text("file"), bench.text("folder/file")) == ("old", "old")
    assert not any(path.is_char_device() for path in bench.workspace.rglob("*"))


def test_what_another_user_wrote_into_the_state_directory_is_not_carried_out(bench: Bench, outside: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    done = bench.done("echo new > file")
    folder = bench.state / "commits" / done.id
    (folder / "settled").unlink()
    os.chown(folder / "journal", NOBODY, NOBODY)
    before = facts(bench.workspace)
    (told,) = recover(str(bench.state)).left
    assert f"belongs to user {NOBODY}" in told
    assert (kept(str(bench.state)), facts(bench.workspace)) == ((), before)
    with pytest.raises(TransactionError, match="belongs to user"):
        bench.undo(done)


CLOSED = """
import os, sys
from pathlib import Path
from limpet.overlay.remove import remove_tree
Path("outside").mkdir(mode=0o755)
Path("outside/file").write_text("outside")
deep = Path("tree/shut/deep")
deep.mkdir(parents=True)
(deep / "link").symlink_to(Path("outside").resolve())
Path("tree/link").symlink_to(Path("outside").resolve())
os.chmod("tree/shut/deep", 0), os.chmod("tree/shut", 0o500), os.chmod("tree", 0)
remove_tree("tree")
print(os.listdir("."), oct(os.stat("outside").st_mode), os.listdir("outside"))
"""


@pytest.mark.parametrize("who", ["self", "nobody"])
def test_what_is_removed_with_closed_folders_in_it_leads_nowhere(who: str, tmp_path: Path) -> None:
    with somebody(who, tmp_path) as user:
        status, out, err = user.run(user.program("import os; os.umask(0o022)\n" + CLOSED))
    assert (status, out, err) == (0, "['outside'] 0o40755 ['file']\n", "")


def test_a_tree_however_deep_is_removed(tmp_path: Path) -> None:
    from limpet.overlay.remove import remove_tree  # noqa: PLC0415 - the others use it from inside

    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("deep", dir_fd=here)
        below = os.open("deep", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        remove_tree(str(tmp_path / "deep"))
        assert os.listdir(tmp_path) == []
    finally:  # pytest could not remove it, now and at every later run
        subprocess.run(["rm", "-rf", str(tmp_path / "deep")], check=True)
