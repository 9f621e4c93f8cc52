"""The power goes at random moments of commit, undo and recovery: all old or all new when it is back.

LIMPET_TORTURE=50 makes fifty times as many.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from attack.hostile import somebody
from overlay.conftest import needs_namespaces

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 3 * int(os.environ.get("LIMPET_TORTURE", "1"))
PROGRAM = """
import os, sys
from pathlib import Path
from overlay.powerless import main
os.umask(0o022)
main(Path(sys.argv[1]), int(sys.argv[2]))
"""


def _needs_disks(folder: Path) -> None:
    """Skip where no file can be a disk: that takes root, and a machine that lets it."""
    if os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
        pytest.skip("no disks without root and mkfs.ext4")
    script = "truncate -s 2M disk && mkfs.ext4 -q disk && mkdir there && mount -o loop disk there"
    if subprocess.run(["unshare", "--mount", "sh", "-c", script], cwd=folder, capture_output=True).returncode != 0:
        pytest.skip("no file can be mounted as a disk here")


@pytest.mark.timeout(60 + 20 * ROUNDS)
def test_a_power_loss_leaves_all_old_or_all_new(tmp_path: Path) -> None:
    needs_namespaces()
    _needs_disks(tmp_path)
    (tmp_path / "disks").mkdir()
    with somebody("self", tmp_path) as user:
        argv = ["unshare", "--mount", *user.program(PROGRAM, str(tmp_path / "disks"), str(ROUNDS))]
        status, out, err = user.run(argv, 40 + 20 * ROUNDS)
    print(out)
    assert (status, err) == (0, "")
