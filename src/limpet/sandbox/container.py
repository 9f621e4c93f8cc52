"""The sandbox of podman or docker, for whoever wants the programs of an image instead of this machine's."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import SandboxUnavailableError
from limpet.kernel.seccomp import profile
from limpet.model.confinement import Confinement
from limpet.model.confinement import Engine as Means
from limpet.model.guarantees import Guarantees
from limpet.sandbox import engines
from limpet.sandbox.native import Native, PlannedBehindWalls, refuse_too_wide, why_taken
from limpet.sandbox.words import OWN_PROCESSES, PLACE, Wanted, options

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.config import Settings
    from limpet.model.plan import Plan
    from limpet.model.request import Request
    from limpet.sandbox.bare import Bare
    from limpet.sandbox.engines import Engine
    from limpet.sandbox.view import Wishes

_FIRST = "first.sh"
_FILTER = "filter.json"
_BASH = "/bin/bash"
_TICKS = 100
"""In a second: what the first process counts."""
_OF_THE_MACHINE = ("PATH", "SHELL", "TMPDIR")
"""Of no use where other programs are: the image has its own."""
_LOCALES = ("LANG", "LC_ALL", "LC_CTYPE")
_LOCALE = "C.UTF-8"
_CANNOT_NAME = frozenset(',:"\n')

NOTES = (
    "the command sees the programs of the image, not those of this machine; PATH is the image's unless the call says",
    "a command that a signal ends is seen to exit with 128 and the signal's number",
    "whether it waits for input is not noticed",
)


class PlannedInContainer(PlannedBehindWalls, frozen=True, kw_only=True):
    """A plan, with what to look at when it has been carried out."""

    def settle(self) -> tuple[str, ...]:
        """What would make other programs act later is taken out again."""
        return self.watch.settle(self.why)


class Container(Native):
    """Plans commands that run in a container each."""

    name = "container"

    def __init__(self, bare: Bare, settings: Settings, caller: Mapping[str, str], state_dir: str) -> None:
        super().__init__(bare, settings, caller, state_dir)
        self._settings = settings
        self._engine: Callable[[], Engine] = functools.cache(lambda: engines.find(settings.sandbox.engine, caller))

    def plan(self, request: Request, *, announce: bool = False) -> PlannedInContainer:
        """What will be executed. Raises SandboxUnavailableError."""
        engine, image = self._engine(), self._image()
        _refuse_session(request)
        planned = self._bare.plan(request, announce=announce)
        watch = self._watch(request)
        wishes = self._wishes(request, watch.found)
        folder = os.path.join(self._state_dir, "containers", request.id)
        wanted = Wanted(
            engine=engine, image=image, name=f"limpet-{request.id}", folder=folder, filter=_FILTER, home=self._home
        )
        _refuse_unspeakable((request.cwd, folder, self._home, wishes.workspace, *wishes.writable, *wishes.frozen))
        plan = msgspec.structs.replace(
            planned.plan,
            executable=engine.executable,
            argv=(*options(wanted, wishes, request), *self._first(request, planned.plan)),
            short=False,
            ready=0,
            once=True,
            env=self._environment(planned.plan.env, request),
            confinement=self._meant(request, wanted, wishes),
            guarantees=_guarantees(request, wishes, engine.name),
        )
        return PlannedInContainer(
            plan=plan,
            withheld_env=planned.withheld_env,
            watch=watch,
            why=functools.partial(why_taken, self._home, request.workspace),
        )

    def _image(self) -> str:
        image = self._settings.sandbox.image
        if not image:
            raise SandboxUnavailableError(
                'no image is named: set sandbox.image, such as "docker.io/library/debian:12", to one that has bash '
                f"and that `{self._engine().name} images` lists; limpet fetches none",
                missing=("image",),
            )
        return image

    def _first(self, request: Request, shell: Plan) -> tuple[str, ...]:
        """What the container begins with, and what that is told: it starts the command's own shell."""
        drain = str(round(self._settings.run.drain * _TICKS))
        files = str(request.limits.open_files or "")
        told = (f"{shell.umask:o}", drain, files, "clean" if request.empty_env else "")
        return ("--norc", "--noprofile", f"{PLACE}/{_FIRST}", *told, _BASH, *shell.argv)

    def _environment(self, env: dict[str, str], request: Request) -> dict[str, str]:
        """By the same rules as everywhere, but for what only this machine has."""
        meant = {*request.env, *self._settings.environment.set}
        kept = {name: value for name, value in env.items() if name in meant or name not in _OF_THE_MACHINE}
        return kept | {name: _LOCALE for name in _LOCALES if name in kept and name not in meant}

    def _meant(self, request: Request, wanted: Wanted, wishes: Wishes) -> Confinement:
        here, limits = refuse_too_wide(request.workspace), request.limits
        by_group = {"memory": limits.memory, "processes": limits.processes and limits.processes + OWN_PROCESSES}
        others = {"cpu": limits.cpu, "file_size": limits.file_size, "open_files": limits.open_files}
        engine, image = wanted.engine, wanted.image
        means = Means(
            env=engine.env,
            folder=wanted.folder,
            files=((_FIRST, _first_process()), (_FILTER, profile(here).encode())),
            remove=(*engine.words, "rm", "--force", wanted.name),
            advice=f"the image {image} must be there (`{engine.name} pull {image}` gets it) and have {_BASH}",
            limits=tuple((name, most) for name, most in by_group.items() if most is not None),
            given=tuple(name for name, most in others.items() if most is not None),
        )
        return Confinement(
            network=request.network, view=(), fresh=(), landlock=None, seccomp=b"", namespaces=False, engine=means,
            frozen=wishes.frozen, marks=wishes.marks,
        )  # fmt: skip


@functools.cache
def _first_process() -> bytes:
    with open(os.path.join(os.path.dirname(__file__), _FIRST), "rb") as file:
        return file.read()


def _refuse_session(request: Request) -> None:
    if request.live:
        raise SandboxUnavailableError(
            "a session cannot live in a container, whose shell has no descriptors but three: run commands one by one, "
            "or open it with --sandbox native",
            missing=("session",),
        )


def _refuse_unspeakable(paths: tuple[str, ...]) -> None:
    for path in paths:
        if _CANNOT_NAME.intersection(path):
            raise SandboxUnavailableError(
                f"{path!r} cannot be shown in a container: podman and docker have no words for a path with a comma, "
                "a colon, a double quote or a line break in it; rename it, or use --sandbox native",
                missing=("container",),
            )


def _guarantees(request: Request, wishes: Wishes, engine: str) -> Guarantees:
    return Guarantees(
        level="container",
        backend=engine,
        files_written_only_in=(wishes.workspace, *wishes.writable),
        secrets_hidden=True,
        network="open" if request.network else "off",
        notes=NOTES,
    )
