"""A subcommand loads what it needs, and nothing else: people and agents wait for it each time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from commandline import Cli

LOADED = re.compile(r"^import time:.*\| +(\S+)$", re.MULTILINE)
EVENT_LOOP = {"asyncio", "ssl"}
SELDOM_NEEDED = {
    "limpet.overlay.transactions", "limpet.sandbox.bubblewrap", "limpet.session.launch", "limpet.tasks.starter",
    "opentelemetry.trace", "rich", "shutil", "tempfile",
}  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "spared"),
    [
        (["--version"], {"msgspec", *EVENT_LOOP}),
        (["tasks"], {"limpet.policy.decide", *EVENT_LOOP, *SELDOM_NEEDED}),
        (["check", "--", "ls"], {"limpet.process", "limpet.sandbox.native", *EVENT_LOOP, *SELDOM_NEEDED}),
        (["run", "--", "true"], SELDOM_NEEDED),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_what_a_subcommand_does_not_need_is_not_loaded(arguments: list[str], spared: set[str], cli: Cli) -> None:
    done = cli(*arguments, env={"PYTHONPROFILEIMPORTTIME": "1"})
    assert done.returncode == 0, done.stderr
    assert spared & set(LOADED.findall(done.stderr)) == set()
