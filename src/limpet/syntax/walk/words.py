"""The words of a command -> what they become; the commands in their substitutions are walked before."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from limpet.syntax.tree import Calculation, Literal, Substitution, Word
from limpet.syntax.values.field import Field, known
from limpet.syntax.values.reader import Reader
from limpet.syntax.values.resolve import target, text
from limpet.syntax.values.substituted import output_of
from limpet.syntax.values.tilde import Tildes
from limpet.syntax.walk.again import in_word
from limpet.syntax.walk.arithmetic import in_expression
from limpet.syntax.walk.evaluate import evaluate
from limpet.syntax.walk.found import Found, Opened
from limpet.syntax.walk.substitutions import walk_substitutions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import (
        Array,
        Assignment,
        Case,
        For,
        ForArithmetic,
        Group,
        If,
        Loop,
        Node,
        Redirect,
        Subshell,
    )
    from limpet.syntax.walk.found import Again
    from limpet.syntax.walk.state import State

    Redirected = Case | For | ForArithmetic | Group | If | Loop | Subshell

_SAFE_TARGETS = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr"})


def is_plain(word: Word | Assignment | Array) -> bool:
    """Whether nothing is expanded in a word."""
    return isinstance(word, Word) and all(isinstance(part, Literal) for part in word.parts)


def walk_word(word: Word | Assignment | Array, state: State, host: Node, index: int) -> tuple[Again, ...]:
    """Walk what stands inside a word, the `index`th of its host -> what expanding it evaluates again."""
    if is_plain(word):
        return ()
    walk_substitutions(word, state, host, index)
    return tuple(in_word(word, state))


def walk_alone(words: tuple[Word, ...], state: State, host: Node, *, calculates: bool = False) -> None:
    """Walk words that stand in no simple command; what they evaluate again is found as if it were one."""
    for index, word in enumerate(words):
        again = walk_word(word, state, host, index)
        if calculates:
            again = (*again, *in_expression(word, "((", state))
        if again:
            note_calculation(word, again, state)


def note_calculation(word: Word, again: tuple[Again, ...], state: State) -> None:
    """What a word evaluates again, found."""
    start, end = state.span(word)
    node = Calculation(word.start, word.end, word, ())
    cwd, folders = state.scope.cwd, state.folders
    state.found.append(Found(node, start, end, (), (), state.opened, state.steps, cwd, again, folders=folders))
    for each in again:
        evaluate(each, state)


def walk_redirects(
    redirects: tuple[Redirect, ...], state: State, host: Node
) -> tuple[tuple[Opened, ...], tuple[Again, ...]]:
    """Walk what stands in targets and bodies, and resolve them -> what is opened, and evaluated again."""
    result: list[Opened] = []
    again: list[Again] = []
    for redirect in redirects:
        again.extend(walk_word(redirect.target, state, host, -1))
        if redirect.body is not None:
            again.extend(walk_word(redirect.body, state, host, -1))
        result.append(opened(redirect, state))
        if redirect.descriptor and not redirect.descriptor.isdecimal():
            state.point.forget(redirect.descriptor.partition("[")[0], number="[" not in redirect.descriptor)
    return tuple(result), tuple(again)


def opened(redirect: Redirect, state: State) -> Opened:
    """A redirection with its target resolved."""
    if redirect.operator in ("<<", "<<-"):
        body = text(redirect.body, state.scope, Tildes.NOWHERE) if redirect.body is not None else None
        return Opened(redirect, Field(), body)
    if redirect.operator == "<<<":
        return Opened(redirect, Field(), text(redirect.target, state.scope))
    piped = text_of_pipe(redirect.target, state) if redirect.operator == "<" else None
    return Opened(redirect, target(redirect.target, state.scope), None if piped is None else known(piped))


def text_of_pipe(word: Word, state: State) -> str | None:
    """What comes out of `<(…)`, when the word is one and that is known."""
    only = word.parts[0] if len(word.parts) == 1 else None
    if not isinstance(only, Substitution) or only.kind != "<(":
        return None
    return output_of(only.body, state.scope, Reader)


def may_fail(found: tuple[Opened, ...], state: State) -> bool:
    """Whether bash may be unable to open one of these, and so leave out the command."""
    return any(_may_fail(each, state) for each in found)


def _may_fail(each: Opened, state: State) -> bool:
    if each.node.descriptor and not each.node.descriptor.isdecimal():
        return True
    if each.node.operator in ("<<", "<<-", "<<<") or each.target.text in _SAFE_TARGETS:
        return False
    copies = each.node.operator in (">&", "<&") and each.target.text in ("0", "1", "2")
    return not copies or "descriptors" in state.modes


@contextmanager
def redirected(node: Redirected, state: State) -> Iterator[bool]:
    """Inside a compound command, whose redirections hold for all in it -> whether they may fail, and it is left out."""
    if not node.redirects:
        yield False
        return
    before = state.opened
    found, again = walk_redirects(node.redirects, state, node)
    if again:
        note_calculation(node.redirects[0].target, again, state)
    skipped = state.point.copy() if may_fail(found, state) else None
    state.opened = (*found, *before)
    yield skipped is not None
    state.opened = before
    if skipped is not None:
        state.point.join(skipped)
