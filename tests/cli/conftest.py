"""What tests of the command line share."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from limpet.engine.blocking import wait
from limpet.named.client import Named

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def no_session_left(_own_places: None) -> Iterator[None]:
    """Named sessions outlive whoever started them."""
    yield
    named = Named(os.environ)
    for session in wait(named.all()):
        wait(named.close(session.name))
