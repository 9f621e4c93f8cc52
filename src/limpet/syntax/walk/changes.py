"""A part of the tree -> what running it may change for the commands behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import astuple

from limpet.syntax.tree import (
    Arithmetic,
    Assignment,
    Background,
    Calculation,
    Coproc,
    Double,
    For,
    ForArithmetic,
    Function,
    Literal,
    Node,
    Opaque,
    Parameter,
    Pipeline,
    Redirect,
    Simple,
    Subshell,
    Substitution,
    Term,
    Word,
)
from limpet.syntax.walk.commands import note_command
from limpet.syntax.walk.names import NAME, is_number, is_number_item, names_in

if TYPE_CHECKING:
    from collections.abc import Callable

_ARITHMETIC_TESTS = frozenset({"-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R"})
_STARS = ("@", "*")
_BROUGHT = frozenset({"CDPATH", "HOME", "IFS", "OLDPWD", "PWD"})
"""Variables that are known before the script has assigned them."""


class Changes(msgspec.Struct):
    """What may be different afterwards."""

    names: set[str] = msgspec.field(default_factory=set)
    texts: set[str] = msgspec.field(default_factory=set)
    """Those of the names that may become something else than a number."""
    attributes: set[str] = msgspec.field(default_factory=set)
    """Names that are declared with attributes, so that an assignment does not do what it seems."""
    remade: set[str] = msgspec.field(default_factory=set)
    """Names that are unset or declared, so that an array of keys may be one no more."""
    subscripts: dict[str, Changes] = msgspec.field(default_factory=dict)
    """What the subscripts of an array do, if they are arithmetic: those of an array of keys are not."""
    reads: set[str] = msgspec.field(default_factory=set)
    """Names that arithmetic reads: what they hold is evaluated, and may assign any variable."""
    calls: set[str] = msgspec.field(default_factory=set)
    """Names of commands."""
    arguments: bool = False
    """`"$@"` is run as a command."""
    everything: bool = False
    """Any variable may."""
    positional: bool = False
    folder: bool = False
    options: bool = False
    """How words are read."""
    lenient: bool = False
    """Whether the script ends when a command fails."""
    functions: bool = False
    """What functions there are, beyond definitions that can be seen."""
    jumps: bool = False
    """Commands may be skipped: `break`, `continue`, `return`."""

    def name(self, name: str, *, number: bool = False) -> None:
        """The variable may."""
        self.names.add(name)
        if not number:
            self.texts.add(name)

    def anything(self) -> None:
        """Nothing is sure any more."""
        self.everything = self.positional = self.folder = self.options = self.lenient = True
        self.functions = self.jumps = True

    def add(self, other: Changes) -> None:
        """Both may have run."""
        self.names |= other.names
        self.texts |= other.texts
        self.attributes |= other.attributes
        self.remade |= other.remade
        for name, inner in other.subscripts.items():
            self.subscripts.setdefault(name, Changes()).add(inner)
        self.reads |= other.reads
        self.arguments |= other.arguments
        self.everything |= other.everything
        self.positional |= other.positional
        self.folder |= other.folder
        self.options |= other.options
        self.lenient |= other.lenient
        self.functions |= other.functions
        self.jumps |= other.jumps

    @property
    def size(self) -> int:
        """How much there is to do about it."""
        return len(self.names) + len(self.attributes) + len(self.reads) + len(self.calls) + len(self.subscripts)


def changes(node: object, *, last_stage: bool = False) -> Changes:
    """What running this may change; `last_stage`: the last stage of a pipe runs in this shell."""
    found = Changes()
    stack = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, tuple):
            stack.extend(each)
        elif isinstance(each, Node):
            _NOTES.get(type(each), _nothing)(each, found)
            stack.extend(_inside(each, last_stage=last_stage))
    return found


def note(node: Node) -> Changes:
    """What the node changes by itself, whatever stands inside it."""
    found = Changes()
    _NOTES.get(type(node), _nothing)(node, found)
    return found


def _inside(node: Node, *, last_stage: bool) -> list[object]:
    """What of a node runs in this shell."""
    if isinstance(node, Subshell | Substitution | Background | Function):
        return [node.redirects] if isinstance(node, Subshell) else []
    if isinstance(node, Coproc):
        return []
    if isinstance(node, Pipeline) and len(node.stages) > 1:
        return [node.stages[-1]] if last_stage else []
    return list(astuple(node)[2:])


def _nothing(_: Node, __: Changes) -> None:
    pass


def _assignment(node: Assignment, found: Changes) -> None:
    found.name(node.name, number=isinstance(node.value, Word) and is_number(node.value))
    if node.subscript is not None:
        _subscript(node.name, node.subscript, found)


def _subscript(name: str, word: Word, found: Changes) -> None:
    _expression(word, found.subscripts.setdefault(name, Changes()))


def _for(node: For, found: Changes) -> None:
    found.name(node.name, number=node.words is not None and all(is_number_item(word) for word in node.words))
    if node.select:
        found.name("REPLY")


def _coproc(node: Coproc, found: Changes) -> None:
    found.name(node.name)
    found.name(f"{node.name}_PID")


def _redirect(node: Redirect, found: Changes) -> None:
    if node.descriptor and not node.descriptor.isdecimal():
        found.name(node.descriptor.partition("[")[0])


def _parameter(node: Parameter, found: Changes) -> None:
    if node.operator in (":=", "="):
        found.name(node.name, number=bool(node.operands) and is_number(node.operands[0]))
    if node.indirect and node.operator != "names":
        found.everything |= node.subscript is None
    if node.subscript is not None:
        _subscript(node.name, node.subscript, found)
    if node.operator == ":":
        for operand in node.operands:
            _expression(operand, found)


def _arithmetic(node: Arithmetic | Calculation, found: Changes) -> None:
    _expression(node.expression, found)


def _for_arithmetic(node: ForArithmetic, found: Changes) -> None:
    for word in node.expressions:
        _expression(word, found)


def _term(node: Term, found: Changes) -> None:
    if node.operator in _ARITHMETIC_TESTS:
        for word in node.words:
            _expression(word, found)


def _expression(word: Word, found: Changes) -> None:
    """Any name in an expression may be assigned there, a number, and what it holds is evaluated."""
    if len(word.parts) == 1 and isinstance(word.parts[0], Literal) and word.parts[0].text in _STARS:
        return
    for part in word.parts:
        inner = part.parts if isinstance(part, Double) else (part,)
        for each in inner:
            _operand(each, found)


def _operand(part: object, found: Changes) -> None:
    if isinstance(part, Literal):
        names = names_in(part.text)
        found.names.update(names)
        found.reads.update(names)
    elif isinstance(part, Parameter) and not part.operator and part.subscript is None and NAME.fullmatch(part.name):
        found.reads.add(part.name)
    elif isinstance(part, Substitution | Opaque) or (isinstance(part, Parameter) and not is_number(_word(part))):
        found.everything = True


def _word(part: Parameter) -> Word:
    return Word(part.start, part.end, (part,))


def _simple(node: Simple, found: Changes) -> None:
    if node.words:
        note_command(node.words, found)


_NOTES: dict[type, Callable[..., None]] = {  # each takes the one kind of node that it is listed for
    Arithmetic: _arithmetic, Assignment: _assignment, Calculation: _arithmetic, Coproc: _coproc, For: _for,
    ForArithmetic: _for_arithmetic, Parameter: _parameter, Redirect: _redirect, Simple: _simple, Term: _term,
}  # fmt: skip


class Counted:
    """What many places assign, counted over every script that was walked."""

    def __init__(self) -> None:
        self.trees = 0
        """How many scripts were counted."""
        self.everything = False
        self.folder = False
        """Whether any place may go to another folder."""
        self.options = False
        self.often: set[str] = set()
        self._once: set[str] = set(_BROUGHT)

    def add(self, found: Changes) -> None:
        """One more place."""
        self.everything |= found.everything or found.arguments
        self.folder |= found.folder or found.everything or found.arguments
        self.options |= found.options or found.everything or found.arguments
        self.often |= found.names & self._once
        self._once |= found.names
