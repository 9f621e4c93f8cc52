"""Words, assignments and redirections up to an operator -> a simple command, or the head of a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.assignments import read_array, read_assignment, read_named_bracket
from limpet.syntax.parser.redirects import read_redirect
from limpet.syntax.parser.source import JOIN
from limpet.syntax.parser.words import literal_text, read_word
from limpet.syntax.tree import Assignment, Coproc, Function, Simple

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Command, Redirect, Word

_ENDS = frozenset("\n;&|()")
_B = f"[ \\t{JOIN}]*+"
_BOTH = late(f"&{JOIN}*+>")
PARENS = late(f"{_B}\\({_B}\\)")
_ARRAY = late(f"([A-Za-z_][A-Za-z0-9_{JOIN}]*+)(\\[[^][()<>;&|'\"`$\\\\ \\t\\n]*+\\])?(\\+?={JOIN}*+)(?=\\()")
_ASSIGNING = frozenset({"alias", "declare", "eval", "export", "let", "local", "readonly", "typeset"})
"""The commands whose arguments may be `name=(…)`."""


def read_simple(reader: Reader) -> Command | None:
    """The simple command or function that begins here; None, and nothing read, where none can."""
    start = reader.pos
    assignments: list[Assignment] = []
    words: list[Word | Assignment] = []
    redirects: list[Redirect] = []
    end, assigning = start, False
    while _goes_on(reader):
        redirect = read_redirect(reader)
        if redirect is not None:
            redirects.append(redirect)
            assigning = False  # bash forgets it there
        elif not words and (assignment := read_assignment(reader)) is not None:
            assignments.append(assignment)
        else:
            word = _read_argument(reader, first=not words, assigning=assigning)
            if word is None:
                break
            words.append(word)
            if len(words) == 1:
                assigning = is_assigning(words[0])
                if not assignments and not redirects and _begins_parenthesis(reader):
                    return _read_function(reader, start, words[0])
        end = reader.pos
    if end == start:
        return None
    return Simple(start, end, tuple(assignments), tuple(words), tuple(redirects))


def _goes_on(reader: Reader) -> bool:
    """Whether more of the command follows on this line."""
    reader.skip_blanks()
    char = reader.peek()
    if char == "#":
        reader.skip_comment()
        return False
    if char == "&":
        return _BOTH.match(reader.text, reader.pos, reader.end) is not None
    return char != "" and char not in _ENDS


def is_assigning(word: Word | Assignment) -> bool:
    """Whether it names a command that takes assignments as arguments."""
    return not isinstance(word, Assignment) and literal_text(word) in _ASSIGNING


def _read_array_argument(reader: Reader) -> Assignment | None:
    found = _ARRAY.match(reader.text, reader.pos, reader.end)
    if found is None:
        return None
    start, reader.pos = reader.pos, found.end()
    value = read_array(reader)
    name = found[1].replace(JOIN, "")
    return Assignment(start, reader.pos, name, value, None, found[3].startswith("+"))


def _read_argument(reader: Reader, *, first: bool, assigning: bool) -> Word | Assignment | None:
    if first and (bracketed := read_named_bracket(reader)) is not None:
        return bracketed
    return (_read_array_argument(reader) if assigning else None) or read_word(reader)


def _begins_parenthesis(reader: Reader) -> bool:
    reader.skip_blanks()
    return reader.peek() == "("


def _read_function(reader: Reader, start: int, name: Word | Assignment) -> Command:
    """`name () …`, with the reader at the parenthesis."""
    found = PARENS.match(reader.text, reader.pos, reader.end)
    if found is None or isinstance(name, Assignment):
        words = (name,)
        reader.fault(reader.pos, reader.pos + 1, "a parenthesis after a word")
        return Simple(start, name.end, (), words, ())
    reader.pos = found.end()
    return finish_function(reader, start, name)


def finish_function(reader: Reader, start: int, name: Word) -> Command:
    """The body of a function: a compound command."""
    if reader.too_deep():
        return reader.fault(start, reader.pos, "nested too deep")
    reader.skip_lines()
    reader.depth += 1
    body = reader.rules.command(reader)
    reader.depth -= 1
    if isinstance(body, Simple | Function | Coproc):
        reader.fault(start, body.end, "a function whose body is no compound command")
    return Function(start, body.end, name, body)
