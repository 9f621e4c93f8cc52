"""A script and its tree -> which blanks bash takes for part of a word and we do not, or the other way round.

bash prints one blank between words and every blank in a word. So a blank more changes nothing between words, and
something in a word: this tells where bash's words begin and end, also where shfmt refuses to tell.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Any

import msgspec

from limpet.syntax.tree import Array, Assignment, Literal, Node, Simple, Tree, Word
from oracle import bash
from oracle.outside import to_bytes, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator

SOME = 4
"""Blanks in words to try, each of them with a process of its own; there are seldom any."""


def misjudged(text: str, tree: Tree, reading: bash.Reading) -> str:
    """What is wrong, or nothing."""
    data = to_bytes(text)
    simples = list(_simples(tree.body))
    between = [at for simple in simples for at in _between(simple, data)]
    if between and not _same(_widened(data, between), reading):
        return "a blank that we take for the end of a word is none to bash"
    inside = [at for simple in simples for at in _inside(simple, data)]
    for at in inside[:SOME]:
        if _same(_widened(data, [at]), reading):
            return f"the blank at {at} ends a word to bash, not to us"
    return ""


def _same(text: str, reading: bash.Reading) -> bool:
    return bash.read(text).printed == reading.printed


def _widened(data: bytes, places: list[int]) -> str:
    bounds = itertools.pairwise([0, *sorted(places), len(data)])
    return to_text(b" ".join(data[start:end] for start, end in bounds))


def _simples(node: Any) -> Iterator[Simple]:
    """Simple commands that are not in a word: what is in words, bash may print as it stands."""
    if isinstance(node, tuple):
        for one in node:
            yield from _simples(one)
    elif isinstance(node, Simple):
        yield node
    elif isinstance(node, Node) and not isinstance(node, Word):
        for field in msgspec.structs.fields(node):
            yield from _simples(getattr(node, field.name))


def _between(node: Simple, data: bytes) -> Iterator[int]:
    parts = sorted([*node.assignments, *node.words, *node.redirects], key=lambda one: one.start)
    for first, second in itertools.pairwise(parts):
        if re.fullmatch(rb"[ \t]+", data[first.end : second.start]):
            yield first.end


def _inside(node: Simple, data: bytes) -> Iterator[int]:
    for word in [*node.words, *map(_value, node.assignments)]:
        for part in word.parts if isinstance(word, Word) else ():
            if isinstance(part, Literal) and not part.quoted:
                yield from (found.start() for found in re.compile(rb"[ \t]").finditer(data, part.start, part.end))


def _value(node: Assignment) -> Word | Array:
    return node.value
