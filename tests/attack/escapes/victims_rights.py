"""A file that belongs to somebody else, and programs that are allowed to read it whoever runs them."""

from __future__ import annotations

import contextlib
import os
import shutil
import struct
from typing import TYPE_CHECKING

import pytest

from attack.escapes.deed import DONE, Victim, deeds
from attack.escapes.stage import ORDINARY, secret

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attack.escapes.stage import Scene

SOMEBODY_ELSE = ORDINARY + 1
_READ_ALL = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH."""
CAPABILITIES = struct.pack("<IIIII", 0x0200_0001, _READ_ALL, 0, 0, 0)


class Guarded:
    """The same secret in a file for their owner alone, and in one for their group."""

    def __init__(self, scene: Scene) -> None:
        self._secret = secret()
        modes = {"file": 0o400, "group_file": 0o040}
        files = {name: self._theirs(scene.outside / name, mode) for name, mode in modes.items()}
        programs = {
            "set_uid": _set_uid(scene.outside / "cat-u"),
            "set_gid": _set_gid(scene.outside / "cat-g"),
            "set_uid_in_workspace": _set_uid(scene.workspace / "cat-u"),
            "capable": _capable(scene.outside / "cat-c"),
            "capable_in_workspace": _capable(scene.workspace / "cat-c"),
        }
        drop = scene.file(scene.workspace / "drop")
        drop.chmod(0o666)
        victim = {"uid": SOMEBODY_ELSE, "drop": str(drop), **files, **programs}
        self._drop = drop
        self.told: dict[str, Victim] = {one.name: victim for one in deeds("rights")}

    def _theirs(self, path: Path, mode: int) -> str:
        path.write_text(self._secret)
        os.chown(path, SOMEBODY_ELSE, SOMEBODY_ELSE)
        path.chmod(mode)
        return str(path)

    def fell(self, name: str, loot: bytes | None) -> bool:
        """Whoever has become somebody else cannot keep loot where the rest is kept."""
        dropped = self._drop.read_bytes() if name == "become_somebody_else" else b""
        return self._secret.encode() in (loot or b"") + dropped or loot == DONE.encode()


def _set_uid(path: Path) -> str:
    return _with_mode(path, 0o4755)


def _set_gid(path: Path) -> str:
    return _with_mode(path, 0o2755)


def _with_mode(path: Path, mode: int) -> str:
    shutil.copy("/bin/cat", path)
    os.chown(path, SOMEBODY_ELSE, SOMEBODY_ELSE)
    path.chmod(mode)
    return str(path)


def _capable(path: Path) -> str:
    shutil.copy("/bin/cat", path)
    path.chmod(0o755)
    os.setxattr(path, "security.capability", CAPABILITIES)
    return str(path)


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[Guarded]:
    if os.geteuid() != 0:
        pytest.skip("only root can make files of others, and programs that lend rights")
    yield Guarded(scene)
