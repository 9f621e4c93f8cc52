"""`limpet doctor` says what this host can enforce, by trying it; its status is whether the settings can be honoured."""

from __future__ import annotations

import json
import os
import re
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from limpet.kernel import landlock
from limpet.policy.profiles import PROFILES
from unable import LANDLOCK, NAMESPACES, without

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

NAMES = [
    "bash", "kernel", "pidfd", "user namespaces", "mounts", "processes", "network", "overlay", "landlock", "seccomp",
    "memory limit", "processes limit", "container",
]  # fmt: skip
AUTO = {"LIMPET_SANDBOX_MODE": "auto", "LIMPET_POLICY_PROFILE": "workspace"}


def examined(cli: Cli, denied: str = "", env: dict[str, str] | None = None) -> tuple[int, dict[str, Any]]:
    """The status and the object, where the kernel denies these calls."""
    argv = cli.argv("doctor", "--json")
    done = subprocess.run(
        without(denied, argv) if denied else argv, cwd=cli.cwd, env=cli.environment({**AUTO, **(env or {})}),
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


def named(health: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {fact["name"]: fact for fact in health["facts"]}


def test_the_doctor_tells_people_what_holds_and_what_does_not(cli: Cli) -> None:
    done = cli("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert re.fullmatch(r"ok +bash +/\S*bash", lines[0])
    told = [line[4:20].strip() for line in lines[: lines.index("")] if not line.startswith(" ")]
    assert told == NAMES
    assert "The settings ask for sandbox none, profile open." in lines
    assert "A command was tried: it ran." in lines
    assert "It was contained: bare (not at all: commands have all the rights of this user)." in lines
    assert "  yes  every process is ended with its command" in lines
    assert "  no   writes confined to the workspace" in lines
    assert lines[-1] == f"State is kept in {os.environ['LIMPET_STATE_DIR']}"


def test_every_profile_is_told(cli: Cli) -> None:
    status, health = examined(cli)
    assert (status, health["ok"], [one["profile"] for one in health["profiles"]]) == (0, True, list(PROFILES))
    assert {one["level"] for one in health["profiles"]} == {health["level"]}


def test_the_doctor_finds_a_shell_that_is_missing(cli: Cli) -> None:
    done = cli("doctor", env={"LIMPET_RUN_SHELL": "/no/such/bash"})
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0].split()) == (1, ["NO", "bash", "missing"])
    assert lines[1].strip().startswith("to do: ")
    assert any(line.startswith("A command was tried: it did not run: ") for line in lines)


@pytest.mark.skipif(landlock.version() < 1, reason="this kernel has no Landlock")
def test_without_namespaces_it_says_so_and_what_to_do(cli: Cli) -> None:
    status, health = examined(cli, NAMESPACES)
    facts = named(health)
    assert (status, health["level"]) == (0, "landlock")
    assert (facts["user namespaces"]["ok"], "docker" in facts["user namespaces"]["advice"]) == (False, True)
    assert {facts[name]["found"] for name in ("mounts", "processes", "network", "overlay")} == {
        "no: needs user namespaces"
    }
    assert (facts["landlock"]["ok"], facts["seccomp"]["ok"]) == (True, True)
    assert {one["containment"] for one in health["profiles"]} == {"none"}


def test_a_switch_that_is_off_is_named(cli: Cli) -> None:
    off = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'
    argv = ["unshare", "--user", "--map-root-user", "bash", "-c", off, "bash", *cli.argv("doctor", "--json")]
    done = subprocess.run(argv, cwd=cli.cwd, env=cli.environment(AUTO), capture_output=True, text=True, timeout=60)
    if done.returncode and not done.stdout:
        pytest.skip("needs user namespaces to take them away in one")
    user = named(json.loads(done.stdout))["user namespaces"]
    assert (user["ok"], user["advice"]) == (False, "sysctl -w user.max_user_namespaces=10000")


def test_with_nothing_there_some_profiles_run_nothing(cli: Cli) -> None:
    status, health = examined(cli, f"{NAMESPACES},{LANDLOCK}")
    assert (status, health["level"]) == (0, "bare")
    assert (named(health)["landlock"]["ok"], named(health)["landlock"]["found"]) == (False, "not active")
    assert {one["profile"] for one in health["profiles"] if one["refused"]} == {"read-only", "ci", "strict"}


@pytest.mark.parametrize(
    "settings",
    [{"LIMPET_SANDBOX_MODE": "native"}, {"LIMPET_POLICY_PROFILE": "strict"}, {"LIMPET_SANDBOX_REQUIRE": "network"}],
    ids=["sandbox", "profile", "require"],
)
def test_settings_that_cannot_be_honoured_are_a_status_of_one(cli: Cli, settings: dict[str, str]) -> None:
    status, health = examined(cli, f"{NAMESPACES},{LANDLOCK}", settings)
    assert (status, health["ok"], health["level"], health["guarantees"]) == (1, False, "none", None)
    assert health["error"]


def test_a_filter_that_the_kernel_does_not_take_is_found(cli: Cli) -> None:
    status, health = examined(cli, f"{NAMESPACES},seccomp")
    assert (status, named(health)["seccomp"]["ok"], health["level"]) == (0, False, "bare")


def test_limpets_own_failure_is_another_status(cli: Cli, workspace: Path) -> None:
    (workspace / ".limpet.toml").write_text("[run]\ntimeout = 'soon'\n")
    assert cli("doctor").returncode == 125
