"""Generated trees and operations: in a transaction as directly, and after a rollback as before.

LIMPET_TORTURE=20 makes twenty times as many.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from attack.hostile import somebody
from overlay.conftest import elsewhere, needs_namespaces

if TYPE_CHECKING:
    from pathlib import Path

TORTURE = int(os.environ.get("LIMPET_TORTURE", "1"))
PROGRAM = """
import os, sys
from pathlib import Path
from overlay.faithful import examples
os.umask(0o022)
examples(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))()
"""


@pytest.mark.timeout(120 + 60 * TORTURE)
@pytest.mark.parametrize("who", ["self", "nobody"])
def test_a_transaction_does_what_would_have_been_done_and_undo_takes_it_back(who: str, tmp_path: Path) -> None:
    needs_namespaces()
    with somebody(who, tmp_path) as user:
        argv = user.program(PROGRAM, str(user.place), str(user.place), str(15 * TORTURE))
        status, out, err = user.run(argv, 100 + 60 * TORTURE)
    assert (status, out) == (0, ""), err[-4000:]


@pytest.mark.timeout(120 + 60 * TORTURE)
def test_also_where_the_state_directory_is_on_another_filesystem(tmp_path: Path) -> None:
    needs_namespaces()
    with elsewhere() as folder, somebody("self", tmp_path) as user:
        argv = user.program(PROGRAM, str(user.place), str(folder), str(8 * TORTURE))
        status, out, err = user.run(argv, 100 + 60 * TORTURE)
    assert (status, out) == (0, ""), err[-4000:]
