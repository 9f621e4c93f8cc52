"""The layer in a namespace of its own: the workspace underneath stays what it is."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attack.hostile import somebody
from limpet.errors import NoOverlayError, TransactionError
from limpet.overlay import place as places
from overlay.conftest import elsewhere
from overlay.layered import bash, held, in_layer

if TYPE_CHECKING:
    from overlay.conftest import Bench


def test_what_a_command_does_is_seen_by_the_next_one_and_by_nobody_else(bench: Bench) -> None:
    bench.write(file="old\n")
    place = bench.run("echo new > file; mkdir made")
    assert bash(place, "[ $(cat file) = new ] && [ -d made ]") == 0
    assert (bench.text("file"), bench.names()) == ("old\n", ["file"])


def test_what_somebody_else_changes_meanwhile_shows_through(bench: Bench) -> None:
    bench.write(file="old\n")
    place = bench.open()
    bench.write(file="theirs\n", more="x")
    assert bash(place, "[ $(cat file) = theirs ] && [ -e more ]") == 0


@pytest.mark.parametrize("name", ["a,b", "a:b", "a\\b", "lowerdir=x", "with space", "é" * 100])
def test_a_folder_may_have_any_name(bench: Bench, name: str) -> None:
    bench.workspace = bench.workspace / name
    bench.workspace.mkdir()
    place = bench.run("echo x > file")
    assert (bench.changes(place), bench.names()) == (["added file"], [])


def test_two_mounts_of_one_layer_are_refused(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    place = bench.open()
    monkeypatch.setattr("limpet.kernel.overlayfs._PATIENCE", 0.1)
    with held(place):
        assert in_layer(place, lambda: None) == 125
    assert "Device or resource busy" in capfd.readouterr().err
    monkeypatch.setattr("limpet.kernel.overlayfs._PATIENCE", 20.0)
    assert in_layer(place, lambda: None) == 0


def test_a_workspace_with_something_mounted_in_it_is_refused(bench: Bench) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs root")
    inside = bench.workspace / "inside"
    inside.mkdir()
    script = f"""
import subprocess
from limpet.errors import NoOverlayError
from limpet.kernel import namespaces
from limpet.overlay import place
namespaces.unshare(namespaces.MOUNT)
subprocess.run(["mount", "--make-rprivate", "/"], check=True)
subprocess.run(["mount", "-t", "tmpfs", "tmpfs", {str(inside)!r}], check=True)
try:
    place.create({str(bench.state)!r}, "t", {str(bench.workspace)!r})
except NoOverlayError as error:
    print(error)
"""
    with somebody("self", bench.workspace.parent) as me:
        status, out, err = me.run(me.program(script))
    assert (status, err) == (0, "")
    assert out == f"{inside} is mounted inside the workspace {bench.workspace}, where no layer can be put above it\n"


def test_a_state_directory_on_another_filesystem_will_do(bench: Bench) -> None:
    bench.write(file="old", gone__deep="x", kept="y")
    with elsewhere() as folder:
        bench.state = folder
        committed = bench.done("echo new > file; rm -r gone; mkdir made; echo z > made/z")
        assert (bench.text("file"), bench.names()) == ("new\n", ["file", "kept", "made", "made/z"])
        bench.undo(committed)
    assert (bench.text("file"), bench.names()) == ("old", ["file", "gone", "gone/deep", "kept"])


def test_a_state_directory_in_the_workspace_is_refused(bench: Bench) -> None:
    with pytest.raises(NoOverlayError, match="lies in the workspace"):
        places.create(str(bench.workspace / "state"), "t", str(bench.workspace))
    assert bench.names() == []


def test_the_workspace_of_another_user_is_refused_to_an_ordinary_one() -> None:
    program = """
import os, sys
from limpet.errors import NoOverlayError
from limpet.overlay import place
try:
    place.create("state", "t", sys.argv[1])
except NoOverlayError as error:
    print(error)
print(os.listdir("."))
"""
    with somebody("nobody", Path("/")) as user, tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        status, out, err = user.run(user.program(program, folder))
    assert (status, err) == (0, "")
    assert (out.startswith(f"the workspace {folder} belongs to user 0"), out.endswith("[]\n")) == (True, True)


def test_a_workspace_that_is_not_there_is_refused(bench: Bench) -> None:
    with pytest.raises(TransactionError, match="cannot be read"):
        places.create(str(bench.state), "t", str(bench.workspace / "missing"))


def test_the_folders_of_a_transaction_are_private(bench: Bench) -> None:
    place = bench.open()
    modes = {path: oct(os.stat(path).st_mode & 0o777) for path in (str(bench.state / "transactions"), place.folder)}
    assert set(modes.values()) == {"0o700"}


def test_dropping_leaves_nothing_even_of_closed_folders(bench: Bench) -> None:
    place = bench.run("mkdir -p a/b; echo x > a/b/c; chmod 000 a/b; chmod 500 a")
    place.drop()
    assert os.listdir(bench.state / "transactions") == []


PROGRAM = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from limpet.overlay import place as places
from limpet.overlay.changes import changes
from limpet.overlay.commit import Wish, commit
from limpet.overlay.undo import undo
from overlay.layered import bash
os.umask(0o022)
folder = Path.cwd() / "workspace"
(folder / "sub").mkdir(parents=True)
(folder / "sub/file").write_text("old")
(folder / "shut").mkdir()
(folder / "shut/inner").mkdir()
(folder / "shut/inner/x").write_text("x")
os.chmod(folder / "shut/inner", 0)
os.chmod(folder / "shut", 0)
one = places.create("state", "t", str(folder))
script = "chmod 700 shut; chmod 700 shut/inner; rm -r shut; echo file > shut; "
print(bash(one, script + "echo new > sub/file; mkdir closed; echo x > closed/x; chmod 500 closed sub"))
print((folder / "sub/file").read_text(), [change.path for change in changes(one).changes if "shut/" not in change.path])
commit("state", one, Wish(name="c", at=0.0))
print(oct((folder / "shut").stat().st_mode))
print((folder / "sub/file").read_text().strip(), oct((folder / "closed").stat().st_mode), os.listdir(folder / "closed"))
undo("state", "c")
shut = oct((folder / "shut").stat().st_mode)
os.chmod(folder / "shut", 0o700)
print(shut, oct((folder / "shut/inner").stat().st_mode))
os.chmod(folder / "shut/inner", 0o700)
"""


@pytest.mark.parametrize("who", ["self", "nobody"])
def test_anybody_can_have_a_transaction(who: str, tmp_path: Path) -> None:
    with somebody(who, tmp_path) as user:
        status, out, err = user.run(user.program(PROGRAM, str(Path(__file__).parents[1])))
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "0",
        "old ['closed', 'closed/x', 'shut', 'sub', 'sub/file']",
        "0o100644",
        "new 0o40500 ['x']",
        "0o40000 0o40000",
    ]
