"""The caller's environment -> the command's: an allow-list, made fit for a program that nobody can talk to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.config import Settings
    from limpet.model.request import Request

_DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_SAFE_LOCALE = "C.UTF-8"
_LOCALE_NAMES = ("LANG", "LC_ALL", "LC_CTYPE")

HARDENED = {
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "MANPAGER": "cat",
    "GH_PAGER": "cat",
    "SYSTEMD_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "DEBIAN_FRONTEND": "noninteractive",
    "PIP_NO_INPUT": "1",
    "NO_COLOR": "1",
}
"""So that nothing waits for a key, opens a pager or paints for a terminal that is not there."""
_ON_A_TERMINAL = {"TERM": "xterm-256color"}
_FOR_NO_TERMINAL = ("GIT_TERMINAL_PROMPT", "DEBIAN_FRONTEND", "PIP_NO_INPUT", "NO_COLOR")
"""What is not asked of a command that has a terminal, at which it may paint and be answered."""


def usual(settings: Settings, caller: Mapping[str, str], has_locale: Callable[[str], bool]) -> dict[str, str]:
    """What every command gets that does not ask for an empty environment."""
    env = _allowed(settings, caller)
    env.setdefault("PATH", _DEFAULT_PATH)
    _mend(env, has_locale)
    if settings.environment.harden:
        env.update(HARDENED)
    return env


def build(request: Request, settings: Settings, base: Mapping[str, str]) -> dict[str, str]:
    """The environment of one command; `base` is the usual one."""
    env: dict[str, str] = {}
    if not request.empty_env:
        env = dict(base) if request.terminal is None else _with_terminal(base)
        if settings.environment.home == "workspace":
            env["HOME"] = request.workspace
        env.update(settings.environment.set)
    env.update(request.env)
    env["PWD"] = request.cwd
    return env


def _with_terminal(base: Mapping[str, str]) -> dict[str, str]:
    env = {name: value for name, value in base.items() if name not in _FOR_NO_TERMINAL or HARDENED[name] != value}
    return env | _ON_A_TERMINAL


def _allowed(settings: Settings, caller: Mapping[str, str]) -> dict[str, str]:
    strip = tuple(settings.environment.strip)
    return {
        name: caller[name]
        for name in settings.environment.allow
        if name in caller and not (strip and name.startswith(strip))
    }


def _mend(env: dict[str, str], has_locale: Callable[[str], bool]) -> None:
    """Drop what would only make programs complain: a locale or a folder that does not exist."""
    for name in _LOCALE_NAMES:
        if name in env and not has_locale(env[name]):
            env[name] = _SAFE_LOCALE
    if "TMPDIR" in env and not os.path.isdir(env["TMPDIR"]):
        del env["TMPDIR"]
