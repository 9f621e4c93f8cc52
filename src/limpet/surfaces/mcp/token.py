"""The word that a client over HTTP has to know."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

from limpet.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import MutableMapping

VARIABLE = "LIMPET_MCP_TOKEN"
_SHORTEST = 16


class Token(NamedTuple):
    """What is asked for."""

    word: str
    made_up: bool
    """Here and now; nobody knows it who is not told."""


def take_token(environ: MutableMapping[str, str]) -> Token:
    """The one that was set, taken out of the environment: commands are not to see it. Raises ConfigError."""
    given = environ.pop(VARIABLE, "")
    if not given:
        return Token(secrets.token_urlsafe(32), made_up=True)
    if len(given) < _SHORTEST or not given.isascii() or not given.isprintable() or " " in given:
        raise ConfigError(f"must be at least {_SHORTEST} letters and digits, without spaces", source=f"${VARIABLE}")
    return Token(given, made_up=False)
