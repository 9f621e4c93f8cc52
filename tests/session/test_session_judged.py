"""A command of a session is judged with what the commands before it have made of the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import Outcome, sync
from limpet.model.session import ShellFacts
from limpet.policy.decide import decide
from limpet.policy.places import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORLD = World(workspace="/home/u/w", home="/home/u", resolve=lambda path: path)


@pytest.fixture
def bash(workspace: Path) -> Iterator[sync.Session]:
    """A session in which what is only to be judged is never run, whatever the judge says of it."""

    def permission(action: str) -> str:
        return "deny" if "rm " in action or "wipe" in action or "> $" in action else "allow"

    with (
        sync.open(workspace, profile="workspace", permission=permission) as shell,
        shell.session() as session,
    ):
        yield session


def verdict(result: limpet.Result) -> str:
    """What the judge says by itself."""
    assert result.outcome is Outcome.DENIED
    assert result.decision is not None
    return max((each.verdict for each in result.decision.reasons if each.rule != "permission"), default="allow")


JUDGED = {
    "a folder": (["cd /"], "rm -rf etc", "deny"),
    "a folder, in a roundabout way": (["cd /"], "rm -rf ./etc/../usr", "deny"),
    "a folder inside": (["mkdir -p d/e", "cd d"], "rm -rf e", "allow"),
    "a variable": (["x=/"], "rm -rf $x", "deny"),
    "a variable in quotes": (["x=/", "y=$x"], 'rm -rf "${y}usr"', "deny"),
    "a variable inside": (["x=src"], "rm -rf $x", "allow"),
    "an array": (["x=(/ usr)"], 'rm -rf "${x[0]}"', "ask"),
    "separators": (["IFS=:"], "x=a:/; rm -rf $x", "deny"),
    "a redirection": (["out=/etc/passwd"], "echo x > $out", "deny"),
    "what a function is given": (["show() { ls \"$1\"; }"], "show src; rm -rf src", "allow"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "command", "told"), JUDGED.values(), ids=JUDGED)
def test_what_was_set_before_counts(bash: sync.Session, before: list[str], command: str, told: str) -> None:
    for each in before:
        assert bash.run(each).outcome is Outcome.EXITED
    assert verdict(bash.run(command)) == told


def test_a_refused_command_changes_nothing(bash: sync.Session) -> None:
    bash.run("x=1")
    assert bash.run("x=2; wipe").outcome is Outcome.DENIED
    assert bash.run("echo $x").stdout == "1\n"


def facts(**given: object) -> ShellFacts:
    return ShellFacts(**given)  # type: ignore[arg-type]  # as the names say


@pytest.mark.parametrize(
    ("command", "known", "verdict"),
    [
        ("ls", facts(aliases=("ls",), options=("braceexpand", "expand_aliases")), "ask"),
        ("ls", facts(aliases=("ls",), options=("braceexpand",)), "allow"),
        ("ls", facts(options=("braceexpand", "histexpand")), "ask"),
        ("ls", facts(disabled=True), "ask"),
        ("ls", facts(traps=(("rm -rf /", "USR1"),)), "deny"),
        ("ls", facts(traps=(("rm -rf $x", "DEBUG"),), variables=(("x", "--", "build"),)), "ask"),
        ("rm -rf $x", facts(traps=(("x=/", "DEBUG"),), variables=(("x", "--", "build"),)), "ask"),
        ("rm -rf $x", facts(variables=(("x", "-i", "5"),)), "ask"),
        ("rm -rf $x", facts(variables=(("x", "n", "y"), ("y", "--", "build"))), "ask"),
        ("rm -rf $x", facts(variables=(("x", "xr", "build"),)), "allow"),
        ("cd x && rm -rf *", facts(variables=(("CDPATH", "--", "/"),)), "ask"),
    ],
)
def test_what_cannot_be_followed_is_asked_about(command: str, known: ShellFacts, verdict: str) -> None:
    assert decide(command, WORLD, facts=known).verdict == verdict


WHOLE = "f () \n{ \n    rm -rf /\n}\n"
WIPE = 'wipe () \n{ \n    rm -rf "$1"\n}\n'


def test_what_a_function_is_given_counts() -> None:
    assert decide("wipe build", WORLD, facts=facts(functions=WIPE)).verdict == "allow"
    assert decide("wipe /usr", WORLD, facts=facts(functions=WIPE)).verdict == "deny"


def test_the_answer_points_at_the_words_of_the_call_not_of_the_function() -> None:
    decision = decide("ls; wipe /usr", WORLD, facts=facts(functions=WIPE))
    assert {reason.span for reason in decision.reasons} == {(4, 13)}


def test_functions_that_are_not_called_are_not_judged_again() -> None:
    assert decide("ls", WORLD, facts=facts(functions="f () \n{ \n    rm -rf /\n}\n")).verdict == "allow"
    assert decide("f", WORLD, facts=facts(functions="f () \n{ \n    rm -rf /\n}\n")).verdict == "deny"
