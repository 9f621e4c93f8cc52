"""Options that have a tool start another program -> a question, unless the program is the usual one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, Kind, risk
from limpet.policy.tools.spec import Spec, describe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_USUAL = frozenset({
    "brotli", "bzip2", "cat", "gunzip", "gzip", "head", "lbzip2", "less", "lz4", "lzip", "lzma", "lzop", "more",
    "pbzip2", "pigz", "pixz", "plzip", "ssh", "strip", "tail", "unzip", "wc", "xz", "zstd", "zstdmt",
})  # fmt: skip


def wary(tool: Spec | Rule) -> Rule:
    """The tool, with a question about each program that its options have it start."""

    def described(command: Command) -> Iterator[Effect]:
        for effect in describe(tool, command) if isinstance(tool, Spec) else tool(command):
            yield effect
            if effect.kind in (Kind.SCRIPT, Kind.PROGRAM) and not _is_usual(effect):
                yield risk(f"{command.name}.runs", Risk.UNKNOWN, f"has {command.name} run another program")

    return described


def _is_usual(effect: Effect) -> bool:
    text = effect.field.text if effect.field is not None else None
    words = re.fullmatch("([a-z0-9]+)( [A-Za-z0-9 =._-]*)?", text or "")
    return words is not None and words[1] in _USUAL
