"""The sandbox that needs nothing installed: namespaces, Landlock and seccomp, straight from the kernel."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from limpet.errors import SandboxUnavailableError
from limpet.kernel import landlock, seccomp
from limpet.kernel.syscalls import machine
from limpet.model.confinement import Confinement, Landlock
from limpet.model.guarantees import Guarantees
from limpet.policy.later_places import LATER_ANYWHERE
from limpet.policy.later_places_at_home import LATER_IN_A_HOME
from limpet.policy.sensitive import runs_later
from limpet.sandbox.bare import Planned, for_command
from limpet.sandbox.finding import Finder, in_a_workspace, real, written
from limpet.sandbox.later import Later
from limpet.sandbox.marks import mark
from limpet.sandbox.quarantine import Watch
from limpet.sandbox.secrets import Secrets
from limpet.sandbox.view import PRIVATE, Wishes, fresh, view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.config import Settings
    from limpet.kernel.syscall_numbers import Machine
    from limpet.model.plan import Plan
    from limpet.model.request import Request
    from limpet.sandbox.bare import Bare
    from limpet.sandbox.later import Found
    from limpet.sandbox.marks import Mark
    from limpet.sandbox.secrets import Hidden

TOO_WIDE = ("/", "/usr", "/etc", "/var", "/home", "/proc", "/sys", "/dev", "/run", "/boot", "/bin", "/lib")
"""No workspace: whoever may change one of these may change the machine."""
_MOST_KINDS = 16
_TEMP = 1 << 30
"""Bytes of memory that temporary files may take."""


class PlannedBehindWalls(Planned, frozen=True, kw_only=True):
    """A plan, with what to look at when it has been carried out."""

    watch: Watch
    why: Callable[[str], str]

    def settle(self) -> tuple[str, ...]:
        """What would make other programs act later is taken out again. In a transaction, when that is committed."""
        return () if self.plan.once else self.watch.settle(self.why)


class _Walled(NamedTuple):
    """A plan of commands behind walls, and what it was made of."""

    usual: Planned
    found: Found
    hidden: Hidden
    writable: dict[str, Mark]
    plan: Plan

    def is_of(self, usual: Planned, found: Found, hidden: Hidden, writable: dict[str, Mark]) -> bool:
        """The very same: two usual plans may be equal whose requests ask for other walls."""
        return self.usual is usual and self.found is found and self.hidden is hidden and self.writable == writable


class Native:
    """Plans commands that run behind walls."""

    name = "native"

    def __init__(self, bare: Bare, settings: Settings, caller: Mapping[str, str], state_dir: str) -> None:
        self._bare = bare
        self._write = tuple(os.path.realpath(path) for path in settings.sandbox.write)
        self._allowed = frozenset(settings.sandbox.allow)
        self._secrets = Secrets(caller, state_dir)
        self._home = self._secrets.home
        self._state_dir = os.path.realpath(state_dir)
        self._quarantine = os.path.join(self._state_dir, "quarantine")
        self._landlock = landlock.version()
        of_a_home = Finder(written(LATER_IN_A_HOME)), self._home
        self._later = Later(in_a_workspace(LATER_ANYWHERE), allowed=self._allowed, home=of_a_home)
        self._latest: _Walled | None = None
        self._built = functools.lru_cache(maxsize=_MOST_KINDS)(self._confinement)

    def plan(self, request: Request, *, announce: bool = False) -> PlannedBehindWalls:
        """What will be executed, and behind what. Raises SandboxUnavailableError."""
        usual, watch = self._bare.usual(request), self._watch(request)
        plan = for_command(self._walled(usual, request, watch.found), request, announce=announce)
        why = functools.partial(why_taken, self._home, request.workspace)
        return PlannedBehindWalls(plan=plan, withheld_env=usual.withheld_env, watch=watch, why=why)

    def _walled(self, usual: Planned, request: Request, found: Found) -> Plan:
        """All but what is each command's own. The latest is kept, as the next command's is usually the same."""
        latest, hidden = self._latest, self._secrets.hidden(request.workspace)
        writable = self._writable() if self._write else {}
        if latest is None or not latest.is_of(usual, found, hidden, writable):
            wishes = self._wishes(request, found)
            plan = msgspec.structs.replace(
                usual.plan,
                env=usual.plan.env if "TMPDIR" in request.env else _without_temp(usual.plan.env),
                ready=usual.plan.ready if request.layer is None else 0,
                once=request.layer is not None,
                confinement=self._built(wishes, request.network),
                guarantees=_guarantees(wishes, network=request.network),
            )
            self._latest = latest = _Walled(usual, found, hidden, writable, plan)
        return latest.plan

    def guard(self, request: Request) -> Callable[[], tuple[str, ...]]:
        """For what comes into the workspace all at once: what makes other programs act later is taken out again."""
        watch = self._watch(request)
        return lambda: watch.settle(functools.partial(why_taken, self._home, request.workspace))

    def _watch(self, request: Request) -> Watch:
        return Watch(self._later, request.workspace, keep_in=f"{self._quarantine}/{request.id}")

    def _confinement(self, wishes: Wishes, network: bool) -> Confinement:  # noqa: FBT001 - the key of a cache
        here = refuse_too_wide(wishes.workspace)
        return Confinement(
            network=network,
            view=view(wishes),
            fresh=fresh(wishes),
            landlock=self._rules(wishes),
            seccomp=seccomp.program(here),  # without the network there is a loopback that is the command's own
            frozen=wishes.frozen,
            marks=wishes.marks,
        )

    def _wishes(self, request: Request, found: Found) -> Wishes:
        writable, hidden = self._writable(), self._secrets.hidden(request.workspace)
        return Wishes(
            workspace=request.workspace,
            marks=(*found.marks, *hidden.marks, *writable.values()),
            writable=tuple(writable),
            hidden=tuple(path for path in hidden.around if path not in writable),
            holding=hidden.holding,
            frozen=found.frozen,
            layer=request.layer,
            emptied=hidden.emptied,
            root=os.geteuid() == 0,
            landlock=self._landlock > 0,
            memory=min(_TEMP, request.limits.memory or _TEMP),
        )

    def _writable(self) -> dict[str, Mark]:
        """Those folders beside the workspace that are there."""
        return {path: mark(real(path)) for path in self._write if os.path.isdir(path)}

    def _rules(self, wishes: Wishes) -> Landlock | None:
        if not self._landlock:
            return None
        write = (wishes.workspace, *wishes.writable, *PRIVATE, *wishes.emptied)
        use = ("/dev",) if wishes.root else ("/dev", "/proc")  # what root writes there counts for the whole machine
        rules = landlock.plan(self._landlock, read=("/",), write=write, use=use)
        paths = tuple((path, int(allowed)) for path, allowed in rules.paths)
        return Landlock(int(rules.files), int(rules.net), int(rules.scopes), paths)


def why_taken(home: str, workspace: str, path: str) -> str:
    """What it would make other programs do."""
    return runs_later(path, home, workspace)


def refuse_too_wide(workspace: str) -> Machine:
    """The machine that the commands there run on. Raises SandboxUnavailableError."""
    here = machine()
    if here is None or workspace in TOO_WIDE:
        raise SandboxUnavailableError(
            f"the workspace {workspace} is too much of the machine to be contained; name one project's",
            missing=("sandbox",),
        )
    return here


def _without_temp(env: dict[str, str]) -> dict[str, str]:
    """The machine's folder for temporary files is not to be seen; /tmp is, and is the command's own."""
    return {name: value for name, value in env.items() if name != "TMPDIR"}


def _guarantees(wishes: Wishes, *, network: bool) -> Guarantees:
    return Guarantees(
        level="native",
        backend="native",
        files_written_only_in=(wishes.workspace, *wishes.writable),
        secrets_hidden=True,
        network="open" if network else "off",
        undo=wishes.layer is not None,
    )
