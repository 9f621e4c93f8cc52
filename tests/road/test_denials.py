"""A command that fails behind walls is told what was in its way, by what it was judged to do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet import sync

if TYPE_CHECKING:
    from pathlib import Path

    from limpet import Result


def contained(command: str, workspace: Path) -> Result:
    return sync.run(command, workspace=workspace, sandbox="native")


def test_a_write_outside_is_named_with_its_grant(workspace: Path) -> None:
    result = contained("touch /opt/limpet-was-here", workspace)
    assert not os.path.exists("/opt/limpet-was-here")
    assert (
        result.hint
        == 'The sandbox did not let it change /opt/limpet-was-here; sandbox.write = ["/opt"] in your settings would.'
    )


def test_the_grant_that_is_named_is_enough(workspace: Path) -> None:
    with sync.open(workspace, settings={"sandbox.write": [str(workspace.parent)]}, sandbox="native") as shell:
        result = shell.run(f"touch {workspace.parent}/x")
    assert (result.ok, (workspace.parent / "x").exists()) == (True, True)
    assert result.guarantees is not None
    assert result.guarantees.files_written_only_in == (str(workspace), str(workspace.parent))


def test_a_missing_network_is_told(workspace: Path) -> None:
    result = contained("curl -sS --max-time 5 http://192.0.2.1/", workspace)
    assert (result.ok, result.hint) == (
        False,
        "The sandbox has no network; --network on (sandbox.network = true) gives it one.",
    )


def test_a_failure_of_its_own_is_not_blamed_on_the_sandbox(workspace: Path) -> None:
    assert "sandbox" not in (contained("ls missing", workspace).hint or "")
    assert contained("exit 7", workspace).hint is None
    assert contained("touch fine", workspace).hint is None


def test_a_file_that_is_kept_as_it_is_is_named_with_its_grant(workspace: Path) -> None:
    contained("git init -q; echo x > a", workspace)
    for command in ("git config a.b c", "git remote add origin /x", "echo x >> .git/config"):
        result = contained(command, workspace)
        assert not result.ok
        assert result.hint == (
            "The sandbox keeps .git/config as it is: other programs act on it; "
            'sandbox.allow = [".git/config"] lets it change.'
        )
