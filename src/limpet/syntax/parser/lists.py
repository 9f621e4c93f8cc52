"""Commands and the operators between them -> pipelines, lists, scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.compound import read_compound
from limpet.syntax.parser.reserved import CLOSERS, MISPLACED, operator_here, reserved_here, take_operator, take_reserved
from limpet.syntax.parser.simple import read_simple
from limpet.syntax.parser.source import JOIN
from limpet.syntax.tree import AndOr, Background, Opaque, Pipeline, Script

if TYPE_CHECKING:
    from limpet.syntax.parser.reader import Reader
    from limpet.syntax.tree import Command

_TIME_OPTION = late(f"(-{JOIN}*+[-p]){JOIN}*+(?=[ \\t\\n;&|()<>]|\\Z)")


def read_script(reader: Reader) -> Script:
    """Commands up to the end, or to what closes the thing they stand in: `)`, `;;`, `done` and their like."""
    start = reader.pos
    commands: list[Command] = []
    while True:
        reader.skip_lines()
        if reader.pos >= reader.end or _closes(reader):
            return Script(start, reader.pos, tuple(commands))
        command = read_and_or(reader)
        commands.append(_skip_operator(reader) if command is None else _terminate(reader, command))


def _closes(reader: Reader) -> bool:
    char = reader.text[reader.pos]
    if char == ")":
        return True
    if char == ";":
        return operator_here(reader) != ";"
    return reserved_here(reader) in CLOSERS


def _skip_operator(reader: Reader) -> Opaque:
    """An operator where a command should stand."""
    start = reader.pos
    take_operator(reader)
    reader.pos = max(reader.pos, start + 1)
    while reader.peek() == ";" and operator_here(reader) == ";":
        reader.pos += 1
    return reader.fault(start, reader.pos, "an operator without a command before it")


def _terminate(reader: Reader, command: Command) -> Command:
    """Read what ends a command: `;`, `&`, a line end, or nothing before something that closes."""
    reader.skip_blanks()
    operator = operator_here(reader)
    if operator == "&":
        reader.pos += 1
        return Background(command.start, reader.pos, command)
    if operator == ";":
        reader.pos += 1
    elif operator == "(" or (not operator and not _may_end(reader)):
        reader.fault(reader.pos, reader.pos + 1, "a command that begins without an operator before it")
    return command


def _may_end(reader: Reader) -> bool:
    return reader.peek() in ("", "#") or reader.at_line_end() or reserved_here(reader) in CLOSERS


def read_and_or(reader: Reader) -> Command | None:
    """`a && b || c`; None, and nothing read, where no command begins."""
    first = read_pipeline(reader)
    if first is None:
        return None
    pipelines, operators = [first], []
    reader.skip_blanks()
    while (operator := operator_here(reader)) in ("&&", "||"):
        operators.append(take_operator(reader))
        reader.skip_lines()
        pipelines.append(read_pipeline(reader) or _missing(reader, operator))
        reader.skip_blanks()
    if not operators:
        return first
    return AndOr(first.start, pipelines[-1].end, tuple(pipelines), tuple(operators))


def _missing(reader: Reader, operator: str) -> Opaque:
    return reader.fault(reader.pos, reader.pos, f"{operator} without a command after it")


def read_pipeline(reader: Reader) -> Command | None:
    """`! time a | b`; None, and nothing read, where no command begins."""
    start = reader.pos
    negated, timed = _read_prefixes(reader)
    first = read_command(reader)
    if first is None:
        return _empty_pipeline(reader, start, negated=negated, timed=timed)
    stages, operators = [first], []
    reader.skip_blanks()
    while (operator := operator_here(reader)) in ("|", "|&"):
        operators.append(take_operator(reader))
        reader.skip_lines()
        stages.append(_read_stage(reader, operator))
        reader.skip_blanks()
    if len(stages) == 1 and first.start == start:
        return first
    return Pipeline(start, stages[-1].end, tuple(stages), tuple(operators), negated, timed)


def _empty_pipeline(reader: Reader, start: int, *, negated: bool, timed: bool) -> Command | None:
    """`time` and `!` may stand alone."""
    if reader.pos == start:
        return None
    if operator_here(reader) not in ("", ";") or reserved_here(reader):
        reader.fault(start, reader.pos, "! or time without a command after it")
    return Pipeline(start, reader.pos, (), (), negated, timed)


def _read_prefixes(reader: Reader) -> tuple[bool, bool]:
    negated = timed = False
    while True:
        if take_reserved(reader, "!"):
            negated = not negated
        elif take_reserved(reader, "time"):
            timed = True
            _read_time_options(reader)
        else:
            return negated, timed
        reader.skip_blanks()


def _read_time_options(reader: Reader) -> None:
    for option in ("-p", "--"):
        reader.skip_blanks()
        found = _TIME_OPTION.match(reader.text, reader.pos, reader.end)
        if found is not None and found[1].replace(JOIN, "") == option:
            reader.pos = found.end()


def _read_stage(reader: Reader, operator: str) -> Command:
    """A command after a pipe, where `!` is out of place and `time` is a command like any other."""
    while take_reserved(reader, "!"):
        reader.fault(reader.pos - 1, reader.pos, "! in the middle of a pipeline")
        reader.skip_blanks()
    return read_command(reader) or _missing(reader, operator)


def read_command(reader: Reader) -> Command | None:
    """One simple or compound command; None, and nothing read, where none begins."""
    command = read_compound(reader)
    if command is not None:
        return command
    word = reserved_here(reader)
    if word in CLOSERS:
        return None
    if word in MISPLACED:
        reader.fault(reader.pos, reader.pos + len(word), f"{word} where a command should stand")
    return read_simple(reader)
