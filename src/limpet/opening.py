"""A workspace and settings -> the shell for it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.config import resolve, state_dir
from limpet.model.options import Options
from limpet.model.request import Origin
from limpet.shell import Shell
from limpet.tasks.store import Tasks
from limpet.wiring import road
from limpet.wiring.tidying import tidy
from limpet.workspaces import workspace_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from os import PathLike
    from typing import Unpack

    from limpet.model.decision import Verdict
    from limpet.model.options import RunOptions
    from limpet.protocols import Approver


def open(  # noqa: A001 - `limpet.open` is what it is called
    workspace: str | PathLike[str] | None = None,
    *,
    approver: str | Approver = "deny",
    permission: Callable[[str], Verdict | str] | None = None,
    settings: Mapping[str, object] | None = None,
    environ: Mapping[str, str] | None = None,
    surface: str = "python",
    **options: Unpack[RunOptions],
) -> Shell:
    """A shell for a workspace (default: `cwd`, else the current folder). Other options are defaults for its commands.

    `approver` answers what policy asks: `deny` (nobody is there), `yes`, `terminal`, `inbox` (`limpet approvals`),
    both (`terminal+inbox`: the first answer), `later` (see `ask`), or an async callable. `permission`
    is asked about `tool:bash:<command>` before anything runs and answers allow, ask or deny; it only makes things
    stricter. `settings` overrides single settings by dotted name; `environ` stands in for this process's environment.
    """
    caller = dict(os.environ if environ is None else environ)
    folder = workspace_folder(options.pop("cwd", None) if workspace is None else workspace)
    resolved = resolve(workspace=folder, environ=caller, overrides=settings or {})
    lasting = surface != "cli"
    parts = road.parts(resolved.settings, caller, folder, approver=approver, permission=permission, lasting=lasting)
    tidy(resolved.settings, caller)
    keep, most = resolved.settings.tasks.keep_days, resolved.settings.output.keep_bytes
    Tasks(state_dir(caller)).prune(keep_days=keep, keep_bytes=most)
    return Shell(
        resolved, parts, workspace=folder, origin=Origin(surface=surface), options=Options(**options), environ=caller
    )
