"""The tree of a script: what bash reads, each node with the bytes it was read from.

Spans are byte offsets into the text as it was given. Text is as bash sees it after quoting is undone.
"""

from __future__ import annotations

import msgspec


class Node(msgspec.Struct, frozen=True, gc=False):
    """Something that was read from `start` up to, not including, `end`."""

    start: int
    end: int


class Opaque(Node, frozen=True, gc=False):
    """Text that was not understood, or that bash itself would refuse."""

    reason: str


# --- words ----------------------------------------------------------------------------------------------------------


class Literal(Node, frozen=True, gc=False):
    """Text as it stands. Unquoted text may still be split into braces, a tilde or a glob; quoted text is just text."""

    text: str
    quoted: bool = False


class Double(Node, frozen=True, gc=False):
    """`"…"` and `$"…"`: expansions happen inside, splitting and globbing do not."""

    parts: tuple[Part, ...]


class Parameter(Node, frozen=True, gc=False):
    """`$name`, `${name}` and all that `${…}` can do."""

    name: str
    """A variable, a digit, or one of `@ * # ? - $ !`."""
    operator: str = ""
    """As written: `:-`, `##`, `//`, `:`, `^^`, `@P` …; `length` for `${#name}`, `names` for `${!prefix*}`."""
    operands: tuple[Word, ...] = ()
    """The word after the operator; pattern and replacement of `/`; offset and length of `:`."""
    subscript: Word | None = None
    indirect: bool = False
    """`${!name}`: the value is the name of what is meant; with the subscript `@` or `*` the keys are meant."""


class Substitution(Node, frozen=True, gc=False):
    """A script whose output, or whose pipe, takes this place."""

    kind: str
    """`$(`, a backtick, `<(` or `>(`."""
    body: Script


class Arithmetic(Node, frozen=True, gc=False):
    """`$((…))` and `$[…]`."""

    expression: Word


class Word(Node, frozen=True, gc=False):
    """Parts that are joined without a blank."""

    parts: tuple[Part, ...]


Part = Literal | Double | Parameter | Substitution | Arithmetic | Opaque


# --- simple commands ------------------------------------------------------------------------------------------------


class Element(Node, frozen=True, gc=False):
    """One element of `(a [1]=b [2]+=c)`."""

    value: Word
    subscript: Word | None = None
    append: bool = False


class Array(Node, frozen=True, gc=False):
    """`(a b [3]=c)` after `name=`."""

    elements: tuple[Element, ...]


class Assignment(Node, frozen=True, gc=False):
    """`name=value`, `name+=value`, `name[subscript]=value`, `name=(…)`."""

    name: str
    value: Word | Array
    subscript: Word | None = None
    append: bool = False


class Redirect(Node, frozen=True, gc=False):
    """`2>file`, `{fd}<&3`, `<<EOF` with its body."""

    operator: str
    """One of `< > >> >| <> <& >& &> &>> <<< << <<-`."""
    target: Word
    """What it opens; of a heredoc, its delimiter."""
    descriptor: str = ""
    """Digits, or the name inside `{name}`."""
    body: Word | None = None
    """Of a heredoc."""


class Simple(Node, frozen=True, gc=False):
    """A simple command: what is assigned for it, its words, its redirections, each in the order they stand."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word | Assignment, ...]
    """Arguments of `declare` and its kin that assign are `Assignment` only when they assign an array `(…)`."""
    redirects: tuple[Redirect, ...]


# --- compound commands ----------------------------------------------------------------------------------------------


class Subshell(Node, frozen=True, gc=False):
    """`( … )`."""

    body: Script
    redirects: tuple[Redirect, ...]


class Group(Node, frozen=True, gc=False):
    """`{ …; }`."""

    body: Script
    redirects: tuple[Redirect, ...]


class If(Node, frozen=True, gc=False):
    """`if`, each `elif`, and `else`."""

    branches: tuple[tuple[Script, Script], ...]
    otherwise: Script | None
    redirects: tuple[Redirect, ...]


class Loop(Node, frozen=True, gc=False):
    """`while` and `until`."""

    until: bool
    condition: Script
    body: Script
    redirects: tuple[Redirect, ...]


class For(Node, frozen=True, gc=False):
    """`for` and `select` over words; without `in` they go over the positional parameters."""

    select: bool
    name: str
    words: tuple[Word, ...] | None
    body: Script
    redirects: tuple[Redirect, ...]


class ForArithmetic(Node, frozen=True, gc=False):
    """`for ((first; test; step))`."""

    expressions: tuple[Word, ...]
    body: Script
    redirects: tuple[Redirect, ...]


class Arm(Node, frozen=True, gc=False):
    """One `pattern | pattern) … ;;` of a case."""

    patterns: tuple[Word, ...]
    body: Script
    terminator: str
    """`;;`, `;&`, `;;&`, or nothing before `esac`."""


class Case(Node, frozen=True, gc=False):
    """`case word in … esac`."""

    word: Word
    arms: tuple[Arm, ...]
    redirects: tuple[Redirect, ...]


class Term(Node, frozen=True, gc=False):
    """One test inside `[[ ]]`: `-f x`, `a == b`, or a lone word."""

    operator: str
    """Empty for a lone word."""
    words: tuple[Word, ...]


class Test(Node, frozen=True, gc=False):
    """`[[ … ]]`: its tests in the order they stand; how `&&`, `||`, `!` and parentheses join them is not kept."""

    terms: tuple[Term | Opaque, ...]
    redirects: tuple[Redirect, ...]


class Calculation(Node, frozen=True, gc=False):
    """`(( … ))`."""

    expression: Word
    redirects: tuple[Redirect, ...]


class Function(Node, frozen=True, gc=False):
    """`name () { …; }` and `function name { …; }`; redirections of the body belong to the body."""

    name: Word
    body: Command


class Coproc(Node, frozen=True, gc=False):
    """`coproc [NAME] command`."""

    name: str
    body: Command


# --- lists ----------------------------------------------------------------------------------------------------------


class Pipeline(Node, frozen=True, gc=False):
    """`! time a | b |& c`. A lone command without `!` and `time` stands for itself."""

    stages: tuple[Command, ...]
    operators: tuple[str, ...]
    """Between the stages: `|` or `|&`."""
    negated: bool = False
    timed: bool = False


class AndOr(Node, frozen=True, gc=False):
    """`a && b || c`, from left to right. A lone pipeline stands for itself."""

    pipelines: tuple[Command, ...]
    operators: tuple[str, ...]
    """Between the pipelines: `&&` or `||`."""


class Background(Node, frozen=True, gc=False):
    """`command &`."""

    command: Command


class Script(Node, frozen=True, gc=False):
    """Commands one after the other, separated by `;`, `&` or line ends."""

    commands: tuple[Command, ...]


Compound = Subshell | Group | If | Loop | For | ForArithmetic | Case | Test | Calculation | Function | Coproc
Command = Simple | Compound | Pipeline | AndOr | Background | Opaque


class Tree(msgspec.Struct, frozen=True, gc=False):
    """A whole text, read."""

    body: Script
    opaque: tuple[Opaque, ...]
    """Every `Opaque` node of the tree, wherever it stands, in the order they were met."""
