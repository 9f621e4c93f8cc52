"""What was found out for one command serves the next, and never where that asks for something else."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from limpet import sync
from limpet.sandbox.finding import Finder
from limpet.sandbox.later import Later

if TYPE_CHECKING:
    from pathlib import Path

NETWORK = "readlink /proc/self/ns/net"
LATER = [".envrc", ".git/hooks", ".vscode"]


@pytest.fixture
def settled(workspace: Path) -> Path:
    """A workspace in which nothing has changed for a while."""
    (workspace / ".git/hooks").mkdir(parents=True)
    long_enough = time.monotonic() + 30
    while time.time() - workspace.stat().st_ctime < 0.5 and time.monotonic() < long_enough:
        time.sleep(0.05)  # for the clock, which gives no sign
    return workspace


def test_walls_of_one_command_are_not_those_of_another_kind(settled: Path) -> None:
    host = os.readlink("/proc/self/ns/net")
    with sync.open(settled, sandbox="native", profile="open") as shell:
        for network in (False, True, False, True, True, False):
            result = shell.run(NETWORK, network=network)
            assert result.guarantees is not None
            assert (result.stdout.strip() == host, result.guarantees.network == "open") == (network, network)


def test_a_transaction_between_other_commands_is_apart_from_the_workspace(settled: Path) -> None:
    with sync.open(settled, sandbox="native", profile="open") as shell:
        assert shell.run("touch before").ok
        for _ in range(3):
            with shell.transaction() as tx:
                assert tx.run("touch apart; ls apart before").ok
                assert not (settled / "apart").exists()
            assert not shell.run("ls apart").ok


def test_what_somebody_puts_into_the_workspace_is_held_from_the_next_command_on(settled: Path) -> None:
    with sync.open(settled, sandbox="native", profile="open") as shell:
        assert shell.run("true").ok
        assert shell.run("true").ok
        (settled / ".envrc").write_text("mine\n")
        assert not shell.run("echo evil >> .envrc").ok
        (settled / ".git/hooks/pre-commit").write_text("mine\n")
        assert not shell.run("echo evil >> .git/hooks/pre-commit").ok
        result = shell.run("mkdir .vscode; touch .vscode/tasks.json")
        assert ".vscode was made" in (result.error or "")
    assert (settled / ".envrc").read_text() == "mine\n"
    assert not (settled / ".vscode").exists()


def test_a_second_look_at_what_has_not_changed_is_the_first(settled: Path) -> None:
    later = Later(Finder(LATER))
    first = later.look(str(settled))
    assert later.look(str(settled)) is first
    assert first.frozen == (str(settled / ".git/hooks"),)


def test_a_look_after_any_change_is_a_new_one(settled: Path) -> None:
    later = Later(Finder(LATER))
    for change in (
        (settled / ".envrc").touch,
        (settled / ".git/more").touch,
        (settled / ".envrc").unlink,
        lambda: (settled / ".git").rename(settled / "elsewhere"),
    ):
        before = later.look(str(settled))
        change()
        assert later.look(str(settled)) is not before
    assert later.look(str(settled)).there == {}


def test_what_changed_a_moment_ago_is_looked_at_again(workspace: Path) -> None:
    (workspace / "new").touch()
    later = Later(Finder(LATER))
    assert later.look(str(workspace)) is not later.look(str(workspace))


@pytest.mark.parametrize("link", [".git", ".envrc", ".git/hooks"])
def test_where_a_link_is_in_the_way_it_is_followed_each_time(settled: Path, tmp_path: Path, link: str) -> None:
    for name in ("one", "two"):
        (tmp_path / name / "hooks").mkdir(parents=True)
    if link == ".git/hooks":
        (settled / ".git/hooks").rmdir()
    elif link == ".git":
        (settled / ".git").rename(tmp_path / "former")
    between = settled / "between"
    between.symlink_to(tmp_path / "one")
    (settled / link).symlink_to(between)
    wait = time.monotonic() + 30
    while time.time() - settled.stat().st_ctime < 0.5 and time.monotonic() < wait:
        time.sleep(0.05)  # as above
    later = Later(Finder(LATER))
    assert later.look(str(settled)) is not later.look(str(settled))
