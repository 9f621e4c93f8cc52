"""What is peculiar to git: where it runs, how hard it pushes, whose settings an alias gets."""

from __future__ import annotations

import pytest

from limpet.model.decision import Risk
from limpet.policy.tools.git import TOOLS
from policy.effects_of_text import effects, summarise


@pytest.mark.parametrize(
    ("text", "cwd"),
    [
        ("git -C sub status", "/home/dev/proj/sub"),
        ("git -C sub -C ../other commit -m x", "/home/dev/proj/other"),
        ("git -C /tmp/x commit -m x", "/tmp/x"),
        ('git -C "$x" commit -m x', None),
    ],
)
def test_a_folder_for_git_is_where_it_runs(text: str, cwd: str | None) -> None:
    (effect,) = effects(text, TOOLS)
    assert effect.inner is not None
    assert effect.inner.cwd == cwd


def test_a_forced_push_is_told_from_a_plain_one() -> None:
    plain, forced = effects("git push", TOOLS)[0], effects("git push --force", TOOLS)[0]
    assert (plain.risk, forced.risk) == (Risk.PUBLISHES, Risk.DESTROYS)


def test_settings_before_an_alias_stay_with_it() -> None:
    assert summarise("git -c alias.a='log -1' -C sub a", TOOLS) == ["command git -c alias.a=log -1 a"]
