"""Any text is judged: no exception, and nothing is allowed that could not be read."""

from __future__ import annotations

import shlex
from functools import reduce
from itertools import islice
from random import Random

import pytest

from limpet.model.decision import Decision, Reason, Verdict
from limpet.policy.decide import decide
from limpet.policy.places import World
from limpet.policy.profiles import PROFILES
from toolbox import load_tool

WORLD = World(workspace="/home/dev/proj", home="/home/dev")


FUZZ = load_tool("fuzz_judge")


@pytest.mark.parametrize("seed", range(8))
def test_broken_commands_keep_the_promises(seed: int) -> None:
    for text in islice(FUZZ.inputs(Random(seed)), 400):
        assert (text, FUZZ.faults(text)) == (text, [])


@pytest.mark.parametrize("start", range(8))
def test_every_command_keeps_the_promises_wherever_it_is_cut_off(start: int) -> None:
    random = Random(start)
    for text in random.sample(FUZZ.seeds(), 60):
        for end in sorted(random.sample(range(len(text) + 1), min(len(text), 12))):
            assert (text[:end], FUZZ.faults(text[:end])) == (text[:end], [])


@pytest.mark.parametrize("token", FUZZ.TOKENS, ids=ascii)
def test_a_token_anywhere_keeps_the_promises(token: str) -> None:
    for text in ("rm -rf build", "echo \"a $b\" 'c' | sh", "git commit -m x && ls > out"):
        for at in range(len(text) + 1):
            odd = text[:at] + token + text[at:]
            assert (odd, FUZZ.faults(odd)) == (odd, [])


@pytest.mark.parametrize("profile", [*PROFILES, "no such profile", ""])
@pytest.mark.parametrize("containment", ["none", "full", "unheard of"])
def test_every_profile_answers(profile: str, containment: str) -> None:
    for text in islice(FUZZ.inputs(Random(profile + containment)), 60):
        assert decide(text, WORLD, profile=profile, containment=containment).verdict in Verdict


@pytest.mark.parametrize(
    "cwd", ["", "/", ".", "..", "relative", "/home/dev/proj/", "/no/such", "\0", "\ud800", "//", "~"]
)
def test_any_folder_will_do(cwd: str) -> None:
    for text in ("ls", "rm -rf x", "echo > ../y", "cd .. && rm -rf *", "cd - && touch z"):
        assert decide(text, WORLD, cwd=cwd).verdict in Verdict


WORLDS = [("/", "/root"), ("", ""), ("/w", "/w"), ("/w/", "/"), ("w", "h"), ("/root", "/root"), ("/home", "/home/dev")]


@pytest.mark.parametrize(("workspace", "home"), WORLDS)
def test_any_world_will_do(workspace: str, home: str) -> None:
    world = World(workspace=workspace, home=home)
    for text in islice(FUZZ.inputs(Random(workspace + home)), 100):
        assert decide(text, world).verdict in Verdict


@pytest.mark.parametrize(("workspace", "home"), WORLDS)
@pytest.mark.parametrize(
    "text",
    ["rm -rf /", "rm -rf /*", "rm -rf /etc", "chmod -R 777 /usr", "dd of=/dev/sda", "reboot", "cd / && rm -rf *"],
)
def test_the_floor_holds_in_any_world(text: str, workspace: str, home: str) -> None:
    assert decide(text, World(workspace=workspace, home=home)).verdict is Verdict.DENY


def test_the_same_text_is_judged_the_same() -> None:
    for text in islice(FUZZ.inputs(Random(99)), 100):
        assert decide(text, WORLD) == decide(text, WORLD)


# --- size and depth -------------------------------------------------------------------------------------------------

LOOP = "for x in 1 2 3 4 5 6 7 8 9; do "
HUGE = {
    "a word": "echo " + "w" * 2**16,
    "a quoted word": "echo '" + "w" * 2**16 + "'",
    "a heredoc": "cat <<E\n" + "text\n" * 200_000 + "E\n",
    "a comment": "#" * 2**16 + "\nls",
    "blanks": "ls" + " " * 2**16,
    "lines": "\n" * 2**16 + "ls",
    "semicolons": ";" * 2**17,
    "quotes": "'" * (2**17 + 1),
    "backslashes": "\\" * 2**17,
    "parentheses": "(" * 2**16,
    "substitutions": "$(" * 2**15,
    "braces": "{" * 2**17,
    "odd bytes": "\udc80" * 2**18,
    "control characters": "\x01" * 2**18,
    "commands": "git status; " * 8_000,
    "arguments": "echo " + "a " * 200_000,
    "paths": "cat " + "a/" * 8_000,
    "globs": "cat " + "*?" * 8_000,
    "parents": "cat " + "../" * 8_000,
    "options": "ls " + "-l " * 8_000,
    "pipes": "ls|" * 2_000 + "ls",
    "shells in a pipe": "echo a|sh|" * 800 + "sh",
    "wrappers": "sudo env nice " * 2_000 + "ls",
    "eval": "eval " * 4_000 + "ls",
    "shells": reduce(lambda text, _: f"bash -c {shlex.quote(text)}", range(9), "rm -rf /"),
    "functions that call twice": "; ".join(f"f{i}() {{ f{i + 1}; f{i + 1}; }}" for i in range(60)) + "; f0",
    "loops in loops": LOOP * 12 + "touch $x" + "; done" * 12,
    "eval in loops": LOOP * 6 + 'eval "touch $x"' + "; done" * 6,
    "a word that doubles": "x=a; " + "x=$x$x; " * 60 + "rm -rf $x",
    "many braces": "rm -rf " + "{a,b}" * 40,
    "a long range": "rm -rf {1..1000000000}",
    "a large number": "echo $((" + "9" * 5_000 + "**9999999))",
    "python": "python3 -c '" + "(" * 20_000 + "'",
    "python, minus": "python3 -c '" + "-" * 20_000 + "1'",
    "python, dots": "python3 -c '" + "a." * 20_000 + "b'",
    "awk": "awk '" + "{" * 20_000 + "' f",
    "sed": "sed '" + "{" * 20_000 + "' f",
    "find": "find . " + "\\( " * 5_000,
    "find with many tests": "find . " + "-name a -o " * 5_000 + "-name b",
    "git settings": "git " + "-c a.b=c " * 4_000 + "status",
}


@pytest.mark.parametrize("text", HUGE.values(), ids=HUGE.keys())
def test_what_is_huge_comes_back(text: str) -> None:
    assert FUZZ.faults(text) == []


@pytest.mark.parametrize("name", ["a word", "a quoted word", "a heredoc", "a comment", "blanks", "lines", "commands"])
def test_what_is_too_long_to_be_read_is_not_allowed(name: str) -> None:
    assert decide(HUGE[name], WORLD).verdict is not Verdict.ALLOW


@pytest.mark.parametrize("nest", FUZZ.NESTS)
def test_what_is_nested_deep_keeps_the_promises(nest: str) -> None:
    text = "rm -rf build"
    for _ in range(14):
        text = nest.replace("{{", "{").replace("}}", "}").replace("{}", text)[:4_000]
        assert (len(text), FUZZ.faults(text)) == (len(text), [])


# --- the checks themselves ------------------------------------------------------------------------------------------


def test_the_promises_can_be_broken() -> None:
    """Or the tests above would prove nothing."""
    ask = Reason(rule="x", verdict=Verdict.ASK, message="x", span=(0, 9))
    wrong = Decision(verdict=Verdict.ALLOW, reasons=(ask,), opaque=True)
    assert len(list(FUZZ.check(wrong, "ls"))) == 3
    assert list(FUZZ.check(Decision(verdict=Verdict.ASK, reasons=(ask,), read_only=True), "x" * 9)) == [
        "said to only read, and not allowed"
    ]
