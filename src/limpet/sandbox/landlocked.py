"""The sandbox for hosts that deny user namespaces: Landlock, seccomp and no capabilities, on the machine as it is."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import SandboxUnavailableError
from limpet.kernel import landlock, seccomp
from limpet.kernel.landlock import Missing
from limpet.kernel.landlock.rights import File
from limpet.kernel.syscalls import machine
from limpet.model.confinement import Confinement, Landlock
from limpet.model.guarantees import Guarantees
from limpet.policy.later_places import LATER_ANYWHERE
from limpet.policy.later_places_at_home import LATER_IN_A_HOME
from limpet.policy.sensitive import runs_later
from limpet.sandbox import opened
from limpet.sandbox.finding import Finder, in_a_workspace, written
from limpet.sandbox.former import Former
from limpet.sandbox.later import Later
from limpet.sandbox.native import PlannedBehindWalls, refuse_too_wide
from limpet.sandbox.quarantine import Watch
from limpet.sandbox.secrets import Secrets
from limpet.sandbox.view import KEPT_IN_RUN, PRIVATE, is_inside

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.config import Settings
    from limpet.kernel.landlock import Rules
    from limpet.model.request import Request
    from limpet.sandbox.bare import Bare

_NOT_SHOWN = ("/proc", "/dev", "/run", *PRIVATE)
"""Of these only what is named below."""
_DEVICES = tuple(f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty"))
_SCRATCH = ("TMPDIR", "XDG_CACHE_HOME")
"""They lead to the command's own folder, unless the call says where."""
_LOOK_EVERY = 1.0

NOTES = (
    "files outside can be neither written nor removed, but mode, times and attributes of the user's own can be changed",
    "the names of hidden files can be seen; what is in them cannot be read",
    "services that listen on unix sockets can be reached, if their socket lets this user",
    "/proc shows what it shows this user: command lines of other processes, lists of keys and shared memory",
    "limits, priority and processors of the user's other processes can be changed",
    "a device node that lies in the workspace can be used",
    "no /tmp and no terminals; TMPDIR is a folder for this command alone, and gone with it",
    'no /dev/shm, which some programs need: sandbox.write = ["/dev/shm"] grants it',
    "files of the workspace that other programs act on can be changed; the result tells which were",
)
"""What this level leaves open, in words."""
_NO_SOCKETS = "no internet socket can be made, not even to talk to oneself"


class PlannedInTheOpen(PlannedBehindWalls, frozen=True, kw_only=True):
    """A plan, with what files were that nothing keeps the command from changing."""

    former: Former

    def settle(self) -> tuple[str, ...]:
        """What would make other programs act later is taken out where it is new, and told where it has changed."""
        return (*self.watch.settle(self.why), *self.former.settle(self.why, self.watch))


class Landlocked:
    """Plans commands that see the machine and may change little of it."""

    name = "landlock"

    def __init__(self, bare: Bare, settings: Settings, caller: Mapping[str, str], state_dir: str) -> None:
        self._bare = bare
        self._write = tuple(os.path.realpath(path) for path in settings.sandbox.write)
        self._allowed = frozenset(settings.sandbox.allow)
        self._secrets = Secrets(caller, state_dir)
        self._state_dir = os.path.realpath(state_dir)
        self._landlock = landlock.version()
        of_a_home = Finder(written(LATER_IN_A_HOME)), self._secrets.home
        self._later = Later(in_a_workspace(LATER_ANYWHERE), allowed=self._allowed, home=of_a_home)
        self._looked = float("-inf")
        self._shown: tuple[tuple[str, ...], opened.Shown] = ((), opened.Shown((), ()))

    def plan(self, request: Request, *, announce: bool = False) -> PlannedInTheOpen:
        """What will be executed, and held by what. Raises SandboxUnavailableError."""
        planned = self._bare.plan(request, announce=announce)
        keep_in = os.path.join(self._state_dir, "quarantine", request.id)
        watch = Watch(self._later, request.workspace, keep_in=keep_in)
        former = Former(tuple(watch.before), request.workspace, keep_in=keep_in)
        confinement, guarantees = self._confinement(request)
        plan = msgspec.structs.replace(planned.plan, confinement=confinement, guarantees=guarantees)
        return PlannedInTheOpen(
            plan=plan, withheld_env=planned.withheld_env, watch=watch, former=former,
            why=lambda path: runs_later(path, self._secrets.home, request.workspace),
        )  # fmt: skip

    def _confinement(self, request: Request) -> tuple[Confinement, Guarantees]:
        if machine() is None or not self._landlock:
            raise SandboxUnavailableError(Missing.EVERYTHING.value, missing=("sandbox",))
        here = refuse_too_wide(request.workspace)
        writable = (request.workspace, *(path for path in self._write if os.path.isdir(path)))
        hidden = self._secrets.hidden(request.workspace).around
        shown = self._show(tuple(path for path in hidden if path not in writable))
        rules = self._rules(shown, writable, network=request.network)
        confinement = Confinement(
            network=request.network,
            namespaces=False,
            view=(),
            fresh=(),
            landlock=_packed(rules),
            seccomp=seccomp.program(here, internet=request.network, shared=False),
            scratch=tuple(name for name in _SCRATCH if name not in request.env),
        )
        bared = tuple(path for path in hidden if any(is_inside(path, folder) for folder in writable))
        return confinement, _guarantees(request, rules, writable, bared, shown.too_full)

    def _show(self, hidden: tuple[str, ...]) -> opened.Shown:
        """Looked up now and then: what appears in a home is shown to the commands that come a little later."""
        now = time.monotonic()
        if hidden != self._shown[0] or now - self._looked > _LOOK_EVERY:
            self._looked = now
            self._shown = hidden, opened.around((*hidden, *_NOT_SHOWN))
        return self._shown[1]

    def _rules(self, shown: opened.Shown, writable: tuple[str, ...], *, network: bool) -> Rules:
        ports = None if network else ()
        rules = landlock.plan(
            self._landlock, read=(*shown.paths, "/proc", *KEPT_IN_RUN), write=writable, use=_DEVICES, bind=ports,
            connect=ports,
        )  # fmt: skip
        return rules._replace(paths=(("/", File.READ_DIR), *rules.paths))


def _packed(rules: Rules) -> Landlock:
    files, net, scopes, paths, ports = rules.packed()
    return Landlock(files, net, scopes, paths, ports)


def _guarantees(
    request: Request, rules: Rules, writable: tuple[str, ...], bared: tuple[str, ...], too_full: tuple[str, ...]
) -> Guarantees:
    notes = [*NOTES, *(missing.value for missing in rules.missing)]
    if not request.network:
        notes.append(_NO_SOCKETS)
    if bared:
        notes.append(f"not hidden, as it lies in what may be written: {', '.join(bared)}")
    if too_full:
        notes.append(f"nothing can be read in folders with too much in them: {', '.join(too_full)}")
    return Guarantees(
        level="landlock",
        backend="landlock",
        files_written_only_in=None if Missing.TRUNCATE in rules.missing else writable,
        secrets_hidden=not bared,
        network="open" if request.network else "off",
        notes=tuple(notes),
    )
