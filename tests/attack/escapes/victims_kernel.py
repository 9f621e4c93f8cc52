"""No victim: a deed that the kernel did says so itself."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from attack.escapes.deed import DONE, Victim, deeds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attack.escapes.stage import Scene


class Told:
    """The loot is the deed's own word for it."""

    def __init__(self, area: str, victim: Victim) -> None:
        self.told: dict[str, Victim] = {one.name: victim for one in deeds(area)}

    def fell(self, name: str, loot: bytes | None) -> bool:
        return loot == DONE.encode()


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[Told]:
    yield Told("kernel", {"first": 1 if scene.contained else 0})
