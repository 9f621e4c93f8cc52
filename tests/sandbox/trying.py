"""A script or a list of system calls -> what it gets in a process of its own, restricted or not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFINED = Path(__file__).with_name("confined.py")
NOBODY = 65534
LIMIT = 60

as_root_and_nobody = pytest.mark.parametrize(
    "uid",
    [
        pytest.param(None, id="as-ourselves"),
        pytest.param(
            NOBODY, id="as-nobody", marks=pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes another")
        ),
    ],
)


def script(text: str, *, uid: int | None = None, cwd: Path | str = "/", **wishes: Any) -> list[Any]:
    """Run it as that user under these restrictions; what it told."""
    command = [sys.executable, str(CONFINED), json.dumps({"uid": uid, **wishes}), text]
    done = subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def calls(listed: Sequence[tuple[int, ...]], **wishes: Any) -> list[str]:
    """What each call comes to: the name of the error or signal, or ok."""
    return script(f"for call in {listed!r}: tell(attempt(*call))", **wishes)


# dac_read_search, net_raw, sys_module, sys_rawio, sys_chroot, sys_ptrace, sys_pacct, sys_admin, sys_boot, sys_time,
# mknod, syslog: whoever has these is refused nothing that the filter refuses.
CAPABILITIES = (2, 13, 16, 17, 18, 19, 20, 21, 22, 25, 27, 34)


def unhindered() -> bool:
    """Whether nothing but limpet's own filter would refuse us a call: capabilities, and no filter around us."""
    status = dict(line.split(":\t") for line in Path("/proc/self/status").read_text().splitlines() if ":\t" in line)
    have = int(status["CapEff"], 16)
    return status["Seccomp"].strip() == "0" and all(have >> each & 1 for each in CAPABILITIES)
