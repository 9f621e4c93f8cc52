"""Where a setting got its value: the layers, lowest first, and one value that was given in one of them."""

from __future__ import annotations

import enum

import msgspec

from limpet.errors import ConfigError


class Layer(enum.IntEnum):
    """Who speaks. A higher layer replaces what a lower one said."""

    BUILT_IN = 0
    SYSTEM = 1
    USER = 2
    PROJECT = 3
    ENVIRONMENT = 4
    ARGUMENT = 5


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One place where a value stands. As text: `/path/config.toml:12`, `$LIMPET_RUN_TIMEOUT`, `argument`."""

    layer: Layer
    place: str
    line: int | None = None

    def __str__(self) -> str:
        return f"{self.place}:{self.line}" if self.line else self.place

    def error(self, message: str) -> ConfigError:
        """The exception that opens with this place."""
        return ConfigError(message, source=self.place, line=self.line)


BUILT_IN = Source(layer=Layer.BUILT_IN, place="built-in")
ARGUMENT = Source(layer=Layer.ARGUMENT, place="argument")


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """A checked value for one setting, and who gave it."""

    name: str
    """Dotted: `run.timeout`."""
    value: object
    source: Source
