"""Each deed -> shown to succeed without a sandbox and to fail behind the walls, as root and as an ordinary user."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import pytest

from attack.escapes import stage
from attack.escapes.deed import Without, deeds

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")

both_users = pytest.mark.parametrize("who", ["self", "nobody"], ids=["as-ourselves", "as-an-ordinary-user"])


def remembered(find: Callable[P, T]) -> Callable[P, T]:
    """Found out once for all tests that ask, whatever comes of it."""

    found: dict[object, T | Exception] = {}

    def again(*args: P.args, **kwargs: P.kwargs) -> T:
        key = (args, tuple(kwargs.items()))
        if key not in found:
            try:
                found[key] = find(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 - each test raises it again
                found[key] = error
        outcome = found[key]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    return again


def every_deed(area: str) -> pytest.MarkDecorator:
    """One test for each."""
    return pytest.mark.parametrize("name", [one.name for one in deeds(area)])


def succeeds_only_without(area: str, name: str, who: str) -> None:
    """Fails the test where the deed succeeds behind the walls, or would not have succeeded anyway."""
    contained = fates(area, who, "limpet")[name]
    assert not contained.fell, f"{name} succeeded behind the walls"
    without = fates(area, who, "plain")[name]
    if without.fell or not _within_reach(area, name, who):
        return
    if _without(area, name) in (Without.SOME_HOSTS, Without.ROOT_ON_SOME_HOSTS):
        pytest.skip(f"this machine refuses it anyway: {without.refused}")
    raise AssertionError(f"{name} proves nothing, for it fails without the sandbox too: {without.refused}")


def _within_reach(area: str, name: str, who: str) -> bool:
    root = who == "self" and os.geteuid() == 0
    return root or _without(area, name) in (Without.ANYBODY, Without.SOME_HOSTS)


def _without(area: str, name: str) -> Without:
    return next(one.without for one in deeds(area) if one.name == name)


@remembered
def fates(area: str, who: str, how: str) -> dict[str, stage.Fate]:
    """What became of each victim of an area, by the name of one of the ways to run."""
    return stage.trial(area, who, getattr(stage, how))
