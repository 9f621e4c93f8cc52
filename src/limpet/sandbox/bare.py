"""No sandbox: process control and limits only, and the result says so."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

import msgspec

from limpet.kernel.umask import umask
from limpet.model.guarantees import Guarantees
from limpet.model.plan import Ladder, Plan
from limpet.sandbox import bash, environ
from limpet.sandbox.locale import has_locale

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.config import Settings
    from limpet.model.request import Request

_SCRIPT_FD = 9
_USUAL_UMASK = 0o022

NOTE = "not contained: the command ran with all the rights of this user; network and files are open"

GUARANTEES = Guarantees(level="bare", backend="bare", tree_owned=True, notes=(NOTE,))


class Planned(msgspec.Struct, frozen=True, kw_only=True):
    """A plan with what was left out of it."""

    plan: Plan
    withheld_env: tuple[str, ...]

    def settle(self) -> tuple[str, ...]:
        """Nothing was put in its way, so nothing is left to do."""
        return ()


class Bare:
    """Plans commands that run with the caller's own rights."""

    def __init__(self, settings: Settings, caller: Mapping[str, str]) -> None:
        self._settings = settings
        self._caller = caller
        self._usual = environ.usual(settings, caller, has_locale)
        self._last_withheld: tuple[frozenset[str], tuple[str, ...]] = (frozenset(), ())
        run = settings.run
        self._ladder = Ladder(grace=run.grace, drain=run.drain, kill_wait=run.kill_wait)
        self._shell = functools.cache(lambda: bash.find(run.shell))

    def plan(self, request: Request, *, announce: bool = False) -> Planned:
        """What will be executed."""
        env = environ.build(request, self._settings, self._usual)
        script = os.fsencode(request.command)
        plan = Plan(
            executable=self._shell(),
            argv=bash.LIVE if request.live else bash.words(script, _SCRIPT_FD),
            script=script,
            script_fd=_SCRIPT_FD,
            short=bash.is_short(script),
            ready=self._settings.run.ready if bash.may_start_early(env) else 0,
            env=env,
            cwd=request.cwd,
            stdin=request.stdin,
            umask=_USUAL_UMASK if request.live else umask(),
            inherit_stdin=request.inherit_stdin,
            open_stdin=request.open_stdin,
            terminal=request.terminal,
            inherit_output=not request.capture_output,
            announce=announce,
            timeout=request.timeout,
            ladder=self._ladder,
            limits=request.limits,
            guarantees=GUARANTEES,
        )
        return Planned(plan=plan, withheld_env=self._withheld(env))

    def _withheld(self, env: dict[str, str]) -> tuple[str, ...]:
        """Names of the caller's variables that the command does not get."""
        names = frozenset(self._caller.keys() - env.keys())
        if names != self._last_withheld[0]:
            self._last_withheld = names, tuple(sorted(names))
        return self._last_withheld[1]
