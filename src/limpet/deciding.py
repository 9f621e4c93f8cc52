"""A command -> the decision about it, without running anything and without an event loop."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.engine.judge import home_of, world_of
from limpet.errors import InvalidRequestError
from limpet.policy.decide import decide
from limpet.policy.profiles import PROFILES
from limpet.policy.rules import NO_RULES, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from limpet.model.decision import Decision
    from limpet.policy.rules import Rule


def check(
    command: str,
    *,
    workspace: str = ".",
    cwd: str | None = None,
    profile: str = "workspace",
    containment: str = "none",
    rules: Rules | Iterable[str | Mapping[str, object] | Rule] = NO_RULES,
) -> Decision:
    """What would be decided about `command`. Neither folder has to exist, and no settings are read.

    `rules` are texts such as `"deny git push *"` or tables with the keys of a file of rules.
    """
    if profile not in PROFILES:
        raise InvalidRequestError(f"profile: there is none called {profile!r}; there are {', '.join(PROFILES)}")
    world = world_of(workspace, home_of(os.environ))
    folder = os.path.abspath(cwd) if cwd is not None else world.workspace
    return decide(command, world, cwd=folder, profile=profile, containment=containment, rules=_rules(rules))


def containment(
    workspace: str, *, sandbox: str | None = None, profile: str | None = None, environ: Mapping[str, str] | None = None
) -> str:
    """How a command is judged that runs there with this sandbox: `full` as contained, `none` as if nothing held it.

    Without them, the settings say which sandbox and profile. What this host can do is tried, once after each start.
    """
    from limpet.config import resolve  # noqa: PLC0415 - a decision alone needs no settings

    environ = os.environ if environ is None else environ
    if (sandbox or resolve(workspace=workspace, environ=environ).settings.sandbox.mode) in ("none", "bare"):
        return "none"
    from limpet.wiring import containing  # noqa: PLC0415 - only who has commands contained pays for what does it

    return containing.containment(workspace, environ, sandbox=sandbox, profile=profile)


def _rules(given: Rules | Iterable[str | Mapping[str, object] | Rule]) -> Rules:
    if isinstance(given, Rules):
        return given
    from limpet.config.rules import rules_from  # noqa: PLC0415 - only who brings rules pays for reading them

    return rules_from(given)
