"""What is remembered of an answer is bounded: never more than a tool and what it is told to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limpet.approval.remembered import Remembered, prefix_to_remember, rules_to_remember
from limpet.config.rules import rules_from
from limpet.model.decision import Verdict
from limpet.policy.decide import decide
from limpet.policy.places import World

if TYPE_CHECKING:
    from collections.abc import Callable

WORLD = World(workspace="/home/dev/proj", home="/home/dev")


@pytest.mark.parametrize(
    ("command", "prefix"),
    [
        ("git log --oneline", "git log"),
        ("git push origin main", "git push"),
        ("git stash pop", "git stash pop"),
        ("npm install left-pad", "npm install"),
        ("npm run test:unit -- -v", "npm run test:unit"),
        ("cargo test --all", "cargo test"),
        ("docker build .", "docker build"),
        ("docker compose ps -a", "docker compose ps"),
        ("aws s3 ls", "aws s3 ls"),
        ("gcloud compute instances list", "gcloud compute instances list"),
        ("systemctl restart nginx", "systemctl restart nginx"),
        ("uv tool install ruff", "uv tool install"),
    ],
)
def test_the_prefix_is_the_tool_and_what_it_is_told_to_do(command: str, prefix: str) -> None:
    assert prefix_to_remember(tuple(command.split())) == tuple(prefix.split())


@pytest.mark.parametrize(
    "command",
    [
        "", "git", "npm", "docker", "docker compose", "git remote", "npm run", "systemctl restart", "bash -c ls",
        "sh x.sh", "zsh", "fish", "dash", "eval ls", "source x", "exec ls", "command ls", "python x.py",
        "python3 -c x", "node x.js", "perl -e x", "ruby x", "php x", "awk x", "sed x", "rm x", "rm -rf build",
        "dd if=x", "sudo git push", "su root", "doas ls", "env git push", "timeout 5 git push", "nice git push",
        "nohup git push", "xargs git push", "find . -delete", "ssh host ls", "curl https://x", "watch ls",
        "git -C /x push", "git -c a=b push", "git --exec-path=x push", "npm --prefix x run y", "docker --host x ps",
        "/usr/bin/git push", "./git push", "../git push", "Git push", "git push*", "git *", "git **", "git [a]",
        "npm run *", "npm run ../x", "git config alias.x y", "git rebase -x ls", "git submodule foreach ls",
        "docker run x ls", "docker compose exec x ls", "uv run x", "uv tool run x", "npm exec x", "go run x",
        "kubectl exec x -- ls", "git pu\u0455h", "git \u200bpush", "git push\n", "npm run -s",
    ],
)  # fmt: skip
def test_what_runs_anything_or_is_not_clear_is_asked_every_time(command: str) -> None:
    assert prefix_to_remember(tuple(command.split(" ")) if command else ()) is None


def test_a_word_that_is_not_known_is_asked_every_time() -> None:
    assert [prefix_to_remember(argv) for argv in ((None,), ("git", None), ("git", "push", None))] == [None] * 3


def remembered(command: str) -> list[str]:
    return [" ".join(map(str, rule.pattern[:-1])) for rule in rules_to_remember(decide(command, WORLD))]


def test_every_part_that_was_asked_about_is_remembered_or_none() -> None:
    assert remembered("git push && ls && npm install") == ["git push", "npm install"]
    assert remembered("git push; git push --tags") == ["git push"]
    assert remembered("ls") == []
    assert remembered("git push && curl https://example.org") == []
    assert remembered("sudo git push") == []
    assert remembered("bash -c 'git push'") == []
    assert remembered('git push "$x"') == []
    assert remembered("git push \u202e") == []
    assert remembered("git push; rm -rf /") == []


def after(*approved: str) -> Callable[[str], Verdict]:
    """What is said about a command when others were approved for the session."""
    session = Remembered()
    for command in approved:
        session.remember(rules_to_remember(decide(command, WORLD)))
    return lambda command: decide(command, WORLD, rules=session.rules).verdict


def test_a_remembered_prefix_is_not_asked_about_again_and_nothing_else_is_let_through() -> None:
    verdict = after("git push origin main", "git push")
    assert verdict("git push origin other") is Verdict.ALLOW
    assert verdict("ls && git push && make") is Verdict.ALLOW
    for still in (
        "git pull",
        "git push > ../x",
        "GIT_SSH_COMMAND=x git push",
        "sudo git push",
        "git push; curl x",
        "git push $x",
    ):
        assert verdict(still) is Verdict.ASK, still
    assert verdict("git push; rm -rf /") is Verdict.DENY


@pytest.mark.parametrize(
    ("approved", "further"),
    [
        ("git push", "git push --force"),
        ("git push", "git push --delete origin x"),
        ("cargo publish", "cargo publish --config x"),
        ("pip install x", "pip install --target /usr x"),
    ],
)
def test_what_goes_further_than_what_was_approved_is_asked(approved: str, further: str) -> None:
    assert after()(further) is Verdict.ASK
    assert after(approved)(further) is Verdict.ASK
    assert after(approved)(approved) is Verdict.ALLOW


def test_the_same_answer_twice_is_remembered_once() -> None:
    session = Remembered()
    for _ in range(2):
        session.remember(rules_to_remember(decide("git push", WORLD)))
    assert len(session.rules.rules) == 1


def test_rules_that_were_there_stay() -> None:
    session = Remembered(rules_from(["deny git push --tags"]))
    session.remember(rules_to_remember(decide("git push", WORLD)))
    assert decide("git push --tags", WORLD, rules=session.rules).verdict is Verdict.DENY
