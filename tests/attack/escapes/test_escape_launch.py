"""What surrounds limpet when it is called is no way to make it run something outside, nor to give a false answer."""

from __future__ import annotations

import shutil
import socket
import subprocess
from typing import TYPE_CHECKING

import pytest

from attack.escapes.stage import scene, secret
from attack.escapes.trying_both import both_users
from attack.escapes.workspaces import answer

if TYPE_CHECKING:
    from attack.escapes.stage import Scene

HELPERS = (
    "bash sh python python3 git env cat id uname setpriv unshare bwrap mount umount ip newuidmap newgidmap ldconfig cc"
)


@both_users
def test_no_program_of_the_workspace_runs_outside(who: str) -> None:
    """Not even when its folder comes first on the search path, as that of an environment does."""
    with scene(who, contained=True) as here:
        folder = here.folder(here.workspace / "bin")
        for name in HELPERS.split():
            here.file(folder / name, f"#!/bin/sh\n/usr/bin/touch {here.outside}/{name}\nexec /bin/false\n").chmod(0o755)
        env = {**here.environment(), "PATH": f"{folder}:/usr/bin:/bin"}
        assert called(here, env, "echo fine") == (0, "fine\n")
        assert list(here.outside.iterdir()) == []


@both_users
def test_no_start_file_is_read(who: str) -> None:
    with scene(who, contained=True) as here:
        script = here.file(here.outside / "start", f"touch {here.workspace}/started\n")
        here.file(here.home / ".bashrc", script.read_text())
        here.file(here.home / ".profile", script.read_text())
        more = dict.fromkeys(("BASH_ENV", "ENV"), str(script)) | {"PROMPT_COMMAND": f". {script}"}
        more |= {"BASH_FUNC_echo%%": f"() {{ . {script}; }}", "LD_PRELOAD": str(script)}
        assert called(here, {**here.environment(), **more}, "echo fine; sh -c true; bash -c true")[1] == "fine\n"
        assert not (here.workspace / "started").exists()


@both_users
def test_no_start_file_is_read_where_standard_input_is_a_socket(who: str) -> None:
    """The shell takes that for a call from another machine."""
    with scene(who, contained=True) as here:
        here.file(here.home / ".bashrc", f"touch {here.workspace}/started\n")
        ours, theirs = socket.socketpair()
        with ours, theirs:
            argv = here.limpet("--stdin", "echo fine")
            done = subprocess.run(
                argv, cwd=here.workspace, env=here.environment(), stdin=theirs.fileno(), capture_output=True, timeout=30
            )
        assert (done.returncode, done.stdout) == (0, b"fine\n")
        assert not (here.workspace / "started").exists()


@both_users
def test_a_caller_that_ignores_its_children_gets_the_right_status(who: str) -> None:
    with scene(who, contained=True) as here:
        argv = ["bash", "-c", "trap '' CHLD PIPE HUP; exec \"$@\"", "bash", *here.limpet("", "exit 7")]
        assert subprocess.run(argv, cwd=here.workspace, env=here.environment(), timeout=30).returncode == 7


@both_users
def test_a_caller_without_standard_streams_is_served(who: str) -> None:
    with scene(who, contained=True) as here:
        argv = ["bash", "-c", 'exec "$@" <&- >&- 2>&-', "bash", *here.limpet("", "echo x > made; exit 7")]
        assert subprocess.run(argv, cwd=here.workspace, env=here.environment(), timeout=30).returncode == 7
        assert (here.workspace / "made").read_text() == "x\n"


NO_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'


@both_users
@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs unshare")
def test_where_there_can_be_no_walls_nothing_runs(who: str) -> None:
    """In a user namespace that may have none below it: a machine that forbids them, as seen from a command."""
    with scene(who, contained=True) as here:
        outer = [*here.prefix, "unshare", "--user", "--map-root-user"]
        if subprocess.run([*outer, "true"], capture_output=True, timeout=20).returncode:
            pytest.skip("namespaces are forbidden here already")
        inner = here.limpet("", "touch made")[len(here.prefix) :]
        argv = [*outer, "bash", "-c", NO_NAMESPACES, "bash", *inner]
        done = subprocess.run(
            argv, cwd=here.workspace, env=here.environment(), capture_output=True, text=True, timeout=30
        )
        assert (done.returncode, "cannot contain" in done.stderr) == (125, True), done.stderr
        assert not (here.workspace / "made").exists()


@both_users
def test_a_workspace_in_a_secret_folder_does_not_uncover_it(who: str) -> None:
    word = secret()
    with scene(who, contained=True) as here:
        folder = here.folder(here.home / ".claude")
        here.file(folder / ".credentials.json", word)
        place = here.folder(folder / "work")
        argv = here.limpet("", "echo x > made; cat ../.credentials.json; cat made")
        done = subprocess.run(argv, cwd=place, env=here.environment(), capture_output=True, text=True, timeout=30)
        assert word not in done.stdout
        assert done.stdout in ("x\n", ""), done.stderr  # it is served, or it is refused


@both_users
def test_the_home_as_a_workspace_keeps_its_start_files(who: str) -> None:
    with scene(who, contained=True) as here:
        for name in (".bashrc", ".profile"):
            here.file(here.home / name)
        argv = here.limpet(
            "", "echo evil >> .bashrc; echo evil > .profile; echo evil > .bash_login; echo evil > .zshenv"
        )
        subprocess.run(argv, cwd=here.home, env=here.environment(), capture_output=True, timeout=30)
        left = {path.name: path.read_text() for path in here.home.iterdir() if path.is_file()}
        assert left == {".bashrc": "as it was\n", ".profile": "as it was\n"}


def test_a_workspace_that_is_only_to_be_read_is_read() -> None:
    with scene("nobody", contained=True) as here:
        here.file(here.workspace / "text", "x\n")
        here.workspace.chmod(0o555)
        assert answer(here, "cat text; touch new || echo refused")["stdout"] == "x\nrefused\n"


def called(here: Scene, env: dict[str, str], command: str) -> tuple[int, str]:
    """By way of the interpreter that the user has, whatever the search path says."""
    argv = here.user.limpet("run", "--sandbox", "native", "--", command)
    prefix = ["/usr/bin/setpriv", *argv[1:]] if here.prefix else argv
    done = subprocess.run(prefix, cwd=here.workspace, env=env, capture_output=True, text=True, timeout=30)
    return done.returncode, done.stdout
