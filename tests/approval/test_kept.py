"""What was answered with `always` is in a file of rules that is read again, in that workspace only."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from commandline import SOURCE
from limpet.approval.kept import Kept
from limpet.approval.remembered import _WORDS, prefix_to_remember, rules_to_remember
from limpet.config import Settings, settings_files
from limpet.config.rules import approved_path, load_rules
from limpet.model.decision import Decision, FoundCommand, Reason, Verdict
from limpet.policy.decide import decide
from limpet.policy.places import World


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def keep(home: Path, workspace: str, *commands: str) -> Path:
    path = approved_path(settings_files(workspace, {"HOME": str(home)}))
    assert path is not None
    for command in commands:
        rules = rules_to_remember(decide(command, World(workspace=workspace, home=str(home))))
        assert rules, command
        assert Kept(path, workspace)(rules) == f"kept in {path}"
    return Path(path)


def verdict(home: Path, workspace: str, command: str) -> Verdict:
    rules = load_rules(Settings(), settings_files(workspace, {"HOME": str(home)}))
    return decide(command, World(workspace=workspace, home=str(home)), rules=rules).verdict


def test_a_later_reader_does_not_ask_again(home: Path) -> None:
    keep(home, "/w", "git push origin main")
    assert verdict(home, "/w", "git push") is Verdict.ALLOW
    assert verdict(home, "/w", "git push --force") is Verdict.ASK
    keep(home, "/w", "git push --force")
    assert verdict(home, "/w", "git push --force") is Verdict.ALLOW


def test_another_workspace_is_asked_about(home: Path) -> None:
    keep(home, "/w", "git push")
    assert verdict(home, "/other", "git push") is Verdict.ASK
    keep(home, "/other", "git push")
    assert [verdict(home, where, "git push") for where in ("/w", "/other", "/w/sub")] == ["allow", "allow", "ask"]


def test_the_file_is_private_and_says_how_to_be_asked_again(home: Path) -> None:
    path = keep(home, "/w", "git push", "git push", "npm install")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    assert text.startswith("# Answered with `always`. Delete a table to be asked again.\n\n[[rule]]\n")
    assert text.count("[[rule]]") == 2


def test_a_file_that_somebody_left_without_its_last_line_end_is_continued(home: Path) -> None:
    path = keep(home, "/w", "git push")
    path.write_text(path.read_text().removesuffix("\n"))
    keep(home, "/w", "npm install")
    assert verdict(home, "/w", "git push && npm install") is Verdict.ALLOW


@pytest.mark.parametrize("workspace", ['/w "quoted" \\ [[rule]]', "/wörk space/#1", "/w'"])
def test_odd_names_of_folders_are_kept_as_they_are(home: Path, workspace: str) -> None:
    keep(home, workspace, "git push")
    assert verdict(home, workspace, "git push") is Verdict.ALLOW
    assert verdict(home, "/w", "git push") is Verdict.ASK


@pytest.mark.parametrize("workspace", ["/w\nx", "/w\udcff", "/w\x7f"])
def test_a_folder_that_a_text_cannot_name_is_not_offered(home: Path, workspace: str) -> None:
    assert not Kept(str(home / "approved.toml"), workspace).possible


def test_where_nothing_can_be_kept_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    said = Kept(str(tmp_path / "file" / "approved.toml"), "/w")(())
    assert said.startswith("not kept for the next time: ")


def test_whatever_can_be_remembered_can_be_read_back(home: Path) -> None:
    """A rule that limpet wrote and then refuses would stop every command."""
    path = approved_path(settings_files("/w", {"HOME": str(home)}))
    assert path is not None
    for words, count in _WORDS.items():
        argv = (*words.split(), *["x:y@1"] * (count - len(words.split())))
        if prefix_to_remember(argv) is None:
            continue
        reason = Reason(rule="r", verdict=Verdict.ASK, message="", span=(0, 1))
        found = (FoundCommand(argv=argv, span=(0, 1)),)
        Kept(path, "/w")(rules_to_remember(Decision(verdict=Verdict.ASK, reasons=(reason,), commands=found)))
    rules = load_rules(Settings(), settings_files("/w", {"HOME": str(home)})).rules
    assert len(rules) > 50


WRITER = """
import sys
from limpet.approval.kept import Kept
from limpet.approval.remembered import rules_to_remember
from limpet.policy.decide import decide
from limpet.policy.places import World
rules = rules_to_remember(decide("git push && npm install", World(workspace="/w", home="/h")))
for _ in range(20):
    Kept(sys.argv[1], "/w")(rules)
"""


def test_several_who_answer_at_once_leave_each_rule_once(home: Path) -> None:
    path = keep(home, "/w")
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path)], env=env) for _ in range(4)]
    assert [writer.wait(timeout=60) for writer in writers] == [0] * 4
    assert path.read_text().count("[[rule]]") == 2
    assert verdict(home, "/w", "git push; npm install") is Verdict.ALLOW
