"""A script -> every simple command in it, with what is known where it stands."""

from __future__ import annotations

from limpet.syntax.walk.found import Again, Assigned, Found, Opened, Step, Walk
from limpet.syntax.walk.walker import walk

__all__ = ["Again", "Assigned", "Found", "Opened", "Step", "Walk", "walk"]
