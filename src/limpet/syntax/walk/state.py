"""Where a walk has come to: what is known there, and what has been found."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limpet.syntax.tree import Command, Function, Node, Opaque, Script
    from limpet.syntax.values.scope import Scope
    from limpet.syntax.walk.found import Again, Found, Opened, Step

MAX_DEPTH = 64
"""Of compound commands, calls and texts that are evaluated again, inside each other."""
MAX_EXTRA = 4096
"""How many more commands may be walked than the text has: loops that are unrolled, functions, text evaluated again."""


class State:
    """What changes on the way."""

    def __init__(
        self, scope: Scope, walk_script: Callable[[Script, State], bool], walk_command: Callable[[Command, State], bool]
    ) -> None:
        self.scope = scope
        self.walk_script = walk_script
        self.walk_command = walk_command
        self.found: list[Found] = []
        self.opaque: list[tuple[int, int, str]] = []
        self.steps: tuple[Step, ...] = ()
        self.opened: tuple[Opened, ...] = ()
        self.functions: dict[str, Function] = {}
        self.definitions: dict[int, tuple[Function, Scope, tuple[Step, ...]]] = {}
        self.called: set[int] = set()
        """Functions, by identity, whose bodies were walked when they were called."""
        self.aliases: set[str] = set()
        self.aliases_on = False
        self.deferred: list[tuple[Again, Scope, tuple[Step, ...]]] = []
        self.folders: list[str | None] = []
        """What `pushd` remembers."""
        self.moved: tuple[int, int] | None = None
        """Where the text that is evaluated again stands, while it is walked: its own spans mean nothing outside."""
        self.extra = MAX_EXTRA
        self.repeating = 0
        """How often the commands that are walked now have been walked, or will be, for other values."""
        self._depth = 0

    def enter(self, node: Node) -> bool:
        """Go one level deeper; False, and noted, when that is too deep."""
        if self._depth >= MAX_DEPTH:
            self.note(node.start, node.end, "nested too deep to follow")
            return False
        self._depth += 1
        return True

    def leave(self) -> None:
        """Come back from `enter`."""
        self._depth -= 1

    def spend(self, node: Node) -> bool:
        """Whether one more command may be walked; False, and noted, when a repetition has used up what it may."""
        if not self.repeating:
            return True
        self.extra -= 1
        if self.extra == 0:
            self.note(node.start, node.end, "repeats too often to follow")
        return self.extra > 0

    def span(self, node: Node) -> tuple[int, int]:
        """Where a node stands in the text as it was given."""
        return self.moved or (node.start, node.end)

    def note(self, start: int, end: int, reason: str) -> None:
        """Something that could not be followed."""
        self.opaque.append((*(self.moved or (start, end)), reason))

    def note_opaque(self, nodes: Sequence[Opaque]) -> None:
        """What the parser did not understand."""
        for node in nodes:
            self.note(node.start, node.end, node.reason)

    @contextmanager
    def step(self, step: Step) -> Iterator[None]:
        """Inside something."""
        before = self.steps
        self.steps = (*before, step)
        yield
        self.steps = before

    @contextmanager
    def apart(self, step: Step) -> Iterator[None]:
        """Inside something that runs in a process of its own: what changes there is not seen outside."""
        scope, folders, before = self.scope, self.folders, self.steps
        self.scope, self.folders, self.steps = scope.copy(), list(folders), (*before, step)
        yield
        self.scope, self.folders, self.steps = scope, folders, before

    @contextmanager
    def repeated(self, really: bool = True) -> Iterator[None]:  # noqa: FBT001, FBT002 - reads well as it is called
        """While commands are walked again, for other values."""
        self.repeating += really
        yield
        self.repeating -= really

    def define(self, node: Function, name: str) -> None:
        """A function is known from here on; it may be defined again, differently."""
        self.functions[name] = node
        self.definitions.setdefault(id(node), (node, self.scope.copy(), self.steps))
