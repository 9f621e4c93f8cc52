"""What a call asks for, and what this host can do -> the sandbox that it gets. Never silently less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import msgspec

from limpet.errors import SandboxUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limpet.model.guarantees import Guarantees
    from limpet.model.request import Request
    from limpet.sandbox.bare import Bare, Planned

NAMES = ("auto", "native", "landlock", "bubblewrap", "container", "none", "bare")
_UNCONTAINED = ("none", "bare")
_WALLED = frozenset({"native", "bubblewrap", "container"})
"""Levels whose commands the judge may think of as contained: what happens there can neither escape nor stay."""
_NO_WALLS_ACCEPTED = frozenset({"workspace", "open"})
"""Profiles under which a command may run uncontained where nothing else can be had; it is judged accordingly."""
_LAYERED = "native"
"""The level whose commands can be shown a layer above the workspace."""
_COPIED = "what it changes is undone from copies of the workspace, which it changes itself"
_ADVICE = "`limpet doctor` says what is missing; --sandbox none runs it with all the rights of this user"


class Level(Protocol):
    """A way to contain commands."""

    @property
    def name(self) -> str:
        """What it is asked for by."""
        ...

    def plan(self, request: Request, *, announce: bool = False) -> Planned:
        """What will be executed. Raises SandboxUnavailableError."""
        ...


class Chosen:
    """Plans each command with the strongest sandbox that it may have."""

    def __init__(
        self, bare: Bare, ladder: Sequence[Level], others: Sequence[Level], trouble: Callable[[Level, Request], str]
    ) -> None:
        """`ladder`: strongest first; `others` are for who names them.

        `trouble` tries one and says why it does not work; it is asked once for each.
        """
        self._bare = bare
        self._ladder = ladder
        self._named = {level.name: level for level in (*ladder, *others)}
        self._trouble = trouble
        self._why: dict[str, str] = {}
        self._known: dict[tuple[str, str], Level | None] = {}

    def containment(self, request: Request) -> str:
        """How the judge may think of it: `full` or `none`."""
        level = self._level(request)
        return "full" if level is not None and level.name in _WALLED else "none"

    def can_layer(self, request: Request) -> bool:
        """Whether it can be shown a layer above the workspace in its place."""
        level = self._level(request)
        return level is not None and level.name == _LAYERED

    def plan(self, request: Request, *, announce: bool = False) -> Planned:
        """What will be executed. Raises SandboxUnavailableError when it is less than what is wanted."""
        level = self._level(request)
        if request.layer is not None and (level is None or level.name != _LAYERED):
            raise SandboxUnavailableError(
                f"a transaction needs the sandbox {_LAYERED!r} here: not started; {_ADVICE}", missing=("undo",)
            )
        planned = (self._bare if level is None else level).plan(request, announce=announce)
        if request.transaction is not None and request.layer is None:
            planned = _copied(planned)
        if request.sandbox == "auto":
            planned = self._with_reasons(planned)
        if request.require:
            _refuse_less(planned.plan.guarantees, request.require)
        return planned

    def _level(self, request: Request) -> Level | None:
        """None is bare. What a host can do is found out once."""
        asked = request.sandbox, request.profile
        if asked not in self._known:
            self._known[asked] = self._find(request)
        return self._known[asked]

    def _find(self, request: Request) -> Level | None:
        if request.sandbox not in NAMES:
            raise SandboxUnavailableError(
                f"there is no sandbox called {request.sandbox!r}; there are: {', '.join(NAMES)}",
                missing=(request.sandbox,),
            )
        if request.sandbox in _UNCONTAINED:
            return None
        wanted = self._ladder if request.sandbox == "auto" else (self._named[request.sandbox],)
        for level in wanted:
            if not self._tried(level, request):
                return level
        if request.sandbox == "auto" and request.profile in _NO_WALLS_ACCEPTED:
            return None
        raise SandboxUnavailableError(
            f"this host cannot contain a command: {self._reasons(wanted)}; {_ADVICE}", missing=("sandbox",)
        )

    def _tried(self, level: Level, request: Request) -> str:
        if level.name not in self._why:
            self._why[level.name] = self._trouble(level, request)
        return self._why[level.name]

    def _reasons(self, levels: Sequence[Level]) -> str:
        return "; ".join(f"{level.name}: {why}" for level in levels if (why := self._why.get(level.name)))

    def _with_reasons(self, planned: Planned) -> Planned:
        """Where it is not the strongest, it says why."""
        reasons = self._reasons(self._ladder)
        if not reasons:
            return planned
        held = planned.plan.guarantees
        held = msgspec.structs.replace(held, notes=(f"not to be had here: {reasons}", *held.notes))
        plan = msgspec.structs.replace(planned.plan, guarantees=held)
        return msgspec.structs.replace(planned, plan=plan)


def _refuse_less(held: Guarantees, wanted: tuple[str, ...]) -> None:
    missing = tuple(name for name in wanted if name != "limits" and not held.holds(name))
    if missing:
        raise SandboxUnavailableError(
            f"cannot guarantee {', '.join(missing)} with the sandbox {held.backend!r}: not started; {_ADVICE}",
            missing=missing,
        )


def _copied(planned: Planned) -> Planned:
    held = msgspec.structs.replace(planned.plan.guarantees, undo=True)
    held = msgspec.structs.replace(held, notes=(*held.notes, _COPIED))
    return msgspec.structs.replace(planned, plan=msgspec.structs.replace(planned.plan, guarantees=held))
