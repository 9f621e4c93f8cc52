"""The sandbox that needs nothing installed: namespaces, Landlock and seccomp, straight from the kernel."""

from __future__ import annotations

import functools
import os
import stat
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import SandboxUnavailableError
from limpet.kernel import landlock, seccomp
from limpet.kernel.syscalls import machine
from limpet.model.confinement import Confinement, Landlock
from limpet.model.guarantees import Guarantees
from limpet.policy.places_that_matter import LATER_ANYWHERE, SECRETS_OF_A_HOME, SECRETS_OF_THE_SYSTEM
from limpet.policy.sensitive import runs_later
from limpet.sandbox.bare import Planned
from limpet.sandbox.finding import Finder
from limpet.sandbox.quarantine import Watch
from limpet.sandbox.view import PRIVATE, Wishes, fresh, is_inside, view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from limpet.config import Settings
    from limpet.model.request import Request
    from limpet.policy.place_tables import Places
    from limpet.sandbox.bare import Bare

_TOO_WIDE = ("/", "/usr", "/etc", "/var", "/home", "/proc", "/sys", "/dev", "/run", "/boot", "/bin", "/lib")

_LOOK_EVERY = 1.0
_MOST_KINDS = 16
_OWN = ("proc/", "dev/", "run/", "var/run/", "tmp/")
"""Of these a command sees nothing of the machine's anyway."""


class PlannedBehindWalls(Planned, frozen=True, kw_only=True):
    """A plan, with what to look at when it has been carried out."""

    watch: Watch
    why: Callable[[str], str]

    def settle(self) -> tuple[str, ...]:
        """What would make other programs act later is taken out again."""
        return self.watch.settle(self.why)


class Native:
    """Plans commands that run behind walls."""

    def __init__(self, bare: Bare, settings: Settings, caller: Mapping[str, str], state_dir: str) -> None:
        self._bare = bare
        self._write = tuple(os.path.realpath(path) for path in settings.sandbox.write)
        self._allowed = frozenset(settings.sandbox.allow)
        self._home = os.path.realpath(caller.get("HOME") or os.path.expanduser("~"))
        self._state_dir = os.path.realpath(state_dir)
        self._landlock = landlock.version()
        self._of_a_home = Finder(_written(SECRETS_OF_A_HOME))
        self._of_the_system = Finder(path for path in _written(SECRETS_OF_THE_SYSTEM) if not path.startswith(_OWN))
        self._runs_later = Finder(_written(LATER_ANYWHERE))
        self._built = functools.lru_cache(maxsize=_MOST_KINDS)(self._confinement)
        self._looked = float("-inf")
        self._hidden: tuple[str, ...] = ()

    def plan(self, request: Request, *, announce: bool = False) -> PlannedBehindWalls:
        """What will be executed, and behind what. Raises SandboxUnavailableError."""
        planned = self._bare.plan(request, announce=announce)
        watch = Watch(
            self._runs_later, request.workspace, allowed=self._allowed,
            keep_in=os.path.join(self._state_dir, "quarantine", request.id),
        )  # fmt: skip
        wishes = self._wishes(request, watch)
        plan = msgspec.structs.replace(
            planned.plan,
            env={**planned.plan.env, "TMPDIR": "/tmp"},  # noqa: S108 - its own
            confinement=self._built(wishes, request.network),
            guarantees=_guarantees(request, wishes),
        )
        return PlannedBehindWalls(
            plan=plan, withheld_env=planned.withheld_env, watch=watch,
            why=lambda path: runs_later(path, self._home, request.workspace),
        )  # fmt: skip

    def _confinement(self, wishes: Wishes, network: bool) -> Confinement:  # noqa: FBT001 - the key of a cache
        here = machine()
        if here is None or wishes.workspace in _TOO_WIDE:
            raise SandboxUnavailableError(
                f"the workspace {wishes.workspace} is too much of the machine to be contained; name one project's",
                missing=("sandbox",),
            )
        return Confinement(
            network=network,
            view=view(wishes),
            fresh=fresh(wishes),
            landlock=self._rules(wishes),
            seccomp=seccomp.program(here),  # without the network there is a loopback that is the command's own
            frozen=wishes.frozen,
        )

    def _wishes(self, request: Request, watch: Watch) -> Wishes:
        writable = tuple(path for path in self._write if os.path.isdir(path))
        hidden = (path for path in self._secrets() if not _overlaps(path, request.workspace))
        return Wishes(
            workspace=request.workspace,
            writable=writable,
            hidden=tuple(path for path in hidden if path not in writable),
            frozen=tuple(path for path in watch.before if not os.path.islink(path)),
            emptied=self._caches(request),
            root=os.geteuid() == 0,
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
        yield from _sockets()
        yield self._state_dir

    def _homes(self) -> list[str]:
        """Root can read everybody's."""
        if os.geteuid() != 0:
            return [self._home]
        return list(dict.fromkeys([self._home, "/root", *Finder(["*"]).find("/home")]))

    def _caches(self, request: Request) -> tuple[str, ...]:
        cache = os.path.join(self._home, ".cache")
        apart = not (is_inside(request.workspace, cache) or is_inside(cache, request.workspace))
        return (cache,) if apart and os.path.isdir(cache) else ()

    def _rules(self, wishes: Wishes) -> Landlock | None:
        if not self._landlock:
            return None
        write = (wishes.workspace, *wishes.writable, *PRIVATE, *wishes.emptied)
        rules = landlock.plan(self._landlock, read=("/",), write=write, use=("/dev", "/proc"))
        paths = tuple((path, int(allowed)) for path, allowed in rules.paths)
        return Landlock(int(rules.files), int(rules.net), int(rules.scopes), paths)


def _guarantees(request: Request, wishes: Wishes) -> Guarantees:
    return Guarantees(
        level="native",
        backend="native",
        files_written_only_in=(wishes.workspace, *wishes.writable),
        secrets_hidden=True,
        network="open" if request.network else "off",
    )


def _overlaps(path: str, workspace: str) -> bool:
    """Whether hiding it would hide the workspace, or is about a socket of the workspace's own."""
    return is_inside(workspace, path) or (is_inside(path, workspace) and _is_socket(path))


def _sockets() -> Iterator[str]:
    """Where other programs listen: a socket can be talked to wherever it can be seen, read-only or not."""
    try:
        with open("/proc/net/unix", encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        path = line.partition(" /")[2]
        if path and not path.startswith(_OWN) and os.path.exists("/" + path):
            yield "/" + path


def _written(places: Places) -> list[str]:
    """The paths of a table."""
    return [line.strip() for lines, _ in places.tables for line in lines.strip().splitlines()]


def _is_socket(path: str) -> bool:
    try:
        return stat.S_ISSOCK(os.lstat(path).st_mode)
    except OSError:
        return False
