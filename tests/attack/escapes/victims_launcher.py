"""The launcher's own secrets: a variable of its environment, an open file, and a key in the home."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from attack.escapes.deed import Victim, deeds
from attack.escapes.stage import secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attack.escapes.stage import Scene


class Secrets:
    """The same for all deeds: they only read."""

    def __init__(self, scene: Scene) -> None:
        self._secrets = [scene.secret, secret(), secret()]
        keys = scene.folder(scene.home / ".ssh")
        hidden = scene.file(keys / "id_ed25519", self._secrets[1])
        scene.file(scene.open_file, self._secrets[2])
        first = 1 if scene.contained else 0
        self.told: dict[str, Victim] = {one.name: {"first": first, "hidden": str(hidden)} for one in deeds("launcher")}

    def fell(self, name: str, loot: bytes | None) -> bool:
        return any(one.encode() in (loot or b"") for one in self._secrets)


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[Secrets]:
    yield Secrets(scene)
