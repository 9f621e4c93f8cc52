"""The shell of each workspace: opened when it is first needed, and anew when its settings or rules have changed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.config import settings_files
from limpet.opening import open as open_shell

if TYPE_CHECKING:
    from limpet.model.options import RunOptions
    from limpet.shell import Shell

    Stamp = tuple[tuple[int, int] | None, ...]


class Shells:
    """By workspace. What was approved for the session lasts as long as the files stay as they are."""

    def __init__(self, options: RunOptions) -> None:
        self._options = options
        self._known: dict[str, tuple[Shell, tuple[str, ...], Stamp]] = {}
        self._opened: list[Shell] = []

    def of(self, workspace: str) -> Shell:
        """The one for commands that begin now. Raises ConfigError when what the files say makes no sense."""
        known = self._known.get(workspace)
        if known is not None and known[2] == _stamp(known[1]):
            return known[0]
        files = tuple(file.path for file in settings_files(workspace, os.environ))
        before = _stamp(files)
        shell = open_shell(workspace, approver="later", surface="mcp", **self._options)
        self._opened.append(shell)
        self._known[workspace] = (shell, (*files, *shell.rule_files), (*before, *_stamp(shell.rule_files)))
        return shell

    async def close(self) -> None:
        """End what runs in any of them, also in those that others have taken the place of."""
        for shell in self._opened:
            await shell.stop_all()


def _stamp(files: tuple[str, ...]) -> Stamp:
    """What files look like from outside."""
    return tuple(_look(path) for path in files)


def _look(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
