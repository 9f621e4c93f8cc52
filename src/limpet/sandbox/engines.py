"""This host -> the program that runs containers on it, and how it is talked to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from limpet.errors import SandboxUnavailableError

if TYPE_CHECKING:
    from collections.abc import Mapping

_FOLDERS = ("/usr/bin", "/usr/local/bin", "/run/current-system/sw/bin")
NAMES = ("podman", "docker")
"""The first that is there is taken: podman needs no service that runs as root."""
_OWN = (
    "HOME", "USER", "LANG", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "DBUS_SESSION_BUS_ADDRESS",
    "CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF", "STORAGE_DRIVER", "DOCKER_CONFIG",
)  # fmt: skip
"""What these programs look at, of the caller's environment."""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_SOCKET = "/var/run/docker.sock"
_UNIX = "unix://"
GET_ONE = "install podman (Debian, Ubuntu, Fedora: the package podman), or docker"


class Engine(NamedTuple):
    """One that was found."""

    name: str
    executable: str
    words: tuple[str, ...]
    """What its calls begin with."""
    env: tuple[tuple[str, str], ...]
    user: tuple[str, ...]
    """Options by which files that are made in the workspace belong to the caller."""


def find(configured: str, caller: Mapping[str, str]) -> Engine:
    """By absolute path: never looked up in PATH, which the workspace may have a say in.

    Raises SandboxUnavailableError.
    """
    executable = _executable(configured)
    name = os.path.basename(executable)
    env = (("PATH", _PATH), *((one, caller[one]) for one in _OWN if caller.get(one)))
    if name == "docker":
        socket = _socket(caller)
        return Engine(name, executable, (name, "--host", _UNIX + socket), env, _docker_user(socket))
    return Engine(name, executable, (name,), env, (*(("--userns=keep-id",) if os.geteuid() else ()), _user()))


def _executable(configured: str) -> str:
    if configured:
        if os.path.basename(configured) in NAMES and os.access(configured, os.X_OK):
            return configured
        raise _missing(f"sandbox.engine is {configured!r}, which is no executable file called podman or docker")
    places = [os.path.join(folder, name) for name in NAMES for folder in _FOLDERS]
    for place in places:
        if os.access(place, os.X_OK):
            return place
    raise _missing(f"neither podman nor docker was found in {', '.join(_FOLDERS)}: {GET_ONE}, or set sandbox.engine")


def _socket(caller: Mapping[str, str]) -> str:
    """Of the service, which must be one of this machine: another has other files."""
    asked = caller.get("DOCKER_HOST", "")
    if asked and not asked.startswith(_UNIX):
        raise _missing(f"DOCKER_HOST is {asked!r}: docker is used here only through a socket of this machine, unix://…")
    own = os.path.join(caller.get("XDG_RUNTIME_DIR") or f"/run/user/{os.geteuid()}", "docker.sock")
    candidates = [asked.removeprefix(_UNIX)] if asked else [_SOCKET, own]
    for path in candidates:
        if os.access(path, os.W_OK):
            return path
    raise _missing(
        f"docker cannot be reached at {' or '.join(candidates)}: start its service, let this user use it, or use podman"
    )


def _docker_user(socket: str) -> tuple[str, ...]:
    """Root in the container of a service that runs as an ordinary user is that user."""
    return (_user(),) if os.stat(socket).st_uid == 0 else ("--user=0:0",)


def _user() -> str:
    return f"--user={os.geteuid()}:{os.getegid()}"


def _missing(message: str) -> SandboxUnavailableError:
    return SandboxUnavailableError(message, missing=("container",))
