"""The settings -> the tables of docs/settings.md: `python tools/settings.py` writes them, and a test compares."""

from __future__ import annotations

import ast
import inspect
import itertools
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parent.parent / "src"))

from limpet.config import settings as module
from limpet.config.fields import FIELDS, SECTIONS, Kind, Project
from limpet.config.names import variable

if TYPE_CHECKING:
    import msgspec

PAGE = Path(__file__).parent.parent / "docs" / "settings.md"
_PROJECT = {
    Project.FREE: "set",
    Project.LOWER: "lower",
    Project.FEWER: "take names away",
    Project.MORE: "add",
    Project.NEVER: "no",
}
_ROWS = re.compile(r"(?:\|[^\n]*\n)+")
_MIB = 1024 * 1024


def page(text: str) -> str:
    """The page with the table of each section as it should be. A section that has no heading gets one at the end."""
    for section, keys in SECTIONS.items():
        before, heading, after = text.partition(f"## {section}\n")
        if not heading:
            after = f"\n## {section}\n\n| |\n"
        table = "\n".join(_table(section, keys)) + "\n"
        start = after.index("\n|") + 1
        text = before + heading + after[:start] + table + _ROWS.sub("", after[start:], count=1)
    return text


def _table(section: str, keys: tuple[str, ...]) -> list[str]:
    kind = type(getattr(module.Settings(), section))
    said = _docstrings(kind)
    head = ["| setting | default | what it is | a project may |", "|---|---|---|---|"]
    return head + [_row(f"{section}.{key}", getattr(kind(), key), said[key]) for key in keys]


def _row(name: str, default: object, said: str) -> str:
    field = FIELDS[name]
    project = _PROJECT.get(field.project) or f"set to `{_shown(field.kind, field.safe)}`"
    return f"| `{name}`<br>`{variable(name)}` | {_default(field.kind, default)} | {said} | {project} |"


def _default(kind: Kind, value: object) -> str:
    if isinstance(value, (tuple, dict)):
        return " ".join(f"`{one}`" for one in value) or "empty"
    return "empty" if value == "" else f"`{_shown(kind, value)}`"


def _shown(kind: Kind, value: object) -> str:
    if value is None:
        return "none"
    if kind is Kind.SIZE and isinstance(value, int) and value % _MIB == 0:
        return f"{value // _MIB} MiB"
    return value if isinstance(value, str) else json.dumps(value)


def _docstrings(kind: type[msgspec.Struct]) -> dict[str, str]:
    """What stands below each field of a class."""
    (body,) = (node.body for node in ast.parse(inspect.getsource(kind)).body if isinstance(node, ast.ClassDef))
    found = {}
    for field, below in itertools.pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr):
            found[field.target.id] = " ".join(ast.literal_eval(below.value).split())
    return found


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
