"""A TOML text and a table that belongs in it -> the one change that puts it there."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from limpet.surfaces.install.change import Change
from limpet.surfaces.install.jsonc import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Sequence


def parse_toml(text: str) -> dict[str, Any]:
    """Raises UnreadableError."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UnreadableError(str(error)) from None


def put_table(text: str, path: Sequence[str], table: dict[str, Any]) -> Change | None:
    """The change after which the table stands there; None when it does already. Raises UnreadableError."""
    data: Any = parse_toml(text)
    for key in path:
        if not isinstance(data, dict):
            raise UnreadableError(f"{'.'.join(path)}: {key} cannot be put there")
        data = data.get(key, {})
    table = {**data, **table} if isinstance(data, dict) else table
    if data == table:
        return None
    change = _changed(text, path, table) if data else _appended(text, path, table)
    _check(text, path, table, change)
    return change


def _written(path: Sequence[str], table: dict[str, Any], newline: str) -> str:
    """A text or list of texts is written alike in JSON and in TOML."""
    lines = [f"[{'.'.join(path)}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    return newline.join([*lines, ""])


def _appended(text: str, path: Sequence[str], table: dict[str, Any]) -> Change:
    newline = "\r\n" if "\r\n" in text else "\n"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return Change(place=len(text), old="", new=gap + _written(path, table, newline))


def _changed(text: str, path: Sequence[str], table: dict[str, Any]) -> Change:
    header = r"[ \t]*\[[ \t]*" + r"[ \t]*\.[ \t]*".join(map(re.escape, path)) + r"[ \t]*\][^\n]*\n"
    found = re.search(rf"(?m)^{header}(?:(?![ \t]*\[)[^\n]*(?:\n|\Z))*", text)
    if found is None:
        raise UnreadableError(f"{'.'.join(path)} is there, in a spelling that cannot be changed safely")
    newline = "\r\n" if "\r\n" in text else "\n"
    return Change(place=found.start(), old=found[0], new=_written(path, table, newline))


def _check(text: str, path: Sequence[str], table: dict[str, Any], change: Change) -> None:
    """It is what was meant, and everything else is as before; what TOML does not take is refused here, too."""
    expected = parse_toml(text)
    below = expected
    for key in path[:-1]:
        below = below.setdefault(key, {})
    below[path[-1]] = table
    try:
        done = parse_toml(change.applied(text))
    except UnreadableError:
        done = {}
    if done != expected:
        raise UnreadableError(f"[{'.'.join(path)}] cannot be added to it; add it by hand")
