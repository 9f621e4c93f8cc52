"""The arguments of `find` -> where it starts and what it does to which of the paths it meets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from limpet.policy.tools.fieldpaths import HERE, is_broad
from limpet.policy.tools.find_filters import FEW, Filters, both, name_filter, path_filter, regex_filter, union

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limpet.syntax.values.field import Field

COMMANDS = ("-exec", "-execdir", "-ok", "-okdir")
WRITERS = ("-fls", "-fprint", "-fprint0", "-fprintf")
_READS = frozenset({"-anewer", "-cnewer", "-newer", "-samefile", "-files0-from"})
_OPERATORS = frozenset({"(", ")", "!", ",", "-not", "-a", "-and", "-o", "-or"})
_ALONE = frozenset({
    "-acl", "-d", "-daystart", "-depth", "-empty", "-executable", "-false", "-follow", "-help", "--help",
    "-ignore_readdir_race", "-ls", "-mount", "-noignore_readdir_race", "-nogroup", "-noleaf", "-nouser", "-nowarn",
    "-print", "-print0", "-prune", "-quit", "-readable", "-sparse", "-true", "-version", "--version", "-warn",
    "-writable", "-x", "-xattr", "-xdev", "-delete",
})  # fmt: skip
_WITH_VALUE = frozenset({
    "-Bmin", "-Bnewer", "-Btime", "-amin", "-anewer", "-atime", "-cmin", "-cnewer", "-context", "-ctime",
    "-files0-from", "-flags", "-fls", "-fprint", "-fprint0", "-fstype", "-gid", "-group", "-ilname", "-iname",
    "-inum", "-ipath", "-iregex", "-iwholename", "-links", "-lname", "-maxdepth", "-mindepth", "-mmin", "-mtime",
    "-name", "-newer", "-path", "-perm", "-printf", "-regex", "-regextype", "-samefile", "-size", "-type", "-uid",
    "-used", "-user", "-wholename", "-xattrname", "-xtype",
})  # fmt: skip


class Action(NamedTuple):
    """Something done to each path that passes the filters."""

    name: str
    words: tuple[Field, ...]
    filters: Filters
    batch: bool = False


class Expression(NamedTuple):
    """What a call of `find` says."""

    starts: tuple[Field, ...]
    actions: tuple[Action, ...]
    reads: tuple[Field, ...]
    unknown: str
    """A part that is not understood; empty when all is."""


class _Frame:
    """What is inside one pair of brackets."""

    def __init__(self, incoming: Filters, *, negated: bool = False) -> None:
        self.incoming = incoming
        self.now = incoming
        self.others: Filters = ()
        self.negated = negated

    def turn(self) -> None:
        """Another alternative begins."""
        self.others = union(self.others, self.now)
        self.now = self.incoming


class _Reader:
    """Reads predicates one after the other."""

    def __init__(self, words: Sequence[Field]) -> None:
        self.words = words
        self.index = 0
        self.frames = [_Frame(None)]
        self.negated = False
        self.actions: list[Action] = []
        self.reads: list[Field] = []
        self.unknown = ""

    def read_all(self) -> None:
        while self.index < len(self.words):
            word = self.words[self.index]
            self.index += 1
            name = word.text
            if name in _OPERATORS:
                self.operate(name)
            elif name is None or not self.predicate(name):
                self.unknown = self.unknown or (name or "an argument")

    def operate(self, name: str | None) -> None:
        if name in ("!", "-not"):
            self.negated = not self.negated
        elif name == "(":
            self.frames.append(_Frame(self.frames[-1].now, negated=self.negated))
            self.negated = False
        elif name == ")" and len(self.frames) > 1:
            inner = self.frames.pop()
            inner.turn()
            self.negated = inner.negated
            self.narrow(inner.others)
        elif name in ("-o", "-or", ","):
            self.frames[-1].turn()

    def predicate(self, name: str) -> bool:
        """Read one; whether it is known."""
        if name in COMMANDS:
            self.command(name)
        elif name == "-fprintf":
            self.act(name, self.values(2)[:1])
        elif name in _WITH_VALUE or re.fullmatch("-newer[aBcm][aBcmt]", name):
            self.test(name, self.values(1))
        elif name in _ALONE:
            self.alone(name)
        else:
            return False
        return True

    def values(self, count: int) -> tuple[Field, ...]:
        taken = tuple(self.words[self.index : self.index + count])
        self.index += count
        if any(is_broad(field) for field in taken):
            self.unknown = self.unknown or "an argument"
        return taken

    def alone(self, name: str) -> None:
        if name == "-delete":
            self.act(name, ())
        elif name == "-depth" and self.index < len(self.words):  # BSD takes a number there
            self.index += re.fullmatch("[-+]?[0-9]+", self.words[self.index].text or "") is not None
        self.narrow(FEW if name == "-empty" else None)

    def test(self, name: str, values: tuple[Field, ...]) -> None:
        if name in WRITERS:
            self.act(name, values)
        if name in _READS:
            self.reads.extend(values)
        makes = _FILTERS.get(name)
        self.narrow(makes(values[0] if values else None) if makes is not None else None)

    def narrow(self, filters: Filters) -> None:
        frame = self.frames[-1]
        frame.now = frame.now if self.negated else both(frame.now, filters)
        self.negated = False

    def act(self, name: str, words: tuple[Field, ...], *, batch: bool = False) -> None:
        self.actions.append(Action(name, words, self.frames[-1].now, batch))

    def command(self, name: str) -> None:
        first = self.index
        batch = False
        while self.index < len(self.words) and not batch and self.words[self.index].text != ";":
            last = self.words[self.index - 1].text if self.index > first else None
            batch = self.words[self.index].text == "+" and last == "{}"
            self.index += 1
        words = tuple(self.words[first : self.index - batch])
        self.index += not batch
        if any(is_broad(word) for word in words):
            self.unknown = self.unknown or "an argument"
        self.act(name, words, batch=batch)
        self.narrow(None)


def _few_if(*texts: str) -> Callable[[Field | None], Filters]:
    return lambda field: FEW if field is not None and field.text in texts else None


def _few(_field: Field | None) -> Filters:
    return FEW


_FILTERS: dict[str, Callable[[Field | None], Filters]] = {
    "-name": name_filter,
    "-iname": name_filter,
    "-path": path_filter,
    "-ipath": path_filter,
    "-wholename": path_filter,
    "-iwholename": path_filter,
    "-regex": regex_filter,
    "-iregex": regex_filter,
    "-lname": _few,
    "-ilname": _few,
    "-inum": _few,
    "-samefile": _few,
    "-size": _few_if("0", "0c", "0b", "0k"),
    "-type": _few_if("l", "p", "s"),
    "-xtype": _few_if("l", "p", "s"),
}


def read_expression(arguments: Sequence[Field]) -> Expression:
    """Read all arguments of `find`."""
    index, starts = _skip_options(arguments)
    while index < len(arguments) and not _begins_expression(arguments[index]):
        starts.append(arguments[index])
        index += 1
    reader = _Reader(arguments[index:])
    if any(is_broad(field) for field in starts[1:]):
        reader.unknown = "an argument"
    reader.read_all()
    return Expression(tuple(starts) or (HERE,), tuple(reader.actions), tuple(reader.reads), reader.unknown)


def _skip_options(arguments: Sequence[Field]) -> tuple[int, list[Field]]:
    """Options that stand before the starting points; BSD has a starting point among them."""
    index = 0
    starts: list[Field] = []
    while index < len(arguments):
        text = arguments[index].text or ""
        if text == "-f":
            starts.extend(arguments[index + 1 : index + 2])
        elif not re.fullmatch("-[EHLPXsx]+|-D|-O[0-9]*|--", text):
            break
        index += 2 if text in ("-D", "-f") else 1
    return index, starts


def _begins_expression(field: Field) -> bool:
    return field.text in ("(", ")", "!", ",") or (field.prefix.startswith("-") and field.text != "-")
