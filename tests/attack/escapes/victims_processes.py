"""Sleeping processes of the user, with secrets, each seen to sleep on undisturbed."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from attack.escapes.deed import Victim, deeds
from attack.escapes.stage import secret
from living import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attack.escapes.stage import Scene


class Sleeper:
    """Has a secret in its environment, in its command line, in a pipe that only it can read, and in its folder."""

    def __init__(self, scene: Scene, name: str) -> None:
        self.secret = secret()
        folder = scene.folder(scene.place / f"sleeper-{name}")
        folder.chmod(0o700)
        scene.file(folder / "secret", self.secret)
        reading, writing = os.pipe()
        os.write(writing, self.secret.encode())
        os.close(writing)
        os.fchown(reading, scene.uid, scene.uid)
        argv = [*scene.prefix, "bash", "-c", 'exec -a "$0" sleep 1234', self.secret]
        self._process = subprocess.Popen(
            argv, cwd=folder, env={"PATH": os.environ["PATH"], "IT_IS": self.secret}, stdin=reading, process_group=0
        )
        os.close(reading)

    @property
    def pid(self) -> int:
        return self._process.pid

    def awake(self) -> bool:
        return Path(f"/proc/{self.pid}/comm").read_text() == "sleep\n"

    def state(self) -> object:
        """What others can do to it."""
        if self._process.poll() is not None:
            return "ended"
        place = Path("/proc", str(self.pid))
        settings = (place / "oom_score_adj").read_text(), (place / "limits").read_text()
        when = os.getpriority(os.PRIO_PROCESS, self.pid), os.sched_getaffinity(self.pid)
        return settings, when, (place / "environ").read_bytes()

    def end(self) -> None:
        with self._process:
            self._process.kill()


class Sleepers:
    """One for each deed."""

    def __init__(self, sleepers: dict[str, Sleeper]) -> None:
        self._sleepers = sleepers
        self._before = {name: one.state() for name, one in sleepers.items()}
        self.told: dict[str, Victim] = {name: {"pid": one.pid} for name, one in sleepers.items()}

    def fell(self, name: str, loot: bytes | None) -> bool:
        one = self._sleepers[name]
        return one.state() != self._before[name] or one.secret.encode() in (loot or b"")


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[Sleepers]:
    with contextlib.ExitStack() as stack:
        sleepers = {}
        for one in deeds("processes"):
            sleepers[one.name] = Sleeper(scene, one.name)
            stack.callback(sleepers[one.name].end)
        for sleeper in sleepers.values():
            wait_for(sleeper.awake)
        yield Sleepers(sleepers)
