"""A transaction -> the steps by which a command's view shows it in place of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from limpet.overlay.fit import mounts_inside

if TYPE_CHECKING:
    from limpet.model.confinement import Steps
    from limpet.overlay.place import Place


class Layers(NamedTuple):
    """Steps for a view (`kernel.mounts`) that takes what it needs, locks everything, and puts back what it took."""

    take: Steps
    """Instead of taking the workspace: a layer above it, under the workspace's own name."""
    put: Steps
    """After the workspace was put back."""
    read_only: tuple[str, ...]
    """What is mounted inside the workspace: to be seen, but not to be changed, as nobody could take it back."""


def layers(place: Place) -> Layers:
    """For one transaction, whatever commands run in it: mounted once, seen by all of them."""
    workspace = place.about.workspace
    inside = mounts_inside(workspace)
    take: list[tuple[str | int | bool, ...]] = [("overlay", workspace, workspace, place.upper, place.work)]
    for path in inside:
        take += [("take", path, path, False), ("lock", path)]
    return Layers(tuple(take), tuple(("put", path, path) for path in inside), inside)
