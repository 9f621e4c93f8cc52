"""`kill -9` at random moments of commit, undo and recovery: all old or all new, and nothing left over.

LIMPET_TORTURE=1 is the whole: 300 rounds with 2,000 files each.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from attack.hostile import somebody
from overlay.conftest import elsewhere, needs_namespaces

if TYPE_CHECKING:
    from pathlib import Path

FILES, ROUNDS = (2000, 300) if os.environ.get("LIMPET_TORTURE") else (120, 6)
PROGRAM = """
import os, sys
from pathlib import Path
from overlay.killed import main
os.umask(0o022)
main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
"""


@pytest.mark.timeout(60 + 15 * ROUNDS)
@pytest.mark.parametrize("who", ["self", "nobody"])
def test_a_killed_commit_or_undo_leaves_all_old_or_all_new(who: str, tmp_path: Path) -> None:
    needs_namespaces()
    with somebody(who, tmp_path) as user:
        (user.place / "state").mkdir()
        os.chown(user.place / "state", os.stat(user.place).st_uid, os.stat(user.place).st_gid)
        argv = user.program(PROGRAM, str(user.place), str(user.place / "state"), str(FILES), str(ROUNDS))
        status, out, err = user.run(argv, 40 + 15 * ROUNDS)
    print(out)
    assert (status, err) == (0, "")


@pytest.mark.timeout(60 + 15 * ROUNDS)
def test_also_where_the_state_directory_is_on_another_filesystem_and_killed(tmp_path: Path) -> None:
    needs_namespaces()
    with elsewhere() as folder, somebody("self", tmp_path) as user:
        argv = user.program(PROGRAM, str(user.place), str(folder), str(FILES), str(ROUNDS))
        status, out, err = user.run(argv, 40 + 15 * ROUNDS)
    print(out)
    assert (status, err) == (0, "")
