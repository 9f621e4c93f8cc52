"""No victim: a file of the kernel that could be opened for writing is one too many."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from attack.escapes.victims_kernel import Told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attack.escapes.stage import Scene


@contextlib.contextmanager
def victims(scene: Scene) -> Iterator[Told]:
    yield Told("sysctl", {})
