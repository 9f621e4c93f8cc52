"""A command that failed behind walls -> what it was not allowed to do there, and the smallest grant for it.

Told from what the command was judged to do, and not from what it printed.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.model.decision import Risk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.model.decision import Decision
    from limpet.model.guarantees import Guarantees
    from limpet.model.plan import Plan

_CHANGES = ("write", "delete", "change")
_OWN = ("/tmp", "/var/tmp", "/dev")  # noqa: S108 - a contained command has its own
_GIT_SETTINGS = (("git", "config"), ("git", "remote"))
_MOST = 3


def explain(decision: Decision, plan: Plan) -> str | None:
    """None when nothing that is known of the command was in its way."""
    held = plan.guarantees
    parts = (_files(decision, held), _frozen(decision, plan), _network(decision, held))
    return " ".join(part for part in parts if part) or None


def _files(decision: Decision, held: Guarantees) -> str:
    if held.files_written_only_in is None:
        return ""
    outside = list(dict.fromkeys(_outside(decision, (*held.files_written_only_in, *_OWN))))[:_MOST]
    if not outside:
        return ""
    folder = os.path.dirname(outside[0]) or "/"
    return (
        f'The sandbox did not let it change {", ".join(outside)}; sandbox.write = ["{folder}"] in your settings would.'
    )


def _outside(decision: Decision, inside: tuple[str, ...]) -> Iterator[str]:
    for path in _changed(decision):
        if path.startswith("/") and not any(_holds(folder, path) for folder in inside):
            yield path


def _holds(folder: str, path: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def _frozen(decision: Decision, plan: Plan) -> str:
    """Files of the workspace that other programs act on."""
    frozen = plan.confinement.frozen if plan.confinement is not None else ()
    touched = [path for path in frozen if any(_holds(path, changed) for changed in _changed(decision))]
    if any(command.argv[:2] in _GIT_SETTINGS for command in decision.commands):
        touched += [path for path in frozen if path.endswith("/.git/config")]
    if not touched:
        return ""
    inside = touched[0].removeprefix((plan.guarantees.files_written_only_in or ("",))[0]).lstrip("/")
    return (
        f'The sandbox keeps {inside} as it is: other programs act on it; sandbox.allow = ["{inside}"] lets it change.'
    )


def _changed(decision: Decision) -> Iterator[str]:
    for effect in decision.effects:
        kind, _, path = effect.removesuffix(" and all in it").partition(" ")
        if kind in _CHANGES:
            yield path


def _network(decision: Decision, held: Guarantees) -> str:
    if held.network != "off" or not any(reason.risk is Risk.NETWORK for reason in decision.reasons):
        return ""
    return "The sandbox has no network; --network on (sandbox.network = true) gives it one."
