"""A transaction -> the step by which a command's view shows it in place of the workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from limpet.model.confinement import Steps
    from limpet.overlay.place import Place


def layer(place: Place) -> Steps:
    """For a view (`kernel.mounts`) that takes what it needs, locks everything, and puts back what it took.

    In place of the step that takes the workspace, and under the same name: what follows can stay as it is. It is
    mounted once for all commands of a transaction: a second mount is refused as long as the first is there.
    """
    workspace = place.about.workspace
    return (("overlay", workspace, workspace, place.upper, place.work),)
