"""Rules that a person approved for good -> tables in a file of rules that belongs to limpet, and may be edited."""

from __future__ import annotations

import fcntl
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.policy.rules import Rule

_HEADING = "# Answered with `always`. Delete a table to be asked again.\n"


class Kept:
    """The file, for one workspace."""

    def __init__(self, path: str, workspace: str) -> None:
        self._path = path
        self._workspace = workspace

    def __call__(self, rules: Iterable[Rule]) -> str:
        """Keep them, each once, and say where; or why it was not possible."""
        try:
            os.makedirs(os.path.dirname(self._path), mode=0o700, exist_ok=True)
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            with os.fdopen(fd, "r+b") as file:
                fcntl.flock(file, fcntl.LOCK_EX)  # somebody else may be answering the same question elsewhere
                there = file.read().decode("utf-8", "replace")
                tables = (_table(rule, self._workspace) for rule in rules)
                file.write("".join(table for table in _new(there, tables)).encode())
        except (OSError, ValueError) as error:
            return f"not kept for the next time: {error}"
        return f"kept in {self._path}"

    @property
    def possible(self) -> bool:
        """Whether the workspace has a name that a text file can hold."""
        return self._workspace.isprintable()


def _new(there: str, tables: Iterable[str]) -> Iterable[str]:
    if not there:
        yield _HEADING
    elif not there.endswith("\n"):
        yield "\n"
    yield from (table for table in tables if table not in there)


def _table(rule: Rule, workspace: str) -> str:
    """As a file of rules has it. JSON writes texts and lists of texts as TOML does, when they are printable."""
    import json  # noqa: PLC0415 - few answers are kept

    keys = {
        "name": rule.name, "verdict": str(rule.verdict), "workspace": workspace,
        "argv": list(rule.pattern), "lifts": list(rule.lifts),
    }  # fmt: skip
    return "\n[[rule]]\n" + "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in keys.items())
