"""Whoever sits at the terminal answers; whatever is no clear yes is a no."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from commandline import SOURCE
from limpet.approval.terminal import parse_answer
from limpet.model.answer import NO, Answer
from terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

ASKING = """
import asyncio, os, sys
from limpet.approval.remembered import Remembered, covered
from limpet.approval.terminal import AskOnTerminal
from limpet.model.limits import Limits
from limpet.model.request import Request
from limpet.model.window import PRESETS
from limpet.policy.decide import decide
from limpet.policy.places import World

command, patience, *what = sys.argv[1:]
decision = decide(command, World(workspace="/w", home="/home/dev"))
request = Request(id="", command=command, workspace="/w", cwd="/w", timeout=None, limits=Limits(), profile="workspace",
                  window=PRESETS["standard"], description="Share\\x1b[2J it")
session, kept = Remembered(), []

def keep(rules):
    kept.extend(rules)
    return "kept somewhere"

approver = AskOnTerminal(os.environ, patience=float(patience), remembered=session if "session" in what else None,
                         keep=keep if "always" in what else None)

async def twice():
    return await asyncio.gather(*(approver(request, decision) for _ in range(2 if "twice" in what else 1)))

if "typed-ahead" in what:
    print("READY", flush=True)
    sys.stdin.readline()
answers = [answer.approved for answer in asyncio.run(twice())]
print("ANSWER", *answers, covered(session.rules.rules), "/", covered(kept), flush=True)
"""
SHOWN = """
limpet: may this run?
  ls; git push
      ^^^^^^^^
ask   git.push (publishes)
      `git push`: sends commits to a remote
ask: 1 reason in 1 of 2 commands
  in /w
  said to be for: Share<U+001B>[2J it
  o  once
"""
NO_LINE = "  n  no; whatever else you type is a no, and its reason\n> "


def asking(tmp_path: Path, command: str, *what: str, patience: float = 60, color: bool = False) -> Terminal:
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "TERM": "xterm", "NO_COLOR": "" if color else "1"}
    argv = [sys.executable, "-c", ASKING, command, str(patience), *what]
    return Terminal(argv, cwd=tmp_path, env=env)


def answered(tmp_path: Path, keys: str, *what: str, command: str = "ls; git push") -> tuple[str, str]:
    """What was shown before, and what came of it."""
    with asking(tmp_path, command, *what) as terminal:
        before = terminal.until(lambda text: "\n> " in text)
        terminal.type(keys)
        terminal.wait()
        return before, terminal.text.rpartition("ANSWER ")[2].strip()


def test_a_question_shows_what_was_found_and_what_can_be_chosen(tmp_path: Path) -> None:
    before, answer = answered(tmp_path, "o\n")
    assert (before, answer) == (SHOWN + NO_LINE, "True  /")


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("session\n", "True git push … /"),
        ("a\n", "True git push … / git push …"),
        ("once\n", "True  /"),
        ("no\n", "False  /"),
    ],
)
def test_what_is_to_be_remembered_is(tmp_path: Path, keys: str, answer: str) -> None:
    before, given = answered(tmp_path, keys, "session", "always")
    assert before == SHOWN + "  s  session: git push …\n  a  always: git push …\n" + NO_LINE
    assert given == answer


def test_what_cannot_be_remembered_is_not_offered(tmp_path: Path) -> None:
    before, answer = answered(tmp_path, "s\n", "session", "always", command="sudo ls")
    assert ("session" in before, answer) == (False, "False  /")


@pytest.mark.parametrize("keys", ["\n", "\x04", "o\x04\x04", "what?\n", "o\no\n", "\xff\n", "o o\n"])
def test_anything_odd_is_a_no(tmp_path: Path, keys: str) -> None:
    assert answered(tmp_path, keys)[1] == "False  /"


def test_ctrl_c_approves_nothing(tmp_path: Path) -> None:
    with asking(tmp_path, "git push") as terminal:
        terminal.until(lambda text: "\n> " in text)
        terminal.type("\x03")
        assert terminal.wait() != 0
        assert "ANSWER" not in terminal.text


def test_nobody_answering_for_too_long_is_a_no(tmp_path: Path) -> None:
    with asking(tmp_path, "git push", patience=0.2) as terminal:
        terminal.wait()
        assert terminal.text.endswith("\n> ANSWER False  / \n")


def test_what_was_typed_before_the_question_is_no_answer(tmp_path: Path) -> None:
    with asking(tmp_path, "git push", "typed-ahead", patience=1) as terminal:
        terminal.until(lambda text: "READY" in text)
        terminal.type("\no\n")
        terminal.wait()
        assert terminal.text.endswith("ANSWER False  / \n")


def test_two_questions_are_asked_one_after_the_other(tmp_path: Path) -> None:
    with asking(tmp_path, "git push", "twice") as terminal:
        terminal.until(lambda text: text.count("\n> ") == 1)
        terminal.type("o\n")
        terminal.until(lambda text: text.count("\n> ") == 2)
        terminal.type("n\n")
        terminal.wait()
        assert terminal.text.endswith("ANSWER True False  / \n")


def test_colors_are_there_when_they_are_wanted(tmp_path: Path) -> None:
    with asking(tmp_path, "git push", color=True) as terminal:
        text = terminal.until(lambda text: "\n> " in text)
        terminal.type("n\n")
        terminal.wait()
    assert "\x1b[1;33m^^^^^^^^\x1b[0m" in text


def test_without_a_terminal_nothing_is_approved(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    argv = [sys.executable, "-c", ASKING, "git push", "60"]
    done = subprocess.run(
        argv, input="o\n", capture_output=True, text=True, env=env, start_new_session=True, timeout=60
    )
    assert (done.stdout, done.stderr) == ("ANSWER False  / \n", "")


BOTH = frozenset({"session", "always"})


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"O\n", Answer(approved=True)),
        (b" Yes \n", Answer(approved=True)),
        (b"S\n", Answer(approved=True, session=True)),
        (b"always\n", Answer(approved=True, session=True, always=True)),
        (b"n\n", NO),
        (b"no, use uv\n", Answer(approved=False, reason="use uv")),
        (b"n: not today\n", Answer(approved=False, reason="not today")),
        (b"nothing of it\n", Answer(approved=False, reason="nothing of it")),
        (b"use \x1b[2Juv\n", Answer(approved=False, reason="use <U+001B>[2Juv")),
        (b"x" * 1000 + b"\n", Answer(approved=False, reason="x" * 500)),
        (b"", NO),
        (b"o", NO),
        (b"o\ns\n", NO),
        (b"\xffo\n", NO),
    ],
)
def test_what_is_typed_is_read_strictly(line: bytes, answer: Answer) -> None:
    assert parse_answer(line, BOTH) == answer


def test_what_was_not_offered_cannot_be_chosen() -> None:
    assert not any(parse_answer(line).approved for line in (b"s\n", b"session\n", b"a\n", b"always\n"))
