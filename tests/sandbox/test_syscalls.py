"""System calls by name and by number: what is passed on, and what comes back."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from limpet.kernel import syscalls
from limpet.kernel.syscall_numbers import X86_64

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.skipif(syscalls.machine() is None, reason="no system call numbers for this machine")

LSEEK, FACCESSAT = (8, 269) if syscalls.machine() is X86_64 else (62, 48)
HERE = -100


def test_all_64_bits_of_an_argument_arrive(tmp_path: Path) -> None:
    with (tmp_path / "file").open("wb") as file:
        assert syscalls.by_number(LSEEK, "lseek")(file.fileno(), 1 << 40, os.SEEK_SET) == 1 << 40


def test_bytes_are_passed_by_address(tmp_path: Path) -> None:
    access = syscalls.by_number(FACCESSAT, "faccessat")
    assert access(HERE, os.fsencode(tmp_path), 0) == 0
    with pytest.raises(FileNotFoundError):
        access(HERE, os.fsencode(tmp_path / "nothing"), 0)


@pytest.mark.parametrize("make", [lambda: syscalls.call("setns", -1, 0), syscalls.prepare("setns", -1, 0)])
def test_a_refusal_names_the_call(make: Callable[[], int]) -> None:
    with pytest.raises(OSError, match=r"^\[Errno 9\] Bad file descriptor: 'setns'$"):
        make()


def test_a_call_that_the_machine_does_not_have_is_not_implemented() -> None:
    with pytest.raises(OSError, match="not implemented") as caught:
        syscalls.by_number(-1, "nothing")()
    assert caught.value.errno == errno.ENOSYS


def test_nothing_heavy_is_imported_before_the_first_call() -> None:
    ours = "import sys; from limpet.kernel import landlock, seccomp, syscalls"
    text = f"{ours}; print({{'ctypes', 'socket', 'subprocess'}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
