"""Whatever goes wrong with a hook, the command does not run: agents let it run unless the hook says no in time."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from hooks.agentevents import AGENTS, denied, event, sent
from limpet.surfaces.hooks.core import answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from commandline import Cli

HARMLESS = "ls"


def refused(done: subprocess.CompletedProcess[bytes], agent: str = "claude") -> str:
    """What was said by a hook that said no; on stdout there is the agent's form of it, or nothing."""
    assert done.returncode == 2, done
    assert done.stdout == b"" or denied(agent, done.stdout)
    assert b"so it was not run" in done.stderr
    assert b"Traceback" not in done.stderr
    return done.stderr.decode()


GARBAGE = (
    b'{"a":' * 50_000 + b"1" + b"}" * 50_000, b"\0", b"{}\0", b'{"hook_event_name": "PreToolUse"}' * 2,
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"a": "\\ud800"}', b"[" * 100_000, b"{}", b'{"hook_event_name": 3}',
)  # fmt: skip


@pytest.mark.parametrize("agent", AGENTS)
def test_garbage_is_a_no(agent: str) -> None:
    for garbage in GARBAGE:
        status, out, err = answer([agent], garbage, os.environ)[0]
        assert (garbage, status, denied(agent, out), b"so it was not run" in err) == (garbage, 2, True, True)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_part_of_the_wrong_kind_is_a_no(agent: str, workspace: Path) -> None:
    good = event(agent, HARMLESS, str(workspace))
    ignored = {
        "session_id", "transcript_path", "permission_mode", "tool_use_id", "turn_id", "model", "timestamp", "sessionId",
        "conversation_id", "generation_id",
    }  # fmt: skip
    for key in set(good) - ignored:
        for wrong in (7, True, [7]):
            status, out, _ = answer([agent], json.dumps({**good, key: wrong}).encode(), os.environ)[0]
            assert (key, wrong, status, denied(agent, out)) == (key, wrong, 2, True)


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "qwen", "cursor"])
def test_an_event_that_is_not_known_is_a_no(agent: str, workspace: Path) -> None:
    question = {**event(agent, HARMLESS, str(workspace)), "hook_event_name": "BeforeLunch"}
    status, out, err = answer([agent], json.dumps(question).encode(), os.environ)[0]
    assert (status, denied(agent, out), b"BeforeLunch" in err) == (2, True, True)


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize(("name", "text"), [("policy.toml", "[[rule]\n"), ("config.toml", "[run]\ntimeout = -1\n")])
def test_a_broken_file_of_rules_or_settings_is_a_no(agent: str, name: str, text: str, workspace: Path) -> None:
    file = os.path.join(os.environ["XDG_CONFIG_HOME"], "limpet", name)
    os.makedirs(os.path.dirname(file))
    with open(file, "w") as opened:
        opened.write(text)
    status, out, err = answer([agent], sent(agent, HARMLESS, workspace), os.environ)[0]
    assert (status, denied(agent, out), f"{name}:".encode() in err) == (2, True, True)


@pytest.mark.parametrize(
    "arguments", [["nobody"], [], ["claude", "--wrong"], ["claude", "--on-ask"], ["claude", "--on-ask=perhaps"]]
)
def test_a_wrong_command_line_is_a_no(arguments: list[str], workspace: Path) -> None:
    status, _, err = answer(arguments, sent("claude", HARMLESS, workspace), os.environ)[0]
    assert (status, b"so it was not run" in err) == (2, True)


def run_hook(cli: Cli, stdin: bytes, **more: object) -> subprocess.CompletedProcess[bytes]:
    words = cli.argv("hook", "claude")
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        words, input=stdin, capture_output=True, timeout=30, cwd=cli.cwd, env=cli.environment(), **more
    )


def test_more_than_any_command_is_a_no(cli: Cli, workspace: Path) -> None:
    assert "16 MiB" in refused(run_hook(cli, sent("claude", "#" * (17 << 20), workspace)))


@pytest.mark.parametrize("agent", AGENTS)
def test_a_host_without_home_paths_or_room_changes_no_answer(agent: str, cli: Cli, workspace: Path) -> None:
    """Neither files to write, nor memory worth the name, nor a folder to stand in."""
    (workspace / "gone").mkdir()

    def poor() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
        resource.setrlimit(resource.RLIMIT_NOFILE, (16, 16))
        os.chdir(workspace / "gone")
        os.rmdir(workspace / "gone")

    own = {"PYTHONPATH": cli.environment()["PYTHONPATH"], "LIMPET_STATE_DIR": "/proc/none"}
    words = [sys.executable, "-c", "from limpet.surfaces.hooks.client import run; run(['" + agent + "'])"]
    done = subprocess.run(
        words, input=sent(agent, "rm -rf /", workspace), capture_output=True, timeout=30, cwd=workspace, env=own,
        preexec_fn=poor,
    )  # fmt: skip
    assert (done.returncode, denied(agent, done.stdout)) == (2, True)


def test_a_long_command_is_answered_one_way_or_the_other(cli: Cli, workspace: Path) -> None:
    began = time.monotonic()
    done = run_hook(cli, sent("claude", "echo x;\n" * (1 << 15), workspace))
    assert done.returncode in (0, 2)
    assert time.monotonic() - began < 20


@pytest.mark.parametrize(
    "code", ["import os; os.abort()", "import os; os._exit(0)", "raise MemoryError", "while True: pass"]
)
def test_a_judge_that_crashes_or_hangs_is_a_no(code: str, cli: Cli, workspace: Path, tmp_path: Path) -> None:
    (tmp_path / "msgspec.py").write_text(code)  # nothing can be judged without it
    path = os.pathsep.join([str(tmp_path), cli.environment()["PYTHONPATH"]])
    done = cli.raw("hook", "claude", stdin=sent("claude", HARMLESS, workspace), env={"PYTHONPATH": path})
    assert (done.returncode, done.stdout, b"so it was not run" in done.stderr) == (2, b"", True)


@pytest.mark.parametrize("closed", [0, 1])
def test_a_closed_stream_is_a_no(closed: int, cli: Cli, workspace: Path) -> None:
    done = run_hook(cli, sent("claude", HARMLESS, workspace), preexec_fn=lambda: os.close(closed))
    assert f"closed descriptor {closed}" in refused(done)


def test_without_stderr_the_status_says_it(cli: Cli, workspace: Path) -> None:
    done = run_hook(cli, sent("claude", "rm -rf /", workspace), preexec_fn=lambda: os.close(2))
    assert (done.returncode, denied("claude", done.stdout)) == (2, True)


def test_an_agent_that_ignores_the_end_of_its_children_is_answered(cli: Cli, workspace: Path) -> None:
    ignored = {"preexec_fn": lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)}
    assert run_hook(cli, sent("claude", HARMLESS, workspace), **ignored).returncode == 0
    assert run_hook(cli, sent("claude", "rm -rf /", workspace), **ignored).returncode == 2


def test_input_that_comes_late_on_a_stream_that_does_not_block_is_waited_for(cli: Cli, workspace: Path) -> None:
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    with ours, subprocess.Popen(
        cli.argv("hook", "codex"), stdin=theirs.fileno(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=cli.cwd, env=cli.environment(),
    ) as hook:  # fmt: skip
        theirs.close()
        time.sleep(0.5)
        ours.sendall(sent("codex", "rm -rf /", workspace))
        ours.shutdown(socket.SHUT_WR)
        assert b"Denied by floor.delete" in hook.communicate(timeout=30)[1]


def test_nobody_to_read_the_answer_is_a_no(cli: Cli, workspace: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        cli.argv("hook", "claude"), input=sent("claude", HARMLESS, workspace), stdout=write, stderr=subprocess.PIPE,
        timeout=30, cwd=cli.cwd, env=cli.environment(),
    )  # fmt: skip
    os.close(write)
    assert (done.returncode, b"so it was not run" in done.stderr) == (2, True)


def test_input_that_never_ends_is_a_no_within_the_deadline(cli: Cli) -> None:
    """Even for an agent that blocks the signal of the deadline."""
    with subprocess.Popen(
        cli.argv("hook", "codex"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=cli.cwd, env=cli.environment(),
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM]),  # noqa: PLW1509 - no thread here
    ) as hook:  # fmt: skip
        assert hook.stderr is not None
        assert hook.wait(timeout=30) == 2
        assert b"no judgement within 2 s" in hook.stderr.read()


@pytest.mark.parametrize("line", ["/there/is/none claude || exit 2", "sh -c 'kill -SEGV $$' claude || exit 2"])
def test_as_it_is_installed_a_missing_or_crashing_limpet_is_a_no(line: str) -> None:
    done = subprocess.run(["sh", "-c", line], input=b"{}", capture_output=True, timeout=30)
    assert (done.returncode, done.stdout) == (2, b"")


FUSE_INIT, FUSE_HEADER = 26, struct.Struct("<IIQQIIII")


@pytest.fixture
def dead_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system that answers nothing, as a disk or a server that is gone."""
    place = tmp_path / "dead"
    place.mkdir()
    try:
        device = os.open("/dev/fuse", os.O_RDWR)
    except OSError:
        pytest.skip("there is no /dev/fuse here")
    options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}"
    words = ["mount", "-i", "-t", "fuse", "-o", options, "limpet-test", str(place)]
    if subprocess.run(words, pass_fds=[device], capture_output=True).returncode:
        os.close(device)
        pytest.skip("nothing can be mounted here")
    threading.Thread(target=_only_begin, args=(device,), daemon=True).start()
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)
    os.close(device)  # whoever waited for it gets an error


def _only_begin(device: int) -> None:
    """Answer the first request, which makes it a file system; no other."""
    with contextlib.suppress(OSError):
        _, _, unique, *_ = FUSE_HEADER.unpack(os.read(device, 1 << 17)[: FUSE_HEADER.size])
        body = struct.pack("<IIIIHHII32x", 7, 31, 0, 0, 12, 9, 4096, 1)
        os.write(device, struct.pack("<IiQ", 16 + len(body), 0, unique) + body)


def test_a_disk_that_does_not_answer_is_a_no_within_the_deadline(cli: Cli, workspace: Path, dead_disk: Path) -> None:
    with subprocess.Popen(
        cli.argv("hook", "gemini"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        cwd=cli.cwd, env=cli.environment({"XDG_CONFIG_HOME": str(dead_disk)}), start_new_session=True,
    ) as hook:  # fmt: skip
        said = hook.communicate(sent("gemini", HARMLESS, workspace), timeout=30)[1]
        assert (hook.returncode, b"is a disk slow" in said or b"within 2 s" in said) == (2, True)
