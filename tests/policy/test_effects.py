"""Limits for what a transaction may change."""

from __future__ import annotations

import pytest

from limpet.model.change import Change, Changes, Kind, Side, Sort
from limpet.model.decision import Verdict
from limpet.policy.effects import EffectLimits, judge_effects


def _side(sort: Sort = Sort.FILE, *, mode: int = 0o644, size: int = 10, target: str = "") -> Side:
    return Side(sort=sort, mode=mode, uid=0, gid=0, size=size, target=target)


def _added(path: str, side: Side | None = None) -> Change:
    return Change(path=path, kind=Kind.ADDED, after=side or _side())


def _deleted(path: str) -> Change:
    return Change(path=path, kind=Kind.DELETED, before=_side())


def _changes(*changes: Change) -> Changes:
    return Changes(workspace="/w", changes=changes)


ADDED = _changes(_added("src/a.py"), _added("src/b.py"))


def test_without_limits_everything_plain_is_allowed() -> None:
    decision = judge_effects(_changes(_added("a"), _deleted("b"), _added(".c", _side(mode=0o755))), EffectLimits())
    assert (decision.verdict, decision.reasons) == (Verdict.ALLOW, ())


@pytest.mark.parametrize(
    ("found", "limits", "said"),
    [
        (ADDED, EffectLimits(files=1), "effects.files: 2 paths would change, more than 1"),
        (ADDED, EffectLimits(files=2), ""),
        (
            _changes(_deleted("a"), _deleted("b")), EffectLimits(deletions=1),
            "effects.deletions: 2 paths would be deleted, more than 1",
        ),
        (ADDED, EffectLimits(deletions=0), ""),
        (ADDED, EffectLimits(bytes=19), "effects.bytes: 20 bytes would be added, more than 19"),
        (ADDED, EffectLimits(only=("src/",)), ""),
        (ADDED, EffectLimits(only=("docs/", "src/a.py")), "effects.only: outside of what may change: src/b.py"),
        (ADDED, EffectLimits(never=("*.py",)), "effects.never: may not change: src/a.py, src/b.py"),
        (ADDED, EffectLimits(never=("*.lock",)), ""),
        (
            _changes(_added("run", _side(mode=0o755))), EffectLimits(executables=False),
            "effects.executables: would become executable: run",
        ),
        (
            _changes(Change(path="run", kind=Kind.MODIFIED, before=_side(mode=0o755), after=_side(mode=0o755))),
            EffectLimits(executables=False), "",
        ),
        (
            _changes(_added("su", _side(mode=0o4755))), EffectLimits(),
            "effects.special: would get special rights, or be no plain file: su",
        ),
        (
            _changes(_added("pipe", _side(Sort.OTHER))), EffectLimits(),
            "effects.special: would get special rights, or be no plain file: pipe",
        ),
        (_changes(_added("a/.env")), EffectLimits(dotfiles=False), "effects.dotfiles: begins with a dot: a/.env"),
        (
            _changes(_added("a/l", _side(Sort.LINK, target="../../etc"))), EffectLimits(links_outside=False),
            "effects.links: leads out of the workspace: a/l",
        ),
        (_changes(_added("a/l", _side(Sort.LINK, target="../b"))), EffectLimits(links_outside=False), ""),
        (_changes(_added("l", _side(Sort.LINK, target="/w/b"))), EffectLimits(links_outside=False), ""),
        (
            _changes(_added("l", _side(Sort.LINK, target="/w/../etc"))), EffectLimits(links_outside=False),
            "effects.links: leads out of the workspace: l",
        ),
        (
            _changes(_added("l", _side(Sort.LINK, target="/etc"))), EffectLimits(links_outside=False),
            "effects.links: leads out of the workspace: l",
        ),
    ],
)  # fmt: skip
def test_each_limit_is_kept_to_or_named(found: Changes, limits: EffectLimits, said: str) -> None:
    decision = judge_effects(found, limits)
    assert [f"{reason.rule}: {reason.message}" for reason in decision.reasons] == ([said] if said else [])
    assert decision.verdict is (Verdict.ASK if said else Verdict.ALLOW)


def test_a_rename_out_of_what_may_change_counts_by_both_names() -> None:
    renamed = _changes(Change(path="src/a", kind=Kind.RENAMED, source="lib/a", before=_side(), after=_side()))
    assert judge_effects(renamed, EffectLimits(only=("src/",), verdict=Verdict.DENY)).verdict is Verdict.DENY
    assert judge_effects(renamed, EffectLimits(never=("lib/",))).verdict is Verdict.ASK
