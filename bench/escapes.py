"""Every escape of the test suite -> how many succeed without a sandbox, behind limpet's walls, and behind bubblewrap.

    PYTHONPATH=tests .venv/bin/python bench/escapes.py [AREA ...]

Bubblewrap is called as agents usually call it, and as carefully as its options allow. Counted is only what succeeds
without a sandbox on this machine, so that nobody is praised for what the kernel refuses anyway.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from attack.escapes import stage
from attack.escapes.deed import AREAS

if TYPE_CHECKING:
    from collections.abc import Callable

    from attack.escapes.stage import Scene

VIEW = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp")
USUAL = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent")
CAREFUL = ("--unshare-all", "--unshare-user", "--cap-drop", "ALL", "--die-with-parent", "--new-session")
HIDDEN = ("--tmpfs", "/run", "--tmpfs", "/var/tmp")


def bubblewrap(*options: str, hides_home: bool) -> Callable[[Scene, list[str]], None]:
    """A way to run a command: in its sandbox, with the workspace to write in."""

    def launch(scene: Scene, argv: list[str]) -> None:
        place = str(scene.workspace)
        hidden = (*HIDDEN, "--tmpfs", str(scene.home)) if hides_home else ()
        path = scene.environment()["PYTHONPATH"]
        env = ("--clearenv", "--setenv", "PATH", os.environ["PATH"], "--setenv", "PYTHONPATH", path)
        full = ["bwrap", *VIEW, *options, *hidden, "--bind", place, place, "--chdir", place, *env, *argv]
        done = subprocess.run(
            [*scene.prefix, *full], cwd=place, env=scene.environment(), stdin=subprocess.DEVNULL, timeout=90
        )
        if done.returncode:
            sys.exit(f"bwrap failed: {done.returncode}")

    return launch


WAYS: dict[str, Callable[[Scene, list[str]], None]] = {
    "limpet": stage.limpet,
    "limpet, landlock": stage.limpet_by_landlock,
    "bwrap, usual": bubblewrap(*USUAL, hides_home=False),
    "bwrap, careful": bubblewrap(*CAREFUL, hides_home=True),
}


def succeeded(area: str, who: str, launch: Callable[[Scene, list[str]], None]) -> set[str]:
    return {name for name, fate in stage.trial(area, who, launch).items() if fate.fell}


def compare(area: str, who: str) -> dict[str, tuple[int, set[str]]]:
    """By way: how many were tried that could succeed, and which did."""
    possible = succeeded(area, who, stage.plain)
    return {way: (len(possible), succeeded(area, who, launch) & possible) for way, launch in WAYS.items()}


def main(areas: list[str]) -> None:
    if shutil.which("bwrap") is None:
        sys.exit("bwrap is not installed")
    totals = {(way, who): [0, 0] for way in WAYS for who in ("self", "nobody")}
    for who in ("self", "nobody"):
        for area in areas:
            for way, (possible, escaped) in compare(area, who).items():
                totals[way, who][0] += possible - len(escaped)
                totals[way, who][1] += possible
                print(
                    f"{who:7} {area:10} {way:16} {possible - len(escaped):3} of {possible:3} stopped", *sorted(escaped)
                )
    for (way, who), (stopped, possible) in totals.items():
        print(f"{who:7} {'all':10} {way:16} {stopped:3} of {possible:3} stopped")


if __name__ == "__main__":
    main(sys.argv[1:] or list(AREAS))
