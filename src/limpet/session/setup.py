"""What an interactive shell told of itself -> a set-up to begin from, without what is nobody's business."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from limpet.session import telling

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.session import SessionState

_PERSONAL = re.compile(
    r"(?:BASH_|COMP_|DBUS_|DESKTOP|GPG_|HIST|LESS|LIMPET_|LINES|COLUMNS|LS_COLORS|MAIL|PROMPT_|PS[0-4]$|SSH_|STY$|TERM|"
    r"TMUX|VTE_|WAYLAND_|WINDOWID|XAUTH|XDG_|DISPLAY$|OLDPWD$|_$)"
)
"""Of the terminal, the desktop and agents that hold keys: to a command they mean nothing, or more than they should."""


def setup_from(
    data: bytes, nonce: str, is_secret: Callable[[str, str], bool]
) -> tuple[SessionState | None, tuple[str, ...]]:
    """The set-up, and the names of the variables that were withheld; None when it did not tell all."""
    told = telling.read(data, nonce)
    if told is None:
        return None, ()
    kept, withheld = [], []
    for line, (name, (attributes, value)) in zip(told.variables, telling.scalars(told).items(), strict=True):
        if "x" not in attributes or value is None or _PERSONAL.match(name):
            continue
        if is_secret(name, value):
            withheld.append(name)
        else:
            kept.append(line)
    return msgspec.structs.replace(
        told, cwd="", variables=tuple(kept), traps="", disabled="", umask="", options=(), shopts=(), positional="()",
        folders=(), whole=False,
    ), tuple(withheld)  # fmt: skip
