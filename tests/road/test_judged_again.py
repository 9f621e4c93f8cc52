"""A command that was judged before is judged anew as soon as anything is different that its verdict depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limpet import Outcome, Verdict, sync

if TYPE_CHECKING:
    from pathlib import Path

WRITES = "echo text > out/file"


@pytest.fixture
def shell(workspace: Path) -> sync.Shell:
    return sync.open(workspace, sandbox="none", profile="workspace")


def test_where_a_link_leads_is_looked_at_each_time(shell: sync.Shell, workspace: Path, tmp_path: Path) -> None:
    out, outside = workspace / "out", tmp_path / "outside"
    out.mkdir()
    outside.mkdir()
    outcomes = [shell.run(WRITES).outcome for _ in range(2)]
    (out / "file").unlink()
    out.rmdir()
    out.symlink_to(outside)
    outcomes += [shell.run(WRITES).outcome for _ in range(2)]
    out.unlink()
    out.mkdir()
    outcomes.append(shell.run(WRITES).outcome)
    asked = Outcome.NEEDS_APPROVAL
    assert outcomes == [Outcome.EXITED, Outcome.EXITED, asked, asked, Outcome.EXITED]
    assert list(outside.iterdir()) == []


def test_another_profile_folder_home_or_block_is_another_case(shell: sync.Shell, workspace: Path) -> None:
    def verdict(command: str, **options: object) -> Verdict:
        decision = shell.run(command, **options).decision  # type: ignore[arg-type]  # as given
        assert decision is not None
        return decision.verdict

    assert verdict("touch numbers.txt") is Verdict.ALLOW
    assert verdict("touch numbers.txt", profile="read-only") is not Verdict.ALLOW
    assert verdict("touch numbers.txt", block=("touch *",)) is Verdict.DENY
    assert verdict("touch numbers.txt") is Verdict.ALLOW
    assert verdict("touch ../numbers.txt", cwd="src") is Verdict.ALLOW
    assert verdict("touch ../numbers.txt") is Verdict.ASK
    assert verdict("touch ~/numbers.txt") is Verdict.ASK
    assert verdict("touch ~/numbers.txt", env={"HOME": str(workspace)}) is Verdict.ALLOW
