"""Changes -> a unified diff of the text among them, and a line for everything else."""

from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING

from limpet.model.change import Aspect, Change, Changes, Kind, Side, Sort
from limpet.model.codec import printable
from limpet.overlay.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.overlay.place import Place

LARGEST = 1 << 20
"""Bytes of a file beyond which its lines are not compared."""
_MOST_LINES = 20_000
_SAMPLE = 8192
_QUOTED = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\r": "\\r"}


def diff(place: Place, found: Changes, *, context: int = 3) -> str:
    """As `git diff` shows it; empty when nothing changed. Modes, links and renames are told in words that git knows."""
    with Tree(place.about.workspace) as lower, Tree(place.upper, ours=True) as upper:
        trees = (upper, lower) if place.about.copies else (lower, upper)
        return "".join(line for change in found.changes for line in _diff(trees, change, context))


def _diff(trees: tuple[Tree, Tree], change: Change, context: int) -> Iterator[str]:
    if _is_silent(change):
        return
    old, new = f"a/{change.source or change.path}", f"b/{change.path}"
    yield f"diff --git {quoted(old)} {quoted(new)}\n"
    yield from _head(change)
    texts = [
        _text(tree, path, side) if side is not None else b""
        for tree, path, side in zip(
            trees, (change.source or change.path, change.path), (change.before, change.after), strict=True
        )
    ]
    if texts[0] == texts[1] and None not in texts:
        return
    names = (quoted(old) if change.before else "/dev/null", quoted(new) if change.after else "/dev/null")
    yield from _body(change, texts, names, context)


def _is_silent(change: Change) -> bool:
    """Folders come and go with what is in them; times are no text."""
    sides = [side for side in (change.before, change.after) if side is not None]
    folder = all(side.sort is Sort.FOLDER for side in sides) and Aspect.MODE not in change.aspects
    return folder or (bool(change.aspects) and {*change.aspects} <= {Aspect.TIMES, Aspect.LINKS})


def _head(change: Change) -> Iterator[str]:
    old, new = change.before, change.after
    if change.kind is Kind.RENAMED:
        yield f"rename from {quoted(change.source)}\n"
        yield f"rename to {quoted(change.path)}\n"
    if old is None and new is not None:
        yield f"new file mode {_mode(new)}\n"
    elif new is None and old is not None:
        yield f"deleted file mode {_mode(old)}\n"
    elif old is not None and new is not None and _mode(old) != _mode(new):
        yield f"old mode {_mode(old)}\n"
        yield f"new mode {_mode(new)}\n"
    for aspect in (Aspect.OWNER, Aspect.XATTRS):
        if aspect in change.aspects:
            yield f"{aspect} changed\n"


def _mode(side: Side) -> str:
    kinds = {Sort.FILE: "100", Sort.LINK: "120", Sort.FOLDER: "040", Sort.OTHER: "010"}
    return f"{kinds[side.sort]}{0 if side.sort is Sort.LINK else side.mode:03o}"


def _body(change: Change, texts: list[bytes | None], names: tuple[str, str], context: int) -> Iterator[str]:
    old, new = (_lines(text) for text in texts)
    if old is None or new is None:
        yield f"Binary files {names[0]} and {names[1]} differ ({_sizes(change)})\n"
        return
    for number, line in enumerate(difflib.unified_diff(old, new, *names, n=context)):
        if number < 2:
            yield line
        else:
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _sizes(change: Change) -> str:
    before, after = (side.size if side is not None else 0 for side in (change.before, change.after))
    return f"{before:,} -> {after:,} bytes"


def _text(tree: Tree, path: str, side: Side) -> bytes | None:
    """What is compared line by line: the contents, or where a link leads. None for what is too large or no text."""
    if side.sort is Sort.LINK:
        return os.fsencode(side.target)
    if side.sort is Sort.FOLDER:
        return b""
    if side.sort is not Sort.FILE or side.size > LARGEST:
        return None
    try:
        with open(tree.open(os.fsencode(path)), "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError:
        return None
    return None if b"\0" in data[:_SAMPLE] or len(data) > LARGEST else data


def _lines(text: bytes | None) -> list[str] | None:
    if text is None:
        return None
    lines = text.decode("utf-8", "backslashreplace").split("\n")
    if len(lines) > _MOST_LINES:
        return None
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])


def quoted(path: str) -> str:
    """A name that cannot be taken for anything else: as it is, or in quotes like git's."""
    shown = printable(path)
    if shown == path and path.isprintable() and not any(sign in path for sign in '"\\'):
        return path
    signs = (_QUOTED.get(sign, sign if sign.isprintable() else f"\\u{ord(sign):04x}") for sign in shown)
    return '"' + "".join(signs) + '"'


def stat(found: Iterable[Change]) -> str:
    """A line a change: what happened, the path, how many bytes more or less."""
    signs = {Kind.ADDED: "A", Kind.MODIFIED: "M", Kind.DELETED: "D", Kind.RENAMED: "R"}
    lines = []
    for change in found:
        name = quoted(change.path)
        if change.source:
            name = f"{quoted(change.source)} -> {name}"
        details = ", ".join(
            filter(None, [", ".join(change.aspects), f"{change.grown:+,} bytes" if change.grown else ""])
        )
        lines.append(f"{signs[change.kind]} {name}{f' ({details})' if details else ''}\n")
    return "".join(lines)
