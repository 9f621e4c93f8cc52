"""What a call asks for, and what this host can do -> the sandbox that it gets. Never silently less."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.errors import SandboxUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.request import Request
    from limpet.sandbox.bare import Bare, Planned
    from limpet.sandbox.native import Native

NAMES = ("auto", "native", "none", "bare")
_NO_WALLS_ACCEPTED = frozenset({"workspace", "open"})
"""Profiles under which a command may run uncontained where nothing else can be had; it is judged accordingly."""
_ADVICE = "`limpet doctor` says what is missing; --sandbox none runs it with all the rights of this user"


class Chosen:
    """Plans each command with the strongest sandbox that it may have."""

    def __init__(self, bare: Bare, native: Native, trouble: Callable[[Native, Request], str]) -> None:
        """`trouble` tries the sandbox of the kernel's own and says why it does not work; asked once."""
        self._bare = bare
        self._native = native
        self._trouble = trouble
        self._why: str | None = None

    def containment(self, request: Request) -> str:
        """How the judge may think of it: `full` or `none`."""
        return "full" if self._walled(request) else "none"

    def plan(self, request: Request, *, announce: bool = False) -> Planned:
        """What will be executed. Raises SandboxUnavailableError when it is less than what is wanted."""
        planned = (self._native if self._walled(request) else self._bare).plan(request, announce=announce)
        held = planned.plan.guarantees
        missing = tuple(name for name in request.require if name != "limits" and not held.holds(name))
        if missing:
            raise SandboxUnavailableError(
                f"cannot guarantee {', '.join(missing)} with the sandbox {held.backend!r}: not started; {_ADVICE}",
                missing=missing,
            )
        return planned

    def _walled(self, request: Request) -> bool:
        if request.sandbox not in NAMES:
            raise SandboxUnavailableError(
                f"there is no sandbox called {request.sandbox!r}; there are: {', '.join(NAMES)}",
                missing=(request.sandbox,),
            )
        if request.sandbox in ("none", "bare"):
            return False
        if self._why is None:
            self._why = self._trouble(self._native, request)
        if not self._why:
            return True
        if request.sandbox == "auto" and request.profile in _NO_WALLS_ACCEPTED:
            return False
        raise SandboxUnavailableError(
            f"this host cannot contain a command: {self._why}; {_ADVICE}", missing=("sandbox",)
        )
