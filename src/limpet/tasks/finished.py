"""Tasks that are over, all in one file: what is known of those never changes, so it need not be looked up again.

Nothing depends on it: what is missing or damaged in it is read from the folders of the tasks, and a task whose folder
is gone is none, whatever it says.
"""

from __future__ import annotations

import contextlib
import json
import os

import msgspec

from limpet.model.task import TaskStatus
from limpet.tasks import record

_NAME = ".finished"
_ENOUGH = 16
"""So many more are worth writing all of it anew."""


class Finished:
    """What was written down, and what is to be."""

    def __init__(self, place: str) -> None:
        self._path = os.path.join(place, _NAME)
        self._known = self._read()
        self._met: dict[str, TaskStatus | None] = {}
        self._new = 0

    def __contains__(self, name: str) -> bool:
        return name in self._known

    def status(self, name: str) -> TaskStatus | None:
        """How a task that is in it has ended; None for a run that never became one."""
        found = self._met[name] = self._known[name]
        return found

    def add(self, name: str, status: TaskStatus | None) -> None:
        """This one is over, and that is written down in its folder."""
        self._met[name] = status
        self._new += 1

    def keep(self) -> None:
        """All that were met: for the next one who looks."""
        if self._new >= _ENOUGH:
            with contextlib.suppress(OSError):
                record.replace(self._path, {"fields": list(TaskStatus.__struct_fields__), "tasks": self._met})

    def _read(self) -> dict[str, TaskStatus | None]:
        try:
            with open(self._path, "rb", opener=record.at_once) as file:
                found = json.loads(file.read())
            if found["fields"] == list(TaskStatus.__struct_fields__):  # else another version wrote it
                return msgspec.convert(found["tasks"], dict[str, TaskStatus | None])
        except (OSError, ValueError, RecursionError, KeyError, TypeError):
            pass
        return {}
