"""A settings file -> the values it gives, each with its line, or a ConfigError that says where and what to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.config.fields import FIELDS, SECTIONS
from limpet.config.names import unknown_key, unknown_section
from limpet.config.reading import decoded, read_file
from limpet.config.source import Given, Layer, Source
from limpet.config.values import BadValueError, checked, shown
from limpet.model.codec import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.config.document import Document
    from limpet.config.places import SettingsFile


def load(file: SettingsFile) -> tuple[Given, ...]:
    """The values in the order in which they stand; none if there is no such file."""
    data = read_file(file.path, file.layer)
    return () if data is None else parse(data, layer=file.layer, path=printable(file.path))


def parse(data: bytes, *, layer: Layer, path: str) -> tuple[Given, ...]:
    """The values in the text of a settings file."""
    # Here rather than on top: tomllib is slow to import, and most hosts have no settings file at all.
    from limpet.config.document import read_document  # noqa: PLC0415 - tomllib is loaded only where there is a file

    document = read_document(decoded(data, path), path)
    return tuple(_Reading(document, layer=layer, path=path).given())


class _Reading:
    """One document on its way to values."""

    def __init__(self, document: Document, *, layer: Layer, path: str) -> None:
        self._document = document
        self._layer = layer
        self._path = path

    def given(self) -> Iterator[Given]:
        for section, table in self._document.tables.items():
            if section not in SECTIONS:
                raise self._at(section).error(unknown_section(section))
            if not isinstance(table, dict):
                what = f"{section} is a section, not {shown(table)}; write [{section}] with its settings below it"
                raise self._at(section).error(what)
            for key, raw in table.items():
                yield self._one(section, key, raw)

    def _one(self, section: str, key: str, raw: object) -> Given:
        source = self._at(section, key)
        field = FIELDS.get(f"{section}.{key}")
        if field is None:
            raise source.error(unknown_key(section, key))
        try:
            return Given(name=field.name, value=checked(field, raw), source=source)
        except BadValueError as error:
            raise self._at(section, key, *([error.key] if error.key else [])).error(str(error)) from None

    def _at(self, *keys: str) -> Source:
        return Source(layer=self._layer, place=self._path, line=self._document.lines.get(keys))
