"""Any script, cut into commands of a session, does what it does in one plain bash."""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from session.pieces import PIECES, STATE, Said, by_bash, by_session

if TYPE_CHECKING:
    from pathlib import Path

EXAMPLES = int(os.environ.get("LIMPET_SESSION_EXAMPLES", "12"))
TOLD = [piece for piece in PIECES if "posix" not in piece]
"""What posix mode leaves switched on when it is switched off, bash does not tell."""
ANYWHERE = [piece for piece in PIECES if not piece.endswith("; ls") and "no newline" not in piece]
"""What does not depend on whether there is a terminal."""
_round = itertools.count()


def compare(pieces: list[str], place: Path, sandbox: str, *, killed: bool = False) -> None:
    number = next(_round)
    theirs = by_bash([*pieces, STATE], place / f"{number}" / "plain", place / f"{number}" / "scratch")
    ours = by_session([*pieces, STATE], place / f"{number}" / "session", sandbox, killed=killed)
    for piece, our, their in zip([*pieces, STATE], ours, theirs, strict=False):
        assert our == their, piece


def together(said: Said) -> tuple[int | None, list[str]]:
    """Both streams, as they come through a terminal, in whatever order."""
    return said.status, sorted((said.out + said.err).splitlines())


@settings(
    max_examples=max(2, EXAMPLES // 4), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize="LIMPET_SESSION_EXAMPLES" not in os.environ,
)  # fmt: skip
@given(pieces=st.lists(st.sampled_from(ANYWHERE), min_size=1, max_size=14))
def test_a_session_with_a_terminal_is_one_bash(tmp_path: Path, pieces: list[str]) -> None:
    place = tmp_path / f"{next(_round)}"
    theirs = by_bash([*pieces, STATE], place / "plain", place / "scratch")
    ours = by_session([*pieces, STATE], place / "session", "none", terminal=True)
    for piece, our, their in zip([*pieces, STATE], ours, theirs, strict=False):
        assert together(our) == together(their), piece


@pytest.mark.req("MY-10")
@settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize="LIMPET_SESSION_EXAMPLES" not in os.environ,
)  # fmt: skip
@given(pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=14))
def test_a_session_is_one_bash(tmp_path: Path, pieces: list[str]) -> None:
    compare(pieces, tmp_path, "none")


@settings(
    max_examples=max(2, EXAMPLES // 4), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize="LIMPET_SESSION_EXAMPLES" not in os.environ,
)  # fmt: skip
@given(pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=14))
def test_a_contained_session_is_one_bash(tmp_path: Path, pieces: list[str]) -> None:
    compare(pieces, tmp_path, "native")


@settings(
    max_examples=max(2, EXAMPLES // 4), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize="LIMPET_SESSION_EXAMPLES" not in os.environ,
)  # fmt: skip
@given(pieces=st.lists(st.sampled_from(TOLD), min_size=1, max_size=14))
def test_it_is_so_even_if_its_shell_is_killed_again_and_again(tmp_path: Path, pieces: list[str]) -> None:
    compare(pieces, tmp_path, "none", killed=True)
