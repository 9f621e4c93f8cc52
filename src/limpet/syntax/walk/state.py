"""Where a walk has come to: what is known there, and what has been found."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from limpet.syntax.walk.budget import Budget
from limpet.syntax.walk.changes import Counted
from limpet.syntax.walk.functions import Functions, Guard
from limpet.syntax.walk.point import Point

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from limpet.syntax.tree import Command, Function, Node, Opaque, Script, Tree
    from limpet.syntax.values.field import Field
    from limpet.syntax.values.scope import Scope
    from limpet.syntax.walk.changes import Changes
    from limpet.syntax.walk.found import Again, Found, Opened, Step

MAX_DEPTH = 48
"""Of compound commands, calls and texts that are evaluated again, inside each other."""
MAX_TEXT_DEPTH = 16
"""Of texts that are evaluated again: parsing them takes as much of Python's stack as walking to here."""
MAX_ALLOWANCE = 1 << 20

_BEFORE_FUNCTIONS = frozenset({
    ".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift", "source",
    "times", "trap", "unset",
})  # fmt: skip
"""Builtins that no function can take the place of, where bash does as POSIX says."""


class State:
    """What changes on the way."""

    def __init__(
        self, scope: Scope, walk_script: Callable[[Script, State], bool], walk_command: Callable[[Command, State], bool]
    ) -> None:
        self.point = Point(scope)
        self.origin = scope.cwd
        """The folder that the script began in; it has no links in its path."""
        self.walk_script = walk_script
        self.walk_command = walk_command
        self.found: list[Found] = []
        self.opaque: list[tuple[int, int, str]] = []
        self.steps: tuple[Step, ...] = ()
        self.opened: tuple[Opened, ...] = ()
        self.guard = Guard()
        self.functions = Functions()
        self.defined: set[str] = set()
        """Every name of a function."""
        self.plain: set[str] = set()
        """Names of commands that were not surely functions."""
        self.definitions: dict[int, tuple[str, Function, tuple[Step, ...]]] = {}
        self.before: set[int] = set()
        """Functions, by identity, that the shell knew before the script: they stand in no text that was given."""
        self.called: set[int] = set()
        """Functions, by identity, whose bodies were walked when they were called."""
        self.calling: set[int] = set()
        self.topped: set[int] = set()
        """Functions whose bodies are walked with nothing known, which holds for any call."""
        self.exported: set[str] = set()
        self.exports_functions = False
        self.own_start: set[Again] = set()
        """Texts for shells that first read files which may set any variable."""
        self.asking = 0
        """How many things around ask whether this fails."""
        self.in_function = 0
        self.temporary = 0
        """Whether variables are set for the time of one command."""
        self.aliases: set[str] = set()
        self.odd: set[Again] = set()
        """Texts for shells with options that change how they read, and traps that do not wait for the end."""
        self.modes: frozenset[str] = frozenset()
        """What the text may ever switch on, such as `last stage`."""
        self.deferred: list[tuple[Again, Point, tuple[Step, ...]]] = []
        self.trees: list[Script] = []
        """Every script that was walked."""
        self.counted = Counted()
        """What these assign more than once."""
        self.moved: tuple[int, int] | None = None
        """Where the text that is evaluated again stands, while it is walked: its own spans mean nothing outside."""
        self.inner = False
        """Whether the whole text stands in another one, whose budget it has."""
        self.at: tuple[int, int] = (0, 0)
        """Where the command stands that is walked now."""
        self.live = False
        """Whether some text in the script would run something, were it evaluated as arithmetic."""
        self.pinned: set[str] = set()
        """Variables that a trap may change between any two commands."""
        self.fed: list[tuple[Field, str]] = []
        """Those arguments of the command that is walked now that are pipes, `<(…)`, with the text that comes out."""
        self.arrays: list[tuple[Field, dict[int, Field] | None]] = []
        """Those arguments of the command that is walked now that are arrays as they stand, with their elements."""
        self.loose = False
        """Whether a word of the command that is walked now may be any number of arguments of any text."""
        self.faulty = False
        """Whether bash may give up what it runs and go on with the next line."""
        self.budget = Budget(0)
        self.repeating = 0
        """How often the commands that are walked now have been walked, or will be, for other values."""
        self.allowance = MAX_ALLOWANCE
        """How much may yet be done about what functions change, wherever they are called."""
        self.texts: dict[str, Tree] = {}
        """What was evaluated again, read."""
        self.changed: dict[int, tuple[object, Changes]] = {}
        """What parts of the tree may change, by identity; the parts are kept so that they keep it."""
        self.reached: dict[int, tuple[int, Changes]] = {}
        """The same with the functions that are called, and how old those were."""
        self.gave_up = False
        self._depth = 0
        self._spent = False

    @property
    def scope(self) -> Scope:
        """The variables here."""
        return self.point.scope

    @property
    def folders(self) -> tuple[str, ...] | None:
        """Every folder that this may be, the likeliest first."""
        found = self.point.folders
        if found is None or len(found) == 1:
            return None if found is None else tuple(found)
        return tuple(sorted(found, key=lambda each: (each != self.scope.cwd, each)))

    @property
    def may_parse(self) -> bool:
        """Whether there is room left to parse a text."""
        return self._depth < MAX_TEXT_DEPTH

    def enter(self, node: Node) -> bool:
        """Go one level deeper; False, and noted, when that is too deep."""
        if self._depth >= MAX_DEPTH:
            self.note(node.start, node.end, "nested too deep to follow")
            self.point.lose()
            return False
        self._depth += 1
        return True

    def leave(self) -> None:
        """Come back from `enter`."""
        self._depth -= 1

    def spend(self, node: Node, work: int = 1) -> bool:
        """Whether one more command may be walked; False, and noted, when what comes on top of the text is too much."""
        if not self.repeating and self.moved is None and not self.inner:
            return True
        if self.budget.spend(work, again=self.repeating > 0):
            return True
        if not self._spent:
            self.note(node.start, node.end, "too much to follow: it repeats too often")
            self._spent = True
        self.point.lose()
        return False

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
    def guarded(self) -> Iterator[None]:
        """Inside something that may run or not, or often."""
        before = self.guard
        self.guard = Guard(before)
        yield
        self.guard = before

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Inside something whose failure is asked about, so that it ends no script."""
        self.asking += 1
        yield
        self.asking -= 1

    @contextmanager
    def apart(self, step: Step) -> Iterator[None]:
        """Inside something that runs in a process of its own: what changes there is not seen outside."""
        point, steps, guard, faulty = self.point, self.steps, self.guard, self.faulty
        self.point, self.steps, self.guard = point.copy(), (*steps, step), Guard(guard)
        yield
        self.point, self.steps, self.guard, self.faulty = point, steps, guard, faulty

    @contextmanager
    def repeated(self, really: bool = True) -> Iterator[None]:  # noqa: FBT001, FBT002 - reads well as it is called
        """While commands are walked again, for other values."""
        self.repeating += really
        yield
        self.repeating -= really

    def find(self, name: str) -> tuple[list[Function], bool]:
        """The functions that a name may mean here, and whether it surely means one."""
        nodes, sure = self.functions.find(name, self.guard)
        return nodes, sure and not ("posix" in self.modes and name in _BEFORE_FUNCTIONS)

    def define(self, node: Function, name: str) -> None:
        """A function is known from here on; it may be defined again, differently."""
        self.functions.define(name, node, self.guard)
        self.defined.add(name)
        if self.exports_functions:
            self.exported.add(name)
        self.definitions.setdefault(id(node), (name, node, self.steps))
