"""`for`, `select`, `case` -> their nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.parser.arithmetic import read_expressions
from limpet.syntax.parser.redirects import read_redirects
from limpet.syntax.parser.reserved import operator_here, reserved_here, take_operator, take_reserved
from limpet.syntax.parser.scan import TWO_PARENS
from limpet.syntax.parser.words import literal_text, read_word
from limpet.syntax.tree import Arm, Case, For, ForArithmetic, Script, Word

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Command

_TERMINATORS = (";;", ";&", ";;&")


def read_for(reader: Reader, start: int) -> Command:
    """`for name in words` and `for ((…))`."""
    take_reserved(reader, "for")
    reader.skip_blanks()
    if TWO_PARENS.match(reader.text, reader.pos, reader.end):
        return _read_arithmetic(reader, start)
    return _read_over_words(reader, start, select=False)


def read_select(reader: Reader, start: int) -> Command:
    """`select name in words`."""
    take_reserved(reader, "select")
    reader.skip_blanks()
    return _read_over_words(reader, start, select=True)


def _read_arithmetic(reader: Reader, start: int) -> Command:
    expressions = read_expressions(reader)
    if expressions is None:
        return reader.fault(start, reader.pos, "for (( that is not understood")
    reader.skip_blanks()
    if operator_here(reader) == ";":
        reader.pos += 1
    reader.skip_lines()
    body = _read_loop_body(reader)
    end, redirects = read_redirects(reader)
    return ForArithmetic(start, end, expressions, body, redirects)


def _read_over_words(reader: Reader, start: int, *, select: bool) -> Command:
    name = read_word(reader)
    if name is None:
        return reader.fault(start, reader.pos, "a loop without a name")
    words = _read_list(reader)
    if words is None and reader.text[reader.pos - 1] not in ";\n" and reserved_here(reader) == "{":
        reader.fault(reader.pos, reader.pos + 1, "a brace right after the name of a loop")
    reader.skip_lines()
    body = _read_loop_body(reader)
    end, redirects = read_redirects(reader)
    spelled = literal_text(name)
    if spelled is None:
        reader.fault(name.start, name.end, "a loop whose name is not plain")
    return For(start, end, select, spelled or "", words, body, redirects)


def _read_list(reader: Reader) -> tuple[Word, ...] | None:
    """The words after `in`, up to the `;` or line end behind them."""
    reader.skip_blanks()
    if operator_here(reader) == ";":
        reader.pos += 1
        return None
    reader.skip_lines()
    if not _take_in(reader):
        return None
    words: list[Word] = []
    while True:
        reader.skip_blanks()
        word = read_word(reader) if reader.peek() != "#" else None
        if word is None:
            break
        words.append(word)
    if operator_here(reader) == ";":
        reader.pos += 1
    elif reader.peek() != "#" and not reader.at_line_end():
        reader.fault(reader.pos, reader.pos, "a list of words that does not end")
    return tuple(words)


def _take_in(reader: Reader) -> bool:
    return take_reserved(reader, "in")


def _read_loop_body(reader: Reader) -> Script:
    closer = "}" if take_reserved(reader, "{") else "done"
    if closer == "done" and not take_reserved(reader, "do"):
        reader.fault(reader.pos, reader.pos, "do is missing")
    script = reader.rules.script(reader)
    if not script.commands:
        reader.fault(script.start, reader.pos, "nothing where a command should stand")
    if not take_reserved(reader, closer):
        reader.fault(reader.pos, reader.pos, f"{closer} is missing")
    return script


def read_case(reader: Reader, start: int) -> Command:
    """`case word in … esac`."""
    take_reserved(reader, "case")
    reader.skip_blanks()
    word = read_word(reader)
    if word is None:
        return reader.fault(start, reader.pos, "case without a word")
    reader.skip_lines()
    if not _take_in(reader):
        reader.fault(reader.pos, reader.pos, "in is missing")
    arms = _read_arms(reader)
    if not take_reserved(reader, "esac"):
        reader.fault(reader.pos, reader.pos, "esac is missing")
    end, redirects = read_redirects(reader)
    return Case(start, end, word, arms, redirects)


def _read_arms(reader: Reader) -> tuple[Arm, ...]:
    arms: list[Arm] = []
    while True:
        reader.skip_lines()
        if reader.pos >= reader.end or reserved_here(reader) == "esac":
            return tuple(arms)
        arm = _read_arm(reader)
        if arm is None:
            return tuple(arms)
        arms.append(arm)
        if not arm.terminator:
            return tuple(arms)


def _read_arm(reader: Reader) -> Arm | None:
    start = reader.pos
    if reader.peek() == "(":
        reader.pos += 1
    patterns = _read_patterns(reader)
    if patterns is None:
        return None
    body = reader.rules.script(reader)
    terminator = take_operator(reader) if operator_here(reader) in _TERMINATORS else ""
    return Arm(start, reader.pos, patterns, body, terminator)


def _read_patterns(reader: Reader) -> tuple[Word, ...] | None:
    patterns: list[Word] = []
    while True:
        reader.skip_blanks()
        pattern = read_word(reader)
        if pattern is None:
            return None
        patterns.append(pattern)
        reader.skip_blanks()
        operator = take_operator(reader)
        if operator == ")":
            return tuple(patterns)
        if operator != "|":
            reader.fault(reader.pos, reader.pos, ") is missing after a pattern")
            return tuple(patterns)
