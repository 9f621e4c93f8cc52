"""Request -> Decision: the policy, with what it needs to know of this host."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.config.rules import blocked
from limpet.engine.recall import Asked, Recall
from limpet.policy.places import World

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.model.decision import Decision
    from limpet.model.request import Request
    from limpet.policy.rules import Rules


class PolicyJudge:
    """Judges commands by the profile that the request names, and by rules that people wrote."""

    def __init__(
        self, environ: Mapping[str, str], rules: Callable[[], Rules], containment: Callable[[Request], str]
    ) -> None:
        """`rules` is asked for each command: a person may have added one since. `containment`: `full` or `none`."""
        self._home = os.path.abspath(home_of(environ))
        self._rules = rules
        self._containment = containment
        self._recall = Recall(follow)
        self._known: tuple[tuple[object, ...], str] = ((), "")

    def __call__(self, request: Request) -> Decision:
        """The verdict, with its reasons."""
        home = self._end_of(os.path.abspath(request.env["HOME"]) if "HOME" in request.env else self._home)
        asked = Asked(
            request.command,
            request.workspace,
            home,
            request.cwd,
            request.profile,
            self._containment(request),
            request.facts,
        )  # fmt: skip - the workspace is a real path since it was opened
        rules = self._rules()
        return self._recall.decide(asked, rules.plus(blocked(request.block)) if request.block else rules)

    def _end_of(self, home: str) -> str:
        """Where its links lead; they are not followed again as long as the same folder stands there, as it was."""
        try:
            status = os.stat(home)
        except (OSError, ValueError):
            return follow(home)
        state = home, status.st_dev, status.st_ino, status.st_ctime_ns
        if self._known[0] != state:
            self._known = state, follow(home)
        return self._known[1]


def home_of(environ: Mapping[str, str]) -> str:
    """The home folder that `~` will mean."""
    return environ.get("HOME") or os.path.expanduser("~")


def world_of(workspace: str, home: str) -> World:
    """What paths are judged against; links of what exists are followed, and nothing has to exist."""
    return World(workspace=follow(os.path.abspath(workspace)), home=follow(os.path.abspath(home)), resolve=follow)


def follow(path: str) -> str:
    """A path with its links followed as far as it exists; as it is where it cannot be one."""
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        return path
