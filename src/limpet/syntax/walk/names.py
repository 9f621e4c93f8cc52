"""Parts of the tree -> its nodes, the texts of its words, and the names in them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, get_args

from msgspec.structs import astuple

from limpet.syntax.late import late
from limpet.syntax.tree import Arithmetic, Assignment, Command, Double, Literal, Node, Parameter, Word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.syntax.tree import Part

NAME = late(r"[A-Za-z_][A-Za-z0-9_]*")
HARMLESS = late(r"[-0-9 +*/%()]*")
"""Arithmetic that names nothing, and so neither assigns nor runs anything."""
OWN_NUMBERS = frozenset({
    "BASHPID", "BASH_SUBSHELL", "EPOCHSECONDS", "EUID", "HISTCMD", "LINENO", "OPTIND", "PPID", "RANDOM", "SECONDS",
    "SRANDOM", "UID",
})  # fmt: skip
"""Variables that bash itself keeps, and that are numbers."""
_NAMED = late(r"(?<![0-9A-Za-z_#@])[A-Za-z_][A-Za-z0-9_]*")
_COMMANDS = get_args(Command)
_NUMERIC = frozenset("#?$")
_INDEX = late(r"[0-9]+|[@*]")
_ITEM = late(r"-?[0-9]+|\{-?[0-9]+\.\.-?[0-9]+(?:\.\.-?[0-9]+)?\}")


def every_node(node: object) -> Iterator[Node]:
    """Each node of a tree; no deeper than the parser goes, yet without calls that nest."""
    stack: list[object] = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, tuple):
            stack.extend(each)
        elif isinstance(each, Node):
            yield each
            stack.extend(astuple(each)[2:])


def is_larger(node: Node, size: int) -> bool:
    """Whether more commands than that stand in it."""
    commands = (each for each in every_node(node) if isinstance(each, _COMMANDS))
    return next(islice(commands, max(size, 0), None), None) is not None


def literal(word: Word | Assignment) -> str | None:
    """The text of a word in which nothing is expanded."""
    if isinstance(word, Assignment) or not all(isinstance(part, Literal) for part in word.parts):
        return None
    return "".join(part.text for part in word.parts if isinstance(part, Literal))


def names_in(text: str) -> list[str]:
    """The variables that an arithmetic expression speaks of; digits of other bases are none."""
    return _NAMED.findall(text)


def is_number(word: Word) -> bool:
    """Whether the word becomes a number, whichever: `12`, `$((x + 1))`, `${#x}`, `$?`."""
    return len(word.parts) > 0 and all(_is_number(part) for part in word.parts)


def _is_number(part: Part) -> bool:
    if isinstance(part, Literal):
        return HARMLESS.fullmatch(part.text) is not None
    if isinstance(part, Double):
        return all(_is_number(inner) for inner in part.parts)
    if isinstance(part, Parameter):
        return part.operator == "length" or (part.name in _NUMERIC and not part.operator and not part.indirect)
    return isinstance(part, Arithmetic)


def is_number_item(word: Word) -> bool:
    """Whether a word of `for` stands for numbers only."""
    text = literal(word)
    return (text is not None and _ITEM.fullmatch(text) is not None) or is_number(word)


def printed_into(words: Sequence[str | None]) -> tuple[list[str | None], int]:
    """The names that `printf -v` is given, of which the last one counts, and where the format stands."""
    names: list[str | None] = []
    at = 0
    while at < len(words) and (words[at] or "").startswith("-v"):
        glued = (words[at] or "")[2:]
        names.append(glued or next(iter(words[at + 1 : at + 2]), ""))
        at += 1 if glued else 2
    return names, at


def is_index(subscript: Word) -> bool:
    """Whether a subscript is surely a place in an array, or all of them; bash gives up on others."""
    text = literal(subscript)
    return text is not None and _INDEX.fullmatch(text) is not None
