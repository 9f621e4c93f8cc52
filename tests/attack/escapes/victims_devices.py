"""Nodes for a harmless device where none belongs, and a terminal of the user's."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

from attack.escapes.victims_kernel import Told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attack.escapes.stage import Scene

ZERO = os.makedev(1, 5)


def node(scene: Scene, path: Path) -> str:
    with contextlib.suppress(PermissionError):  # only root can
        os.mknod(path, stat.S_IFCHR | 0o666, ZERO)
        path.chmod(0o666)
        scene.own(path)
    return str(path)


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[Told]:
    ours, theirs = os.openpty()
    try:
        name = os.ttyname(theirs)
        os.chown(name, scene.uid, -1)
        places = {"in_workspace": scene.workspace / "node", "outside": scene.outside / "node"}
        yield Told("devices", {"terminal": name, **{word: node(scene, path) for word, path in places.items()}})
    finally:
        os.close(ours)
        os.close(theirs)
