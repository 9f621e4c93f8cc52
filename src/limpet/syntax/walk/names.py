"""A part of the tree -> the variables that it may change."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from limpet.syntax.tree import (
    Arithmetic,
    Assignment,
    Calculation,
    For,
    ForArithmetic,
    Literal,
    Node,
    Parameter,
    Simple,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ASSIGNS_DEFAULT = (":=", "=")
_NAMING = frozenset({
    "declare", "export", "getopts", "let", "local", "mapfile", "printf", "read", "readarray", "readonly", "typeset",
    "unset", "wait",
})  # fmt: skip
_ANYTHING = frozenset({"eval", "source", ".", "set", "shift", "builtin", "command"})


class Changes(msgspec.Struct):
    """Names, or everything."""

    names: set[str]
    everything: bool = False


def changes(*nodes: object, functions: Container[str] = ()) -> Changes:
    """The variables that running these may change; a call of one of the functions may change any."""
    found = Changes(set())
    for each in every_node(nodes):
        _note(each, found)
        if isinstance(each, Simple) and each.words and _literal(each.words[0]) in functions:
            found.everything = True
    return found


def assigned_often(*nodes: object) -> Changes:
    """The names that more than one place assigns."""
    counted: Counter[str] = Counter()
    everything = False
    for each in every_node(nodes):
        found = Changes(set())
        _note(each, found)
        counted.update(found.names)
        everything |= found.everything
    return Changes({name for name, count in counted.items() if count > 1}, everything)


def every_node(node: object) -> Iterator[Node]:
    """Each node of a tree; no deeper than the parser goes, yet without calls that nest."""
    stack: list[object] = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, tuple):
            stack.extend(each)
        elif isinstance(each, Node):
            yield each
            stack.extend(getattr(each, name) for name in each.__struct_fields__[2:])


def _note(node: Node, found: Changes) -> None:
    if isinstance(node, Assignment | For):
        found.names.add(node.name)
    elif isinstance(node, Parameter):
        if node.operator in _ASSIGNS_DEFAULT:
            found.names.add(node.name)
            found.everything |= node.indirect
    elif isinstance(node, Arithmetic | Calculation):
        _note_words(node.expression, found)
    elif isinstance(node, ForArithmetic):
        for word in node.expressions:
            _note_words(word, found)
    elif isinstance(node, Simple):
        _note_command(node, found)


def _note_words(word: Word, found: Changes) -> None:
    """Any name that stands in an expression may be assigned there."""
    for part in word.parts:
        if isinstance(part, Literal):
            found.names.update(_NAME.findall(part.text))


def _note_command(node: Simple, found: Changes) -> None:
    if not node.words:
        return
    name = _literal(node.words[0])
    if name is None or name in _ANYTHING:
        found.everything = True
    elif name in _NAMING:
        _note_arguments(node, found)


def _note_arguments(node: Simple, found: Changes) -> None:
    for word in node.words[1:]:
        text = _literal(word)
        if text is None and not isinstance(word, Assignment):
            first = word.parts[0] if word.parts else None
            name = _NAME.match(first.text) if isinstance(first, Literal) else None
            if name is None:
                found.everything = True
            else:
                found.names.add(name[0])
        elif text is not None:
            found.names.update(_NAME.findall(text))
    found.names.update({"REPLY", "MAPFILE", "OPTARG", "OPTIND"})


def _literal(word: Word | Assignment) -> str | None:
    if isinstance(word, Assignment) or not all(isinstance(part, Literal) for part in word.parts):
        return None
    return "".join(part.text for part in word.parts if isinstance(part, Literal))
