"""What bash says on the channel of a session -> an answer, or none."""

from __future__ import annotations

import pytest

from limpet.session.hearing import Hearing
from limpet.session.words import Answer

SAID = b"bash: line 3: /!/0badcafe/3/hBs: No such file or directory\n"


def test_an_answer_is_heard_whichever_way_it_is_cut() -> None:
    for at in range(len(SAID)):
        hearing = Hearing("0badcafe")
        heard = [hearing(SAID[:at]), hearing(SAID[at:])]
        assert (heard[1], hearing.answer) == (True, Answer(3, "hBs"))


@pytest.mark.parametrize("other", ["0badcaff", "badcafe", "00badcafe", "0BADCAFE"])
def test_an_answer_to_somebody_else_is_none(other: str) -> None:
    hearing = Hearing("0badcafe")
    assert (hearing(SAID.replace(b"0badcafe", other.encode())), hearing.answer) == (False, None)
    assert (hearing(SAID), hearing.answer) == (True, Answer(3, "hBs"))
