"""Which sandbox a command gets: the strongest that this host has and never silently less; hosts are made unable."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from commandline import SOURCE
from limpet.kernel import landlock
from living import wait_gone
from unable import LANDLOCK, NAMESPACES, without

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commandline import Cli

NOTHING = f"{NAMESPACES},{LANDLOCK}"
needs_bubblewrap = pytest.mark.skipif(not os.access("/usr/bin/bwrap", os.X_OK), reason="bubblewrap is not installed")
needs_landlock = pytest.mark.skipif(landlock.version() < 1, reason="this kernel has no Landlock")


@pytest.fixture(autouse=True)
def _as_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIMPET_POLICY_PROFILE", raising=False)
    monkeypatch.delenv("LIMPET_SANDBOX_MODE", raising=False)


def result(cli: Cli, denied: str, *options: str, command: str = "true") -> dict[str, Any]:
    """Of a run where the kernel denies these calls."""
    argv = cli.argv("run", "--json", *options, "--", command)
    return parsed(cli, without(denied, argv) if denied else argv)


def parsed(cli: Cli, argv: list[str]) -> dict[str, Any]:
    done = subprocess.run(argv, cwd=cli.cwd, env=cli.environment(), capture_output=True, text=True, timeout=40)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def level(found: dict[str, Any]) -> tuple[str, str]:
    return found["guarantees"]["level"], found["decision"]["containment"]


def native_works(cli: Cli) -> bool:
    return bool(result(cli, "", "--sandbox", "native")["ok"])


def test_with_everything_there_it_is_native(cli: Cli) -> None:
    if not native_works(cli):
        pytest.skip("this host denies namespaces")
    found = result(cli, "")
    assert (level(found), found["guarantees"]["notes"]) == (("native", "full"), [])


@needs_landlock
@pytest.mark.parametrize("profile", ["workspace", "read-only", "ci", "strict", "open"])
def test_without_namespaces_it_is_landlock_and_judged_as_if_it_were_nothing(cli: Cli, profile: str) -> None:
    found = result(cli, NAMESPACES, "--profile", profile)
    assert level(found) == ("landlock", "none")
    assert found["guarantees"]["notes"][0] == "not to be had here: native: Operation not permitted (unshare)"


@needs_landlock
def test_a_host_that_has_switched_user_namespaces_off_is_one_without(cli: Cli) -> None:
    if shutil.which("unshare") is None or not native_works(cli):
        pytest.skip("needs user namespaces to take them away in one")
    limpet = cli.argv("run", "--json", "--", "true")
    off = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    found = parsed(cli, ["unshare", "--user", "--map-root-user", "bash", "-c", off, "bash", *limpet])
    assert level(found) == ("landlock", "none")
    assert "native: No space left on device (unshare)" in found["guarantees"]["notes"][0]


@pytest.mark.parametrize("profile", ["workspace", "open"])
def test_with_nothing_there_these_profiles_run_bare_and_say_why(cli: Cli, profile: str) -> None:
    found = result(cli, NOTHING, "--profile", profile)
    assert level(found) == ("bare", "none")
    first, second = found["guarantees"]["notes"]
    reasons = "native: Operation not permitted (unshare); landlock: this kernel has no Landlock"
    assert first.startswith(f"not to be had here: {reasons}")
    assert second.startswith("not contained: ")


@pytest.mark.parametrize("profile", ["read-only", "ci", "strict"])
def test_with_nothing_there_the_others_run_nothing(cli: Cli, profile: str) -> None:
    found = result(cli, NOTHING, "--profile", profile, command="touch made")
    assert (found["outcome"], found["guarantees"], os.path.exists(cli.cwd / "made")) == ("not_started", None, False)
    assert "this host cannot contain a command: native: " in found["error"]
    assert "`limpet doctor` says what is missing" in found["error"]


@pytest.mark.parametrize(("sandbox", "denied"), [("native", NAMESPACES), ("landlock", LANDLOCK)])
def test_what_is_named_is_had_or_nothing_runs(cli: Cli, sandbox: str, denied: str) -> None:
    found = result(cli, denied, "--sandbox", sandbox, "--profile", "open", command="touch made")
    assert (found["outcome"], os.path.exists(cli.cwd / "made")) == ("not_started", False)
    assert found["error"].startswith(f"this host cannot contain a command: {sandbox}: ")


@needs_landlock
def test_what_worked_before_is_tried_again_where_somebody_contains_limpet_itself(cli: Cli) -> None:
    assert result(cli, "")["ok"]
    assert level(result(cli, NAMESPACES)) == ("landlock", "none")
    assert result(cli, "")["guarantees"]["level"] != "bare"


def test_a_command_that_cannot_start_says_nothing_about_the_host(cli: Cli) -> None:
    if not native_works(cli):
        pytest.skip("this host denies namespaces")
    os.unlink(os.path.join(os.environ["LIMPET_STATE_DIR"], "sandbox.json"))
    program = """
import limpet
from limpet import sync
with sync.open(".", profile="open") as shell:
    try:
        shell.run("true", env={f"X{number}": "x" * 131_000 for number in range(40)})
    except limpet.LaunchError as error:
        print(error.errno)
    print(shell.run("true").guarantees.level)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=cli.cwd, env=cli.environment(), capture_output=True, text=True, timeout=40
    )
    assert (done.stderr, done.stdout.split()) == ("", [str(errno.E2BIG), "native"])


@pytest.mark.parametrize("name", ["none", "bare"])
def test_whoever_asks_for_none_gets_none(cli: Cli, name: str) -> None:
    found = result(cli, "", "--sandbox", name)
    assert (level(found), len(found["guarantees"]["notes"])) == (("bare", "none"), 1)


def test_what_is_required_and_not_had_is_named(cli: Cli) -> None:
    found = result(cli, NOTHING, "--require", "files", "--require", "tree", command="touch made")
    assert (found["outcome"], os.path.exists(cli.cwd / "made")) == ("not_started", False)
    assert found["error"].startswith("cannot guarantee files with the sandbox 'bare'")


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Somewhere else than in /tmp, of which a contained command sees nothing."""
    parent = next(folder for folder in ("/opt", str(SOURCE.parent / ".pytest_cache")) if os.access(folder, os.W_OK))
    with tempfile.TemporaryDirectory(dir=parent) as place:
        monkeypatch.setenv("HOME", place)
        yield Path(place)


@needs_bubblewrap
def test_bubblewrap_contains_as_well(cli: Cli, home: Path) -> None:
    if not native_works(cli):
        pytest.skip("this host denies namespaces")
    (home / ".netrc").write_text("secret\n")
    (home / "notes").write_text("no-secret\n")
    (cli.cwd / ".envrc").write_text("theirs\n")
    command = """
    echo one > two; cat two ~/notes; python3 -c 'import socket; socket.create_connection(("127.0.0.1", 9))'
    cat ~/.netrc; echo x > ~/new; echo x > .envrc; echo x > .git
    grep -E '^(CapEff|Seccomp|NoNewPrivs):' /proc/self/status; ls /proc | grep -c '^[0-9]'; exit 7
    """
    found = result(cli, "", "--sandbox", "bubblewrap", "--profile", "open", command=command)
    assert (level(found), found["exit_code"]) == (("bubblewrap", "full"), 7)
    lines = found["stdout"].split()
    assert lines[:-1] == ["one", "no-secret", "CapEff:", "0" * 16, "NoNewPrivs:", "1", "Seccomp:", "2"]
    assert int(lines[-1]) < 10
    assert not (home / "new").exists()
    assert (cli.cwd / ".envrc").read_text() == "theirs\n"
    assert ".git was made" in found["error"]


@needs_bubblewrap
def test_nothing_survives_in_bubblewrap(cli: Cli) -> None:
    if not native_works(cli):
        pytest.skip("this host denies namespaces")
    command = "(setsid sleep 61.25 &) ; trap '' TERM; sleep 61.25; sleep 61.25"
    found = result(cli, "", "--sandbox", "bubblewrap", "--timeout", "1", command=command)
    assert (found["outcome"], found["guarantees"]["tree_owned"], wait_gone("61.25")) == ("timed_out", True, True)


def test_bubblewrap_that_is_not_there_is_not_replaced_by_anything(cli: Cli) -> None:
    argv = cli.argv("run", "--json", "--sandbox", "bubblewrap", "--", "touch made")
    if os.path.exists("/usr/bin/bwrap"):
        if not native_works(cli):
            pytest.skip("needs namespaces to hide it in")
        hide = 'mount --bind /dev/null /usr/bin/bwrap && exec "$@"'
        argv = ["unshare", "--user", "--map-root-user", "--mount", "bash", "-c", hide, "bash", *argv]
    found = parsed(cli, argv)
    assert (found["outcome"], os.path.exists(cli.cwd / "made")) == ("not_started", False)
    assert "bubblewrap was not found in /usr/bin/bwrap, " in found["error"]
    assert "install the package bubblewrap" in found["error"]
