"""What a transaction changed -> lines for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.change import Aspect, Change, Kind, Side, Sort
from limpet.output.terminal import spelled
from limpet.render.paint import Span, joined, paint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.model.change import Conflict

_MOST = 200
_SIGNS = {
    Kind.ADDED: ("+", "green"),
    Kind.MODIFIED: ("~", "yellow"),
    Kind.DELETED: ("-", "red"),
    Kind.RENAMED: (">", "cyan"),
}
_QUIET = (Aspect.CONTENT, Aspect.TIMES)
_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
_KILO = 1024


def counts(changes: Sequence[Change]) -> str:
    """One line: `3 added, 1 deleted`; `nothing`."""
    found = [(sum(change.kind is kind for change in changes), kind) for kind in Kind]
    return ", ".join(f"{count} {kind}" for count, kind in found if count) or "nothing"


def tree(changes: Sequence[Change], *, color: bool, most: int = _MOST) -> str:
    """Each changed path on a line, under its folder; folders that are there for what is in them are left out."""
    around = _folders(changes)
    told = [change for change in changes if not _is_around(change, around)]
    lines: list[list[Span]] = []
    folder = ""
    for change in told[:most]:
        above, _, name = change.path.rpartition("/")
        if above != folder:
            folder = above
            lines.append([Span(f"  {spelled(above)}/", "bold")] if above else [])
        lines.append(_line(change, name, indent="    " if above else "  "))
    if len(told) > most:
        lines.append([Span(f"  and {len(told) - most:,} more", "dim")])
    return paint(joined(line for line in lines if line), color=color)


def difference(text: str, *, color: bool) -> str:
    """A unified diff in the colours that people know, with nothing in it that a terminal would obey."""
    lines = [[Span(spelled(line), _style(line))] for line in text.splitlines()]
    return paint(joined(lines), color=color)


def _style(line: str) -> str:
    if line.startswith(("diff ", "--- ", "+++ ")):
        return "bold"
    return {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")


def conflicts(found: Sequence[Conflict], *, color: bool) -> str:
    """What somebody else did in the meantime."""
    lines = [
        [
            Span("  ! ", "red"),
            Span(spelled(one.path)),
            Span(f"  {one.clash} meanwhile{f' by {one.by}' if one.by else ''}", "dim"),
        ]
        for one in found[:_MOST]
    ]
    return paint(joined(lines), color=color)


def _folders(changes: Sequence[Change]) -> frozenset[str]:
    """Those around the changed paths."""
    found: set[str] = set()
    for change in changes:
        path = change.path
        while "/" in path and (path := path.rpartition("/")[0]) not in found:
            found.add(path)
    return frozenset(found)


def _is_around(change: Change, around: frozenset[str]) -> bool:
    """A folder that was only added or touched because something in it was."""
    if _sort(change) is not Sort.FOLDER or change.kind is Kind.RENAMED:
        return False
    touched = change.kind is Kind.MODIFIED and change.aspects == (Aspect.TIMES,)
    return touched or change.path in around


def _line(change: Change, name: str, indent: str) -> list[Span]:
    sign, style = _SIGNS[change.kind]
    shown = spelled(name) + ("/" if _sort(change) is Sort.FOLDER else "")
    source = f"  from {spelled(change.source)}" if change.source else ""
    return [Span(f"{indent}{sign} {shown}", style), Span(f"{source}  {_about(change)}".rstrip(), "dim")]


def _about(change: Change) -> str:
    sides = [side for side in (change.before, change.after) if side is not None]
    sizes = [_size(side) for side in sides if side.sort is Sort.FILE]
    others = [aspect.value for aspect in change.aspects if aspect not in _QUIET]
    target = f"-> {spelled(change.after.target)}" if change.after is not None and change.after.target else ""
    modes = "executable" if change.kind is Kind.ADDED and change.after is not None and _runs(change.after) else ""
    return ", ".join(part for part in (" -> ".join(sizes), target, modes, *others) if part)


def _runs(side: Side) -> bool:
    return side.sort is Sort.FILE and bool(side.mode & 0o111)


def _sort(change: Change) -> Sort | None:
    side = change.after if change.after is not None else change.before
    return None if side is None else side.sort


def _size(side: Side) -> str:
    size, unit = float(side.size), 0
    while size >= _KILO and unit < len(_UNITS) - 1:
        size, unit = size / _KILO, unit + 1
    return f"{size:.0f} {_UNITS[unit]}" if not unit else f"{size:.1f} {_UNITS[unit]}"
