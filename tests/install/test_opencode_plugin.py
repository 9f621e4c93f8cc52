"""The plugin for opencode: a no for everything but a clear yes."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from limpet.surfaces.install.agents import plugin

if TYPE_CHECKING:
    from pathlib import Path

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node here")

OTHER = '{"decision": "allow", "args": {"command": "y"}}'
TRY = """
import { Limpet } from "./plugin.mjs"
const hooks = await Limpet({ directory: "/work", worktree: "/" })
const output = { args: { command: "ls", description: "x" } }
try {
  await hooks["tool.execute.before"]({ tool: process.argv[2] }, output)
  console.log(JSON.stringify({ args: output.args }))
} catch (error) {
  console.log(JSON.stringify({ error: error.message }))
}
"""


def tried(folder: Path, hook: str, tool: str = "bash") -> Any:
    (folder / "try.mjs").write_text(TRY)
    (folder / "plugin.mjs").write_text(plugin(["sh", "-c", hook]))
    done = subprocess.run([str(NODE), "try.mjs", tool], cwd=folder, capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("hook", "said"),
    [
        ("cat > asked; echo '{\"decision\": \"allow\"}'", {"args": {"command": "ls", "description": "x"}}),
        (f"echo '{OTHER}'", {"args": {"command": "y", "description": "x"}}),
        ("echo '{\"decision\": \"deny\", \"reason\": \"why\"}'; echo why >&2; exit 2", {"error": "why"}),
        ("echo '{\"decision\": \"perhaps\"}'", {"error": "limpet did not allow it"}),
        ("exit 1", {"error": "limpet failed (1), so the command was not run"}),
    ],
)  # fmt: skip
def test_only_a_clear_yes_lets_it_run(tmp_path: Path, hook: str, said: dict[str, Any]) -> None:
    assert tried(tmp_path, hook) == said
    if "asked" in hook:
        question = {"tool": "bash", "cwd": "/work", "args": {"command": "ls", "description": "x"}}
        assert json.loads((tmp_path / "asked").read_text()) == question


@pytest.mark.parametrize("hook", ["echo noise", "true"])
def test_noise_and_silence_are_a_no(tmp_path: Path, hook: str) -> None:
    assert set(tried(tmp_path, hook)) == {"error"}


def test_a_missing_limpet_is_a_no(tmp_path: Path) -> None:
    (tmp_path / "try.mjs").write_text(TRY)
    (tmp_path / "plugin.mjs").write_text(plugin(["/there/is/none", "opencode"]))
    done = subprocess.run([str(NODE), "try.mjs", "bash"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert "limpet could not be started" in json.loads(done.stdout)["error"]


def test_other_tools_are_not_asked_about(tmp_path: Path) -> None:
    assert "args" in tried(tmp_path, "exit 1", tool="read")
