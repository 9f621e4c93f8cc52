"""Builtins of bash -> what they do besides changing the shell they run in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, program, read, risk, runs_stdin, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.spec import Spec
from limpet.policy.variables import assigned_risk
from limpet.syntax.values.field import ANYTHING, Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_NAME = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\[.*\])?\+?=", re.DOTALL)
_HARMLESS = (
    "cd chdir pushd popd dirs set shift getopts return exit break continue wait jobs fg bg disown type times "
    "umask ulimit unalias caller logout suspend help : compgen complete compopt trap alias"
)
"""What `trap`, `alias`, `let` and `complete` evaluate is found where the script is walked."""
_SUGGESTION = "Name a file inside the workspace."
_NOTHING = Spec(operands="text*")


def _assigns(command: Command) -> Iterator[Effect]:
    """`export`, `declare` and the like; with `-n` a name for another variable, which gets what this one gets."""
    refers = any(re.match("-[A-Za-z]*n", field.prefix) for field in command.arguments) and command.name != "export"
    for field in command.arguments:
        found = _NAME.match(field.prefix)
        if found is None:
            if field.text is None and not field.prefix.startswith("-"):
                yield risk(f"{command.name}.unknown", Risk.OPAQUE, "sets variables that are not known before it runs")
            continue
        rest = field.prefix[found.end() :]
        value = None if rest.startswith("(") else Field((rest, *field.pieces[1:]))
        effect = assigned_risk(found[1], value)
        if refers and value is not None and (value.text is None or assigned_risk(value.text, ANYTHING) is not None):
            yield risk(f"{command.name}.reference", Risk.OPAQUE, "makes another name for a variable that programs obey")
        if effect is not None:
            yield effect


def _unsets(command: Command) -> Iterator[Effect]:
    """Without `PATH` the shell finds programs elsewhere, or none."""
    if "PATH" in command.texts:
        yield risk("variable.PATH", Risk.UNKNOWN, "has programs found elsewhere, or not at all")


def _let(command: Command) -> Iterator[Effect]:
    """Each argument is arithmetic, which may set variables; what it evaluates besides is found by the walk."""
    for field in command.arguments:
        for name in _SET_BY_ARITHMETIC.findall(field.prefix):
            effect = assigned_risk(name, ANYTHING)
            if effect is not None:
                yield effect


_SET_BY_ARITHMETIC = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)[ \t]*(?:\[[^]]*\])?[ \t]*(?:[-+*/%&|^]|<<|>>)?=(?!=)")


def _reads_names(command: Command) -> Iterator[Effect]:
    """`read PATH`: the variable gets a value that nobody knows."""
    parsed = parse_options(command.arguments, values="adinNptu" if command.name == "read" else "dnOsuCc")
    for field in (*parsed.values("-a"), *parsed.operands):
        if field.text is None:
            yield risk(f"{command.name}.unknown", Risk.OPAQUE, "sets variables that are not known before it runs")
        elif (effect := assigned_risk(field.text, ANYTHING)) is not None:
            yield effect


def _source(command: Command) -> Iterator[Effect]:
    """A file that is read as commands is run like a program: fine when it lies in the workspace."""
    parsed = parse_options(command.arguments, values="p", stop_early=True)
    if not parsed.operands:
        return
    file = parsed.operands[0]
    if file.text is None or not file.text:
        yield risk(
            "source.unknown", Risk.OPAQUE, "runs a file that is not known before it runs", suggestion=_SUGGESTION
        )
    elif file.text in ("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "-"):
        yield runs_stdin()
    else:
        yield read(file)
        yield program(known(file.text if "/" in file.text else f"./{file.text}"), command.name or "source")


def _hash(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="p")
    if parsed.has("-p"):
        yield risk("hash.path", Risk.UNKNOWN, "binds a command name to another program")


def _enable(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="f")
    if parsed.has("-f"):
        yield risk("enable.file", Risk.UNKNOWN, "loads code into the shell")
    elif parsed.has("-n") and parsed.operands:
        yield risk("enable.names", Risk.UNKNOWN, "has a builtin's name mean another program")


def _history(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="d")
    if parsed.has("-c", "-d"):
        yield risk("history.clear", Risk.DESTROYS, "removes commands from the history")
    if parsed.has("-w", "-a"):
        yield from (write(field) for field in parsed.operands[:1])
        yield risk("history.write", Risk.PERSISTS, "rewrites the history")
    elif parsed.has("-r", "-n"):
        yield from (read(field) for field in parsed.operands[:1])


def _fc(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="e", stop_early=True)
    if not parsed.has("-l"):
        yield risk("fc.again", Risk.OPAQUE, "runs a command of the past again")


def _bind(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="mqurfx")
    for field in parsed.values("-f"):
        yield read(field)
    if parsed.has("-f", "-x"):
        yield risk("bind.keys", Risk.PERSISTS, "binds commands to keys")


def _shopt(command: Command) -> Iterator[Effect]:
    for field in command.arguments:
        if field.text is None:
            yield risk("shopt.unknown", Risk.OPAQUE, "changes an option of the shell that is not known")


def _eval(command: Command) -> Iterator[Effect]:
    """Where it was found in a script, its text was followed there."""
    words = command.arguments[1:] if command.texts[:1] == ("--",) else command.arguments
    if words and not command.evaluated:
        pieces = [piece for index, field in enumerate(words) for piece in ((" ",) if index else ()) + field.pieces]
        yield script(Field(tuple(pieces)), "eval")


TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(_HARMLESS.split(), _NOTHING),
    **dict.fromkeys(("export", "declare", "typeset", "local", "readonly"), _assigns),
    **dict.fromkeys(("read", "mapfile", "readarray"), _reads_names),
    **dict.fromkeys(("source", "."), _source),
    "unset": _unsets, "let": _let,
    "hash": _hash, "enable": _enable, "history": _history, "fc": _fc, "bind": _bind, "shopt": _shopt, "eval": _eval,
}  # fmt: skip
