"""A home as many have it, each file with a secret of its own; and the records of an earlier command."""

from __future__ import annotations

import contextlib
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from attack.escapes import deeds_secrets
from attack.escapes.deed import Victim, deeds
from attack.escapes.stage import secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attack.escapes.stage import Scene


class Home:
    """One secret for all: no file of them is to be read by any deed."""

    def __init__(self, scene: Scene) -> None:
        self._secret = secret()
        self._asked = secret()
        for path in deeds_secrets.FILES.values():
            self._keep(scene, scene.home / path)
        self._link(scene, ".config/linked", scene.home / ".ssh" / "id_ed25519")
        (scene.home / ".netrc").unlink()
        self._link(scene, ".netrc", self._keep(scene, scene.home / "dotfiles" / "netrc"))
        settings = self._keep(scene, scene.home / ".config" / "limpet" / "config.toml", "# nothing\n")
        state = Path(scene.environment()["LIMPET_STATE_DIR"])
        self._run_before(scene)
        first = 1 if scene.contained else 0
        victim = {"home": str(scene.home), "state": str(state), "settings": str(settings), "first": first}
        self.told: dict[str, Victim] = {one.name: {**victim, "ask": self._asked} for one in deeds("secrets")}

    def fell(self, name: str, loot: bytes | None) -> bool:
        return any(word.encode() in (loot or b"") for word in (self._secret, self._asked))

    def _run_before(self, scene: Scene) -> None:
        """So that there is a record that has the secret in it, and its output."""
        argv = scene.user.limpet("run", "--", f"seq 100000; echo {self._secret}")
        subprocess.run(argv, cwd=scene.workspace, env=scene.environment(), capture_output=True, timeout=30, check=True)

    def _keep(self, scene: Scene, path: Path, text: str = "{}") -> Path:
        for folder in reversed(path.parents):
            if scene.home in folder.parents:
                scene.folder(folder)
        return scene.file(path, text.format(self._secret))

    def _link(self, scene: Scene, name: str, target: Path) -> None:
        link = scene.home / name
        link.symlink_to(target)
        scene.own(link)


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[Home]:
    yield Home(scene)
