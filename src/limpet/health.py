"""This host and these settings -> what limpet can and cannot promise here, tried with a real command."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from limpet import shell
from limpet.config import resolve, state_dir
from limpet.errors import limpetError
from limpet.model.guarantees import Guarantees
from limpet.sandbox.probe import Fact, facts

if TYPE_CHECKING:
    from collections.abc import Mapping


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """What was found."""

    ok: bool
    """Whether commands can be run here at all."""
    level: str
    """How commands are contained here: `bare` means not at all."""
    facts: tuple[Fact, ...]
    guarantees: Guarantees | None
    """What held for the command that was tried; None when it could not be run."""
    state_dir: str
    error: str | None = None


async def examine(workspace: str, environ: Mapping[str, str] | None = None) -> Health:
    """Look at the host, and run one command to see that it works."""
    environ = os.environ if environ is None else environ
    settings = resolve(workspace=workspace, environ=environ).settings
    error, guarantees = await _try(workspace, environ)
    found = tuple(facts(settings.run.shell))
    return Health(
        ok=error is None,
        level=guarantees.level if guarantees else "none",
        facts=found,
        guarantees=guarantees,
        state_dir=state_dir(environ),
        error=error,
    )


async def _try(workspace: str, environ: Mapping[str, str]) -> tuple[str | None, Guarantees | None]:
    try:
        here = shell.open(workspace, environ=environ, surface="doctor", settings={"run.ready": 0})
        result = await here.run("true", description="limpet doctor", timeout=10)
    except limpetError as error:
        return str(error), None
    return (None if result.ok else result.summary()), result.guarantees
