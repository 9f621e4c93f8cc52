"""Files that a build or test tool runs -> effects; and flags that are never abbreviated -> options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, program, read, risk, runs, runs_stdin, script
from limpet.policy.options import Option, Parsed
from limpet.policy.tools.invocation import matched
from limpet.policy.tools.spec import Spec, describe, play
from limpet.syntax.values.field import Field, Unknown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule


def runs_file(field: Field, by: str) -> Effect:
    """A file of code that is run: its place decides, not its name."""
    field = matched(field)
    if field.prefix.startswith(("/", "./", "../")) or not field.prefix:
        return program(field, by)
    return program(Field(("./", *field.pieces), field.many), by)


def runs_place(field: Field, by: str) -> Iterator[Effect]:
    """A file or folder whose code is run. What lies below the folder of the command is the folder's own."""
    if field.text == "-":
        yield runs_stdin(by)
        return
    if isinstance(field.pieces[0] if field.pieces else "", Unknown):
        yield program(field, by)
        return
    field = matched(field)
    bare = Field((field.prefix.partition("::")[0], *field.pieces[1:]), field.many)
    if not bare.prefix.startswith("/") and ".." not in bare.prefix.split("/"):
        return
    is_file = "." in bare.suffix.rpartition("/")[2].strip(".")
    yield runs_file(bare if is_file else Field((*bare.pieces, "/any"), bare.many), by)


def runs_settings(field: Field, by: str) -> Iterator[Effect]:
    """A file of settings, of a build or of plugins, which is code or names code: fine in the workspace."""
    if field.text not in _NO_FILE:
        yield from runs_place(field, by) if field.text == "-" else (runs_file(field, by),)


_NO_FILE = ("", "/dev/null", "none", "None", "false")


def loads(tool: Spec | Rule, names: str, *, glued: bool = True) -> Rule:
    """The tool, with a look at the files that these options of it name: their code is run."""
    options = names.split()

    def rule(command: Command) -> Iterator[Effect]:
        yield from describe(tool, command) if isinstance(tool, Spec) else tool(command)
        for field in named(command.arguments, options, glued=glued):
            yield from runs_settings(field, command.name or "")

    return rule


def explaining(tool: Spec | Rule) -> Rule:
    """The tool, which does nothing when it is only asked who it is."""

    def rule(command: Command) -> Iterator[Effect]:
        if command.texts not in _EXPLAINS:
            yield from describe(tool, command) if isinstance(tool, Spec) else tool(command)

    return rule


def explained(tools: dict[str, Spec | Rule]) -> dict[str, Spec | Rule]:
    """All of them so; names of one tool stay names of one tool."""
    rules = {id(tool): explaining(tool) for tool in tools.values()}
    return {name: rules[id(tool)] for name, tool in tools.items()}


_EXPLAINS = (("--version",), ("--help",))


def telling(tool: Spec | Rule, names: str, *, words: bool = False) -> Rule:
    """The tool, with a look at the text of these options, which a shell runs, or at the words behind them."""
    options = names.split()

    def rule(command: Command) -> Iterator[Effect]:
        yield from describe(tool, command) if isinstance(tool, Spec) else tool(command)
        at = next((index for index, text in enumerate(command.texts) if text in options), len(command.texts))
        if words and command.arguments[at + 1 :]:
            yield runs(command, command.arguments[at + 1 :], f"{command.name} {command.texts[at]}")
        for field in () if words else named(command.arguments, options, glued=False):
            yield script(field, command.name or "")

    return rule


def sending(tool: Spec | Rule) -> Rule:
    """The tool, which may send away the files that its words name."""

    def rule(command: Command) -> Iterator[Effect]:
        yield from describe(tool, command) if isinstance(tool, Spec) else tool(command)
        before = ""
        for field in command.arguments:
            start = field.prefix
            if "://" in start:
                return
            if "/" in start and not start.startswith("-") and (not before.startswith("-") or "=" in before):
                yield read(field)
            before = start

    return rule


def asking(why: str) -> Rule:
    """A tool that is worth a question whatever it is told to do."""

    def rule(command: Command) -> Iterator[Effect]:
        if any(not field.prefix.startswith("-") for field in command.arguments):
            yield risk(f"{command.name}.use", Risk.UNKNOWN, why)

    return rule


def wary_of(tool: Spec | Rule, names: str, why: str) -> Rule:
    """The tool, with a question about these options or words of it, wherever they stand."""
    words = names.split()

    def rule(command: Command) -> Iterator[Effect]:
        yield from describe(tool, command) if isinstance(tool, Spec) else tool(command)
        for field in command.arguments:
            if (name := field.prefix.partition("=")[0]) in words:
                yield risk(f"{command.name}.{name.lstrip('-')}", Risk.UNKNOWN, why)

    return rule


def named(arguments: Sequence[Field], options: Collection[str], *, glued: bool = True) -> Iterator[Field]:
    """The values of these options wherever they stand: behind a blank, an equals sign, or glued to a letter."""
    for index, field in enumerate(arguments):
        name, equals, start = field.prefix.partition("=")
        if field.text == "--":
            return
        if field.text in options and index + 1 < len(arguments):
            yield arguments[index + 1]
        elif equals and name in options:
            yield Field((start, *field.pieces[1:]), field.many)
        elif glued and field.prefix[:2] in options and field.prefix[:2] not in ("--", field.text):
            yield Field((field.prefix[2:], *field.pieces[1:]), field.many)


def parse_exact(arguments: Sequence[Field], values: Collection[str], *, stop_early: bool = False) -> Parsed:
    """Options as the tools of Go, Java and HashiCorp read them: `-name` and `--name` are one, none is abbreviated."""
    options: list[Option] = []
    operands: list[Field] = []
    index = 0
    while index < len(arguments):
        field = arguments[index]
        index += 1
        if field.text == "--" or (stop_early and operands):
            operands.extend(arguments[index if field.text == "--" else index - 1 :])
            break
        if not field.prefix.startswith("-") or field.text == "-":
            operands.append(field)
            continue
        name, equals, value = field.prefix.partition("=")
        name = "-" + name.lstrip("-")
        if equals:
            options.append(Option(name, Field((value, *field.pieces[1:]), field.many)))
        elif name in values and index < len(arguments):
            options.append(Option(name, arguments[index]))
            index += 1
        else:
            options.append(Option(name))
    return Parsed(tuple(options), tuple(operands))


def play_options(parsed: Parsed, roles: Mapping[str, str], command: Command) -> Iterator[Effect]:
    """What the options bring about, each by its role."""
    for name, value in parsed.options:
        if value is not None and name in roles:
            yield from play(roles[name], value, command)
