"""Commands in containers: real ones, where podman or docker can run one from an image of this machine's programs.

LIMPET_TEST_ENGINE=/usr/bin/docker tries that one instead.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import sync
from living import alive, descendants, marker, sleeping, wait_for, wait_gone
from sandbox import images

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commandline import Cli
    from limpet.sync import Shell

ENGINE = images.engine()
IMAGE = f"localhost/limpet-suite:{os.getpid()}"
pytestmark = [
    pytest.mark.req("MY-13"),
    pytest.mark.skipif(not ENGINE, reason="neither podman nor docker is installed"),
    pytest.mark.skipif(os.geteuid() != 0, reason="the images of an ordinary user lie in a home that tests do not use"),
]


@pytest.fixture(scope="module", autouse=True)
def _image() -> Iterator[None]:
    why = images.load(ENGINE, IMAGE)
    if why:
        pytest.skip(f"{ENGINE} cannot run a container here: {why}")
    yield
    images.remove(ENGINE, IMAGE)


@pytest.fixture(autouse=True)
def _named(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings = {"SANDBOX_MODE": "container", "SANDBOX_IMAGE": IMAGE, "SANDBOX_ENGINE": ENGINE}
    for name, value in settings.items():
        monkeypatch.setenv(f"LIMPET_{name}", value)
    yield
    assert images.containers(ENGINE) == []


@pytest.fixture
def shell(workspace: Path) -> Iterator[Shell]:
    with sync.open(workspace) as opened:
        yield opened


def test_a_command_runs_in_the_image_with_its_own_status_and_streams(shell: Shell, workspace: Path) -> None:
    result = shell.run("cat README.md; echo oops >&2; cd src; echo $PWD $0 $A; ls /home; exit 7", env={"A": "x y"})
    assert (result.exit_code, result.stderr) == (7, "oops\n")
    assert result.stdout.endswith(f"try commands on.\n{workspace}/src bash x y\n")
    held = result.guarantees
    assert held is not None
    assert (held.level, held.backend, held.network) == ("container", os.path.basename(ENGINE), "off")
    assert (held.files_written_only_in, held.secrets_hidden, held.tree_owned) == ((str(workspace),), True, True)
    assert result.decision is not None
    assert result.decision.containment == "full"


@pytest.mark.parametrize("code", [125, 126, 127])
def test_what_the_command_ends_with_is_not_taken_for_a_failure_to_start(shell: Shell, code: int) -> None:
    assert (shell.run(f"exit {code}").exit_code, shell.run("nosuchprogram").exit_code) == (code, 127)


def test_input_and_output_pass_byte_by_byte(cli: Cli) -> None:
    data = os.urandom(700_000)
    done = cli.raw("run", "--stdin", "--", "cat; sha256sum <numbers.txt >&2", stdin=data)
    assert hashlib.sha256(done.stdout).digest() == hashlib.sha256(data).digest()
    assert done.stderr.split()[0].decode() == hashlib.sha256((cli.cwd / "numbers.txt").read_bytes()).hexdigest()


def test_a_command_too_long_for_an_argument_runs(shell: Shell) -> None:
    assert shell.run(f"x={'a' * 300_000}; echo ${{#x}}").stdout == "300000\n"


def test_nothing_is_gained_and_nothing_but_the_workspace_changes(shell: Shell, workspace: Path) -> None:
    (workspace / "try").write_text("""
    while read -r key value; do
        case $key in Cap[EB]*|NoNewPrivs:|Seccomp:) echo $key $value;; esac
    done </proc/self/status
    for place in / /etc /run /usr /var; do touch $place/new && echo WROTE $place; done
    for place in /tmp /var/tmp /dev/shm ~; do touch $place/new || echo CANNOT write $place; done
    echo mine >made; stat -c %u:%g made
    chmod u+s made && echo SET-UID
    cat /proc/net/route
    cat $SECRET && echo SAW IT
    """)
    secret = Path(os.environ["HOME"], ".netrc")
    secret.write_text("password")
    result = shell.run("bash try", env={"SECRET": str(secret)})
    words = [f"{name} {'0' * 16}" for name in ("CapEff:", "CapBnd:")]
    gateways = [line for line in result.stdout.splitlines() if line.startswith("Iface")]
    assert [line for line in result.stdout.splitlines() if line not in gateways] == [
        *sorted(words, reverse=True), "NoNewPrivs: 1", "Seccomp: 2", f"{os.geteuid()}:{os.getegid()}",
    ]  # fmt: skip
    assert (workspace / "made").stat().st_uid == os.geteuid()


def test_files_that_other_programs_act_on_stay_as_they_are(shell: Shell, workspace: Path) -> None:
    (workspace / ".git/hooks").mkdir(parents=True)
    (workspace / ".git/config").write_text("[core]\n")
    result = shell.run("echo x >.git/config; echo x >.git/hooks/pre-commit; mv .git away; echo x >.envrc; echo on")
    assert (result.stdout, (workspace / ".git/config").read_text()) == ("on\n", "[core]\n")
    assert not list((workspace / ".git/hooks").iterdir())
    assert ".envrc was made" in (result.error or "")
    assert not (workspace / ".envrc").exists()


def test_the_home_as_a_workspace_does_not_show_its_secrets() -> None:
    home = Path(os.environ["HOME"])
    (home / ".ssh").mkdir()
    (home / ".ssh/id_rsa").write_text("secret key")
    (home / ".netrc").write_text("password")
    (home / "notes").write_text("seen\n")
    result = sync.run("cat notes .netrc; ls .ssh; echo x >.ssh/config; echo x >new", workspace=home)
    assert (result.stdout, (home / "new").exists()) == ("seen\n", True)
    assert [path.name for path in (home / ".ssh").iterdir()] == ["id_rsa"]


def test_limits_are_kept_and_named(shell: Shell) -> None:
    limits = limpet.Limits(memory=64 << 20, processes=50, cpu=30, file_size=1000, open_files=40)
    result = shell.run("ulimit -t; ulimit -n; x=$(head -c 300000000 /dev/zero | tr '\\0' a); echo not", limits=limits)
    assert (result.outcome, result.stdout.split()[:2]) == ("limited", ["30", "40"])
    assert "the limit memory = " in (result.error or "")
    assert result.guarantees is not None
    assert sorted(result.guarantees.limits) == ["cpu", "file_size", "memory", "open_files", "processes"]


def test_a_timeout_ends_everything_in_it(shell: Shell) -> None:
    stays = marker()
    result = shell.run(f"echo begun; trap '' TERM; setsid sleep {stays} & sleep {stays}; sleep {stays}", timeout=8)
    assert (result.outcome, result.stdout, result.signal) == ("timed_out", "begun\n", "SIGKILL")
    assert wait_gone(stays)


def test_what_a_command_leaves_behind_is_ended_and_told(shell: Shell) -> None:
    stays = marker()
    result = shell.run(f"sleep {stays} & echo over; exit 2")
    assert (result.exit_code, result.stdout) == (2, "over\n")
    assert "still running when the shell had exited, and ended: sleep (" in (result.error or "")
    assert wait_gone(stays)


def test_the_command_cannot_hold_on_to_its_container(shell: Shell) -> None:
    """Who keeps the line open, or stops the first process, would outlive limpet."""
    lines = "exec 5<>/run/limpet/line; echo x >/proc/1/fd/8; chmod 600 /run/limpet/line; kill -9 1; kill -STOP 1"
    Path(shell.workspace, "try").write_text(f"{lines}; kill -USR1 1; kill -TERM 1; kill -9 $PPID; echo alive; exit 6")
    result = shell.run("exec bash try")
    assert (result.stdout, result.stderr.count("Permission denied"), result.stderr.count("Read-only")) == (
        "alive\n",
        2,
        1,
    )


@pytest.mark.parametrize("everybody", [False, True], ids=["limpet", "all its processes"])
def test_nothing_survives_a_kill_9(cli: Cli, everybody: bool) -> None:
    stays = marker()
    call = cli.argv("run", "--", f"trap '' TERM; setsid sleep {stays} & sleep {stays}")
    with subprocess.Popen(call, cwd=cli.cwd, env=cli.environment(), stderr=subprocess.DEVNULL) as client:
        wait_for(lambda: len(sleeping(stays)) >= 2, 30)
        victims = [client.pid]
        if everybody:
            inside = set(sleeping(stays))
            victims += [
                one.pid for one in descendants(client.pid) if one.pid not in inside and "conmon" not in one.argv[0]
            ]
        for pid in victims:
            with contextlib.suppress(ProcessLookupError):  # it went with one before it
                os.kill(pid, 9)
    assert wait_gone(stays, 10)
    assert not alive(stays)
    assert cli("run", "--", "echo next").stdout == "next\n"  # it puts away what was left
    wait_for(lambda: not images.containers(ENGINE), 20)


def test_a_terminal_is_a_terminal(workspace: Path) -> None:
    command = "[[ -t 0 && -t 1 ]] && read -r -p 'name? ' name && echo hello $name"
    result = sync.run(command, workspace=workspace, terminal=True, stdin="limpet\n")
    assert result.ok
    assert result.stdout.splitlines()[-1].endswith("hello limpet")
    assert "^" not in result.stdout


def test_a_task_and_a_transaction_run_in_it_and_a_session_is_refused(shell: Shell, workspace: Path) -> None:
    task = shell.start("echo in the background; exit 4")
    status = task.wait(timeout=60)
    assert (status.exit_code, task.output()) == (4, "in the background\n")
    with shell.transaction() as transaction:
        transaction.run("echo changed >README.md")
    assert (workspace / "README.md").read_text().startswith("# Sample")
    with (
        pytest.raises(limpet.SandboxUnavailableError, match="a session cannot live in a container"),
        shell.session() as one,
    ):
        one.run("true")
    assert shell.run("echo on").stdout == "on\n"


def test_an_image_that_is_not_there_is_not_fetched(shell: Shell, workspace: Path) -> None:
    missing = "localhost/limpet-none:1"
    with (
        sync.open(workspace, settings={"sandbox.image": missing}) as other,
        pytest.raises(limpet.LaunchError) as caught,
    ):
        other.run("touch made")
    name = os.path.basename(ENGINE)
    assert f"cannot start the shell: {name} ended with status 125; it said: " in str(caught.value)
    assert f"the image {missing} must be there (`{name} pull {missing}` gets it)" in str(caught.value)
    assert not (workspace / "made").exists()
    assert shell.run("true").ok


def test_the_doctor_runs_its_command_in_one(cli: Cli) -> None:
    health = json.loads(cli("doctor", "--json").stdout)
    fact = next(one for one in health["facts"] if one["name"] == "container")
    assert (health["ok"], health["level"], fact["ok"], fact["found"]) == (
        True, "container", True, f"{ENGINE}, image {IMAGE}",
    )  # fmt: skip
