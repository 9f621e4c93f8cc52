"""The sandbox that needs nothing installed: namespaces, Landlock and seccomp, straight from the kernel."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import SandboxUnavailableError
from limpet.kernel import landlock, seccomp
from limpet.kernel.syscalls import machine
from limpet.model.confinement import Confinement, Landlock
from limpet.model.guarantees import Guarantees
from limpet.policy.places_that_matter import LATER_ANYWHERE, SECRETS_OF_A_HOME, SECRETS_OF_THE_SYSTEM
from limpet.sandbox.bare import Planned
from limpet.sandbox.finding import Finder
from limpet.sandbox.view import PRIVATE, Wishes, fresh, is_inside, view

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from limpet.model.request import Request
    from limpet.policy.place_tables import Places
    from limpet.sandbox.bare import Bare

_TOO_WIDE = ("/", "/usr", "/etc", "/var", "/home", "/proc", "/sys", "/dev", "/run", "/boot", "/bin", "/lib")

_LOOK_EVERY = 1.0
_OWN = ("proc/", "dev/", "run/", "var/run/", "tmp/")
"""Of these a command sees nothing of the machine's anyway."""


class Native:
    """Plans commands that run behind walls."""

    def __init__(self, bare: Bare, caller: Mapping[str, str], state_dir: str) -> None:
        self._bare = bare
        self._home = os.path.realpath(caller.get("HOME") or os.path.expanduser("~"))
        self._state_dir = os.path.realpath(state_dir)
        self._landlock = landlock.version()
        self._of_a_home = Finder(_written(SECRETS_OF_A_HOME))
        self._of_the_system = Finder(path for path in _written(SECRETS_OF_THE_SYSTEM) if not path.startswith(_OWN))
        self._runs_later = Finder(_written(LATER_ANYWHERE))
        self._looked = float("-inf")
        self._hidden: tuple[str, ...] = ()

    def plan(self, request: Request, *, announce: bool = False) -> Planned:
        """What will be executed, and behind what. Raises SandboxUnavailableError."""
        planned = self._bare.plan(request, announce=announce)
        env = {**planned.plan.env, "TMPDIR": "/tmp"}  # noqa: S108 - its own
        plan = msgspec.structs.replace(
            planned.plan,
            env=env,
            confinement=self._confinement(request),
            guarantees=self._guarantees(request),
        )
        return Planned(plan=plan, withheld_env=planned.withheld_env)

    def _confinement(self, request: Request) -> Confinement:
        here = machine()
        if here is None or request.workspace in _TOO_WIDE:
            raise SandboxUnavailableError(
                f"the workspace {request.workspace} is too much of the machine to be contained; name one project's",
                missing=("sandbox",),
            )
        wishes = self._wishes(request)
        return Confinement(
            network=request.network,
            view=view(wishes),
            fresh=fresh(wishes),
            landlock=self._rules(wishes),
            seccomp=seccomp.program(here),  # without the network there is a loopback that is the command's own
        )

    def _wishes(self, request: Request) -> Wishes:
        hidden = (path for path in self._secrets() if not is_inside(request.workspace, path))
        frozen = self._runs_later.find(request.workspace)
        return Wishes(
            workspace=request.workspace,
            hidden=tuple(hidden),
            frozen=tuple(path for path in frozen if not os.path.islink(path)),
            emptied=self._caches(request),
        )

    def _secrets(self) -> tuple[str, ...]:
        """Looked up now and then: what else appears in a home is no business of a command's."""
        now = time.monotonic()
        if now - self._looked > _LOOK_EVERY:
            self._looked = now
            self._hidden = tuple(dict.fromkeys(map(os.path.realpath, self._find_secrets())))
        return self._hidden

    def _find_secrets(self) -> Iterator[str]:
        for home in self._homes():
            yield from self._of_a_home.find(home)
        yield from self._of_the_system.find("/")
        yield self._state_dir

    def _homes(self) -> list[str]:
        """Root can read everybody's."""
        if os.geteuid() != 0:
            return [self._home]
        return list(dict.fromkeys([self._home, "/root", *Finder(["*"]).find("/home")]))

    def _caches(self, request: Request) -> tuple[str, ...]:
        cache = os.path.join(self._home, ".cache")
        return (cache,) if os.path.isdir(cache) and not is_inside(request.workspace, cache) else ()

    def _rules(self, wishes: Wishes) -> Landlock | None:
        if not self._landlock:
            return None
        write = (wishes.workspace, *PRIVATE, *wishes.emptied)
        rules = landlock.plan(self._landlock, read=("/",), write=write, use=("/dev", "/proc"))
        paths = tuple((path, int(allowed)) for path, allowed in rules.paths)
        return Landlock(int(rules.files), int(rules.net), int(rules.scopes), paths)

    def _guarantees(self, request: Request) -> Guarantees:
        return Guarantees(
            level="native",
            backend="native",
            files_written_only_in=(request.workspace,),
            secrets_hidden=True,
            network="open" if request.network else "off",
        )


def _written(places: Places) -> list[str]:
    """The paths of a table."""
    return [line.strip() for lines, _ in places.tables for line in lines.strip().splitlines()]
