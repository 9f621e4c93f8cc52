"""The text that `xargs` reads -> the items that it makes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.syntax.walk.found import Opened

_ESCAPES = {"n": "\n", "t": "\t", "0": "\0", "r": "\r", "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


def input_of(command: Command) -> tuple[Opened, ...]:
    """The redirections of the standard input; with more than one, which of them counts is not known here.

    What stands around a pipe goes to the first command of it.
    """
    piped = any(step.kind == "stage" and step.index > 0 for step in command.steps)
    opened = command.own if piped else command.opened
    return tuple(each for each in opened if each.node.descriptor in ("", "0") and each.node.operator.startswith("<"))


def delimiter_of(text: str | None) -> str | None:
    """What `-d` means, when that is one character; None when it is not known."""
    if text is None or len(text) == 1:
        return text
    return _ESCAPES.get(text[1:]) if text.startswith("\\") else None


def split_at(text: str, mark: str) -> list[str]:
    """Items that one character ends, with nothing else in them that means anything."""
    items = text.split(mark)
    return items[:-1] if items and not items[-1] else items


def split_words(text: str) -> list[list[str]] | None:
    """The words of each line, as quotes and backslashes make them; None when a quote does not end."""
    lines: list[list[str]] = [[]]
    word: list[str] | None = None
    signs = iter(text)
    for sign in signs:
        if sign in " \t\n":
            _end(word, lines)
            word = None
            if sign == "\n":
                lines.append([])
            continue
        part = _read(sign, signs)
        if part is None:
            return None
        word = [*(word or ()), part]
    _end(word, lines)
    return [line for line in lines if line]


def _end(word: list[str] | None, lines: list[list[str]]) -> None:
    if word is not None:
        lines[-1].append("".join(word))


def _read(sign: str, signs: Iterator[str]) -> str | None:
    """One sign, or all that is quoted by it."""
    if sign == "\\":
        return next(signs, None)
    if sign not in "'\"":
        return sign
    quoted = ""
    for each in signs:
        if each == sign:
            return quoted
        if each == "\n":
            return None
        quoted += each
    return None


def split_lines(text: str) -> list[list[str]] | None:
    """Each line as one item, as `-I` takes them; None when a quote does not end."""
    items = []
    for line in text.split("\n"):
        signs = iter(line.lstrip(" \t"))
        parts = [_read(sign, signs) for sign in signs]
        if None in parts:
            return None
        items.append(["".join(part for part in parts if part is not None)])
    return [item for item in items if item != [""]]
