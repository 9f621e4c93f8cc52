"""A transaction -> the steps by which a command's view shows it in place of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.transaction import Layers
from limpet.overlay.fit import mounts_inside

if TYPE_CHECKING:
    from limpet.overlay.place import Place


def layers(place: Place) -> Layers:
    """For one transaction, whatever commands run in it: mounted once, seen by all of them."""
    workspace = place.about.workspace
    inside = mounts_inside(workspace)
    take: list[tuple[str | int | bool, ...]] = [("overlay", workspace, workspace, place.upper, place.work)]
    for path in inside:
        take += [("take", path, path, False), ("lock", path)]
    return Layers(tuple(take), tuple(("put", path, path) for path in inside), inside)
