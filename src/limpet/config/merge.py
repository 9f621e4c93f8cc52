"""Layers of given values -> one set of settings, each with where it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

from limpet.config.environ import from_arguments, from_environ
from limpet.config.fields import FIELDS
from limpet.config.load import load
from limpet.config.places import SYSTEM_FILE, settings_files
from limpet.config.settings import Settings
from limpet.config.source import BUILT_IN, Given, Layer, Source
from limpet.config.tighten import added, tightened
from limpet.config.values import shown
from limpet.model.codec import printable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from limpet.config.places import SettingsFile

_NONE: Mapping[str, object] = {}


class Resolved(msgspec.Struct, frozen=True, kw_only=True):
    """The settings in force."""

    settings: Settings
    origin: dict[str, Source]
    """Where each value came from, by dotted name."""


def resolve(
    *,
    workspace: str,
    environ: Mapping[str, str],
    overrides: Mapping[str, object] = _NONE,
    files: Sequence[SettingsFile] | None = None,
) -> Resolved:
    """The settings for one workspace: built-in, system, user, project, environment, arguments, the last word wins.

    A project may only tighten what stands below it; its lists are added where more is stricter. Lists of rules add up.
    `overrides` go by dotted name (`run.timeout`). `files` replaces the usual places. Raises ConfigError.
    """
    places = settings_files(workspace, environ) if files is None else files
    elsewhere = printable(next((place.path for place in places if place.layer is Layer.USER), SYSTEM_FILE))
    merged = _built_in()
    for place in sorted(places, key=lambda place: place.layer):
        _take(merged, load(place), elsewhere)
    _take(merged, from_environ(environ), elsewhere)
    _take(merged, from_arguments(overrides), elsewhere)
    _agree(merged)
    return Resolved(settings=_settings(merged), origin={name: given.source for name, given in merged.items()})


def _built_in() -> dict[str, Given]:
    settings = Settings()
    return {
        name: Given(name=name, value=getattr(getattr(settings, field.section), field.key), source=BUILT_IN)
        for name, field in FIELDS.items()
    }


def _take(merged: dict[str, Given], more: Sequence[Given], elsewhere: str) -> None:
    for given in more:
        held = merged[given.name]
        if given.source.layer is Layer.PROJECT:
            given = tightened(given, held, elsewhere=elsewhere)  # noqa: PLW2901 - what it comes to
        elif FIELDS[given.name].adds:
            given = added(given, held)  # noqa: PLW2901 - what it comes to
        merged[given.name] = given


def _settings(merged: Mapping[str, Given]) -> Settings:
    sections: dict[str, dict[str, object]] = {}
    for name, given in merged.items():
        field = FIELDS[name]
        sections.setdefault(field.section, {})[field.key] = given.value
    # Checked by hand already; msgspec.convert would take longer to look up the annotations than all the rest.
    default: Any = Settings()
    return Settings(**{name: type(getattr(default, name))(**values) for name, values in sections.items()})


def _agree(merged: dict[str, Given]) -> None:
    """The range of time limits is one, and the default lies in it."""
    low, high = merged["run.min_timeout"], merged["run.max_timeout"]
    if _seconds(low) > _seconds(high):
        raise _clash(low, "above", high)
    if merged["run.timeout"].value is None:
        return
    if _seconds(merged["run.timeout"]) > _seconds(high):
        merged["run.timeout"] = _bent(merged["run.timeout"], "above", high)
    if _seconds(merged["run.timeout"]) < _seconds(low):
        merged["run.timeout"] = _bent(merged["run.timeout"], "below", low)


def _bent(default: Given, side: str, bound: Given) -> Given:
    """A bound that a later layer set also moves the default of an earlier one; it would be in everybody's way."""
    if default.source.layer >= bound.source.layer:
        raise _clash(default, side, bound)
    return Given(name=default.name, value=bound.value, source=bound.source)


def _clash(one: Given, side: str, other: Given) -> Exception:
    later, earlier = (one, other) if one.source.layer >= other.source.layer else (other, one)
    words = f"{one.name} = {shown(one.value)} is {side} {other.name} = {shown(other.value)}"
    return later.source.error(f"{words} ({earlier.source}); change one of them")


def _seconds(given: Given) -> float:
    return cast("float", given.value)
