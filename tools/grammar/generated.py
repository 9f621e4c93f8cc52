"""A number -> that many scripts, made by the grammar of the tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corpora import Script
from hypothesis import HealthCheck, Phase, given, seed, settings

from syntax.scripts import scripts

if TYPE_CHECKING:
    from collections.abc import Iterator

BATCH = 100
"""Later examples of one search vary earlier ones; many short searches differ more."""


def of_examples(count: int) -> Iterator[Script]:
    """The same scripts each time."""
    texts: dict[str, None] = {}
    for number in range((count + BATCH - 1) // BATCH):
        _search(number, texts)
    for number, text in enumerate(list(texts)[:count]):
        yield Script("generated", f"example {number}", text)


def _search(number: int, texts: dict[str, None]) -> None:
    @seed(number)
    @settings(
        max_examples=BATCH,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(scripts())
    def keep(text: str) -> None:
        texts[text] = None

    keep()
