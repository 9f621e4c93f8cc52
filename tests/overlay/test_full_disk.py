"""A disk that is full at any point of a commit or undo: the workspace is all old or all new."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from attack.hostile import somebody
from overlay.conftest import needs_namespaces

if TYPE_CHECKING:
    from pathlib import Path

# On a disk in memory that is made smaller and smaller; what is left free is taken by ballast.
PROGRAM = """
import os, subprocess, sys
from pathlib import Path
from limpet.errors import TransactionError
from limpet.kernel import namespaces
from limpet.overlay import place as places
from limpet.overlay.commit import Wish, commit
from limpet.overlay.recover import recover
from limpet.overlay.undo import undo
from limpet.process.ids import enter_user_namespace
from overlay.layered import bash, facts

os.umask(0o022)
enter_user_namespace(namespaces.MOUNT)
subprocess.run(["mount", "--make-rprivate", "/"], check=True)
disk, apart = Path("disk"), sys.argv[1] == "apart"
seen = set()
for free in (0, 1, 2, 4, 8, 12, 16, 24, 40, 80, 160):
    disk.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,nr_inodes=4000", "tmpfs", "disk"], check=True)
    workspace = disk / "workspace"
    state = Path("state") if apart else disk / "state"
    (workspace / "folder").mkdir(parents=True)
    for number in range(30):
        (workspace / f"folder/f{number}").write_text(f"old {number}" * 50)
    os.utime(workspace / "folder", (1, 1)), os.utime(workspace, (1, 1))
    old = facts(workspace)
    one = places.create(str(state), "t", str(workspace))
    script = "for n in $(seq 0 2 29); do echo new$n >> folder/f$n; done; rm folder/f1; mkdir n; seq 900 > n/x"
    script += "; mv folder/f3 n; touch -d @2 folder n/x n ."
    assert bash(one, script) == 0
    with open(disk / "ballast", "wb", buffering=0) as file:
        try:
            while file.write(b"x" * 4096): pass
        except OSError:
            pass
        file.truncate(max(0, file.tell() - free * 4096))
    try:
        commit(str(state), one, Wish(name="c", at=0.0))
        said = "committed"
    except TransactionError as error:
        assert "No space left" in str(error), error
        said = "refused"
    recover(str(state))
    now = facts(workspace)
    assert (now == old) is (said == "refused"), (free, said, now.items() ^ old.items())
    if said == "committed":
        with open(disk / "more", "wb", buffering=0) as file:
            try:
                while file.write(b"x" * 4096): pass
            except OSError:
                pass
        try:
            undo(str(state), "c")
            assert facts(workspace) == old, "undone"
        except TransactionError as error:
            assert facts(workspace) == now, "not undone"
            (disk / "more").unlink(), (disk / "ballast").unlink()
            undo(str(state), "c")
            assert facts(workspace) == old, "undone at last"
    else:
        (disk / "ballast").unlink()
        commit(str(state), one, Wish(name="c", at=0.0))
        said = "committed later"
        undo(str(state), "c")
        assert facts(workspace) == old
    seen.add(said)
    one.drop()
    assert recover(str(state)).left == ()
    subprocess.run(["umount", "disk"], check=True)
print(sorted(seen))
"""


@pytest.mark.parametrize("where", ["same", "apart"])
def test_however_little_is_free_nothing_is_half_done(where: str, tmp_path: Path) -> None:
    needs_namespaces()
    with somebody("self", tmp_path) as user:
        status, out, err = user.run(user.program(PROGRAM, where))
    assert (status, err[-3000:]) == (0, "")
    assert out in ("['committed', 'committed later']\n", "['committed']\n"), os.fspath(user.place)
