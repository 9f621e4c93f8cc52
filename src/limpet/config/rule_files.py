"""The path of a file of rules -> the rules as they are written there and in what it includes, with their lines."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from limpet.config.reading import decoded, read_file
from limpet.config.source import Layer, Source
from limpet.config.values import shown
from limpet.errors import ConfigError
from limpet.model.codec import printable
from limpet.syntax.late import late

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_FILES = 64
MOST_BYTES = 2 * 1024 * 1024
MOST_RULES = 2000
MOST_EXAMPLES = 5000
_KEYS = ("include", "rule")
_HEADER = late(r"""^([ \t]*)\[\[[ \t]*(?:rule|"rule"|'rule')[ \t]*\]\]""", re.MULTILINE)


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """A rule as somebody wrote it, and where."""

    table: Mapping[str, object]
    layer: Layer
    place: str
    line: int | None = None
    lines: Mapping[str, int] = {}
    """Of its keys."""

    def error(self, message: str, key: str = "") -> ConfigError:
        """The exception that opens with the place, and names the rule."""
        name = self.table.get("name")
        label = f'rule "{quoted(name)}": ' if isinstance(name, str) and name else ""
        return ConfigError(label + message, source=self.place, line=self.lines.get(key, self.line))

    def __str__(self) -> str:
        return f"{self.place}:{self.line}" if self.line else self.place


def quoted(text: str) -> str:
    """A text for an error message, to stand in double quotes: short, on one line, safe to print."""
    short = text if len(text) <= 100 else text[:99] + "…"
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in short)


class RuleReader:
    """Reads files with rules, each once, and no more of them than anybody can mean."""

    def __init__(self) -> None:
        self._bytes = 0
        self._rules = 0
        self._examples = 0
        self._seen: dict[str, None] = {}
        self._open: list[str] = []

    @property
    def files(self) -> tuple[str, ...]:
        """What was read so far."""
        return tuple(self._seen)

    def read(self, path: str, layer: Layer, named_by: Source | None = None) -> Iterator[Written]:
        """The rules in a file, after those that it includes. One that nobody named may be missing."""
        real = os.path.realpath(path)
        if named_by is not None and real in self._open:
            raise named_by.error(f"{shown(printable(path))} includes itself in the end; take one of the includes out")
        if real in self._seen:
            return
        data = read_file(path, layer, kind="file of rules")
        if data is None and named_by is not None:
            raise named_by.error(f"there is no file {shown(printable(path))}; create it or take its name out")
        if data is not None:
            self._count(len(data), real, path)
            self._open.append(real)
            yield from self._document(data, path, layer)
            self._open.pop()

    def _count(self, size: int, real: str, path: str) -> None:
        self._seen[real] = None
        self._bytes += size
        if self._bytes > MOST_BYTES or len(self._seen) > MOST_FILES:
            message = f"with it there are more than {MOST_FILES} files or 2 MiB of rules; take some out"
            raise ConfigError(message, source=printable(path))

    def _count_rule(self, written: Written) -> None:
        self._rules += 1
        examples = (written.table.get(key) for key in ("match", "not_match"))
        self._examples += sum(len(some) for some in examples if isinstance(some, list))
        if self._rules > MOST_RULES:
            raise written.error(f"there are more than {MOST_RULES} rules; join some with argv and alternatives")
        if self._examples > MOST_EXAMPLES:
            raise written.error(f"there are more than {MOST_EXAMPLES} examples in all rules; take some out")

    def _document(self, data: bytes, path: str, layer: Layer) -> Iterator[Written]:
        from limpet.config.document import read_document  # noqa: PLC0415 - tomllib is loaded only where there is a file
        from limpet.config.lines import key_lines  # noqa: PLC0415 - as above

        place = printable(path)
        text = decoded(data, place)
        tables = read_document(text, place).tables
        lines = key_lines(text)
        for key in tables:
            if key not in _KEYS:
                message = f"unknown key {shown(key)}; a file of rules has include = [...] and [[rule]]"
                raise ConfigError(message, source=place, line=lines.get((key,)))
        named_by = Source(layer=layer, place=place, line=lines.get(("include",)))
        for name in _included(tables.get("include", []), named_by):
            yield from self.read(os.path.join(os.path.dirname(path), name), layer, named_by)
        for written in _rules(
            tables.get("rule", []), text, Source(layer=layer, place=place, line=lines.get(("rule",)))
        ):
            self._count_rule(written)
            yield written


def _included(names: object, source: Source) -> list[str]:
    if not isinstance(names, list):
        raise source.error(f"include must be a list of files, not {shown(names)}")
    for name in names:
        if not isinstance(name, str) or not name or "\0" in name:
            raise source.error(f"include must be a list of files, and {shown(name)} is none")
        if source.layer is Layer.PROJECT and (name.startswith("/") or ".." in name.split("/")):
            raise source.error(f"include: {shown(name)} lies outside the project, which may only include its own files")
    return names


def _rules(tables: object, text: str, source: Source) -> Iterator[Written]:
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise source.error(f"rule is a list of tables, not {shown(tables)}; write [[rule]] with its keys below it")
    lines = _element_lines(text)
    if len(lines) != len(tables):
        lines = [{"": source.line or 1}] * len(tables)
    for table, known in zip(tables, lines, strict=True):
        yield Written(table=table, layer=source.layer, place=source.place, line=known[""], lines=known)


def _element_lines(text: str) -> list[dict[str, int]]:
    """The lines of each `[[rule]]` (as the key that is empty) and of its keys.

    Numbered, they are tables like any other; what only looks like one, in a string, gets a number that no table has.
    """
    count = 0

    def number(match: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"{match[1]}[rule.{count}]"

    found: dict[int, dict[str, int]] = {}
    from limpet.config.lines import key_lines  # noqa: PLC0415 - tomllib is loaded only where there is a file

    for path, line in key_lines(_HEADER.sub(number, text)).items():
        if len(path) in (2, 3) and path[0] == "rule" and path[1].isdecimal():
            found.setdefault(int(path[1]), {})[path[2] if len(path) == 3 else ""] = line
    return [found[number] for number in sorted(found)]
