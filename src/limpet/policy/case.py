"""One judging: what has been found so far, and what every step of it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import FoundCommand, Risk
from limpet.policy.finding import Finding
from limpet.policy.streams import Record, Streams

if TYPE_CHECKING:
    from limpet.policy.command import Command
    from limpet.policy.places import World
    from limpet.policy.tools.spec import Rule, Spec

MAX_DEPTH = 12
"""Of commands in scripts in commands."""
MAX_COMMANDS = 20_000
MAX_FINDINGS = 2_000


class Case:
    """What is known about one text that is being judged."""

    def __init__(self, world: World, tools: dict[str, Spec | Rule]) -> None:
        self.world = msgspec.structs.replace(world, resolve=self._resolve)
        self._outer_resolve = world.resolve
        self.links: dict[str, str] = {}
        """Links that the script makes, and where they lead."""
        self.sockets: set[str] = set()
        """Descriptors that the script has connected to the network."""
        self.contents: dict[str, str] = {}
        """Files that the script writes, and what it writes there, where that is known."""
        self.foreign: set[str] = set()
        """Files that the script brings into the workspace."""
        self.tools = tools
        self.findings: list[Finding] = []
        self.commands: list[FoundCommand] = []
        self.effects: list[str] = []
        self.records: list[Record] = []
        self.streams = Streams()
        self.read_only = True
        self.opaque = False
        self.current = -1
        """Which command the findings are about."""
        self.depth = 0
        self.left = MAX_COMMANDS

    def _resolve(self, path: str) -> str:
        """A path behind the links that the script has made, and those that exist."""
        for link, target in self.links.items():
            if path == link or path.startswith(f"{link}/"):
                path = target.rstrip("/") + path[len(link) :]
        return self._outer_resolve(path) if self._outer_resolve is not None else path

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
