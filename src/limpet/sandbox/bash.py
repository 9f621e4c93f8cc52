"""A command -> the shell that runs it and the words it is started with."""

from __future__ import annotations

import os
import stat

from limpet.errors import LaunchError

_USUAL_PLACES = ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/run/current-system/sw/bin/bash")
_LONGEST_ARGUMENT = 120_000  # the kernel's limit for one argument is 128 KiB

_FROM_DESCRIPTOR = 'BASH_EXECUTION_STRING=$(</dev/fd/{fd}); exec {fd}<&-; eval "$BASH_EXECUTION_STRING"'


def find(configured: str) -> str:
    """The shell to use, by absolute path: never looked up in PATH, which the workspace may have a say in."""
    for place in (configured,) if configured else _USUAL_PLACES:
        if os.path.isabs(place) and _executable(place):
            return place
    if configured:
        raise LaunchError(f"run.shell is {configured!r}, which is not an executable file with an absolute path")
    raise LaunchError(f"bash was not found in {', '.join(_USUAL_PLACES)}: install the package bash or set run.shell")


def words(command: str, fd: int) -> tuple[tuple[str, ...], bytes | None]:
    """The argument list, and the script to hand over on descriptor `fd` when it is too long for an argument."""
    script = os.fsencode(command)
    if len(script) <= _LONGEST_ARGUMENT:
        return ("bash", "-c", "--", command), None
    return ("bash", "-c", "--", _FROM_DESCRIPTOR.format(fd=fd)), script


def _executable(path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path).st_mode) and os.access(path, os.X_OK)
    except OSError:
        return False
