"""Files, environment and keyword arguments -> typed settings, each with where it came from."""

from __future__ import annotations

from limpet.config.merge import Resolved, resolve
from limpet.config.places import SettingsFile, audit_path, settings_files, state_dir
from limpet.config.settings import Home, Settings
from limpet.config.sizes import parse_size
from limpet.config.source import Layer, Source

__all__ = [
    "Home",
    "Layer",
    "Resolved",
    "Settings",
    "SettingsFile",
    "Source",
    "audit_path",
    "parse_size",
    "resolve",
    "settings_files",
    "state_dir",
]
