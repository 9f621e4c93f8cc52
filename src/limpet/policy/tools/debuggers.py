"""Debuggers, tracers and profilers -> the program that they run, and their own commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import code, read, risk, runs, runs_stdin, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.invocation import joined, placed, read_leading, runs_file
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.spec import Rule, Spec

_GDB_CODE = ("-ex", "-eval-command", "-iex", "-init-eval-command", "-o", "-O", "-one-line", "-k")
_GDB_FILES = ("-x", "-command", "-ix", "-init-command", "-source", "-S", "-s")
_GDB_TEXTS = ("-cd", "-d", "-directory", "-e", "-exec", "-se", "-core", "-c", "-symbols", "-tty", "-b", "-l", "-i",
              "-interpreter", "-data-directory", "-a", "-arch", "-n", "-r")  # fmt: skip
_GDB_ATTACH = ("-p", "-pid", "-attach-pid")


def _debugger(*, lldb: bool) -> Rule:
    def rule(command: Command) -> Iterator[Effect]:
        values = {*_GDB_CODE, *_GDB_FILES, *_GDB_TEXTS, *_GDB_ATTACH} - ({"-b", "-r"} if lldb else set())
        arguments, inferior = _cut(command.arguments, ("--args", "-args") if not lldb else ("--",))
        leading = read_leading([_single(one) for one in arguments], values=values, clusters=False)
        if leading.has("-version", "-help", "-v", "-h", "-P"):
            return
        yield from _debug_commands(leading.values(*_GDB_CODE), leading.values(*_GDB_FILES))
        if leading.has(*_GDB_ATTACH):
            yield risk(f"{command.name}.attach", Risk.PRIVILEGE, "takes control of a running process")
        if inferior or leading.rest:
            yield runs(command, (placed((*leading.rest, *inferior)[0]), *inferior[1:]), command.name or "gdb")
        if not leading.has("-batch", "-batch-silent", "-b"):
            yield runs_stdin("gdb")

    return rule


def _single(field: Field) -> Field:
    """`--batch` is `-batch`."""
    if field.prefix.startswith("--") and field.text != "--":
        return Field((field.prefix[1:], *field.pieces[1:]), field.many)
    return field


def _debug_commands(texts: list[Field], files: list[Field]) -> Iterator[Effect]:
    if texts:
        yield code(joined(texts), "gdb")
    for field in files:
        yield from runs_file(field, "gdb", "gdb")


def _cut(arguments: tuple[Field, ...], marks: Collection[str]) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    for index, field in enumerate(arguments):
        if field.text in marks:
            return arguments[:index], arguments[index + 1 :]
    return arguments, ()


def _tracer(values: str, *, writes: tuple[str, ...] = ("-o", "--output")) -> Rule:
    """Of strace and ltrace: options, then a command."""
    long_values = (
        "--output",
        "--attach",
        "--trace",
        "--env",
        "--user",
        "--string-limit",
        "--signal",
        "--status",
        "--columns",
    )

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_options(command.arguments, values=values, long_values=long_values, stop_early=True)
        for field in parsed.values(*writes):
            yield from _traced_to(field, command)
        if parsed.has("-p", "--attach"):
            yield risk(f"{command.name}.attach", Risk.PRIVILEGE, "looks into a running process")
        if parsed.operands:
            yield runs(command, parsed.operands, command.name or "")

    return rule


def _traced_to(field: Field, command: Command) -> Iterator[Effect]:
    text = field.prefix
    if text[:1] in ("|", "!"):
        yield risk(f"{command.name}.spawn", Risk.OPAQUE, "gives its log to another program")
        yield script(Field((text[1:], *field.pieces[1:]), field.many), f"{command.name} -o")
    else:
        yield write(field)


def _valgrind(command: Command) -> Iterator[Effect]:
    leading = read_leading(command.arguments, values=(), clusters=False)
    for name in ("--log-file", "--xml-file", "--callgrind-out-file", "--massif-out-file", "--cachegrind-out-file"):
        for field in leading.values(name):
            yield write(field)
    for name in ("--db-command", "--log-socket", "--xml-socket"):
        if leading.has(name):
            yield risk(f"valgrind{name}", Risk.OPAQUE, "starts a debugger, or sends its log elsewhere")
    for field in leading.values("--suppressions"):
        yield read(field)
    if leading.rest:
        yield runs(command, leading.rest, "valgrind")


def _perf(command: Command) -> Iterator[Effect]:
    """perf: `stat` and `record` run a command, the others look at what was recorded."""
    verb = command.texts[0] if command.arguments else "help"
    rest = command.arguments[1:]
    if verb in ("stat", "record", "trace", "mem", "c2c", "lock", "sched", "kmem", "timechart", "ftrace"):
        yield from _perf_runs(command, rest)
    elif verb == "script" and any(field.prefix.startswith(("-s", "--script", "record")) for field in rest):
        yield risk("perf.script", Risk.OPAQUE, "runs a script of perf")
    elif verb in ("probe", "daemon", "kvm", "inject", "archive", "test", "bench") or verb is None:
        yield risk("perf.verb", Risk.UNKNOWN, "does more than look at what was recorded")


def _perf_runs(command: Command, rest: tuple[Field, ...]) -> Iterator[Effect]:
    parsed = parse_options(
        rest, values="eoFcrpCItujDmGx", stop_early=True,
        long_values=("--output", "--event", "--call-graph", "--freq", "--pid", "--cpu", "--repeat", "--delay",
        "--interval-print",
                     "--post", "--pre", "--control", "--field-separator", "--filter", "--tid", "--uid", "--mmap-pages"),
    )  # fmt: skip
    for field in parsed.values("-o", "--output"):
        yield write(field)
    for field in parsed.values("--post", "--pre"):
        yield script(field, "perf")
    operands = (
        parsed.operands[1:] if parsed.operands and parsed.operands[0].text in ("record", "report") else parsed.operands
    )
    if operands:
        yield runs(command, operands, "perf")


def _profiler(values: str, writes: tuple[str, ...]) -> Rule:
    """Profilers with options, then a command."""

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_options(command.arguments, values=values, long_values=writes, stop_early=True)
        for field in parsed.values(*writes):
            yield write(field)
        operands = parsed.operands
        if operands and operands[0].text in ("run", "record", "--"):
            operands = operands[1:]
        if parsed.has("-p", "--pid"):
            yield risk(f"{command.name}.attach", Risk.PRIVILEGE, "looks into a running process")
        elif operands:
            yield runs(command, operands, command.name or "")

    return rule


_PROFILER = _profiler("orpdse", ("-o", "--output", "--outfile"))
TOOLS: dict[str, Spec | Rule] = {
    "gdb": _debugger(lldb=False), "gdb-multiarch": _debugger(lldb=False), "cgdb": _debugger(lldb=False),
    "lldb": _debugger(lldb=True), "rust-gdb": _debugger(lldb=False), "rust-lldb": _debugger(lldb=True),
    "strace": _tracer("eopsEuabIOPSUX"), "ltrace": _tracer("eopsuanxlADFSw"), "valgrind": _valgrind, "perf": _perf,
    "py-spy": _PROFILER, "heaptrack": _PROFILER, "samply": _PROFILER,
}  # fmt: skip
