"""One judging: what has been found so far, and what every step of it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import FoundCommand, Risk
from limpet.policy.carried import Carried
from limpet.policy.finding import Finding
from limpet.policy.links import Links
from limpet.policy.places import judge_path
from limpet.policy.streams import Record, Streams
from limpet.syntax.walk.budget import Budget

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.model.session import ShellFacts
    from limpet.policy.command import Command
    from limpet.policy.places import Judged, World
    from limpet.policy.tools.spec import Rule, Spec
    from limpet.syntax.values.field import Field

MAX_DEPTH = 12
"""Of commands in scripts in commands."""
MAX_COMMANDS = 20_000
MAX_FINDINGS = 2_000
_MOST_TEXT = 4
_LITTLE_TEXT = 16_000
"""A script may run the same text over and over: as often as the size of all it runs stays within this many times the
script's own, and a little more."""


class Case:
    """What is known about one text that is being judged."""

    def __init__(
        self, world: World, tools: Mapping[str, Spec | Rule], size: int, facts: ShellFacts | None = None
    ) -> None:
        """`size` is that of the text; `facts` are those of a shell that is not a fresh one."""
        self.facts = facts
        self._links = Links(world.resolve)
        self.world = msgspec.structs.replace(world, resolve=self._links.follow)
        self._judged: dict[tuple[object, ...], Judged] = {}
        self.sockets: set[str] = set()
        """Descriptors that the script has connected to the network."""
        self.contents: dict[str, str] = {}
        """Files that the script writes, and what it writes there, where that is known."""
        self.foreign: set[str] = set()
        """Files that the script brings into the workspace."""
        self.unpacked = False
        """Something from outside the workspace was unpacked into it."""
        self.copies: set[str] = set()
        """Files that the script writes with secrets in them."""
        self.tools = tools
        self.findings: list[Finding] = []
        self.commands: list[FoundCommand] = []
        self.effects: list[str] = []
        self.records: list[Record] = []
        self.streams = Streams()
        self.carried = Carried()
        self.read_only = True
        self.opaque = False
        self.current = -1
        """Which command the findings are about."""
        self.reader: Command | None = None
        """The last command that was found to run code."""
        self.depth = 0
        self.budget = Budget(size)
        self.left = MAX_COMMANDS
        self.readable = _MOST_TEXT * size + _LITTLE_TEXT

    def judge(self, field: Field, cwd: str | None, *, loose: bool = False) -> Judged:
        """Where a path leads, found out once; `loose` as for `judge_path`."""
        key = (field.pieces, cwd, loose and field.text is None)
        judged = self._judged.get(key)
        if judged is None:
            judged = self._judged[key] = judge_path(field, cwd, self.world, loose=loose)
        return judged

    def link(self, path: str, target: str) -> None:
        """Note a link that the script makes, and where it leads."""
        self._links.add(path, target)
        self._judged.clear()

    def may_read(self, text: str, span: tuple[int, int]) -> bool:
        """Whether a text that the script runs is still to be judged; what is left out is noted."""
        self.readable -= len(text)
        if self.readable < 0:
            self.unclear("is too much to be followed", span, "limit.size")
        return self.readable >= 0

    def record(self, command: Command, *, network: bool = False, secret: bool = False) -> None:
        """Note a command, for those that it feeds."""
        record = Record(command, network, secret)
        self.records.append(record)
        self.streams.add(record)

    def find(self, finding: Finding) -> None:
        """Note something that speaks against what is being judged now; of too many questions the first will do."""
        if len(self.findings) >= MAX_FINDINGS and not finding.deny:
            return
        self.findings.append(msgspec.structs.replace(finding, command=self.current))

    def ask(self, rule: str, risk: Risk, message: str, span: tuple[int, int], suggestion: str = "") -> None:
        """Note something that a profile decides about."""
        self.find(Finding(rule, risk, message, span, suggestion))

    def deny(self, rule: str, risk: Risk, message: str, span: tuple[int, int], suggestion: str = "") -> None:
        """Note something that is never allowed."""
        self.find(Finding(rule, risk, message, span, suggestion, deny=True))

    def unclear(self, message: str, span: tuple[int, int], rule: str = "opaque") -> None:
        """Note something that cannot be known before it runs."""
        self.opaque = True
        self.read_only = False
        self.ask(rule, Risk.OPAQUE, message, span)
