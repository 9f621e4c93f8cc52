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
_MOST_KINDS = 4
"""Of commands whose plans are kept: few callers ask for more, one after the other."""

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
        self._latest: list[tuple[Request, Planned]] = []
        run = settings.run
        self._ladder = Ladder(grace=run.grace, drain=run.drain, kill_wait=run.kill_wait)
        self._shell = functools.cache(lambda: bash.find(run.shell))

    def plan(self, request: Request, *, announce: bool = False) -> Planned:
        """What will be executed."""
        usual = self.usual(request)
        return Planned(plan=for_command(usual.plan, request, announce=announce), withheld_env=usual.withheld_env)

    def usual(self, request: Request) -> Planned:
        """All but what is each command's own; the same object where one not long before was of the same kind."""
        kind = request.kind()
        for known, planned in self._latest:
            if known == kind:
                return planned
        env = environ.build(request, self._settings, self._usual)
        plan = Plan(
            executable=self._shell(),
            argv=(),
            script_fd=_SCRIPT_FD,
            ready=self._settings.run.ready if bash.may_start_early(env) else 0,
            env=env,
            cwd=request.cwd,
            stdin=request.stdin,
            inherit_stdin=request.inherit_stdin,
            open_stdin=request.open_stdin,
            terminal=request.terminal,
            inherit_output=not request.capture_output,
            timeout=request.timeout,
            ladder=self._ladder,
            limits=request.limits,
            guarantees=GUARANTEES,
        )
        made = Planned(plan=plan, withheld_env=self._withheld(env))
        if request.stdin is None:  # which may be large
            self._latest = [(kind, made), *self._latest[: _MOST_KINDS - 1]]
        return made

    def _withheld(self, env: dict[str, str]) -> tuple[str, ...]:
        """Names of the caller's variables that the command does not get."""
        return tuple(sorted(self._caller.keys() - env.keys()))


def for_command(plan: Plan, request: Request, *, announce: bool) -> Plan:
    """The usual plan, with what is this command's own."""
    script = os.fsencode(request.command)
    short = len(script) <= bash.SHORT
    return msgspec.structs.replace(
        plan,
        argv=bash.LIVE if request.live else bash.words(_SCRIPT_FD, short=short),
        script=script,
        short=short,
        umask=_USUAL_UMASK if request.live else umask(),
        announce=announce,
    )
