"""Commits, merges, picks and rebases of git -> what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import risk
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import HERE, parse_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.spec import Rule

COMMIT = Spec(
    operands="text*",
    options={
        "-m": "text", "--message": "text", "-F": "read", "--file": "read", "-t": "read", "--template": "read",
        "-c": "text", "-C": "text", "--reuse-message": "text", "--reedit-message": "text", "--fixup": "text",
        "--squash": "text", "--author": "text", "--date": "text", "--cleanup": "text", "--trailer": "text",
        "--pathspec-from-file": "read", "-X": "text", "--strategy-option": "text", "--into-name": "text",
        "--mainline": "text",
    },
    flags="--amend --all --no-edit --no-verify --allow-empty --signoff --dry-run --verbose --quiet --interactive "
    "--patch --include --only --no-status --status --short --abort --continue --skip --quit --ff --no-ff --ff-only "
    "--no-commit",
)  # fmt: skip
_STRATEGIES = frozenset({"ort", "recursive", "resolve", "octopus", "ours", "subtree"})
MERGE = Spec(
    operands="text*",
    options={"-m": "text", "-F": "read", "--file": "read", "-s": "text", "--strategy": "text", "-X": "text"},
    flags="--ff --ff-only --stat --signoff --squash --strategy-option",
)
PICK = Spec(operands="text*", options={"-m": "text", "--strategy": "text", "-X": "text"}, flags="--strategy-option")
REBASE = Spec(
    operands="text*",
    options={"-s": "text", "--strategy": "text", "-X": "text", "-x": "script", "--exec": "script", "--onto": "text"},
    flags="--strategy-option --edit-todo --empty",
)


def merging(spec: Spec) -> Rule:
    """A strategy that is not git's own is a program `git-merge-NAME`."""

    def verb(command: Command) -> Iterator[Effect]:
        yield HERE
        yield from describe(spec, command)
        for field in parse_spec(spec, command).values("-s", "--strategy"):
            if field.text not in _STRATEGIES:
                yield risk("git.strategy", Risk.UNKNOWN, "runs a merge program that is not part of git")

    return verb
