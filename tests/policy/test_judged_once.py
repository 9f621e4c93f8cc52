"""What a script holds is judged once, however it is found; and what it runs over and over, within a bound."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.model.decision import Verdict
from limpet.policy.bombs import is_plain, set_unseen, shape_of
from limpet.policy.decide import decide
from limpet.policy.places import World
from limpet.syntax.parser import parse

CORPUS = Path(__file__).parent.parent / "corpus" / "policy"
WORLD = World(workspace="/home/dev/proj", home="/home/dev")
PARTS = (
    "ls", " ", ";", "\n", "&", "|", "(", ")", "{", "}", "<", ">", "<<", "E", "for", "fo", "r", "while", "un", "til",
    "do", "done", "true", "f()", "f", "function", "select", "in", "$", "${x", ":=", "=", "`", "\\", "'", '"', "\r",
    "\t",
)  # fmt: skip


def heredocs(depth: int) -> str:
    text = "ls\n"
    for level in range(depth):
        text = f"bash <<E{level}\n{text}E{level}\n"
    return text


def names(text: str) -> list[str | None]:
    return [command.argv[0] for command in decide(text, WORLD).commands]


@pytest.mark.parametrize("depth", [1, 2, 5, 10])
def test_a_heredoc_of_a_shell_is_judged_once(depth: int) -> None:
    assert names(heredocs(depth)) == ["bash"] * depth + ["ls"]


@pytest.mark.parametrize("text", ["bash <<< 'rm -rf /'", "sh -s a <<E\nrm -rf /\nE", "sudo bash <<< 'rm -rf /'"])
def test_what_a_shell_reads_is_still_judged(text: str) -> None:
    assert decide(text, WORLD).verdict is Verdict.DENY
    assert names(text).count("rm") == 1


def test_of_two_inputs_the_later_one_counts() -> None:
    assert names("bash <<A <<B\nfrob\nA\nls\nB\n") == ["bash", "ls"]
    assert names("bash <<A <<B\nls\nA\nfrob\nB\n") == ["bash", "frob"]


def test_a_script_that_is_written_may_run_some_times() -> None:
    text = "cat > a.sh <<E\n" + "make test\n" * 30 + "E\n" + "sh a.sh\n" * 10
    assert decide(text, WORLD).verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    "text",
    [
        "cat > a.sh <<E\n" + "# a line of text\n" * 200 + "E\n" + "sh a.sh\n" * 400,
        "cat > a.py <<E\n" + "a = 1\n" * 500 + "E\n" + "python3 a.py\n" * 400,
        "a='" + "ls;" * 500 + "'; " + 'sudo sh -c "$a"; ' * 400,
    ],
)
def test_text_that_runs_too_often_is_not_followed_for_ever(text: str) -> None:
    decision = decide(text, WORLD)
    assert decision.verdict is Verdict.ASK
    assert {"limit.size", "syntax"} & {reason.rule for reason in decision.reasons}


def test_a_path_is_judged_anew_behind_a_link() -> None:
    before, after = "echo x > d/passwd", "ln -s /etc d; echo x > d/passwd"
    assert [decide(text, WORLD).verdict for text in (before, f"{before}; {after}")] == [Verdict.ALLOW, Verdict.DENY]


@pytest.mark.parametrize("links", ["ln -s /etc a; ln -s a b", "ln -s a b; ln -s /etc a"])
def test_links_are_followed_in_whatever_order_they_were_made(links: str) -> None:
    assert decide(f"{links}; echo x > b/passwd", WORLD).verdict is Verdict.DENY


def test_links_that_lead_in_a_circle_come_to_an_end() -> None:
    assert decide("ln -s a b; ln -s b a; cat a/x > b/y", WORLD).verdict is not Verdict.DENY


@pytest.mark.parametrize("text", ["ls", "cat a > b", "ln -s a b; cat b/c", "for x in a; do echo $x; done"])
def test_judging_leaves_nothing_that_only_the_collector_frees(text: str) -> None:
    decide(text, WORLD)
    gc.collect()
    gc.disable()
    try:
        decide(text, WORLD)
        assert gc.collect() == 0
    finally:
        gc.enable()


def is_empty(text: str) -> bool:
    shape = shape_of(parse(text))
    heredocs = [each for each in shape.redirects if each.operator in ("<<", "<<-")]
    return not (heredocs or shape.loops or shape.functions or list(set_unseen(shape)))


def test_a_plain_text_of_the_corpus_has_no_shape() -> None:
    lines = [line for file in CORPUS.glob("*.jsonl") for line in file.read_text(encoding="utf-8").splitlines()]
    texts = [json.loads(line)["command"] for line in lines]
    plain = [text for text in texts if is_plain(text)]
    assert len(plain) > len(texts) / 2
    assert [text for text in plain if not is_empty(text)] == []


@pytest.mark.parametrize("text", ["fo\\\nr x in a; do ls; done", "f(\\\n) { ls; }", "cat <\\\n<E\nE", "$\\\n{x:=1}"])
def test_a_continued_line_does_not_hide_the_shape(text: str) -> None:
    assert not is_plain(text)


@settings(max_examples=2000, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(PARTS), max_size=14).map("".join))
def test_a_plain_text_has_no_shape(text: str) -> None:
    assert is_empty(text) or not is_plain(text)
