"""A keeper's last word -> how a command ended."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.model.ended import Ended, Ending
from limpet.model.limits import Usage

if TYPE_CHECKING:
    from limpet.model.limits import Limits
    from limpet.process import wire

_ENDINGS = {ending.value: ending for ending in Ending}


def ended(over: wire.Message, limits: Limits) -> Ended:
    """How the shell ended, and what became of the rest."""
    status = over["status"]
    code = None if status is None else os.waitstatus_to_exitcode(status)
    usage = Usage(
        cpu_user=over.get("user", 0.0),
        cpu_system=over.get("system", 0.0),
        max_rss=over.get("rss", 0),
        wall=over.get("wall", 0.0),
    )
    return Ended(
        ending=_ENDINGS[over["ended"]],
        exit_code=code if code is not None and code >= 0 else None,
        signal=-code if code is not None and code < 0 else None,
        usage=usage,
        left_behind=tuple(over.get("left", ())),
        survivors=tuple(over.get("survivors", ())),
        limit=over.get("limit") or (_broken(limits, code, usage) if code else ""),
        enforced=tuple(over.get("enforced", ())),
    )


def launch_error(over: wire.Message, said: str) -> LaunchError:
    """Why it never began; `said`: by a program that was to start it."""
    parts = (over["why"], f"it said: {said}" if said else "", over.get("advice", ""))
    return LaunchError(f"cannot start the shell: {'; '.join(filter(None, parts))}", errno=over["failed"])


def _broken(limits: Limits, code: int | None, usage: Usage) -> str:
    """The limit whose own signal ended the shell, or the command that the shell reports on."""
    if limits.cpu is not None and _ended_by(signal.SIGXCPU, code):
        return "cpu"
    if limits.cpu is not None and _ended_by(signal.SIGKILL, code) and usage.cpu_user + usage.cpu_system >= limits.cpu:
        return "cpu"  # it was deaf to the first signal
    if limits.file_size is not None and _ended_by(signal.SIGXFSZ, code):
        return "file_size"
    return ""


def _ended_by(number: int, code: int | None) -> bool:
    return code in (-number, 128 + number)
