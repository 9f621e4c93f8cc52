"""This host and these settings -> what limpet can and cannot promise here, tried with a real command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from limpet import opening
from limpet.config import resolve, state_dir
from limpet.engine.admit import admit
from limpet.errors import limpetError
from limpet.model.guarantees import Guarantees
from limpet.model.options import Options
from limpet.model.request import Origin
from limpet.policy.profiles import PROFILES
from limpet.process import cgroup
from limpet.process.attempts import attempt
from limpet.sandbox.probe import Fact, facts
from limpet.wiring.containing import sandboxes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.config import Settings
    from limpet.model.request import Request
    from limpet.sandbox.choose import Chosen


class Promise(msgspec.Struct, frozen=True, kw_only=True):
    """What a profile comes to here."""

    profile: str
    level: str
    """How its commands are contained; empty when none would run."""
    containment: str
    """How they are judged: `full` as contained, `none` as if nothing held them."""
    refused: str = ""
    """Why none would run."""


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    ok: bool
    """Whether commands can be run here as the settings want it."""
    level: str
    """How commands are contained here: `bare` means not at all."""
    sandbox: str
    """What the settings ask for."""
    profile: str
    facts: tuple[Fact, ...]
    profiles: tuple[Promise, ...]
    guarantees: Guarantees | None
    """What held for the command that was tried; None when it could not be run."""
    state_dir: str
    error: str | None = None


async def examine(workspace: str, environ: Mapping[str, str] | None = None) -> Health:
    """Look at the host, and run one command to see that it works."""
    environ = os.environ if environ is None else environ
    settings = resolve(workspace=workspace, environ=environ).settings
    found = tuple(facts(settings, environ, attempt, cgroup.discover()))  # before there is a thread: it forks
    error, guarantees = await _try(workspace, environ)
    return Health(
        ok=error is None,
        level=guarantees.level if guarantees else "none",
        sandbox=settings.sandbox.mode,
        profile=settings.policy.profile,
        facts=found,
        profiles=_profiles(workspace, settings, environ),
        guarantees=guarantees,
        state_dir=state_dir(environ),
        error=error,
    )


async def _try(workspace: str, environ: Mapping[str, str]) -> tuple[str | None, Guarantees | None]:
    try:
        here = opening.open(workspace, environ=environ, surface="doctor", settings={"run.ready": 0})
        result = await here.run("true", description="limpet doctor", timeout=10)
    except limpetError as error:
        return str(error), None
    return (None if result.ok else result.summary()), result.guarantees


def _profiles(workspace: str, settings: Settings, environ: Mapping[str, str]) -> tuple[Promise, ...]:
    chosen = sandboxes(settings, environ)
    request = admit("true", Options(), settings=settings, workspace=workspace, origin=Origin(surface="doctor"))
    return tuple(_promise(chosen, msgspec.structs.replace(request, profile=name)) for name in PROFILES)


def _promise(chosen: Chosen, request: Request) -> Promise:
    try:
        level = chosen.plan(request).plan.guarantees.level
    except limpetError as error:
        return Promise(profile=request.profile, level="", containment="none", refused=str(error))
    return Promise(profile=request.profile, level=level, containment=chosen.containment(request))
