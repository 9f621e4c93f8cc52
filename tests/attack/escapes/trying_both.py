"""Each deed -> shown to succeed without a sandbox and to fail behind the walls, as root and as an ordinary user."""

from __future__ import annotations

import functools
import os

import pytest

from attack.escapes import stage
from attack.escapes.deed import Without, deeds

both_users = pytest.mark.parametrize("who", ["self", "nobody"], ids=["as-ourselves", "as-an-ordinary-user"])


def every_deed(area: str) -> pytest.MarkDecorator:
    """One test for each."""
    return pytest.mark.parametrize("name", [one.name for one in deeds(area)])


def succeeds_only_without(area: str, name: str, who: str) -> None:
    """Fails the test where the deed succeeds behind the walls, or would not have succeeded anyway."""
    contained = _fates(area, who, "limpet")[name]
    assert not contained.fell, f"{name} succeeded behind the walls"
    without = _fates(area, who, "plain")[name]
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


def _fates(area: str, who: str, how: str) -> dict[str, stage.Fate]:
    found = _tried(area, who, how)
    if isinstance(found, Exception):
        raise found
    return found


@functools.cache
def _tried(area: str, who: str, how: str) -> dict[str, stage.Fate] | Exception:
    """Once for all tests of an area, whatever comes of it."""
    try:
        return stage.trial(area, who, getattr(stage, how))
    except Exception as error:  # noqa: BLE001 - each test raises it again
        return error
