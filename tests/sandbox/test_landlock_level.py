"""Where there are no namespaces, commands are held by Landlock, a filter and the loss of all rights; and say so."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from attack.hostile import User, somebody
from commandline import SOURCE
from limpet import sync
from limpet.kernel import landlock
from limpet.sandbox import opened
from living import wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(landlock.version() < 3, reason="this kernel's Landlock is older than the guarantee")

REFUSALS = ("ermission denied", "not permitted", "cross-device link")
VISIBLE = ("/opt", "/srv", str(SOURCE.parent / ".pytest_cache"))
"""Folders whose files a command sees; of /tmp it sees nothing."""
GIT = "git -c user.name=a -c user.email=b -c init.defaultBranch=main"


class Scene:
    """Somebody with a home, secrets in it, a workspace and a folder beside it."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.workspace = user.place / "workspace"
        self.outside = user.place / "outside"
        for folder in (self.workspace, self.outside, user.place / ".ssh"):
            folder.mkdir()
        (self.outside / "file").write_text("as it was\n")
        (user.place / ".ssh" / "id_rsa").write_text("PRIVATE\n")
        (user.place / "notes").write_text("mine\n")
        owner = user.place.stat()
        for path in user.place.rglob("*"):
            os.chown(path, owner.st_uid, owner.st_gid)

    def run(self, command: str, *options: str, env: dict[str, str] | None = None) -> dict[str, Any]:
        """Its result."""
        argv = self.user.limpet("run", "--json", "--sandbox", "landlock", *options, "--", command)
        environment = {**self.user.environment(), **(env or {})}
        done = subprocess.run(argv, cwd=self.workspace, env=environment, capture_output=True, text=True, timeout=40)
        result: dict[str, Any] = json.loads(done.stdout)
        return result

    def not_refused(self, *attempts: str) -> list[str]:
        """Those that came to something, or to nothing for another reason than a lack of permission."""
        tried = [f"( {attempt} ) > .out 2>&1; echo $? $(tail -n1 .out)" for attempt in attempts]
        (self.workspace / "attempts.sh").write_text("\n".join(tried))
        result = self.run("bash attempts.sh")
        assert result["guarantees"]["level"] == "landlock"
        answers = result["stdout"].splitlines()
        assert len(answers) == len(attempts)
        return [
            f"{attempt}: {answer}"
            for attempt, answer in zip(attempts, answers, strict=True)
            if answer.startswith("0") or not any(words in answer for words in REFUSALS)
        ]


@pytest.fixture(params=["self", "nobody"])
def scene(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Scene]:
    parent = next(folder for folder in VISIBLE if os.access(folder, os.W_OK))
    with somebody(request.param, tmp_path) as user, tempfile.TemporaryDirectory(dir=parent) as place:
        owner = user.place.stat()
        os.chown(place, owner.st_uid, owner.st_gid)
        yield Scene(User(Path(place), user._prefix, user._python))


def test_work_in_the_workspace_is_work_as_usual(scene: Scene) -> None:
    work = f"""
    mkdir sub && echo one > sub/a && mv sub/a b && ln b c && rm c && cat b
    {GIT} init -q && {GIT} add . && {GIT} commit -qm first && git log --oneline | wc -l
    python3 -c 'import subprocess; print(subprocess.check_output(["echo", "child"], text=True).strip())'
    mktemp -d > where && touch "$(cat where)/x" && sort b > /dev/null && echo "$TMPDIR"
    """
    result = scene.run(work)
    one, count, child, folder = result["stdout"].split()
    assert (result["exit_code"], result["error"], one, count, child) == (0, None, "one", "1", "child")
    assert not os.path.exists(folder)
    assert (scene.workspace / "where").read_text().startswith(folder)


def test_nothing_outside_can_be_written_or_removed(scene: Scene) -> None:
    file = scene.outside / "file"
    still = scene.not_refused(
        f"echo x > {file}",
        f"echo x >> {file}",
        f"python3 -c 'import os; os.truncate(\"{file}\", 0)'",
        f"rm {file}",
        f"mv {file} here",
        f"ln {file} here && echo x > here",
        f"ln -s {file} link && echo x > link",
        f"echo x > {scene.outside}/new",
        f"mkdir {scene.outside}/new",
        f"echo x > /proc/self/root{file}",
        f"echo x > {scene.user.place}/new",
        "echo x > /tmp/new-file-of-a-test",
        "echo x > /var/tmp/new-file-of-a-test",
        "echo x > /dev/shm/new-file-of-a-test",
    )
    assert still == []
    assert file.read_text() == "as it was\n"
    assert sorted(os.listdir(scene.outside)) == ["file"]


def test_secrets_and_the_files_of_others_commands_cannot_be_read(scene: Scene) -> None:
    assert scene.run("cat ../notes")["stdout"] == "mine\n"
    still = scene.not_refused(
        "cat ../.ssh/id_rsa",
        "cd .. && cat .ssh/id_rsa",
        "ln -s ../.ssh s && cat s/id_rsa",
        "cp -r ../.ssh here",
        "cat /etc/shadow",
        'cat "$HOME"/state/audit.db',
        "cat /proc/self/root$HOME/.ssh/id_rsa",
    )
    assert still == []
    names = scene.run("ls ../.ssh")["stdout"]  # as the notes say
    assert names == "id_rsa\n"


def test_without_network_there_is_no_socket_of_it(scene: Scene) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {port})); print(1)'"
        datagram = "python3 -c 'import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)'"
        assert scene.not_refused(connect, datagram) == []
        assert scene.run(connect, "--network", "on")["stdout"] == "1\n"


def test_other_processes_can_be_neither_signalled_nor_looked_into(scene: Scene) -> None:
    with scene.user.start(scene.user.program("import time; print(1, flush=True); time.sleep(30)")) as victim:
        assert victim.stdout is not None
        victim.stdout.readline()
        still = scene.not_refused(
            f"cat /proc/{victim.pid}/environ",
            f"cat /proc/{victim.pid}/maps",
            f"head -c1 /proc/{victim.pid}/mem",
            f"cat /proc/{victim.pid}/fd/1",
            f"cat /proc/{victim.pid}/cwd/notes",
            f"kill -9 {victim.pid}",
        )
        assert (still, victim.poll()) == ([], None)
        victim.kill()


def test_a_command_has_no_rights_and_gains_none(scene: Scene) -> None:
    status = scene.run("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status")["stdout"].split()
    nothing = "0" * 16
    assert status[1:10:2] == [nothing, nothing, nothing, status[7], nothing]
    assert status[7] == nothing or os.geteuid() != 0 or scene.user.place.stat().st_uid != 0
    assert status[11::2] == ["1", "2"]
    touch = "python3 -c 'import os; os.open(\"/proc/sys/kernel/printk\", os.O_WRONLY)'"
    assert scene.not_refused("unshare -U true", "unshare -m true", touch) == []


SYSTEM_V = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for made in (libc.msgget(0, 0o1600), libc.shmget(0, 4096, 0o1600), libc.semget(0, 1, 0o1600)):
    print(made, os.strerror(ctypes.get_errno()))
"""


def test_nothing_of_system_v_is_shared_with_the_machine(scene: Scene) -> None:
    (scene.workspace / "shared.py").write_text(SYSTEM_V)
    assert scene.run("python3 shared.py")["stdout"] == "-1 Operation not permitted\n" * 3


def test_the_guarantees_say_what_holds_and_what_does_not(scene: Scene) -> None:
    held = scene.run("true")["guarantees"]
    assert (held["level"], held["backend"], held["network"]) == ("landlock", "landlock", "off")
    assert (held["files_written_only_in"], held["secrets_hidden"]) == ([str(scene.workspace)], True)
    told = " ".join(held["notes"])
    assert all(words in told for words in ("mode, times", "unix sockets", "names of hidden", "/dev/shm", "TMPDIR"))
    assert scene.run("true", "--network", "on")["guarantees"]["network"] == "open"


def test_what_the_notes_leave_open_is_open(scene: Scene) -> None:
    """So that nobody promises more, and the notes are mended where the kernel learns it."""
    assert scene.run(f"chmod 600 {scene.outside}/file && stat -c %a {scene.outside}/file")["stdout"] == "600\n"
    path = str(scene.outside / "socket")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        os.chmod(path, 0o777)
        server.listen()
        connect = f"python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"{path}\"); print(1)'"
        assert scene.run(connect)["stdout"] == "1\n"


def test_a_secret_in_the_workspace_is_not_said_to_be_hidden(scene: Scene) -> None:
    home = {"HOME": str(scene.workspace)}
    scene.run("mkdir .aws && echo key > .aws/credentials")
    held = scene.run("cat .aws/credentials", env=home)["guarantees"]
    assert held["secrets_hidden"] is False
    assert any(f"{scene.workspace}/.aws" in note for note in held["notes"])
    refused = scene.run("true", "--require", "secrets", env=home)
    assert (refused["outcome"], "cannot guarantee secrets" in refused["error"]) == ("not_started", True)


def test_grants_open_what_they_name(scene: Scene) -> None:
    write = {"LIMPET_SANDBOX_WRITE": str(scene.outside)}
    assert scene.run(f"echo x > {scene.outside}/file", env=write)["exit_code"] == 0
    pool = "python3 -c 'import multiprocessing as m; m.Lock(); print(1)'"
    assert scene.run(pool)["exit_code"] != 0
    assert scene.run(pool, env={"LIMPET_SANDBOX_WRITE": "/dev/shm"})["stdout"] == "1\n"


def test_what_runs_later_is_taken_out_where_new_and_told_where_changed(scene: Scene) -> None:
    scene.run(f"{GIT} init -q")
    before = (scene.workspace / ".git/config").read_text()
    harm = "echo '[core]fsmonitor=x' >> .git/config; echo x > .git/hooks/pre-commit; echo x > .envrc"
    told = scene.run(harm)["error"]
    assert not (scene.workspace / ".git/hooks/pre-commit").exists()
    assert not (scene.workspace / ".envrc").exists()
    kept = [part.split(" kept in ")[1].split(" (")[0] for part in told.split("; ") if " kept in " in part]
    contents = {Path(path).name: Path(path).read_text() for path in kept}
    assert contents == {".envrc": "x\n", "pre-commit": "x\n", "config": before}
    assert ".git/config was changed" in told


def test_nothing_is_put_into_or_taken_from_where_a_link_leads(scene: Scene) -> None:
    theirs = scene.outside / "repository"
    (theirs / "hooks").mkdir(parents=True)
    (theirs / "config").write_text("[core]\n\tfsmonitor = theirs\n")
    (theirs / "hooks" / "pre-commit").write_text("theirs\n")
    told = scene.run(f"ln -s {theirs} .git")["error"]
    assert (theirs / "config").read_text() == "[core]\n\tfsmonitor = theirs\n"
    assert (theirs / "hooks" / "pre-commit").exists()
    assert (os.path.lexists(scene.workspace / ".git"), told.count("taken out")) == (False, 1)


def test_limits_hold_as_well(scene: Scene) -> None:
    result = scene.run("ulimit -n; for i in $(seq 20); do :; done", "--open-files", "32", "--cpu", "3")
    assert (result["stdout"], set(result["guarantees"]["limits"]) >= {"open_files", "cpu"}) == ("32\n", True)


@pytest.mark.parametrize("who", ["client", "keeper"])
def test_its_folder_is_gone_also_after_a_kill(scene: Scene, who: str) -> None:
    command = 'mkdir -p $TMPDIR/a/b && chmod 0 $TMPDIR/a/b && echo "$TMPDIR $PPID" > where; sleep 30'
    with scene.user.start(
        scene.user.limpet("run", "--sandbox", "landlock", "--workspace", str(scene.workspace), "--", command)
    ) as running:
        where = scene.workspace / "where"
        wait_for(lambda: where.exists() and where.read_text().endswith("\n"), 20)
        folder, keeper = where.read_text().split()
        assert os.path.isdir(folder)
        os.kill(running.pid if who == "client" else int(keeper), signal.SIGKILL)
        running.communicate(timeout=20)
    assert wait_for(lambda: not os.path.exists(folder), 5)


def test_a_folder_that_nobody_owns_any_more_is_swept(workspace: Path) -> None:
    left = Path("/tmp/limpet-999999999-1-1")
    (left / "deep").mkdir(parents=True)
    assert sync.run("true", workspace=workspace, sandbox="landlock").ok
    assert not left.exists()


def test_one_folder_serves_one_command(workspace: Path) -> None:
    with sync.open(workspace, sandbox="landlock") as shell:
        for _ in range(3):
            result = shell.run("ls -A $TMPDIR; touch $TMPDIR/x; mkdir $TMPDIR/d; ln -s / $TMPDIR/root")
            assert (result.ok, result.stdout) == (True, "")


def test_a_folder_deeper_than_any_path_is_removed(workspace: Path) -> None:
    dig = "import os\nos.chdir(os.environ['TMPDIR'])\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')"
    result = sync.run(f'python3 -c "{dig}"; echo $TMPDIR', workspace=workspace, sandbox="landlock")
    assert result.ok
    folder = Path(result.stdout.strip())  # the next command's by now, or nobody's
    assert wait_for(lambda: not folder.exists() or not any(folder.iterdir()), 10)


@pytest.fixture
def apart() -> Iterator[Path]:
    """Not beside the folders of all other tests, of which there are thousands."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


def test_folders_around_secrets_are_opened_up(apart: Path) -> None:
    for name in ("a/secret", "a/plain", "b/c/deep/secret", "b/c/plain", "d"):
        (apart / name).mkdir(parents=True)
    (apart / "link").symlink_to("a")
    shown = opened.around([str(apart / "a/secret"), str(apart / "b/c/deep"), str(apart / "none/such")])
    inside = [path.removeprefix(f"{apart}/") for path in shown.paths if path.startswith(f"{apart}/")]
    assert (inside, shown.too_full) == (["a/plain", "b/c/plain", "d"], ())
    assert "/usr" in shown.paths


def test_of_a_folder_with_too_much_in_it_nothing_is_shown(apart: Path) -> None:
    for number in range(4097):
        (apart / str(number)).touch()
    shown = opened.around([str(apart / "7")])
    assert shown.too_full == (str(apart),)
    assert not any(path.startswith(str(apart)) for path in shown.paths)
