from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from audit.happenings import finished, prepared, tell
from limpet.audit.memory import MemoryRecorder
from limpet.audit.several import SeveralRecorders
from limpet.errors import AuditError

if TYPE_CHECKING:
    from limpet.model.event import Event


class Broken:
    def __init__(self, name: str) -> None:
        self.name = name

    async def record(self, event: Event) -> None:
        raise AuditError(self.name)


def test_a_list_keeps_what_it_is_told_in_order() -> None:
    log = MemoryRecorder()
    tell(log, prepared(), finished())
    assert log.events == [prepared(), finished()]


def test_each_recorder_is_told_and_the_first_failure_is_raised() -> None:
    first, last = MemoryRecorder(), MemoryRecorder()
    with pytest.raises(AuditError, match=r"^one$"):
        tell(SeveralRecorders(first, Broken("one"), Broken("two"), last), prepared())
    assert (first.events, last.events) == ([prepared()], [prepared()])


def test_no_recorder_at_all_is_fine() -> None:
    tell(SeveralRecorders(), prepared())
