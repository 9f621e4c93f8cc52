"""Commands that were judged -> which of them feed each other, found again in no time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.policy.carried import Load
from limpet.policy.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.walk.found import Step

_FEW = 16
_NEVER = 1 << 30
_SUBSTITUTIONS = ("$(", "`", "<(")


class Record(msgspec.Struct, frozen=True):
    """A command that was judged, with what matters for those around it."""

    command: Command
    network: bool
    secret: bool


class _Pipe:
    """What is known of one pipe: the stages that matter, and a few of its commands."""

    def __init__(self) -> None:
        self.first_network = self.first_secret = _NEVER
        self.last_network = -1
        self.few: list[tuple[int, Record]] = []
        self.count = 0

    def add(self, index: int, record: Record, load: Load) -> None:
        self.count += 1
        if record.network or load.network:
            self.first_network = min(self.first_network, index)
        if record.network:
            self.last_network = max(self.last_network, index)
        if record.secret or load.secret:
            self.first_secret = min(self.first_secret, index)
        if len(self.few) < _FEW:
            self.few.append((index, record))


class Streams:
    """Pipes and substitutions of one text."""

    def __init__(self) -> None:
        self._pipes: dict[tuple[tuple[Step, ...], int], _Pipe] = {}
        self._secrets: set[int] = set()
        """Where commands start that read secrets."""
        self._inside: dict[int, Load] = {}
        """By where the host of a substitution starts: whether something in it is on the network, or reads secrets."""

    def bring(self, start: int, load: Load) -> None:
        """The words of the command that starts there bring something along."""
        network, secret = self.brought(start)
        self._inside[start] = Load(network or load.network, secret or load.secret)

    def brought(self, start: int) -> Load:
        """What stands in the words of the command that starts there."""
        return self._inside.get(start, Load())

    def add(self, record: Record) -> None:
        """Note a command that was judged."""
        steps = record.command.steps
        if record.secret:
            self._secrets.add(record.command.start)
        for depth, step in enumerate(steps):
            if step.kind == "stage":
                load = self.brought(record.command.start)
                self._pipes.setdefault((steps[:depth], step.start), _Pipe()).add(step.index, record, load)
            elif step.kind in _SUBSTITUTIONS:
                self.bring(step.start, Load(record.network, record.secret))

    def _around(self, command: Command) -> Iterator[tuple[int, _Pipe]]:
        for depth, step in enumerate(command.steps):
            pipe = self._pipes.get((command.steps[:depth], step.start)) if step.kind == "stage" else None
            if pipe is not None:
                yield step.index, pipe

    def fed_by_network(self, command: Command) -> bool:
        """Whether something on the network comes before it in a pipe, or stands in its words."""
        return self.brought(command.start).network or any(
            pipe.first_network < index for index, pipe in self._around(command)
        )

    def fed_by_secret(self, command: Command) -> bool:
        """Whether it reads secrets itself, or something that does comes before it in a pipe, or stands in its words."""
        return (
            command.start in self._secrets
            or self.brought(command.start).secret
            or any(pipe.first_secret < index for index, pipe in self._around(command))
        )

    def feeds_network(self, command: Command) -> bool:
        """Whether something on the network comes behind it in a pipe."""
        return any(pipe.last_network > index for index, pipe in self._around(command))

    def feeders(self, command: Command) -> list[Record] | None:
        """The commands before it in its innermost pipe; None when they are too many to be looked at."""
        for index, pipe in reversed(list(self._around(command))):
            if index > 0:
                found = [record for place, record in pipe.few if place < index]
                return found if pipe.count <= _FEW else None
        return []
