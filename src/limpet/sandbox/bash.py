"""A command -> the shell that runs it and the words it is started with."""

from __future__ import annotations

import functools
import os
import re
import stat
from typing import TYPE_CHECKING

from limpet.errors import LaunchError

if TYPE_CHECKING:
    from collections.abc import Mapping

_USUAL_PLACES = ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/run/current-system/sw/bin/bash")
SHORT = 16_384
"""Bytes. What is not longer fits in a pipe, so that a shell that waits for it can be handed it at once.

`read` looks at every character: past this the other way is quicker.
"""

# Both run the text exactly as `bash -c` would, but the shell can be started before the text is known.
_READ = 'read -rN 1000000 -u {fd} BASH_EXECUTION_STRING; exec {fd}<&-; SECONDS=0; eval -- "$BASH_EXECUTION_STRING"'
_READ_LONG = 'BASH_EXECUTION_STRING=$(</dev/fd/{fd}); exec {fd}<&-; SECONDS=0; eval -- "$BASH_EXECUTION_STRING"'
_RUNS_EARLY = re.compile(r"(?:\A|\0)(?:BASH_ENV|ENV|LD_|GCONV_PATH)")


def find(configured: str) -> str:
    """The shell to use, by absolute path: never looked up in PATH, which the workspace may have a say in."""
    for place in (configured,) if configured else _USUAL_PLACES:
        if os.path.isabs(place) and _executable(place):
            return place
    if configured:
        raise LaunchError(f"run.shell is {configured!r}, which is not an executable file with an absolute path")
    raise LaunchError(f"bash was not found in {', '.join(_USUAL_PLACES)}: install the package bash or set run.shell")


@functools.cache
def words(fd: int, *, short: bool) -> tuple[str, ...]:
    """The argument list for a shell that takes its command, which may be a short one, from descriptor `fd`."""
    return ("bash", "--norc", "-c", "--", (_READ if short else _READ_LONG).format(fd=fd))


LIVE = ("bash", "--norc", "-s")
"""The argument list for a shell that goes on reading commands."""


def may_start_early(env: Mapping[str, str]) -> bool:
    """Whether nothing in this environment makes a shell run anything by merely starting."""
    return _RUNS_EARLY.search("\0".join(env)) is None


def _executable(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and os.access(path, os.X_OK)
    except OSError:
        return False
