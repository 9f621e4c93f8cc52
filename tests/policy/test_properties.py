"""Whatever is put around a command, or between its letters, does not make it more harmless."""

from __future__ import annotations

import json
import re
import shlex
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from limpet.model.decision import Verdict
from limpet.policy.decide import decide
from limpet.policy.places import World
from limpet.policy.rules import Rule, Rules
from limpet.syntax.parser import parse
from limpet.syntax.tree import Simple

if TYPE_CHECKING:
    from limpet.model.decision import Decision

CORPUS = Path(__file__).parent.parent / "corpus" / "policy"
WORLD = World(workspace="/home/dev/proj", home="/home/dev")
ODD = ("malformed", "size", "unicode")
PLAIN = re.compile(r"[A-Za-z0-9_./:,@%+-]+(?: [A-Za-z0-9_./:,@%+-]+)*")
SHELL_WORDS = """
    . : [ alias bg bind break builtin caller cd command compgen complete continue coproc declare dirs disown enable eval
    exec exit export fc fg getopts hash help history jobs let local logout mapfile popd printf pushd read readarray
    readonly return set shift shopt source suspend test time times trap type typeset ulimit umask unalias unset wait if
    then else elif fi for while until do done case esac select function in
"""
STATEFUL = frozenset(SHELL_WORDS.split())
"""Names that mean something to the shell itself, or change what comes after them."""

relaxed = settings(max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@cache
def judge(text: str) -> Decision:
    return decide(text, WORLD)


def _corpus() -> list[str]:
    files = [file for file in sorted(CORPUS.glob("*.jsonl")) if file.stem not in ODD]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line)["command"] for line in lines]


def _is_simple(text: str) -> bool:
    """One command that leaves nothing behind for the next one: no variable, no folder, no function."""
    body = parse(text).body.commands
    if len(body) != 1 or not isinstance(body[0], Simple) or body[0].assignments or "#" in text or "\n" in text:
        return False
    return text.split(maxsplit=1)[0] not in STATEFUL and not re.search(r":=|\(\(|^[^ ]*[=<>$`]", text)


COMMANDS = _corpus()
SIMPLE = [text for text in COMMANDS if _is_simple(text)]
LITERAL = [text for text in SIMPLE if PLAIN.fullmatch(text)]
DENIED = [text for text in COMMANDS if judge(text).verdict is Verdict.DENY]
READABLE = [text for text in COMMANDS if not re.search(r"alias|shopt|^\s*[#!]|^time\b|^\s*$", text)]

simple, literal, readable = st.sampled_from(SIMPLE), st.sampled_from(LITERAL), st.sampled_from(READABLE)
denied = st.sampled_from(DENIED)


# --- what runs it ---------------------------------------------------------------------------------------------------

WRAPPERS = (
    "env", "env A=1", "env -i", "env --", "nice", "nice -n 5", "nohup", "timeout 5", "timeout -s KILL 5m", "sudo",
    "sudo -n -u root", "doas", "command", "command --", "setsid", "stdbuf -oL", "ionice -c3", "time", "time -p", "!",
    "exec", "A=1", "A=1 B=2 env", "> out.txt", "2>/dev/null", "</dev/null", "true &&", "false ||", "ls |", "ls;",
    "ls &", "busybox env", "nice env timeout 5", "sudo env nohup",
)  # fmt: skip
AROUND = (
    "( {}\n)", "{{ {}\n}}", "if true; then {}\nfi", "if {}\nthen ls; fi", "if false; then ls; else {}\nfi",
    "case x in *) {}\n;; esac",
    "echo $( {}\n)", 'echo "$( {}\n)"', "x=$( {}\n)", "f() {{ {}\n}}; f", "cat <( {}\n)", "( ( {}\n) )", "{{ {}\n}} &",
    "time {{ {}\n}}", "! {{ {}\n}}", "ls; {}\nls", "coproc {{ {}\n}}", "ls | {{ {}\n}}", "{{ {}\n}} | cat",
)  # fmt: skip
MAYBE = (
    "while true; do {}\ndone", "until {}\ndo ls; done", "for i in 1; do {}\ndone", "select i in 1; do {}\ndone",
    "ls && {}", "ls || {}",
)  # fmt: skip
AGAIN = (
    "eval {}",
    "bash -c {}",
    "sh -c {}",
    "bash -ec {}",
    "bash <<< {}",
    "trap {} EXIT",
    "sudo bash -c {}",
    "env bash -c {}",
)
DEPENDS = re.compile(r"\$[0-9@*#!_-]|\$\{[0-9@*#!_-]|BASH|\$0|FUNCNAME|<<|return|local|exit")
"""What means something else in a shell of its own, or where a heredoc's body would be quoted once more."""


@relaxed
@given(simple, st.sampled_from(WRAPPERS))
def test_a_wrapper_never_lowers_the_verdict(text: str, wrapper: str) -> None:
    wrapped = f"{wrapper} {text}"
    assert judge(wrapped).verdict >= judge(text).verdict, wrapped


@relaxed
@given(simple, st.lists(st.sampled_from(WRAPPERS[:16]), min_size=2, max_size=4))
def test_many_wrappers_never_lower_the_verdict(text: str, wrappers: list[str]) -> None:
    wrapped = " ".join([*wrappers, text])
    assert judge(wrapped).verdict >= judge(text).verdict, wrapped


@relaxed
@given(readable.filter(lambda text: not DEPENDS.search(text)), st.sampled_from(AROUND))
def test_a_construct_around_it_never_lowers_the_verdict(text: str, around: str) -> None:
    wrapped = around.format(text)
    assert judge(wrapped).verdict >= judge(text).verdict, wrapped


@relaxed
@given(readable, st.sampled_from(MAYBE))
def test_what_may_run_never_or_often_is_not_allowed_for_that(text: str, maybe: str) -> None:
    """What a variable is need not be known any more: a denial may become a question, but no more than that."""
    wrapped = maybe.format(text)
    least = judge(text).verdict if text in SIMPLE else min(judge(text).verdict, Verdict.ASK)
    assert judge(wrapped).verdict >= least, wrapped


@relaxed
@given(readable.filter(lambda text: not DEPENDS.search(text)), st.sampled_from(AGAIN))
def test_a_shell_that_runs_it_never_lowers_the_verdict(text: str, again: str) -> None:
    wrapped = again.format(shlex.quote(text))
    assert judge(wrapped).verdict >= judge(text).verdict, wrapped


# --- how it is spelled ----------------------------------------------------------------------------------------------


def _spell(word: str, how: st.DataObject) -> str:
    return "".join(how.draw(st.sampled_from(_SPELLINGS))(letter) for letter in word)


_SPELLINGS = (
    lambda letter: letter,
    lambda letter: f"\\{letter}",
    lambda letter: f"'{letter}'",
    lambda letter: f'"{letter}"',
    lambda letter: f"$'\\x{ord(letter):02x}'",
    lambda letter: f"$'\\{ord(letter):03o}'",
    lambda letter: f"$'\\u{ord(letter):04x}'",
    lambda letter: f"''{letter}",
    lambda letter: f'{letter}""',
    lambda letter: f"\\\n{letter}",
    lambda letter: f'$"{letter}"',
)


@relaxed
@given(literal, st.data())
def test_how_it_is_quoted_never_changes_the_verdict(text: str, how: st.DataObject) -> None:
    spelled = " ".join(_spell(word, how) for word in text.split(" "))
    plain, quoted = judge(text), decide(spelled, WORLD)
    assert [command.argv for command in quoted.commands] == [command.argv for command in plain.commands]
    assert (quoted.verdict, {reason.rule for reason in quoted.reasons}) == (
        plain.verdict,
        {reason.rule for reason in plain.reasons},
    ), spelled


@relaxed
@given(literal, st.lists(st.sampled_from([" ", "  ", "\t", " \\\n", "\\\n "]), min_size=60, max_size=60))
def test_the_blanks_between_its_words_never_change_the_verdict(text: str, blanks: list[str]) -> None:
    words = text.split(" ")
    spelled = "".join(f"{blank}{word}" for blank, word in zip(blanks, words, strict=False))
    assert decide(spelled, WORLD).verdict == judge(" ".join(words[:60])).verdict, spelled


@relaxed
@given(literal)
def test_words_that_are_variables_never_change_the_verdict(text: str) -> None:
    words = text.split(" ")
    given = "; ".join(f"v{index}={word}" for index, word in enumerate(words))
    used = " ".join(f'"$v{index}"' for index in range(len(words)))
    assert decide(f"{given}; {used}", WORLD).verdict == judge(text).verdict


# --- what stands beside it ------------------------------------------------------------------------------------------


@relaxed
@given(st.lists(simple, min_size=2, max_size=4), st.sampled_from(["; ", " && ", "\n", " || "]))
def test_a_list_is_as_strict_as_its_strictest_part(texts: list[str], joint: str) -> None:
    joined = joint.join(texts)
    assert decide(joined, WORLD).verdict == max(judge(text).verdict for text in texts), joined


@relaxed
@given(st.lists(readable, min_size=2, max_size=3))
def test_what_comes_before_or_after_never_lowers_the_verdict_of_what_comes_first(texts: list[str]) -> None:
    joined = "\n".join(texts)
    assert decide(joined, WORLD).verdict >= judge(texts[0]).verdict, joined


# --- rules ----------------------------------------------------------------------------------------------------------


def _allow(pattern: tuple[str | tuple[str, ...], ...]) -> Rule:
    return Rule(name="mine", verdict=Verdict.ALLOW, pattern=pattern)


@relaxed
@given(denied, st.data())
def test_an_allow_rule_never_undoes_the_floor(text: str, how: st.DataObject) -> None:
    patterns: list[tuple[str, ...]] = [("**",), ("*", "**"), ("*",)]
    for command in judge(text).commands:
        words = tuple(word for word in command.argv if word is not None)
        patterns += [words, (*words[: how.draw(st.integers(0, 3))], "**")]
    rules = Rules(tuple(_allow(pattern) for pattern in patterns))
    assert decide(text, WORLD, rules=rules).verdict is Verdict.DENY


@relaxed
@given(readable, st.sampled_from(["git", "rm", "ls", "*", "curl"]))
def test_an_allow_rule_never_raises_the_verdict_and_a_deny_rule_never_lowers_it(text: str, name: str) -> None:
    before = judge(text).verdict
    pattern = (name, "**")
    denial = Rule(name="mine", verdict=Verdict.DENY, pattern=pattern)
    assert decide(text, WORLD, rules=Rules((_allow(pattern),))).verdict <= before
    assert decide(text, WORLD, rules=Rules((denial,))).verdict >= before
    assert decide(text, WORLD, rules=Rules((denial, _allow(pattern)))).verdict >= before


@relaxed
@given(st.sampled_from(COMMANDS))
def test_only_naming_a_rule_of_the_floor_switches_it_off(text: str) -> None:
    denials = {reason.rule for reason in judge(text).reasons if reason.verdict is Verdict.DENY}
    others = tuple(Rule(name="x", verdict=Verdict.ALLOW, builtin=rule) for rule in sorted(denials)[1:])
    if denials:
        assert decide(text, WORLD, rules=Rules(others)).verdict is Verdict.DENY
