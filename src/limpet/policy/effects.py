"""What a transaction would change, and limits for it -> whether it may be committed.

Before a command runs one can only judge what it says; here is what it did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.change import Change, Changes, Kind, Sort
from limpet.model.decision import Decision, Reason, Risk, Verdict
from limpet.policy.gitignore import matches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_EXECUTABLE = 0o111
_SPECIAL = 0o6000
_SHOWN = 3


class EffectLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What may be changed without a question. None and empty: no limit."""

    files: int | None = None
    """Paths that are added, modified, renamed or deleted."""
    deletions: int | None = None
    bytes: int | None = None
    """By which the workspace grows."""
    only: tuple[str, ...] = ()
    """Patterns as in .gitignore: nothing else may change."""
    never: tuple[str, ...] = ()
    """Patterns: these may not."""
    executables: bool = True
    """Whether files may become executable, or be added so."""
    special: bool = False
    """Whether files may get set-uid or set-gid bits, or be pipes, sockets or devices."""
    dotfiles: bool = True
    """Whether names that begin with a dot may change."""
    links_outside: bool = True
    """Whether links may lead out of the workspace."""
    verdict: Verdict = Verdict.ASK
    """What to say when one of them is not kept to: ask somebody, or DENY, which drops the changes."""


def judge_effects(found: Changes, limits: EffectLimits) -> Decision:
    """Allowed when everything is kept to; else each limit that is not, with the first paths."""
    reasons = tuple(_reasons(found, limits))
    return Decision(verdict=limits.verdict if reasons else Verdict.ALLOW, reasons=reasons)


def _reasons(found: Changes, limits: EffectLimits) -> Iterator[Reason]:
    yield from _counts(found, limits)
    for rule, message, risk, offends in _checks(limits, found.workspace):
        paths = [change.path for change in found.changes if offends(change)]
        if paths:
            yield _reason(limits, rule, f"{message}: {_few(paths)}", risk)


def _counts(found: Changes, limits: EffectLimits) -> Iterator[Reason]:
    deletions = len(found.of(Kind.DELETED))
    grown = sum(change.grown for change in found.changes if change.kind is not Kind.RENAMED)
    for rule, count, most, noun in (
        ("effects.files", len(found.changes), limits.files, "paths would change"),
        ("effects.deletions", deletions, limits.deletions, "paths would be deleted"),
        ("effects.bytes", grown, limits.bytes, "bytes would be added"),
    ):
        if most is not None and count > most:
            yield _reason(limits, rule, f"{count:,} {noun}, more than {most:,}", Risk.DESTROYS)


_Check = tuple[str, str, Risk, "Callable[[Change], bool]"]


def _checks(limits: EffectLimits, workspace: str) -> Iterator[_Check]:
    if limits.only:
        yield "effects.only", "outside of what may change", Risk.DESTROYS, lambda one: not _all_in(one, limits.only)
    if limits.never:
        yield "effects.never", "may not change", Risk.DESTROYS, lambda one: _any_in(one, limits.never)
    if not limits.executables:
        yield "effects.executables", "would become executable", Risk.PERSISTS, _becomes_executable
    if not limits.special:
        yield "effects.special", "would get special rights, or be no plain file", Risk.PRIVILEGE, _becomes_special
    if not limits.dotfiles:
        yield "effects.dotfiles", "begins with a dot", Risk.PERSISTS, _is_dotfile
    if not limits.links_outside:
        yield "effects.links", "leads out of the workspace", Risk.ESCAPES, lambda one: _leads_out(one, workspace)


def _reason(limits: EffectLimits, rule: str, message: str, risk: Risk) -> Reason:
    return Reason(rule=rule, verdict=limits.verdict, message=message, risk=risk)


def _few(paths: list[str]) -> str:
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(paths[:_SHOWN]) + more


def _all_in(change: Change, patterns: tuple[str, ...]) -> bool:
    return all(matches(path, patterns, folder=_is_folder(change)) for path in change.paths)


def _any_in(change: Change, patterns: tuple[str, ...]) -> bool:
    return any(matches(path, patterns, folder=_is_folder(change)) for path in change.paths)


def _is_folder(change: Change) -> bool:
    return any(side is not None and side.sort is Sort.FOLDER for side in (change.before, change.after))


def _becomes_executable(change: Change) -> bool:
    new, old = change.after, change.before
    if new is None or new.sort is not Sort.FILE or not new.mode & _EXECUTABLE:
        return False
    return old is None or old.sort is not Sort.FILE or not old.mode & _EXECUTABLE


def _becomes_special(change: Change) -> bool:
    new, old = change.after, change.before
    if new is None or new.sort is Sort.LINK:
        return False
    if new.sort is Sort.OTHER:
        return True
    return new.sort is Sort.FILE and bool(new.mode & _SPECIAL & ~(old.mode if old is not None else 0))


def _is_dotfile(change: Change) -> bool:
    return any(name.startswith(".") and name != "." for path in change.paths for name in path.split("/"))


def _leads_out(change: Change, workspace: str) -> bool:
    new = change.after
    if new is None or new.sort is not Sort.LINK:
        return False
    inside = workspace.rstrip("/") + "/"
    target, depth = new.target.removeprefix(inside), change.path.count("/")
    if target.startswith("/"):
        return True
    if target != new.target:
        depth = 0
    for name in target.split("/"):
        depth += {"..": -1, ".": 0, "": 0}.get(name, 1)
        if depth < 0:
            return True
    return False
