"""A settings file -> the values it gives, each with its line, or a ConfigError that says where and what to do."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from limpet.config.fields import FIELDS, SECTIONS
from limpet.config.names import unknown_key, unknown_section
from limpet.config.source import Given, Layer, Source
from limpet.config.values import BadValueError, checked, shown
from limpet.errors import ConfigError
from limpet.model.codec import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.config.document import Document
    from limpet.config.places import SettingsFile

MAX_BYTES = 1024 * 1024


def load(file: SettingsFile) -> tuple[Given, ...]:
    """The values in the order in which they stand; none if there is no such file."""
    data = _read(file)
    return () if data is None else parse(data, layer=file.layer, path=printable(file.path))


def parse(data: bytes, *, layer: Layer, path: str) -> tuple[Given, ...]:
    """The values in the text of a settings file."""
    # Here rather than on top: tomllib is slow to import, and most hosts have no settings file at all.
    from limpet.config.document import read_document  # noqa: PLC0415 - tomllib is loaded only where there is a file

    document = read_document(_decoded(data, path), path)
    return tuple(_Reading(document, layer=layer, path=path).given())


def _read(file: SettingsFile) -> bytes | None:
    path = printable(file.path)
    try:
        # Opening a FIFO for reading would wait for a writer that may never come.
        descriptor = os.open(file.path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    try:
        _check_status(os.fstat(descriptor), layer=file.layer, path=path)
        return _contents(descriptor, path)
    except OSError as error:
        raise _unreadable(path, error) from error
    finally:
        os.close(descriptor)


def _unreadable(path: str, error: Exception) -> ConfigError:
    why = getattr(error, "strerror", None) or str(error)
    return ConfigError(f"cannot be read: {why}; make it readable or move it away", source=path)


def _check_status(status: os.stat_result, *, layer: Layer, path: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise ConfigError("is a directory where a settings file is expected; move it away", source=path)
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError("is not a regular file; move it away", source=path)
    # A project may only tighten, so it does not matter who can write there.
    if layer is not Layer.PROJECT and status.st_mode & stat.S_IWOTH:
        raise ConfigError("anybody may write to it, so it cannot be trusted; run: chmod o-w", source=path)


def _contents(descriptor: int, path: str) -> bytes:
    """Counted while reading: a size that was asked for beforehand may be out of date, and is 0 under /proc."""
    data = b""
    while block := os.read(descriptor, MAX_BYTES + 1 - len(data)):
        data += block
        if len(data) > MAX_BYTES:
            raise ConfigError("is larger than 1 MiB, too large for a settings file; shorten it", source=path)
    return data


def _decoded(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8 (byte {error.start + 1} of the file); save it in that encoding"
        raise ConfigError(message, source=path, line=line) from None


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
