"""A tree of ours -> its form."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from limpet.syntax import tree as t
from oracle.form import LOOSE, Form, expansions, joined, kept, literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Assigned = t.Word | t.Array

_SYNONYMS = {"-a": "-e", "-h": "-L"}
"""Tests that have two names; the other reader knows only one of them."""


class Former:
    """Trees to forms; with `places`, words and expansions say where they stand."""

    def __init__(self, *, places: bool) -> None:
        self.places = places

    def script(self, node: t.Script) -> Form:
        """Commands one after the other."""
        return ("script", *map(self.command, node.commands))

    @functools.singledispatchmethod
    def command(self, node: t.Node) -> Form:
        """Any command."""
        msg = f"no form for {type(node).__name__}"
        raise TypeError(msg)

    @command.register
    def _opaque(self, node: t.Opaque) -> Form:
        return ("opaque", node.reason)

    @command.register
    def _simple(self, node: t.Simple) -> Form:
        loose = self.places and _first(node) in LOOSE
        words = tuple(self.argument(one, loose=loose) for one in node.words)
        return ("simple", tuple(map(self.assignment, node.assignments)), words, self.redirects(node.redirects))

    @command.register
    def _subshell(self, node: t.Subshell) -> Form:
        return ("subshell", self.script(node.body), self.redirects(node.redirects))

    @command.register
    def _group(self, node: t.Group) -> Form:
        return ("group", self.script(node.body), self.redirects(node.redirects))

    @command.register
    def _if(self, node: t.If) -> Form:
        otherwise = self.script(node.otherwise) if node.otherwise else None
        for condition, body in reversed(node.branches[1:]):
            otherwise = ("script", ("if", self.script(condition), self.script(body), otherwise, ()))
        condition, body = node.branches[0]
        return ("if", self.script(condition), self.script(body), otherwise, self.redirects(node.redirects))

    @command.register
    def _loop(self, node: t.Loop) -> Form:
        word = "until" if node.until else "while"
        return (word, self.script(node.condition), self.script(node.body), self.redirects(node.redirects))

    @command.register
    def _for(self, node: t.For) -> Form:
        word = "select" if node.select else "for"
        words = None if node.words is None else tuple(map(self.word, node.words))
        return (word, node.name, words, self.script(node.body), self.redirects(node.redirects))

    @command.register
    def _for_arithmetic(self, node: t.ForArithmetic) -> Form:
        expressions = tuple(map(self.expression, node.expressions))
        return ("for ((", expressions, self.script(node.body), self.redirects(node.redirects))

    @command.register
    def _case(self, node: t.Case) -> Form:
        arms = tuple((tuple(map(self.word, arm.patterns)), self.script(arm.body), arm.terminator) for arm in node.arms)
        return ("case", self.word(node.word), arms, self.redirects(node.redirects))

    @command.register
    def _test(self, node: t.Test) -> Form:
        return ("[[", tuple(map(self.term, node.terms)), self.redirects(node.redirects))

    def term(self, node: t.Term | t.Opaque) -> Form:
        """One test inside `[[ ]]`."""
        if isinstance(node, t.Opaque):
            return ("opaque", node.reason)
        operator = _SYNONYMS.get(node.operator, node.operator) if len(node.words) == 1 else node.operator
        return (operator, tuple(map(self.word, node.words)))

    @command.register
    def _calculation(self, node: t.Calculation) -> Form:
        return ("((", self.expression(node.expression), self.redirects(node.redirects))

    @command.register
    def _function(self, node: t.Function) -> Form:
        return ("function", self.word(node.name), self.command(node.body))

    @command.register
    def _coproc(self, node: t.Coproc) -> Form:
        return ("coproc", node.name or "COPROC", self.command(node.body))

    @command.register
    def _pipeline(self, node: t.Pipeline) -> Form:
        return ("pipe", node.negated, node.timed, node.operators, tuple(map(self.command, node.stages)))

    @command.register
    def _and_or(self, node: t.AndOr) -> Form:
        return ("list", node.operators, tuple(map(self.command, node.pipelines)))

    @command.register
    def _background(self, node: t.Background) -> Form:
        return ("&", self.command(node.command))

    # --- parts of commands

    def argument(self, node: t.Word | t.Assignment, *, loose: bool) -> Form:
        """A word of a simple command."""
        if isinstance(node, t.Assignment):
            return self.assignment(node)
        return self.loose(node) if loose else self.word(node)

    def assignment(self, node: t.Assignment) -> Form:
        """`name=value`, before a command or after `declare`."""
        subscript = None if node.subscript is None else self.expression(node.subscript)
        return ("=", node.name, node.append, subscript, self.assigned(node.value))

    def assigned(self, value: Assigned) -> Form:
        """The right side of an assignment."""
        if isinstance(value, t.Word):
            return self.word(value)
        return ("array", *map(self.element, value.elements))

    def element(self, node: t.Element) -> Form:
        """One element of an array."""
        subscript = None if node.subscript is None else self.expression(node.subscript)
        return (subscript, node.append, self.word(node.value))

    def redirects(self, nodes: Iterable[t.Redirect]) -> Form:
        """Redirections, as they stand."""
        return tuple(map(self.redirect, nodes))

    def redirect(self, node: t.Redirect) -> Form:
        """One redirection; of a heredoc, whether its body is expanded and what it says."""
        target = self.word(node.target)
        if node.operator not in {"<<", "<<-"}:
            return ("redirect", node.operator, node.descriptor, target)
        body = () if node.body is None else joined(self.parts(node.body.parts, quoted=True))
        return ("redirect", node.operator, node.descriptor, target, body)

    # --- words

    def word(self, node: t.Word) -> Form:
        """A word."""
        return ("word", *self.place(node), joined(self.parts(node.parts, quoted=False)))

    def loose(self, node: t.Word) -> Form:
        """A word of which only the place and the expansions matter."""
        return ("word", *self.place(node), expansions(self.parts(node.parts, quoted=False)))

    def expression(self, node: t.Word) -> Form:
        """Arithmetic: what the other reader takes apart further, and bash prints with other blanks around it."""
        parts = tuple(self.parts(node.parts, quoted=True))
        return ("expression", expansions(parts) if self.places else _stripped(parts))

    def place(self, node: t.Node) -> tuple[int, ...]:
        """Where it stands."""
        return (node.start, node.end) if self.places else ()

    def parts(self, nodes: Iterable[t.Part], *, quoted: bool) -> Iterable[Form]:
        """The parts of a word, with those inside `"…"` made parts of the word itself."""
        for node in nodes:
            if isinstance(node, t.Double):
                yield literal("", quoted=True)
                yield from self.parts(node.parts, quoted=True)
            elif isinstance(node, t.Literal):
                yield literal(node.text, quoted=quoted or node.quoted)
            else:
                yield (*self.part(node, quoted=quoted), quoted)

    @functools.singledispatchmethod
    def part(self, node: t.Node, *, quoted: bool) -> Form:
        """Any part but text."""
        msg = f"no form for {type(node).__name__}"
        raise TypeError(msg)

    @part.register
    def _parameter(self, node: t.Parameter, *, quoted: bool) -> Form:
        subscript = None if node.subscript is None else self.expression(node.subscript)
        sliced = node.operator == ":"
        operands = [self.expression(one) if sliced else self.operand(one, quoted=quoted) for one in node.operands]
        operator = "" if node.operator == "/" and operands == [()] else node.operator  # ${a/} changes nothing
        operands = operands if operator else []
        return ("$", *self.place(node), node.name, node.indirect, subscript, operator, kept(operands))

    def operand(self, node: t.Word, *, quoted: bool) -> Form:
        """The word after an operator."""
        return joined(self.parts(node.parts, quoted=quoted))

    @part.register
    def _substitution(self, node: t.Substitution, *, quoted: bool) -> Form:
        return (node.kind, *self.place(node), self.script(node.body))

    @part.register
    def _arithmetic(self, node: t.Arithmetic, *, quoted: bool) -> Form:
        return ("$((", *self.place(node), self.expression(node.expression))

    @part.register
    def _opaque_part(self, node: t.Opaque, *, quoted: bool) -> Form:
        return ("opaque", node.reason)


def _first(node: t.Simple) -> str:
    if not node.words or not isinstance(node.words[0], t.Word):
        return ""
    parts = node.words[0].parts
    plain = len(parts) == 1 and isinstance(parts[0], t.Literal) and not parts[0].quoted
    return parts[0].text if plain and isinstance(parts[0], t.Literal) else ""


def _stripped(parts: Form) -> Form:
    """Without the blanks at both ends, and whether text is quoted: in arithmetic all of it is."""
    out = list(joined(("text", part[1], False) if part[0] == "text" else part for part in parts))
    if out and out[0][0] == "text":
        out[0] = ("text", out[0][1].lstrip(" \t\n"), out[0][2])
    if out and out[-1][0] == "text":
        out[-1] = ("text", out[-1][1].rstrip(" \t\n"), out[-1][2])
    return tuple(part for part in out if part != ("text", "", False))
