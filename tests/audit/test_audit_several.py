from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from audit.happenings import prepared, tell
from limpet.audit.several import SeveralRecorders
from limpet.errors import AuditError

if TYPE_CHECKING:
    from limpet.model.event import Event


class Listening:
    def __init__(self) -> None:
        self.events: list[Event] = []

    async def record(self, event: Event) -> None:
        self.events.append(event)

    def close(self) -> None:
        self.events.clear()


class Broken:
    def __init__(self, name: str) -> None:
        self.name = name

    async def record(self, event: Event) -> None:
        raise AuditError(self.name)

    def close(self) -> None:
        pass


def test_each_recorder_is_told_and_the_first_failure_is_raised() -> None:
    first, last = Listening(), Listening()
    with pytest.raises(AuditError, match=r"^one$"):
        tell(SeveralRecorders(first, Broken("one"), Broken("two"), last), prepared())
    assert (first.events, last.events) == ([prepared()], [prepared()])


def test_no_recorder_at_all_is_fine() -> None:
    tell(SeveralRecorders(), prepared())
