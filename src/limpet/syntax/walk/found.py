"""A simple command of the tree, as it would run -> what is known of it there."""

from __future__ import annotations

import msgspec

from limpet.syntax.tree import Assignment, Calculation, Redirect, Simple, Test
from limpet.syntax.values.field import Field


class Step(msgspec.Struct, frozen=True, gc=False):
    """One step on the way from the whole script to a command."""

    kind: str
    """`stage` of a pipe, `$(`, a backtick, `<(`, `>(`, `(`, `{`, `if`, `while`, `for`, `case`, `condition`, `function`,
    `coproc`, `&`, or what evaluates text again: `eval`, `trap`, `-c` …
    """
    start: int
    """Where the thing stands that the step leads into: two commands with the same steps stand in the same thing."""
    index: int = 0
    """Which stage, or which word of the command that a substitution stands in; -1 for its redirections."""
    name: str = ""
    """Of a function."""


class Opened(msgspec.Struct, frozen=True, gc=False):
    """A redirection, with what is known of its target."""

    node: Redirect
    target: Field
    body: Field | None = None
    """Of a heredoc, of a here-string, or of `< <(…)` whose output is known: what is read."""


class Assigned(msgspec.Struct, frozen=True, gc=False):
    """An assignment, with what is known of its value; None for an array."""

    node: Assignment
    value: Field | None


class Again(msgspec.Struct, frozen=True, gc=False):
    """Text that is evaluated once more."""

    kind: str
    """`script`: run as commands now; `later`: run as commands at some time; `arithmetic`: evaluated, which can run
    commands in a subscript; `words`: expanded, which can run substitutions; `file`: a file that is read as commands.
    """
    by: str
    """What does it: `eval`, `trap`, `bash -c`, `PS4`, `${@P}` …"""
    text: str | None
    """None when it is not known. Arithmetic that is not known is so common that only this tells of it; all else that is
    not known is also among what could not be followed.
    """
    start: int
    end: int
    arguments: tuple[Field, ...] | None = None
    """`$0`, `$1` … of the text, when it has its own."""


class Found(msgspec.Struct, frozen=True, gc=False):
    """A simple command, a `[[ ]]` or an arithmetic one, where it stands and what is known of it.

    A word that stands elsewhere, as in `case`, and evaluates text again, is found as an arithmetic one.
    """

    node: Simple | Test | Calculation
    start: int
    end: int
    """Where it stands in the text as it was given; of text that is evaluated again, where that text stands."""
    argv: tuple[Field, ...]
    assigned: tuple[Assigned, ...]
    opened: tuple[Opened, ...]
    """Its own redirections, then those of the compound commands and calls around it, from the inside out."""
    steps: tuple[Step, ...]
    cwd: str | None
    """The folder it runs in, when every `cd` before it worked and went to a known place."""
    again: tuple[Again, ...] = ()
    function: bool = False
    """Whether its name is that of a function of the script, whose commands are found where it is called."""
    folders: tuple[str, ...] | None = None
    """Every folder it may run in, whichever `cd` before it failed; None when it may be any."""


class Walk(msgspec.Struct, frozen=True):
    """Every simple command of a script, in the order in which they would run."""

    found: tuple[Found, ...]
    opaque: tuple[tuple[int, int, str], ...]
    """What could not be followed: start, end, reason."""
    aliases: frozenset[str] = frozenset()
    """Names that the script defines as aliases; they are not expanded here."""
    functions: frozenset[str] = frozenset()
    """Names that the script defines as functions: no command of that name is what it seems."""
