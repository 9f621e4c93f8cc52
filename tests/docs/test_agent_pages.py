"""The pages about agent programs show what `limpet init` really writes, and every option there is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limpet.surfaces.cli.init import command
from limpet.surfaces.cli.main import run_cli
from limpet.surfaces.install.agents import AGENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = Path(__file__).parent.parent.parent / "docs" / "agents"
SHOWN = {
    agent: re.findall(r"^```json\n(.*?)^```$", (PAGES / f"{agent}.md").read_text(), re.MULTILINE | re.DOTALL)
    for agent in AGENTS
}


@pytest.fixture(autouse=True)
def _in_the_workspace(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(workspace)
    yield


@pytest.mark.parametrize("agent", [agent for agent in AGENTS if SHOWN[agent]])
def test_what_a_page_shows_is_what_is_written(agent: str, workspace: Path) -> None:
    assert run_cli(["init", agent, "--project", "--yes"]) == 0
    written = [path for path in workspace.rglob("*.json") if "limpet" in path.read_text()]
    assert [json.loads(text) for text in SHOWN[agent]] == [json.loads(path.read_text()) for path in written]
    assert [text.strip() for text in SHOWN[agent]] == [path.read_text().strip() for path in written]


@pytest.mark.parametrize("agent", AGENTS)
def test_every_command_of_a_page_is_one_that_runs(agent: str) -> None:
    page = (PAGES / f"{agent}.md").read_text()
    calls = set(re.findall(rf"limpet init {agent}((?: --[a-z-]+(?: ask| deny| pass)?)*)", page))
    assert "" in calls
    for words in calls:
        assert run_cli(["init", agent, *words.split(), "--dry-run"]) == 0


def test_every_option_of_init_is_told_and_no_other() -> None:
    text = (PAGES / "README.md").read_text().partition("## What `init` does\n")[2].partition("\n## ")[0]
    told = re.findall(r"(--[a-z-]+)", "".join(re.findall(r"^\| (`--.*?) \|", text, re.MULTILINE)))
    options = [name for each in command.params for name in (*each.opts, *each.secondary_opts) if name.startswith("--")]
    assert sorted(told) == sorted(options)
