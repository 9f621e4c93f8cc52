"""Text -> the tree that bash 5.2 would read from it; any text, never an exception, in time that grows with its size."""

from __future__ import annotations

from limpet.syntax.parser.backticks import read_backtick
from limpet.syntax.parser.dollar import read_dollar
from limpet.syntax.parser.heredocs import read_bodies
from limpet.syntax.parser.lists import read_command, read_script
from limpet.syntax.parser.reader import Reader, Rules
from limpet.syntax.parser.reserved import reserved_here
from limpet.syntax.parser.source import prepare, to_bytes
from limpet.syntax.tree import Command, Opaque, Script, Tree

__all__ = ["parse"]


def parse(text: str, *, extglob: bool = False) -> Tree:
    """Read a script. `extglob` says whether patterns such as `@(a|b)` are on, as `shopt -s extglob` makes them."""
    reader = Reader(prepare(text), _RULES, extglob=extglob)
    try:
        body = _read_all(reader)
    except RecursionError:  # the caller left too little of Python's stack
        return _unread(len(to_bytes(text)), "no room left to read it: called from too deep a stack")
    return Tree(body, tuple(reader.opaque))


def _unread(length: int, reason: str) -> Tree:
    opaque = Opaque(0, length, reason)
    return Tree(Script(0, length, (opaque,)), (opaque,))


def _read_all(reader: Reader) -> Script:
    """The whole text; what closes something that was never opened is skipped, and noted."""
    commands: list[Command] = []
    while True:
        commands.extend(read_script(reader).commands)
        if reader.pos >= reader.end:
            break
        commands.append(_skip_closer(reader))
    if "\0" in reader.text:
        reader.fault(reader.text.index("\0"), reader.end, "a NUL byte, which no command can hold")
    return Script(0, reader.end, tuple(commands))


def _skip_closer(reader: Reader) -> Opaque:
    start = reader.pos
    if reader.text[start] in ");":
        while reader.pos < reader.end and reader.text[reader.pos] in ");":
            reader.pos += 1
    else:
        reader.pos += len(reserved_here(reader))
    reader.pos = max(reader.pos, start + 1)
    return reader.fault(start, reader.pos, "closes what was never opened")


def _command(reader: Reader) -> Command:
    return read_command(reader) or reader.fault(reader.pos, reader.pos, "nothing where a command should stand")


_RULES = Rules(script=read_script, command=_command, dollar=read_dollar, bodies=read_bodies, backtick=read_backtick)
