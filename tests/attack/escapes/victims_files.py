"""Files and folders outside the workspace, each seen to be as it was in everything but when it was last read."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from attack.escapes.deed import Victim, deeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attack.escapes.stage import Scene

DEVICES = {"touch_a_device": "/dev/full", "change_the_mode_of_a_device": "/dev/zero"}
"""Of those that everybody may write to; one for each deed."""


class Files:
    """A folder for each deed, and a file for each in every other place that a user can write to."""

    def __init__(self, scene: Scene, elsewhere: dict[str, Path]) -> None:
        self.told: dict[str, Victim] = {}
        self._watched: dict[str, list[Path]] = {}
        for one in deeds("files"):
            folder = scene.folder(scene.outside / one.name)
            scene.folder(folder / "empty")
            files = {name: scene.file(place / one.name) for name, place in elsewhere.items()}
            files["file"] = scene.file(folder / "file")
            device = DEVICES.get(one.name, "")
            self._watched[one.name] = [folder, *files.values(), *([Path(device)] if device else [])]
            paths = {name: str(path) for name, path in files.items()}
            first = 1 if scene.contained else 0
            self.told[one.name] = {"first": first, "folder": str(folder), "device": device, **paths}
        self._before = {name: self._seen(name) for name in self.told}

    def fell(self, name: str, loot: bytes | None) -> bool:
        return self._seen(name) != self._before[name]

    def _seen(self, name: str) -> list[object]:
        return [look(below) for path in self._watched[name] for below in sorted([path, *path.rglob("*")])]


def look(path: Path) -> object:
    """All there is to know of it, but for the time it was last read."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    shape = (status.st_mode, status.st_uid, status.st_gid, status.st_nlink, status.st_size)
    times = (status.st_mtime_ns, status.st_ctime_ns)
    content = path.read_bytes() if path.is_file() else b""
    return (str(path), shape, times, content, os.listxattr(path, follow_symlinks=False))


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[Files]:
    bases = {"tmp": "/tmp", "var_tmp": "/var/tmp", "shm": "/dev/shm", "run": "/run"}
    usable = {name: base if os.access(base, os.W_OK) else str(scene.place) for name, base in bases.items()}
    places = {name: Path(base, f"{scene.place.name}-{name}") for name, base in usable.items()}
    places |= {"home": scene.home / "files", "parent": scene.workspace.parent / "files"}
    try:
        for place in places.values():
            scene.folder(place)
        yield Files(scene, places)
    finally:
        for place in places.values():
            shutil.rmtree(place, ignore_errors=True)
