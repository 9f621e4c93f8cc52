"""A command -> the decision about it, without running anything and without an event loop."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.engine.judge import follow, home_of, world_of
from limpet.errors import InvalidRequestError
from limpet.policy.decide import decide
from limpet.policy.profiles import PROFILES
from limpet.policy.rules import NO_RULES, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from limpet.model.decision import Decision
    from limpet.policy.rules import Rule


def check(
    command: str,
    *,
    workspace: str | PathLike[str] | None = None,
    cwd: str | PathLike[str] | None = None,
    profile: str = "workspace",
    containment: str = "none",
    rules: Rules | Iterable[str | Mapping[str, object] | Rule] = NO_RULES,
) -> Decision:
    """What would be decided about `command`. Neither folder has to exist, and no settings are read.

    The workspace is `cwd`, else the current folder; with a workspace, `cwd` is meant inside it.

    `rules` are texts such as `"deny git push *"` or tables with the keys of a file of rules.
    """
    if profile not in PROFILES:
        raise InvalidRequestError(f"profile: there is none called {profile!r}; there are {', '.join(PROFILES)}")
    place = _folder(cwd or "." if workspace is None else workspace)
    folder = None if workspace is None or cwd is None else follow(os.path.join(place, cwd))
    world = world_of(place, home_of(os.environ))
    return decide(command, world, cwd=folder, profile=profile, containment=containment, rules=_rules(rules))


def _folder(path: str | PathLike[str]) -> str:
    try:
        return os.path.abspath(path)
    except FileNotFoundError:
        raise InvalidRequestError("the current folder does not exist any more; say which workspace") from None


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
