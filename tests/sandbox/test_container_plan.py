"""What podman and docker are told, and what a person is told where they cannot be used: nothing here needs either."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import sync
from limpet.config import resolve
from limpet.engine.admit import admit
from limpet.errors import SandboxUnavailableError
from limpet.kernel.seccomp import profile
from limpet.kernel.syscall_numbers import MACHINES
from limpet.model.options import Options
from limpet.model.request import Origin
from limpet.wiring.containing import sandboxes
from living import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from commandline import Cli
    from limpet.model.plan import Plan

pytestmark = pytest.mark.req("MY-13")
IMAGE = "localhost/any:1"


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    """A program by that name: what it would be told is looked at, and it is never run."""
    return program(tmp_path, "podman")


def program(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_text("#!/bin/false\n")
    path.chmod(0o755)
    return path


def planned(workspace: Path, engine: Path, **options: object) -> Plan:
    environ = {**os.environ, "LIMPET_SANDBOX_ENGINE": str(engine), "LIMPET_SANDBOX_IMAGE": IMAGE}
    settings = resolve(workspace=str(workspace), environ=environ).settings
    wishes = Options(sandbox="container", **options)  # type: ignore[arg-type]  # checked there
    request = admit("true", wishes, settings=settings, workspace=str(workspace), origin=Origin())
    return sandboxes(settings, environ).plan(request).plan


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/socket")
        yield program(tmp_path, "docker")


def test_the_container_gets_nothing_that_it_does_not_need(workspace: Path, engine: Path) -> None:
    (workspace / ".git/hooks").mkdir(parents=True)
    plan = planned(workspace, engine)
    words = set(plan.argv[: plan.argv.index(IMAGE)])
    assert (plan.executable, plan.argv[:2]) == (str(engine), ("podman", "run"))
    assert words >= {
        "--rm", "--pull=never", "--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--network=none",
        f"--workdir={workspace}", f"--user={os.geteuid()}:{os.getegid()}",
        f"--mount=type=bind,source={workspace},target={workspace}",
        f"--mount=type=bind,source={workspace}/.git/hooks,target={workspace}/.git/hooks,readonly",
    }  # fmt: skip
    assert ("--userns=keep-id" in words) is (os.geteuid() != 0)
    assert not words & {"--interactive", "--tty", "--privileged"}
    binds = [word for word in words if word.startswith("--mount=type=bind") and not word.endswith(",readonly")]
    assert [word for word in binds if f"source={workspace}" not in word] == []


def test_what_is_granted_is_passed_on(workspace: Path, engine: Path) -> None:
    limits = limpet.Limits(memory=1 << 28, processes=9, cpu=2.5, file_size=10_000, open_files=33)
    plan = planned(workspace, engine, network=True, limits=limits, stdin=b"some", terminal=True)
    assert set(plan.argv) >= {
        "--network=host", "--interactive", "--tty", f"--memory={1 << 28}", f"--memory-swap={1 << 28}",
        "--pids-limit=11", "--ulimit=cpu=3:4", "--ulimit=fsize=10000:10000",
    }  # fmt: skip


def test_the_command_and_its_variables_are_no_arguments(workspace: Path, engine: Path) -> None:
    plan = planned(workspace, engine, env={"TOKEN": "secret-value"})
    assert (plan.script, plan.env["TOKEN"]) == (b"true", "secret-value")
    assert not [word for word in plan.argv if "secret-value" in word or word == "true"]
    assert "PATH" not in plan.env
    assert planned(workspace, engine, env={"PATH": "/opt/bin"}).env["PATH"] == "/opt/bin"


def test_docker_is_talked_to_at_one_socket_and_as_the_caller(workspace: Path, docker: Path) -> None:
    plan = planned(workspace, docker)
    mine = "0:0" if os.geteuid() else f"{os.geteuid()}:{os.getegid()}"  # an ordinary user's own service
    assert plan.argv[:4] == ("docker", "--host", f"unix://{docker.parent}/socket", "run")
    assert f"--user={mine}" in plan.argv
    assert plan.guarantees.backend == "docker"


def test_docker_on_another_machine_is_refused(workspace: Path, docker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:9")
    with pytest.raises(SandboxUnavailableError, match="only through a socket of this machine"):
        planned(workspace, docker)


def test_a_path_that_has_no_words_is_refused(tmp_path: Path, engine: Path) -> None:
    place = tmp_path / "a,b"
    place.mkdir()
    with pytest.raises(SandboxUnavailableError, match="cannot be shown in a container"):
        planned(place, engine)


def test_without_an_image_nothing_starts(workspace: Path, engine: Path) -> None:
    with (
        sync.open(workspace, settings={"sandbox.engine": str(engine)}) as shell,
        pytest.raises(SandboxUnavailableError, match=r"no image is named: set sandbox\.image"),
    ):
        shell.run("touch made", sandbox="container")
    assert not (workspace / "made").exists()


def test_a_program_that_is_not_there_is_not_replaced_by_anything(cli: Cli, tmp_path: Path) -> None:
    env = {"LIMPET_SANDBOX_ENGINE": str(tmp_path / "podman"), "LIMPET_SANDBOX_IMAGE": IMAGE}
    done = cli("run", "--sandbox", "container", "--", "touch made", env=env)
    assert (done.returncode, (cli.cwd / "made").exists()) == (125, False)
    assert f"sandbox.engine is '{tmp_path}/podman', which is no executable file called podman or docker" in done.stderr


def test_a_program_that_starts_no_container_is_quoted(workspace: Path, tmp_path: Path) -> None:
    path = program(tmp_path, "podman")
    path.write_text("#!/bin/bash\necho 'Error: no room' >&2; exit 125\n")
    settings = {"sandbox.engine": str(path), "sandbox.image": IMAGE}
    with sync.open(workspace, settings=settings) as shell, pytest.raises(limpet.LaunchError) as caught:
        shell.run("touch made", sandbox="container")
    assert str(caught.value) == (
        "cannot start the shell: podman ended with status 125; it said: Error: no room; "
        f"the image {IMAGE} must be there (`podman pull {IMAGE}` gets it) and have /bin/bash"
    )
    wait_for(lambda: not os.listdir(Path(os.environ["LIMPET_STATE_DIR"], "containers")))


def test_the_doctor_says_how_to_get_one(cli: Cli, tmp_path: Path) -> None:
    env = {"LIMPET_SANDBOX_ENGINE": str(tmp_path / "docker")}
    fact = json.loads(cli("doctor", "--json", env=env).stdout)["facts"][-1]
    assert (fact["name"], fact["ok"]) == ("container", False)
    assert "which is no executable file called podman or docker" in fact["advice"]


def test_a_project_cannot_choose_the_image(cli: Cli) -> None:
    (cli.cwd / ".limpet.toml").write_text('[sandbox]\nimage = "evil/image"\n')
    done = cli("run", "--", "true")
    assert (done.returncode, "sandbox.image: a project may not set this at all" in done.stderr) == (125, True)


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.name)
def test_the_filter_refuses_what_the_others_refuse(machine: object) -> None:
    told = json.loads(profile(machine))
    whatever = {name for rule in told["syscalls"] if not rule["args"] for name in rule["names"]}
    assert whatever >= {"ptrace", "mount", "setns", "keyctl", "bpf", "io_uring_setup", "process_vm_writev"}
    set_uid = {"index": 1, "value": 0o4000, "valueTwo": 0o4000, "op": "SCMP_CMP_MASKED_EQ"}
    assert [rule["args"] for rule in told["syscalls"] if rule["names"] == ["chmod"]] == [[set_uid]]
    assert all(len({test["index"] for test in rule["args"]}) == len(rule["args"]) for rule in told["syscalls"])
