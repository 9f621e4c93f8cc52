"""`limpet init` puts limpet into the files of agent programs, touches nothing else, and takes it out again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from install.agentfiles import claude, expected, line, server
from limpet import sync
from limpet.surfaces.cli.main import run_cli
from terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable

    from commandline import Cli

    Init = Callable[..., subprocess.CompletedProcess[str]]

AGENTS = ("claude", "codex", "gemini", "qwen", "copilot", "cursor", "opencode")


def home() -> Path:
    return Path(os.environ["HOME"])


@pytest.fixture(autouse=True)
def _no_other_places(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def init(workspace: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Init:
    """`limpet init`, standing in the workspace; within this process, since it is called often."""
    monkeypatch.chdir(workspace)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        status = run_cli(["init", *words])
        out, err = capsys.readouterr()
        return subprocess.CompletedProcess(words, status, out, err)

    return run


def read(file: Path) -> Any:
    text = file.read_text()
    if file.suffix == ".js":
        return next(line for line in text.splitlines() if line.startswith("const HOOK"))
    return tomllib.loads(text) if file.suffix == ".toml" else json.loads(text)


def everything(folder: Path) -> dict[str, bytes | None]:
    """All that is there, but for what the test environment itself put there."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
        if not path.relative_to(folder).parts[0].startswith(("xdg_", "state"))
    }


@pytest.mark.parametrize("agent", AGENTS)
def test_it_writes_exactly_what_the_agent_reads_and_takes_all_of_it_back(agent: str, init: Init) -> None:
    before = everything(home())
    assert init(agent, "--hook", "--mcp", "--yes").returncode == 0
    made = {name: read(home() / name) for name, data in everything(home()).items() if data is not None}
    assert made == expected(agent)
    again = init(agent, "--hook", "--mcp", "--yes")
    assert (again.returncode, again.stdout) == (0, "")
    assert "already" in again.stderr
    assert init(agent, "--undo", "--yes").returncode == 0
    assert everything(home()) == before


@pytest.mark.parametrize("agent", AGENTS)
def test_no_command_takes_it_out_of_a_project_unasked(agent: str, init: Init, workspace: Path) -> None:
    before = everything(workspace)
    parts = ("--hook",) if agent == "copilot" else ("--hook", "--mcp")
    assert init(agent, "--project", *parts, "--yes").returncode == 0
    made = {name: data for name, data in everything(workspace).items() if data is not None and name not in before}
    assert made
    for name, data in made.items():
        for command in (f"echo x > {name}", f"rm {name}", f"mv x {name}", f"rm -rf {Path(name).parent}"):
            assert limpet.check(command, workspace=workspace).verdict != "allow", command
        code = f"open({name!r}, 'w').close()"
        command = f'python3 -c "{code}" 2>/dev/null; unlink {name}'
        sync.run(command, workspace=workspace, sandbox="native", approver="yes")
        assert (workspace / name).read_bytes() == data


def test_in_a_project_programs_go_by_their_names(init: Init, workspace: Path) -> None:
    before = everything(workspace)
    assert init("claude", "--project", "--hook", "--mcp", "--yes").returncode == 0
    assert read(workspace / ".claude/settings.json") == claude(line("claude", "limpet-hook"))
    assert read(workspace / ".mcp.json") == {"mcpServers": {"limpet": {"type": "stdio", **server("limpet")}}}
    assert everything(home()) == {}
    assert init("claude", "--project", "--undo", "--yes").returncode == 0
    assert everything(workspace) == before


def test_wrap_is_a_prefix_for_claude_an_option_elsewhere_and_refused_where_it_does_nothing(init: Init) -> None:
    init("claude", "--wrap", "--yes")
    assert read(home() / ".claude/settings.json") == {
        "env": {"CLAUDE_CODE_SHELL_PREFIX": f"{sys.executable} -Pm limpet wrap"}
    }
    init("codex", "--wrap", "--yes")
    assert line("codex", options=" --wrap") in (home() / ".codex/hooks.json").read_text().replace("\\", "")
    refused = init("qwen", "--wrap", "--yes")
    assert (refused.returncode, "--wrap does nothing there" in refused.stderr) == (2, True)


def test_another_prefix_is_not_replaced(init: Init) -> None:
    file = home() / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text('{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/log.sh"}}')
    done = init("claude", "--wrap", "--yes")
    assert (done.returncode, "'/opt/log.sh'" in done.stderr) == (125, True)
    assert file.read_text() == '{"env": {"CLAUDE_CODE_SHELL_PREFIX": "/opt/log.sh"}}'


OTHERS = """\
{
    // what I like
    "model": "opus",   /* the big one */
    "hooks": {
        "PreToolUse": [
            {"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]} // formats
        ],
        "Stop": []
    },
    "unknown": [1, 2.50, 1e3, "\\u00e9é", null],
}
"""


def test_comments_unknown_keys_and_layout_stay(init: Init) -> None:
    file = home() / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text(OTHERS)
    file.chmod(0o640)
    done = init("claude", "--yes")
    added = [line[1:] for line in done.stdout.splitlines() if line.startswith("+")][1:]
    removed = [line[1:] for line in done.stdout.splitlines() if line.startswith("-")][1:]
    assert removed == ['            {"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]} // formats']
    assert added[0] == '            {"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}, // formats'
    assert (added[1], added[-1]) == ("            {", "            }")
    assert file.stat().st_mode & 0o777 == 0o640
    init("claude", "--undo", "--yes")
    assert file.read_text() == OTHERS


def test_a_link_stays_a_link(init: Init, tmp_path: Path) -> None:
    real, link = tmp_path / "dotfiles.json", home() / ".gemini/settings.json"
    real.write_text("{}")
    link.parent.mkdir()
    link.symlink_to(real)
    init("gemini", "--yes")
    assert (link.is_symlink(), "limpet-hook" in real.read_text()) == (True, True)
    init("gemini", "--undo", "--yes")
    assert (link.is_symlink(), real.read_text()) == (True, "{}")


@pytest.mark.parametrize(("agent", "file"), [("gemini", ".gemini/settings.json"), ("codex", ".codex/config.toml")])
def test_what_was_added_to_the_server_by_hand_stays(init: Init, agent: str, file: str) -> None:
    init(agent, "--mcp", "--yes")
    place = home() / file
    text = place.read_text().replace('[\n        "mcp"\n      ]', '["mcp"],\n      "trust": true')
    place.write_text(text.replace('args = ["mcp"]\n', 'args = ["mcp"]\ntrust = true\n'))
    assert "nothing to do" in init(agent, "--mcp", "--yes").stderr
    place.write_text(place.read_text().replace('["mcp"]', '["mcp", "--structured"]'))
    init(agent, "--mcp", "--yes")
    servers = read(place).get("mcpServers") or read(place)["mcp_servers"]
    assert servers == {"limpet": {**server(), "trust": True}}


def test_a_folder_where_the_file_belongs_is_left_alone(init: Init) -> None:
    (home() / ".claude/settings.json").mkdir(parents=True)
    done = init("claude", "--yes")
    assert (done.returncode, "settings.json: is not a regular file; nothing was changed" in done.stderr) == (125, True)


@pytest.mark.parametrize("text", ["{", '{"a" 1}', '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', "[]", "{} x", "é{"])
def test_what_cannot_be_read_is_not_touched(init: Init, text: str) -> None:
    file = home() / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text(text)
    for words in (["--yes"], ["--dry-run"], ["--mcp", "--hook", "--yes"]):
        done = init("claude", *words)
        assert (done.returncode, f"{file}: " in done.stderr, "nothing was changed" in done.stderr) == (125, True, True)
    assert everything(home()) == {".claude": None, ".claude/settings.json": text.encode()}


@pytest.mark.parametrize(
    "text", ["mcp_servers = {x = {command = 'y'}}\n", "[[mcp_servers]]\n", "a = \n", "mcp_servers = 3\n"]
)
def test_toml_that_cannot_take_it_is_not_touched(init: Init, text: str) -> None:
    file = home() / ".codex/config.toml"
    file.parent.mkdir()
    file.write_text(text)
    assert init("codex", "--mcp", "--yes").returncode == 125
    assert file.read_text() == text


def test_toml_keeps_its_comments_and_comes_back(init: Init) -> None:
    text = '# mine\r\nmodel = "x" # y\r\n\r\n[mcp_servers.other]\r\ncommand = "z"'
    file = home() / ".codex/config.toml"
    file.parent.mkdir()
    file.write_bytes(text.encode())
    init("codex", "--mcp", "--yes")
    assert file.read_bytes().startswith(text.encode())
    assert read(file)["mcp_servers"] == {"other": {"command": "z"}, "limpet": server()}
    init("codex", "--undo", "--yes")
    assert file.read_bytes() == text.encode()


def test_nothing_is_written_for_a_look_or_without_a_yes(init: Init) -> None:
    assert init("claude", "--dry-run").stdout.startswith("--- /dev/null\n+++ ")
    done = init("claude")
    assert (done.returncode, "nobody to ask" in done.stderr) == (2, True)
    assert everything(home()) == {}


def test_at_a_terminal_it_asks(cli: Cli) -> None:
    for answer, written in (("n", False), ("y", True)):
        with Terminal(cli.argv("init", "codex"), cwd=cli.cwd, env=cli.environment()) as terminal:
            terminal.until(lambda text: "Do that?" in text)
            terminal.type(f"{answer}\n")
            terminal.wait()
        assert (home() / ".codex/hooks.json").exists() is written


def test_other_options_replace_the_hook_and_undo_goes_all_the_way_back(init: Init) -> None:
    file = home() / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text(OTHERS)
    init("claude", "--yes")
    init("claude", "--yes", "--on-ask", "deny")
    text = file.read_text()
    assert (text.count("limpet-hook"), "limpet-hook claude --on-ask=deny ||" in text) == (1, True)
    init("claude", "--wrap", "--yes")
    init("claude", "--undo", "--yes")
    assert file.read_text() == OTHERS


def test_what_others_changed_since_stays(init: Init) -> None:
    file = home() / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text(OTHERS)
    init("claude", "--yes")
    file.write_text(file.read_text().replace('"opus"', '"small"').replace('"Stop": []', '"Stop": [], "More": {}'))
    init("claude", "--undo", "--yes")
    assert file.read_text() == OTHERS.replace('"opus"', '"small"').replace('"Stop": []', '"Stop": [], "More": {}')


def test_a_file_that_limpet_made_and_others_wrote_into_stays(init: Init) -> None:
    file = home() / ".cursor/hooks.json"
    init("cursor", "--yes")
    file.write_text(file.read_text().replace('"version": 1', '"version": 1,\n  "mine": true'))
    init("cursor", "--undo", "--yes")
    assert read(file) == {"version": 1, "mine": True}


def test_what_cannot_be_taken_back_is_said_and_left(init: Init) -> None:
    file = home() / ".claude/settings.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"command": "limpet hook claude"}]}]}}))
    init("claude", "--yes")  # in place of one that was there
    file.write_text(json.dumps(read(file), indent=4))  # written anew by another program
    text = file.read_text()
    done = init("claude", "--undo", "--yes")
    assert (done.returncode, "take it out by hand" in done.stderr, file.read_text()) == (125, True, text)


@pytest.mark.parametrize("agent", ["claude", "gemini", "qwen", "copilot", "cursor"])
def test_what_the_program_itself_wrote_anew_is_taken_out_all_the_same(init: Init, agent: str) -> None:
    """As Claude Code and Qwen Code do with their own files, in every session."""
    init(agent, "--hook", "--mcp", "--yes")
    for name in expected(agent):
        (home() / name).write_text(json.dumps({"first": 1, **read(home() / name), "last": [1]}, indent=4))
    assert init(agent, "--undo", "--yes").returncode == 0
    left = {
        name: {key: value for key, value in read(home() / name).items() if key != "version"} for name in expected(agent)
    }
    assert left == {name: {"first": 1, "last": [1]} for name in expected(agent)}


def test_there_is_nothing_to_undo_where_nothing_was_done(init: Init) -> None:
    done = init("gemini", "--undo", "--yes")
    assert (done.returncode, done.stdout, "nothing to do" in done.stderr) == (0, "", True)


def test_a_hook_that_is_not_there_is_not_written(cli: Cli, tmp_path: Path) -> None:
    """From a tree that was never installed: every command of the agent would be refused."""
    bare = tmp_path / "python"
    bare.symlink_to(os.path.realpath(sys.executable))
    places = os.pathsep.join([cli.environment()["PYTHONPATH"], *(path for path in sys.path if "site-packages" in path)])
    words = [str(bare), "-m", "limpet", "init", "claude", "--yes"]
    environ = cli.environment({"PYTHONPATH": places, "PATH": "/usr/bin:/bin"})
    done = subprocess.run(words, cwd=cli.cwd, env=environ, capture_output=True, text=True, timeout=60)
    assert (done.returncode, "install limpet there first" in done.stderr, everything(home())) == (2, True, {})
