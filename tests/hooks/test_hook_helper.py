"""The process that stays answers as the hook itself would; one that answers oddly is not believed."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commandline import Cli
from hooks.agentevents import AGENTS, event, sent
from limpet.surfaces.hooks.client import ask_helper
from limpet.surfaces.hooks.core import answer
from limpet.surfaces.hooks.wire import helper_name, packed_answer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.surfaces.hooks.wire import Answer

PATIENCE = 30.0


def place() -> Path:
    return Path(os.environ["LIMPET_STATE_DIR"]) / "helper" / helper_name()


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def helpers(folder: Path) -> list[int]:
    """Processes that listen in that folder, and their children."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            words = (each / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if os.fsencode(folder) in words and b"limpet.surfaces.hooks.helper" in b"".join(words):
            found.append(int(each.name))
    return found


def end(folder: Path) -> None:
    """End what listens there, and what is just about to."""

    def none_left() -> bool:
        found = helpers(folder)
        for pid in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return not found

    until(none_left)


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The state directory of one that was started as it is for everybody: by the first call."""
    state, cli = tmp_path_factory.mktemp("state"), Cli(tmp_path_factory.mktemp("work"))
    own = {"LIMPET_HOOKS_HELPER": "60", "LIMPET_STATE_DIR": str(state), "HOME": str(state)}
    assert cli.raw("hook", "claude", stdin=sent("claude", "ls", cli.cwd), env=own).returncode == 0
    until((state / "helper" / helper_name()).is_socket)
    yield state
    end(state / "helper")


@pytest.fixture
def helper(standing: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Its socket, where the hooks of this test look for it."""
    monkeypatch.setenv("LIMPET_STATE_DIR", str(standing))
    return place()


def asked(arguments: list[str], question: bytes) -> Answer:
    """What it says, sooner or later: on a busy machine hooks do not wait for it."""
    end = time.monotonic() + PATIENCE
    while (said := ask_helper(arguments, question)) is None:
        assert time.monotonic() < end
    return said


COMMANDS = st.one_of(
    st.sampled_from(["ls", "git push", "rm -rf /", "cd src && make", "echo $(curl x)", "python3 -c 'print(1)'", ""]),
    st.text(max_size=30),
    st.lists(st.sampled_from(["rm", "-rf", "/", "~", "$HOME", ";", "&&", "'", "sudo", "x", "|", "sh", "\n"])).map(
        " ".join
    ),
)


@pytest.mark.usefixtures("helper")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    agent=st.sampled_from(AGENTS),
    command=COMMANDS,
    options=st.lists(st.sampled_from(["--wrap", "--on-ask=deny", "--on-allow=pass", "--wrong"]), max_size=2),
    profile=st.sampled_from([None, "strict", "read-only", "there-is-none"]),
    home=st.sampled_from([None, "/home/somebody", "/"]),
)
def test_the_answers_are_those_of_the_hook_itself(
    workspace: Path, agent: str, command: str, options: list[str], profile: str | None, home: str | None
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        if profile:
            patch.setenv("LIMPET_POLICY_PROFILE", profile)
        if home:
            patch.setenv("HOME", home)
        question = json.dumps(event(agent, command, str(workspace))).encode()
        assert asked([agent, *options], question) == answer([agent, *options], question, os.environ)[0]


@pytest.mark.usefixtures("helper")
def test_a_rule_written_since_holds(workspace: Path) -> None:
    question = sent("codex", "ls", workspace)
    assert asked(["codex"], question) == (0, b"", b"")
    rules = Path(os.environ["XDG_CONFIG_HOME"], "limpet", "policy.toml")
    rules.parent.mkdir()
    rules.write_text('[[rule]]\nname = "no-ls"\nverdict = "deny"\npattern = "ls"\nreason = "is slow here"\n')
    told = asked(["codex"], question)
    assert (told[0], b"Denied by no-ls" in told[2]) == (2, True)
    rules.write_text("[[rule]\n")
    told = asked(["codex"], question)
    assert (told[0], b"policy.toml:1" in told[2]) == (2, True)


@pytest.mark.usefixtures("helper")
def test_many_can_ask_at_once(workspace: Path) -> None:
    question, answers = sent("claude", "rm -rf /", workspace), []
    threads = [
        threading.Thread(target=lambda: answers.append(asked(["claude"], question)), daemon=True) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    expected = answer(["claude"], question, os.environ)[0]
    assert answers == [expected] * len(threads)


def test_it_is_private_and_there_is_one(helper: Path, cli: Cli, workspace: Path) -> None:
    assert (helper.stat().st_mode & 0o777, helper.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    mine = helper.stat().st_ino
    words = "import sys; from limpet.surfaces.hooks.helper import main; main(sys.argv[1:])"
    second = [sys.executable, "-c", words, str(helper.parent), "60"]
    assert subprocess.run(second, env=cli.environment(), timeout=PATIENCE).returncode == 0
    assert helper.stat().st_ino == mine


@pytest.mark.parametrize("idle", ["0.5", "60"])
def test_it_ends_when_nobody_calls_or_its_socket_is_gone(cli: Cli, workspace: Path, idle: str) -> None:
    cli.raw("hook", "claude", stdin=sent("claude", "ls", workspace), env={"LIMPET_HOOKS_HELPER": idle})
    until(lambda: bool(helpers(place().parent)))
    if idle == "60":
        until(place().is_socket)
        place().unlink()
    until(lambda: not helpers(place().parent) and not place().exists())


ASK = """
import sys, time
from limpet.surfaces.hooks.client import ask_helper
question, end = sys.stdin.buffer.read(), time.monotonic() + float(sys.argv[1])
while not (said := ask_helper(["claude"], question)) and time.monotonic() < end:
    pass
print(said)
"""


def test_it_does_not_answer_for_a_limpet_that_was_changed_since(cli: Cli, workspace: Path, tmp_path: Path) -> None:
    copied = tmp_path / "src"
    shutil.copytree(cli.environment()["PYTHONPATH"], copied)
    env = cli.environment({"PYTHONPATH": str(copied), "LIMPET_HOOKS_HELPER": "60"})
    question = sent("claude", "ls", workspace)

    def asked_for(seconds: float) -> bytes:
        words = [sys.executable, "-c", ASK, str(seconds)]
        return subprocess.run(words, input=question, capture_output=True, env=env, timeout=2 * PATIENCE).stdout

    cli.raw("hook", "claude", stdin=question, env=env)
    assert b'"allow"' in asked_for(PATIENCE)
    words = copied / "limpet" / "surfaces" / "hooks" / "claude.py"
    text = words.read_text()
    words.unlink()  # as an installer does
    words.write_text(text.replace('"permissionDecision": reply', '"permissionDecision": "deny" or reply'))
    assert asked_for(1) == b"None\n"
    assert b'"deny"' in cli.raw("hook", "claude", stdin=question, env=env).stdout
    end(place().parent)


ODD = {
    "nothing": b"",
    "noise": b"yes, go ahead",
    "cut short": packed_answer((0, b"", b""))[:-1],
    "somebody else's": packed_answer((0, b"", b"")).replace(b"wire.py", b"fire.py"),
    "another status": packed_answer((1, b"", b"")),
    "something behind it": packed_answer((0, b"", b"")) + b"x",
}


@pytest.mark.parametrize("said", ODD.values(), ids=ODD)
def test_an_odd_answer_is_not_believed(said: bytes, workspace: Path) -> None:
    place().parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place()))
        listener.listen()
        threading.Thread(target=_answer_with, args=(listener, said), daemon=True).start()
        assert ask_helper(["claude"], sent("claude", "rm -rf /", workspace)) is None


def _answer_with(listener: socket.socket, said: bytes) -> None:
    caller, _ = listener.accept()
    with caller:
        while caller.recv(1 << 16):
            pass
        caller.sendall(said)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_somebody_else_who_listens_there_is_not_believed(workspace: Path) -> None:
    place().parent.mkdir(mode=0o700)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(place()))
    child = os.fork()
    if child == 0:
        try:
            os.setuid(65534)
            listener.listen()  # who does that is whom the kernel tells callers of
            _answer_with(listener, packed_answer((0, b"", b"")))
        finally:
            os._exit(0)
    try:
        until(lambda: b"00010000" in _sockets(place()))
        assert ask_helper(["claude"], sent("claude", "rm -rf /", workspace)) is None
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        listener.close()


def _sockets(path: Path) -> bytes:
    """What the kernel says of the sockets there."""
    return b"".join(line for line in Path("/proc/net/unix").read_bytes().splitlines() if os.fsencode(path) in line)


def test_a_helper_that_says_nothing_costs_no_answer(cli: Cli, workspace: Path) -> None:
    place().parent.mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place()))
        listener.listen()
        done = cli.raw("hook", "codex", stdin=sent("codex", "rm -rf /", workspace))
    assert (done.returncode, b"Denied" in done.stderr or b"so it was not run" in done.stderr) == (2, True)


def test_a_folder_that_others_can_write_to_is_not_asked(helper: Path, workspace: Path) -> None:
    question = sent("claude", "ls", workspace)
    assert asked(["claude"], question)
    helper.parent.chmod(0o770)
    assert ask_helper(["claude"], question) is None
    helper.parent.chmod(0o700)


def test_without_a_home_there_is_none(monkeypatch: pytest.MonkeyPatch, workspace: Path) -> None:
    for name in ("LIMPET_STATE_DIR", "XDG_STATE_HOME", "HOME"):
        monkeypatch.delenv(name)
    assert ask_helper(["claude"], sent("claude", "ls", workspace)) is None


def test_the_hook_loads_next_to_nothing(cli: Cli) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); before = set(sys.modules)\n"
        "import limpet.surfaces.hooks.client\n"
        "print(*sorted(name for name in set(sys.modules) - before if not name.startswith('limpet')))"
    )
    words = [sys.executable, "-I", "-S", "-c", program, cli.environment()["PYTHONPATH"]]
    loaded = subprocess.run(words, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout.split()
    small = {
        "_collections_abc",
        "_signal",
        "_socket",
        "_stat",
        "abc",
        "_abc",
        "binascii",
        "genericpath",
        "os",
        "os.path",
    }
    assert set(loaded) - small <= {"posixpath", "stat", "__future__"}
