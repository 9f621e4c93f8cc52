"""Entries -> what would become of each file; and that done, or taken back."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import limpetError
from limpet.surfaces.install.change import Change
from limpet.surfaces.install.files import decoded, read, remove, remove_empty, replace
from limpet.surfaces.install.jsonc import UnreadableError, parse
from limpet.surfaces.install.ledger import Record, digest
from limpet.surfaces.install.tables import parse_toml

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limpet.surfaces.install.entry import Entry
    from limpet.surfaces.install.ledger import Ledger


class InstallError(limpetError):
    """A file that is left as it is, and why."""


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of one file."""

    path: str
    before: bytes | None
    after: bytes | None
    """None: it is removed."""
    changes: tuple[Change, ...] = ()
    empty: str = ""

    def diff(self) -> str:
        """For a person."""
        old, new = (_lines(data) for data in (self.before, self.after))
        names = ("/dev/null" if self.before is None else self.path, "/dev/null" if self.after is None else self.path)
        return "".join(difflib.unified_diff(old, new, *names))


def planned(entries: Sequence[Entry]) -> list[Step]:
    """The steps after which everything is there; none when it is. Raises InstallError, before anything is changed."""
    files = dict.fromkeys(entry.file for entry in entries)
    steps = [_planned(path, [entry for entry in entries if entry.file == path]) for path in files]
    return [step for step in steps if step.changes]


def _planned(path: str, entries: Sequence[Entry]) -> Step:
    try:
        before = read(path)
        text = decoded(before) if before is not None else ""
        empty = entries[0].empty
        text = text if text.strip() else text + empty
        changes = []
        for entry in entries:
            entry.data(text)
            change = entry.change(text)
            if change is not None:
                changes.append(change)
                text = change.applied(text)
    except UnreadableError as error:
        raise InstallError(f"{path}: {error}; nothing was changed") from None
    return Step(path=path, before=before, after=text.encode(), changes=tuple(changes), empty=empty)


def install(steps: Iterable[Step], ledger: Ledger) -> None:
    """Do it. Raises InstallError when a file has changed since it was looked at."""
    for step in steps:
        _unchanged(step)
        assert step.after is not None
        record = _joined(step, ledger.find(step.path))
        ledger.keep(record)
        made = replace(step.path, step.after)
        if made:
            ledger.keep(msgspec.structs.replace(record, folders=(*made, *record.folders)))


def _joined(step: Step, known: Record | None) -> Record:
    """With what was done to the file before, where that can still be taken back."""
    assert step.after is not None
    new = Record(path=step.path, before=step.before, after=digest(step.after), changes=step.changes, empty=step.empty)
    if known is None or step.before is None:
        return new
    earlier = known.before if digest(step.before) == known.after else _without(known, step.before)
    if earlier is None and known.before is not None:
        return new
    changes = (*known.changes, *step.changes)
    return msgspec.structs.replace(new, before=earlier, changes=changes, folders=known.folders, empty=known.empty)


def undoing(entries: Sequence[Entry], ledger: Ledger) -> list[Step]:
    """The steps that take everything back. Raises InstallError, before anything is changed."""
    steps = []
    for path in sorted({entry.file for entry in entries}):
        try:
            record, now = ledger.find(path), read(path)
            if record is not None:
                mine = [entry for entry in entries if entry.file == path]
                steps.append(Step(path=path, before=now, after=None if now is None else _undone(record, now, mine)))
        except UnreadableError as error:
            raise InstallError(f"{path}: {error}; nothing was changed") from None
    return steps


def _undone(record: Record, now: bytes, entries: Sequence[Entry]) -> bytes | None:
    if digest(now) == record.after:
        return record.before
    found = _without(record, now) or _picked_out(record, now, entries)
    if found is None:
        raise UnreadableError("it was changed since, and what limpet put there is not as it was; take it out by hand")
    # A file that limpet made and somebody else wrote into stays.
    return None if record.before is None and _says(found.decode()) == _says(record.empty) else found


def _picked_out(record: Record, now: bytes, entries: Sequence[Entry]) -> bytes | None:
    """The same where the file was written anew as a whole, as some programs do with their own."""
    if not record.path.endswith((".json", ".jsonc")):
        return None
    text, known = decoded(now), parse(decoded(record.before or b"") or record.empty).value
    put = "".join(change.new for change in record.changes)
    for entry in (one for one in entries if one.mark in put):
        shorter = entry.removed(text, known)
        if shorter is None:
            return None
        text = shorter
    return text.encode()


def _says(text: str) -> object:
    return parse(text).value if text.lstrip().startswith("{") else text


def _without(record: Record, now: bytes) -> bytes | None:
    """What others made of the file, without what limpet put there; None when the two cannot be told apart."""
    text: str | None = decoded(now)
    for change in reversed(record.changes):
        text = None if text is None else change.taken_back(text)
    return None if text is None or not _readable(text, record.path) else text.encode()


def _readable(text: str, path: str) -> bool:
    try:
        if path.endswith(".toml"):
            parse_toml(text)
        elif not path.endswith(".js"):
            parse(text)
    except UnreadableError:
        return False
    return True


def undo(steps: Iterable[Step], ledger: Ledger) -> None:
    """Do it. Raises InstallError when a file has changed since it was looked at."""
    folders: dict[str, None] = {}
    for step in steps:
        _unchanged(step)
        record = ledger.find(step.path)
        assert record is not None
        if step.after is not None:
            replace(step.path, step.after)
        elif step.before is not None:
            remove(step.path)
            folders.update(dict.fromkeys(record.folders))
        ledger.forget(step.path)
    remove_empty(sorted(folders, key=len, reverse=True))


def _unchanged(step: Step) -> None:
    if read(step.path) != step.before:
        raise InstallError(f"{step.path}: it changed while you were reading; try again")


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace")
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n\\ No newline at end of file\n"
    return lines
