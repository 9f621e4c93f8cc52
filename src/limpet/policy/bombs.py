"""A script as a whole -> processes in it that would multiply without end, and what else no command of it shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from limpet.syntax.tree import Background, For, Function, Literal, Loop, Parameter, Pipeline, Redirect, Simple
from limpet.syntax.walk.names import every_node, literal

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from limpet.syntax.tree import Tree

_ENDLESS = frozenset({"true", ":", "while"})
_NEEDED = re.compile(r"<<|\$\{|\\\n|\([ \t\r\n]*\)|function|while|until|for|select")


class Shape(msgspec.Struct, frozen=True):
    """The parts of a script that matter here, each in the order in which they were found."""

    redirects: list[Redirect]
    loops: list[Loop]
    functions: list[Function]
    setting: list[For | Parameter]
    end: int


def is_plain(text: str) -> bool:
    """Whether a script has none of these parts, for they cannot be written so; a continued line may hide any."""
    return _NEEDED.search(text) is None


def shape_of(tree: Tree) -> Shape:
    """Find them all on one way through the tree."""
    shape = Shape([], [], [], [], tree.body.end)
    lists: dict[type, list[Any]] = {
        Redirect: shape.redirects, Loop: shape.loops, Function: shape.functions, For: shape.setting,
        Parameter: shape.setting,
    }  # fmt: skip
    for node in every_node(tree.body):
        if type(node) in lists:
            lists[type(node)].append(node)
    return shape


def find_bombs(shape: Shape) -> Iterator[tuple[str, tuple[int, int]]]:
    """Functions that start themselves, or each other in a circle, beside themselves."""
    bodies = {name: node for node in shape.functions if (name := literal(node.name))}
    beside = {name: _started(node, bodies) for name, node in bodies.items()}
    for name, node in bodies.items():
        if name in _reached(beside[name], beside):
            yield "starts itself over and over (a fork bomb)", (node.start, node.end)


def _started(node: Function, names: Container[str]) -> set[str]:
    """The functions that it starts in the background, or in a pipe."""
    found: set[str] = set()
    for inner in every_node(node.body):
        if isinstance(inner, Background) or (isinstance(inner, Pipeline) and len(inner.stages) > 1):
            found.update(name for name in _called(inner) if name in names)
    return found


def _called(node: Background | Pipeline) -> Iterator[str]:
    for each in every_node(node):
        if isinstance(each, Simple) and each.words and (name := literal(each.words[0])) is not None:
            yield name


def _reached(first: set[str], beside: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    left = list(first)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left.extend(beside[name])
    return found


def set_unseen(shape: Shape) -> Iterator[tuple[str, tuple[int, int]]]:
    """The variables that are set without an assignment: by loops, and by `${name:=value}`."""
    for node in shape.setting:
        if isinstance(node, For) or node.operator in (":=", "="):
            yield node.name, (node.start, node.end)


def unended(shape: Shape) -> Iterator[tuple[int, int]]:
    """Heredocs that only the end of the text ends: bash warns, and takes whatever stands there."""
    for node in shape.redirects:
        if node.operator in ("<<", "<<-"):
            named = any(isinstance(part, Literal) and part.text for part in node.target.parts)
            if named and (node.body is None or node.body.end >= shape.end):
                yield node.start, node.end


def find_endless(shape: Shape) -> Iterator[tuple[str, tuple[int, int]]]:
    """Loops without end that start something beside them in every round."""
    for node in shape.loops:
        condition = node.condition.commands[0] if len(node.condition.commands) == 1 else None
        endless = isinstance(condition, Simple) and condition.words and literal(condition.words[0]) in _ENDLESS
        if endless and any(isinstance(each, Background) for each in every_node(node.body)):
            yield "starts more and more processes in a loop without end", (node.start, node.end)
