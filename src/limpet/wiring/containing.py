"""Settings -> the ways to contain a command, and how the judge may think of one that runs there."""

from __future__ import annotations

import contextlib
import functools
import os
from typing import TYPE_CHECKING

from limpet.config import resolve, state_dir
from limpet.engine.admit import admit
from limpet.errors import SandboxUnavailableError
from limpet.model.options import Options
from limpet.model.request import Origin
from limpet.sandbox.bare import Bare
from limpet.sandbox.capable import Capable
from limpet.sandbox.choose import Chosen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.config import Settings
    from limpet.model.plan import Plan
    from limpet.model.request import Request
    from limpet.sandbox.bare import Planned
    from limpet.sandbox.choose import Level
    from limpet.sandbox.native import Native


class LateLevel:
    """A way to contain commands, loaded with the first that is contained like that."""

    def __init__(self, name: str, make: Callable[[], Level]) -> None:
        self.name = name
        """What it is asked for by."""
        self._made = functools.cache(make)

    def plan(self, request: Request, *, announce: bool = False) -> Planned:
        """What will be executed. Raises SandboxUnavailableError."""
        return self._made().plan(request, announce=announce)


def sandboxes(settings: Settings, environ: Mapping[str, str]) -> Chosen:
    """All ways to contain a command, for each to get the one that it is to have."""
    bare, place = Bare(settings, environ), state_dir(environ)

    def landlocked() -> Level:
        from limpet.sandbox.landlocked import Landlocked  # noqa: PLC0415 - few hosts need it

        return Landlocked(bare, settings, environ, place)

    def bubblewrap() -> Level:
        from limpet.sandbox.bubblewrap import Bubblewrap  # noqa: PLC0415 - for who names it

        return Bubblewrap(bare, settings, environ, place)

    def container() -> Level:
        from limpet.sandbox.container import Container  # noqa: PLC0415 - as above

        return Container(bare, settings, environ, place)

    ladder = (LateLevel("native", lambda: native(settings, environ)), LateLevel("landlock", landlocked))
    others = (LateLevel("bubblewrap", bubblewrap), LateLevel("container", container))
    return Chosen(bare, ladder, others, Capable(place, _attempt).trouble)


def native(settings: Settings, environ: Mapping[str, str]) -> Native:
    """The strongest of them."""
    from limpet.sandbox.native import Native  # noqa: PLC0415 - a judge only wants to know that it works here

    return Native(Bare(settings, environ), settings, environ, state_dir(environ))


def _attempt(plan: Plan) -> str:
    from limpet.process.prepared import packed  # noqa: PLC0415 - tried once after each start of the machine
    from limpet.process.shared import keepers  # noqa: PLC0415 - as above

    return keepers().trouble(packed(plan))


def containment(workspace: str, environ: Mapping[str, str], *, sandbox: str | None, profile: str | None) -> str:
    """How the judge may think of commands that run there: `full` or `none`. The folder need not exist."""
    settings = resolve(workspace=workspace, environ=environ).settings
    with contextlib.ExitStack() as stack:
        folder = workspace if os.path.isdir(workspace) else stack.enter_context(_some_folder())
        options = Options(sandbox=sandbox, profile=profile)
        request = admit("true", options, settings=settings, workspace=os.path.realpath(folder), origin=Origin())
        with contextlib.suppress(SandboxUnavailableError):  # then it would not run at all
            return sandboxes(settings, environ).containment(request)
    return "none"


def _some_folder() -> contextlib.AbstractContextManager[str]:
    import tempfile  # noqa: PLC0415 - few ask about a folder that is not there

    return tempfile.TemporaryDirectory()
