"""What was done to a configuration file -> kept, so that it can be taken back to the last byte."""

from __future__ import annotations

import hashlib
import os

import msgspec

from limpet.surfaces.install.change import Change
from limpet.surfaces.install.files import read, replace
from limpet.surfaces.install.jsonc import UnreadableError


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """Of one file."""

    path: str
    before: bytes | None
    """What was in it; None when there was no such file."""
    after: str
    """Digest of what limpet left in it."""
    changes: tuple[Change, ...]
    """In order."""
    empty: str
    """What a new file began with."""
    folders: tuple[str, ...] = ()
    """Made for it, innermost first."""


def digest(data: bytes) -> str:
    """To recognise what is in a file."""
    return hashlib.sha256(data).hexdigest()


class Ledger:
    """Records below the state directory."""

    def __init__(self, state: str) -> None:
        self._folder = os.path.join(state, "init")

    def find(self, path: str) -> Record | None:
        """What was done to that file. Raises UnreadableError."""
        data = read(self._place(path))
        if data is None:
            return None
        try:
            return msgspec.json.decode(data, type=Record)
        except msgspec.MsgspecError:
            raise UnreadableError(f"limpet's record of it ({self._place(path)}) is damaged") from None

    def keep(self, record: Record) -> None:
        """Written before the file itself is: without it nothing could be taken back."""
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        os.chmod(self._folder, 0o700)
        replace(self._place(record.path), msgspec.json.encode(record))

    def forget(self, path: str) -> None:
        """It has been taken back."""
        os.unlink(self._place(path))

    def _place(self, path: str) -> str:
        return os.path.join(self._folder, digest(os.fsencode(path))[:32] + ".json")
