"""What any bash tool must do, named as people who write one name it."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import Outcome, sync

if TYPE_CHECKING:
    from pathlib import Path

    from limpet import Result


def bash(command: str, workspace: Path, **options: object) -> Result:
    return sync.run(command, workspace=workspace, **options)  # type: ignore[arg-type]  # options are checked by limpet


@pytest.mark.req("TK-01", "CH-01", "ZE-23")
def test_bash_execute_simple_command(workspace: Path) -> None:
    result = bash("[[ hello =~ ^h ]] && a=(x y) && echo ${a[1]}", workspace)
    assert (result.ok, result.outcome, result.stdout) == (True, Outcome.EXITED, "y\n")


@pytest.mark.req("TK-02")
def test_bash_execute_captures_stdout(workspace: Path) -> None:
    result = bash("echo out", workspace)
    assert (result.stdout, result.stderr, result.output) == ("out\n", "", "out\n")


@pytest.mark.req("TK-02")
def test_bash_execute_captures_stderr(workspace: Path) -> None:
    result = bash("echo err >&2", workspace)
    assert (result.stdout, result.stderr, result.output) == ("", "err\n", "err\n")


@pytest.mark.req("CH-05", "TK-12")
def test_bash_execute_returns_exit_code(workspace: Path) -> None:
    assert bash("true", workspace).exit_code == 0


@pytest.mark.req("CH-05", "TK-12", "ZE-18")
def test_bash_execute_nonzero_exit_code(workspace: Path) -> None:
    result = bash("exit 42", workspace)
    assert (result.exit_code, result.ok, result.outcome, result.hint) == (42, False, Outcome.EXITED, None)


@pytest.mark.req("CH-01", "TU-07")
def test_bash_execute_cwd_is_workspace(workspace: Path) -> None:
    assert bash("pwd; ls numbers.txt", workspace).stdout == f"{workspace}\nnumbers.txt\n"


@pytest.mark.req("CH-03", "TK-10", "ZE-17")
def test_bash_execute_timeout_kills_process(workspace: Path) -> None:
    result = bash("echo $$; exec sleep 1000", workspace, timeout=0.3)
    assert result.signal == "SIGTERM"
    assert not os.path.exists(f"/proc/{result.stdout.strip()}")
    assert "timed out after 0.3 s" in (result.error or "")


@pytest.mark.req("CH-03", "CH-05")
def test_bash_execute_timeout_returns_timed_out_flag(workspace: Path) -> None:
    result = bash("echo so far; sleep 1000", workspace, timeout=0.3)
    assert (result.timed_out, result.exit_code, result.stdout) == (True, None, "so far\n")
    assert result.outcome is Outcome.TIMED_OUT


@pytest.mark.req("CH-04")
def test_bash_execute_long_running_completes_within_timeout(workspace: Path) -> None:
    result = bash("sleep 0.4; echo done", workspace, timeout=60)
    assert (result.ok, result.stdout) == (True, "done\n")


@pytest.mark.req("CH-03", "TU-15")
def test_bash_execute_sigterm_then_sigkill(workspace: Path) -> None:
    polite = bash("trap 'echo bye; exit 7' TERM; while :; do sleep 0.05; done", workspace, timeout=0.3)
    deaf = bash("trap '' TERM; echo deaf; while :; do sleep 0.05; done", workspace, timeout=0.3)
    assert (polite.timed_out, polite.exit_code, polite.stdout) == (True, 7, "bye\n")
    assert (deaf.timed_out, deaf.exit_code, deaf.signal, deaf.stdout) == (True, None, "SIGKILL", "deaf\n")


@pytest.mark.req("CH-06", "CH-13", "MY-07")
def test_bash_execute_truncates_long_stdout(workspace: Path) -> None:
    result = bash("printf 'x%.0s' {1..50000}", workspace)
    assert result.truncated
    assert result.stdout_bytes == 50_000
    assert "20,000 of 50,000 characters left out" in result.stdout


@pytest.mark.req("CH-06", "CH-13")
def test_bash_execute_truncates_long_stderr(workspace: Path) -> None:
    result = bash("printf 'x%.0s' {1..60000} >&2", workspace, truncate="recent")
    assert result.truncated
    assert "50,000 of 60,000" in result.stderr.splitlines()[0]
    assert result.stderr.endswith("x" * 50_000)


@pytest.mark.req("CH-13", "ZE-24")
def test_bash_execute_empty_output(workspace: Path) -> None:
    result = bash("true", workspace)
    assert (result.stdout, result.stderr, result.output, result.truncated, result.output_file) == (
        "",
        "",
        "",
        False,
        None,
    )


@pytest.mark.req("CH-13", "TK-15")
def test_bash_execute_binary_output_handled(workspace: Path) -> None:
    result = bash(r"printf '\377\376 text \000 after'", workspace)
    assert result.stdout == "�� text � after"
    assert result.output_file is not None
    with open(result.output_file, "rb") as file:
        assert file.read() == b"\xff\xfe text \0 after"


SECRETS = {
    "DISCORD_TOKEN": "discord-secret",
    "OPENAI_API_KEY": "sk-openai-secret",
    "AWS_SECRET_ACCESS_KEY": "aws-secret",
}


@pytest.fixture
def safe_env(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)


@pytest.mark.req("CH-07", "MY-12")
@pytest.mark.usefixtures("safe_env")
def test_bash_execute_env_does_not_contain_discord_token(workspace: Path) -> None:
    result = bash("env; cat /proc/$PPID/environ", workspace)
    assert "discord-secret" not in result.stdout
    assert "DISCORD_TOKEN" in result.withheld_env


@pytest.mark.req("CH-07", "MY-12")
@pytest.mark.usefixtures("safe_env")
def test_bash_execute_env_does_not_contain_api_keys(workspace: Path) -> None:
    result = bash("env", workspace)
    assert [value for value in SECRETS.values() if value in result.stdout] == []
    assert set(SECRETS) <= set(result.withheld_env)


@pytest.mark.req("CH-07")
def test_bash_execute_env_contains_path(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/opt/mine:/usr/bin:/bin")
    assert bash("echo $PATH", workspace).stdout == "/opt/mine:/usr/bin:/bin\n"


@pytest.mark.req("CH-07")
def test_bash_execute_env_contains_home(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    assert bash("echo $HOME", workspace).stdout == "/home/somebody\n"
    monkeypatch.setenv("LIMPET_ENVIRONMENT_HOME", "workspace")
    assert bash("echo $HOME", workspace).stdout == f"{workspace}\n"


def test_bash_execute_blocklist_allows_normal_rm(workspace: Path) -> None:
    assert bash("rm numbers.txt", workspace).ok
    assert not (workspace / "numbers.txt").exists()


def test_bash_execute_blocklist_allows_rm_rf_subdir(workspace: Path) -> None:
    assert bash("rm -rf src", workspace).ok
    assert not (workspace / "src").exists()


@pytest.mark.req("CH-08")
def test_bash_execute_multiple_concurrent_commands(workspace: Path) -> None:
    async def together() -> list[str]:
        async with limpet.open(workspace) as shell:
            # Each waits for the next one's file: they can only end if they all run at once.
            runs = [
                shell.run(f"touch {n}; until [ -e {(n + 1) % 8} ]; do sleep 0.01; done; echo {n}") for n in range(8)
            ]
            return [result.stdout for result in await asyncio.gather(*runs)]

    assert asyncio.run(together()) == [f"{n}\n" for n in range(8)]


def test_bash_execute_tracks_running_processes(workspace: Path) -> None:
    async def track() -> None:
        async with limpet.open(workspace) as shell:
            mine = asyncio.ensure_future(shell.run("sleep 1000", agent="ann", description="wait"))
            other = asyncio.ensure_future(shell.run("echo on; sleep 1000", agent="bob"))
            while len(shell.running()) < 2:
                await asyncio.sleep(0.01)
            found = {line.agent: (line.command, line.description) for line in shell.running()}
            assert found == {"ann": ("sleep 1000", "wait"), "bob": ("echo on; sleep 1000", "")}
            assert await shell.stop_all(agent="ann") == 1
            assert (await mine).outcome is Outcome.CANCELLED
            assert [line.agent for line in shell.running()] == ["bob"]
        assert (await other).outcome is Outcome.CANCELLED
        assert shell.running() == []

    asyncio.run(track())


@pytest.mark.req("CH-05", "MY-02")
def test_bash_execute_returns_duration_ms(workspace: Path) -> None:
    began = time.monotonic()
    result = bash("sleep 0.25", workspace)
    assert 250 <= result.duration_ms <= (time.monotonic() - began) * 1000
