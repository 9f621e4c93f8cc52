"""Environment variables and keyword arguments -> the settings that they give."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.config.fields import FIELDS, SECTIONS
from limpet.config.names import unknown_setting, unknown_variable, variable
from limpet.config.source import ARGUMENT, Given, Layer, Source
from limpet.config.values import BadValueError, checked, from_text
from limpet.model.codec import printable

if TYPE_CHECKING:
    from collections.abc import Mapping


def from_environ(environ: Mapping[str, str]) -> tuple[Given, ...]:
    """What `LIMPET_<SECTION>_<KEY>` say; other names are somebody else's. Raises ConfigError."""
    names = sorted(name for name in environ if name.startswith("LIMPET_") and _section(name) in SECTIONS)
    return tuple(_variable(name, environ[name]) for name in names)


def from_arguments(overrides: Mapping[str, object]) -> tuple[Given, ...]:
    """What a caller says, by dotted name; None is the value `none`, never `not said`. Raises ConfigError."""
    return tuple(_argument(name, raw) for name, raw in overrides.items())


def _section(name: str) -> str:
    word, underscore, _ = name.removeprefix("LIMPET_").partition("_")
    return word.lower() if underscore and word.isupper() else ""


def _variable(name: str, text: str) -> Given:
    section, key = _section(name), name.removeprefix("LIMPET_").partition("_")[2]
    source = Source(layer=Layer.ENVIRONMENT, place="$" + printable(name))
    field = FIELDS.get(f"{section}.{key.lower()}")
    if field is None or variable(field.name) != name:
        raise source.error(unknown_variable(section, key))
    try:
        return Given(name=field.name, value=from_text(field, text), source=source)
    except BadValueError as error:
        raise source.error(str(error)) from None


def _argument(name: str, raw: object) -> Given:
    field = FIELDS.get(name)
    if field is None:
        raise ARGUMENT.error(unknown_setting(name))
    try:
        return Given(name=name, value=checked(field, raw), source=ARGUMENT)
    except BadValueError as error:
        raise ARGUMENT.error(str(error)) from None
