"""What was found out for one command serves the next, and never where that asks for something else."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest

from limpet import sync
from limpet.sandbox.finding import Finder, Seen, tree_of
from limpet.sandbox.later import Later

if TYPE_CHECKING:
    from collections.abc import Callable
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


def looks_again(later: Later, workspace: Path) -> bool:
    before = later.look(str(workspace)).seen
    return later.look(str(workspace)).seen is not before


def test_a_look_after_any_change_is_a_new_one(settled: Path) -> None:
    later = Later(Finder(LATER))
    for change in (
        (settled / ".envrc").touch,
        (settled / ".envrc").unlink,
        lambda: (settled / ".git").rename(settled / "elsewhere"),
    ):
        before = later.look(str(settled))
        change()
        assert later.look(str(settled)) is not before
    assert later.look(str(settled)).there == {}


def test_what_changes_beside_is_looked_at_and_finds_the_same(settled: Path) -> None:
    later = Later(Finder(LATER))
    found = later.look(str(settled))
    before = found.seen
    for change in ((settled / ".git/more").touch, (settled / "more").touch, (settled / "more").unlink):
        change()
        assert later.look(str(settled)) is found
        assert found.seen is not before
        before = found.seen


def test_what_changed_a_moment_ago_is_looked_at_again(workspace: Path) -> None:
    (workspace / "new").touch()
    assert looks_again(Later(Finder(LATER)), workspace)


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
    assert looks_again(Later(Finder(LATER)), settled)


def test_a_link_that_leads_elsewhere_is_another_find(settled: Path) -> None:
    for name in ("one", "two"):
        (settled / name).touch()
    between = settled / "between"
    between.symlink_to("one")
    (settled / ".envrc").symlink_to("between")
    later = Later(Finder(LATER))
    first = later.look(str(settled))
    assert str(settled / "one") in first.frozen
    between.unlink()
    between.symlink_to("two")
    second = later.look(str(settled))
    assert (first.there, first.identity) == (second.there, second.identity)
    assert str(settled / "two") in second.frozen


@pytest.mark.parametrize("name", [".envrc", ".vscode"])
def test_another_in_the_place_of_something_frozen_is_another_find(settled: Path, name: str) -> None:
    make = os.mkdir if name == ".vscode" else os.mknod
    make(settled / name)
    later = Later(Finder(LATER))
    first = later.look(str(settled))
    assert str(settled / name) in first.frozen
    assert first.marks
    make(settled / "new")
    (settled / name).rename(settled / "old")
    (settled / "new").rename(settled / name)
    second = later.look(str(settled))
    assert second is not first
    assert second.marks != first.marks


def saved(path: Path, text: str) -> None:
    """As editors and git do it: a new file takes the place of the old one."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text)
    new.rename(path)


def removed_and_made(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


def around_it_replaced(path: Path, text: str) -> None:
    folder = path.parent
    folder.rename(folder.with_name("former"))
    folder.mkdir()
    path.write_text(text)
    shutil.rmtree(folder.with_name("former"))


def around_it_removed_and_made(path: Path, text: str) -> None:
    shutil.rmtree(path.parent)
    path.parent.mkdir()
    path.write_text(text)


REPLACING = [saved, removed_and_made, around_it_replaced, around_it_removed_and_made]


@pytest.mark.parametrize("replaced", REPLACING)
@pytest.mark.parametrize("name", [".git/config", ".git/hooks/pre-commit", ".vscode/tasks.json"])
def test_what_took_the_place_of_something_frozen_is_frozen(
    workspace: Path, name: str, replaced: Callable[[Path, str], None]
) -> None:
    path = workspace / name
    path.parent.mkdir(parents=True)
    path.write_text("mine\n")
    with sync.open(workspace, sandbox="native", profile="open") as shell:
        for round_ in range(3):
            assert not shell.run(f"echo evil >> {name}").ok
            replaced(path, f"{round_}\n")
            assert not shell.run(f"echo evil >> {name}").ok
            assert path.read_text() == f"{round_}\n"


@pytest.mark.parametrize("replaced", REPLACING)
@pytest.mark.parametrize("name", [".netrc", ".ssh/id_rsa", ".config/gh/hosts.yml"])
def test_what_took_the_place_of_a_secret_is_not_to_be_seen(
    workspace: Path, name: str, replaced: Callable[[Path, str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = workspace / "home" / name
    path.parent.mkdir(parents=True)
    path.write_text("hush")
    monkeypatch.setenv("HOME", str(workspace / "home"))
    with sync.open(workspace, sandbox="native", profile="open") as shell:
        for round_ in range(3):
            assert shell.run(f"cat home/{name}").stdout == ""
            replaced(path, f"hush {round_}")
            assert shell.run(f"cat home/{name}").stdout == ""
            assert path.read_text() == f"hush {round_}"


def test_another_folder_in_the_place_of_one_that_may_be_written_may_be_as_well(workspace: Path, tmp_path: Path) -> None:
    beside = tmp_path / "beside"
    beside.mkdir()
    with sync.open(workspace, sandbox="native", profile="open", settings={"sandbox.write": [str(beside)]}) as shell:
        assert shell.run(f"touch {beside}/one").ok
        beside.rename(tmp_path / "former")
        beside.mkdir()
        assert shell.run(f"touch {beside}/two").ok
    assert os.listdir(beside) == ["two"]


def test_a_folder_that_changed_between_two_looks_is_looked_at_again(settled: Path) -> None:
    finder, seen = Finder([".envrc"]), Seen()
    assert list(finder.find(str(settled), seen=seen)) == []
    (settled / ".envrc").touch()
    long_enough = time.monotonic() + 30
    while time.time() - settled.stat().st_ctime < 0.5 and time.monotonic() < long_enough:
        time.sleep(0.05)  # for the clock: it may take as long where a process was stopped in between
    assert list(finder.find(str(settled), tree_of([".git"]), seen=seen)) == [f"{settled}/.git"]
    assert not seen.same()
