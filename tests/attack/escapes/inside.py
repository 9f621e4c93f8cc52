"""An area and what its victims are -> every deed of it tried, each by a process of its own, with what it brought back.

Runs where the attacker runs: `python -m attack.escapes.inside AREA` in the workspace, which has `victims.json`.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

from attack.escapes.deed import Deed, Victim, deeds

PATIENCE = 5
WORKSPACE = Path.cwd()


def main() -> None:
    victims: dict[str, Victim] = json.loads((WORKSPACE / "victims.json").read_bytes())
    for one in deeds(sys.argv[1]):
        attempt(one, victims[one.name])


def attempt(one: Deed, victim: Victim) -> None:
    """In a folder of its own, within a bound."""
    scratch = WORKSPACE / "scratch" / one.name
    scratch.mkdir(parents=True)
    keep("tried", one.name, b"")
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return
    try:
        signal.alarm(PATIENCE)
        os.chdir(scratch)
        keep("refused", one.name, brought(one, victim))
    finally:
        os._exit(0)


def brought(one: Deed, victim: Victim) -> str:
    """Why it brought nothing back."""
    try:
        loot = one.act(victim)
    except Exception as error:  # noqa: BLE001 - whatever stopped it is what we want to know
        return f"{type(error).__name__}: {error}"
    keep("loot", one.name, loot or b"")
    return ""


def keep(folder: str, name: str, what: str | bytes) -> None:
    place = WORKSPACE / folder
    place.mkdir(exist_ok=True)
    (place / name).write_bytes(what.encode() if isinstance(what, str) else what)


if __name__ == "__main__":
    main()
