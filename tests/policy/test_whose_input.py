"""What stands around a pipe is not what the later commands of the pipe read."""

from __future__ import annotations

import pytest

from limpet.model.decision import Verdict
from limpet.policy.decide import decide
from limpet.policy.places import World

WORLD = World(workspace="/home/dev/proj", home="/home/dev")
ALLOWED = (
    "python3 <<< 'x = 1'",
    "cat a | sh <<< ls",
    "cat <<< ls | sh",
    "{ python3; } <<< 'x = 1'",
    "xargs rm -rf <<< build",
    "{ xargs rm -rf; } <<< build",
    "cat list | xargs rm -rf <<< build",
    "cat > f <<< ls; sh f",
    "bash <<E\necho ls | sh\nE",
    "bash <<E\ncat <<F | python3\nx = 1\nF\nE",
    "{ cat > f; } <<< ls; sh f",
)
ASKED = (
    "{ cat a | sh; } <<< ls",
    "{ cat a | python3; } <<< 'x = 1'",
    "f() { cat a | sh; }; f <<< ls",
    "bash -c 'cat a | sh' <<< ls",
    "while read x; do cat a | sh; done < list",
    "{ cat list | cat > f; } <<< ls; sh f",
    "bash <<< python3",
    "{ bash <<< 'python3'; } <<< 'x = 1'",
    "bash <<E\n{ ls | python3; } <<< 'x = 1'\nE",
    "bash <<< 'ls|python3'",
)


def verdict(text: str) -> Verdict:
    return decide(text, WORLD).verdict


@pytest.mark.parametrize("text", ALLOWED)
def test_a_command_reads_what_its_own_redirections_open(text: str) -> None:
    assert verdict(text) is Verdict.ALLOW


@pytest.mark.parametrize("text", ASKED)
def test_what_comes_through_a_pipe_is_no_heredoc_around_it(text: str) -> None:
    assert verdict(text) is Verdict.ASK


def test_both_are_judged_where_nobody_tells_which_it_is() -> None:
    assert verdict("echo ls | { sh; } <<< 'rm -rf /'") is Verdict.DENY
    assert verdict("{ echo 'rm -rf /' | sh; } <<< ls") is Verdict.DENY
