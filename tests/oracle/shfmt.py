"""A script -> how shfmt reads it: a tree in JSON."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path
from typing import Any

import msgspec

from oracle.outside import ask

PROGRAM = Path(sysconfig.get_path("scripts"), "shfmt")

Json = dict[str, Any]


class Read(msgspec.Struct, frozen=True):
    """A tree, or why there is none."""

    tree: Json | None
    complaint: str = ""


def read(text: str) -> Read:
    """The reading of a text."""
    # Nobody may not be allowed into the folder that it stands in, and it only ever parses.
    said = ask((str(PROGRAM), "--to-json", "-ln=bash"), text, trusted=True)
    if said.status != 0:
        return Read(None, complaint=said.error.strip() or "too slow")
    return Read(msgspec.json.decode(said.out, type=Json))


def present() -> bool:
    """Whether there is a shfmt to ask."""
    return os.access(PROGRAM, os.X_OK)
