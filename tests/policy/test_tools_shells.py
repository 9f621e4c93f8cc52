"""What calls of shells do."""

from __future__ import annotations

import pytest

from limpet.policy.effect import Kind
from limpet.policy.tools import effects_of
from limpet.policy.tools.shells import TOOLS
from policy.effects_of_text import commands, effects, shown, summarise

CALLS = [
    ("bash x.sh a", ["program ./x.sh"]),
    ("bash -n x.sh", ["program ./x.sh"]),
    ("sh -eu ./build.sh -x", ["program ./build.sh"]),
    ("bash -- x.sh", ["program ./x.sh"]),
    ("bash - x.sh", ["program ./x.sh"]),
    ("bash /tmp/x.sh", ["program /tmp/x.sh"]),
    ("bash", ["stdin sh"]),
    ("bash -", ["stdin sh"]),
    ("bash -s -- a b", ["stdin sh"]),
    ("bash -i", ["stdin sh"]),
    ("bash -l", ["stdin sh"]),
    ("bash /dev/stdin", ["stdin sh"]),
    ("bash --rcfile /tmp/x", ["program /tmp/x", "stdin sh"]),
    ("bash --version", []),
    ("bash -i x.sh", ["program ./x.sh", "stdin sh"]),
    ("fish -C id x.fish", ["script id", "program ./x.fish"]),
    ("fish --command=id", ["script id"]),
    ("csh x.csh", ["program ./x.csh"]),
    ("tcsh", ["stdin sh"]),
]


@pytest.mark.parametrize(("text", "expected"), CALLS)
def test_a_call_does_what_its_arguments_say(text: str, expected: list[str]) -> None:
    assert summarise(text, TOOLS) == expected


@pytest.mark.parametrize(
    "text",
    [
        "bash -c 'id -u'",
        "bash -ec 'id -u'",
        "bash -c -e 'id -u'",
        "bash -euo pipefail -c 'id -u'",
        "bash -O extglob -c 'id -u'",
        "bash +o posix -c 'id -u'",
        "bash -c -- 'id -u'",
        "sh -lc 'id -u'",
        "csh -fc 'id -u'",
    ],
)
def test_the_text_of_c_is_found_in_every_spelling(text: str) -> None:
    command = next(one for one in commands(text) if one.name in TOOLS)
    found = [shown(effect.field) for effect in effects_of(command, TOOLS) or () if effect.kind is Kind.SCRIPT]
    assert found == ["id -u"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bash -c 'rm $1' x /", ["'bash' '-c' 'rm $1' 'x' '/'"]),
        ("bash -c 'rm $1' x \"$y\"", ["rm $1"]),
        ("X=/ bash -c 'rm $X'", ["rm $X", "X='/'\nrm $X"]),
        ("X=/ bash -c 'ls'", ["ls"]),
        (
            "sh -c '$0 $1' rm /",
            ["'sh' '-c' '$0 $1' 'rm' '/'", "name_of_the_text='rm'\nset -- '/'\n${name_of_the_text} $1"],
        ),
        ("bash /dev/fd/3 3<<< 'id -u'", ["id -u"]),
    ],
)
def test_what_a_text_is_given_is_in_the_text(text: str, expected: list[str]) -> None:
    command = next(one for one in commands(text) if one.name in TOOLS)
    found = [shown(effect.field) for effect in effects_of(command, TOOLS) or () if effect.kind is Kind.SCRIPT]
    assert found == expected


def test_an_option_that_is_not_known_is_worth_a_question() -> None:
    assert effects('bash "-$x" y', TOOLS)[0].kind is Kind.RISK


def test_a_file_that_is_not_known_may_be_what_another_command_writes() -> None:
    command = next(one for one in commands("bash <(id)") if one.name == "bash")
    assert [effect.kind for effect in effects_of(command, TOOLS) or ()] == [Kind.STDIN, Kind.PROGRAM]
