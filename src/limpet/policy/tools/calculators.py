"""Calculators, macro processors, plotters and the shell of SQLite -> their code and their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import code, read, risk, runs_stdin, write
from limpet.policy.tools.interpreter import Interpreter, interpret
from limpet.policy.tools.invocation import read_leading, runs_file
from limpet.policy.tools.spec import Spec
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.spec import Rule

_SQLITE_VALUES = (
    "-cmd", "-init", "-separator", "-nullvalue", "-newline", "-mmap", "-vfs", "-heap", "-maxsize", "-lookaside",
    "-pagecache",
    "-escape", "-nonce",
)  # fmt: skip
_OUTSIDE = ("", ":memory:")


def _sqlite(command: Command) -> Iterator[Effect]:
    """sqlite3: a database, then SQL and commands of its shell."""
    leading = read_leading([_single(one) for one in command.arguments], values=_SQLITE_VALUES, clusters=False)
    if leading.has("-version", "-help"):
        return
    for field in leading.values("-cmd"):
        yield code(field, "sql")
    for field in leading.values("-init"):
        yield from runs_file(field, "sqlite3", "sql")
    if leading.has("-A"):
        yield risk("sqlite3.archive", Risk.UNKNOWN, "packs or unpacks an archive")
        return
    for field in leading.rest[:1]:
        if field.text not in _OUTSIDE:
            yield read(field) if leading.has("-readonly") else write(field)
    for field in leading.rest[1:]:
        if not field.prefix.startswith("-"):
            yield code(field, "sql")
    if len(leading.rest) < 2:
        yield runs_stdin("sql")


def _single(field: Field) -> Field:
    """`--csv` is `-csv`."""
    if field.prefix.startswith("--") and field.text != "--":
        return Field((field.prefix[1:], *field.pieces[1:]), field.many)
    return field


_M4 = Interpreter(
    language="m4",
    options={
        "-D": "text", "--define": "text", "-U": "text", "--undefine": "text", "-I": "read", "--include": "read",
        "-F": "write", "--freeze-state": "write", "-R": "file", "--reload-state": "file", "-o": "write",
        "--error-output": "write",
        "--debugfile": "write", "-L": "text", "-l": "text", "-t": "text", "--trace": "text", "-B": "text", "-N": "text",
    },
    flags={"--version": "quit", "--help": "quit"},
)  # fmt: skip
_GNUPLOT = Interpreter(
    language="gnuplot",
    options={"-e": "code", "-c": "file", "--default-settings": "text", "-geometry": "text"},
    flags={"-V": "quit", "--version": "quit", "-h": "quit", "--help": "quit", "-p": "", "--persist": ""},
    clusters=False,
)  # fmt: skip
_DC = Interpreter(
    language="dc",
    options={"-e": "code", "--expression": "code", "-f": "file", "--file": "file"},
    flags={"-V": "quit", "--version": "quit", "-h": "quit", "--help": "quit"},
)  # fmt: skip

TOOLS: dict[str, Spec | Rule] = {
    "sqlite3": _sqlite, "sqlite": _sqlite, "dc": interpret(_DC), "m4": interpret(_M4), "gnuplot": interpret(_GNUPLOT),
    "bc": Spec(options={"-e": "text", "--expression": "text", "-f": "read", "--file": "read", "-S": "text"}),
    "units": Spec(operands="text*", options={"-f": "read", "--file": "read", "-o": "text", "-d": "text"}),
    "qalc": Spec(operands="text*", options={"-f": "read", "--file": "read", "-e": "text"}),
    "calc": Spec(operands="text*"),
}  # fmt: skip
