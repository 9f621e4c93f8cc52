"""The environment -> where limpet's state and settings files live."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from limpet.config.source import Layer
from limpet.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

SYSTEM_FILE = "/etc/limpet/config.toml"
PROJECT_FILE = ".limpet.toml"


class SettingsFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that may hold settings, and whose word it is."""

    layer: Layer
    path: str


def state_dir(environ: Mapping[str, str]) -> str:
    """The directory for everything limpet writes; nothing is created. Raises ConfigError when there is no home."""
    if chosen := environ.get("LIMPET_STATE_DIR"):
        return os.path.abspath(chosen)
    found = _user_dir(environ, "XDG_STATE_HOME", ".local/state")
    if found is None:
        raise ConfigError("no home directory to keep state in; set $LIMPET_STATE_DIR to a directory")
    return found


def audit_path(environ: Mapping[str, str]) -> str:
    """Where the record is kept."""
    return os.path.join(state_dir(environ), "audit.db")


def settings_files(workspace: str, environ: Mapping[str, str]) -> tuple[SettingsFile, ...]:
    """The files to look for, lowest layer first; any of them may be missing."""
    user = _user_dir(environ, "XDG_CONFIG_HOME", ".config")
    return (
        SettingsFile(layer=Layer.SYSTEM, path=SYSTEM_FILE),
        *([SettingsFile(layer=Layer.USER, path=os.path.join(user, "config.toml"))] if user else []),
        SettingsFile(layer=Layer.PROJECT, path=os.path.join(workspace, PROJECT_FILE)),
    )


def _user_dir(environ: Mapping[str, str], variable: str, below_home: str) -> str | None:
    """What the given environment says comes first: platformdirs looks only at the environment of this process."""
    base = environ.get(variable, "")
    if os.path.isabs(base):
        return os.path.join(base, "limpet")
    home = environ.get("HOME", "")
    if os.path.isabs(home):
        return os.path.join(home, below_home, "limpet")
    return _platform_dir(variable)


def _platform_dir(variable: str) -> str | None:
    import platformdirs  # noqa: PLC0415 - seldom needed, and slow to import

    dirs = platformdirs.PlatformDirs("limpet", appauthor=False)
    try:
        found = dirs.user_state_dir if variable == "XDG_STATE_HOME" else dirs.user_config_dir
    except RuntimeError:  # a user without a name has no home
        return None
    # Without any home it answers with a literal `~`, which would be taken relative to the current directory.
    return found if os.path.isabs(found) else None
