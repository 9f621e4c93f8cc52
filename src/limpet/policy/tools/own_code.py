"""Files that a build or test tool runs -> effects; and flags that are never abbreviated -> options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.effect import Effect, program, runs_stdin, write
from limpet.policy.options import Option, Parsed
from limpet.policy.tools.spec import Spec, describe, play
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule


def runs_file(field: Field, by: str) -> Effect:
    """A file of code that is run: its place decides, not its name."""
    if field.prefix.startswith(("/", "./", "../")) or not field.prefix:
        return program(field, by)
    return program(Field(("./", *field.pieces), field.many), by)


def runs_place(field: Field, by: str) -> Iterator[Effect]:
    """A file or folder whose code is run. What lies below the folder of the command is the folder's own."""
    if field.text == "-":
        yield runs_stdin(by)
        return
    bare = Field((field.prefix.partition("::")[0], *field.pieces[1:]), field.many)
    if not bare.prefix.startswith("/") and ".." not in bare.prefix.split("/"):
        return
    is_file = "." in bare.suffix.rpartition("/")[2].strip(".")
    yield runs_file(bare, by) if is_file else write(bare)


def runs_settings(field: Field, by: str) -> Iterator[Effect]:
    """A file of settings, of a build or of plugins, which is code or names code: fine in the workspace."""
    if field.text not in _NO_FILE:
        yield from runs_place(field, by) if field.text == "-" else (runs_file(field, by),)


_NO_FILE = ("", "/dev/null", "none", "None", "false")


def loads(tool: Spec | Rule, names: str) -> Rule:
    """The tool, with a look at the files that these options of it name: their code is run."""
    options = names.split()

    def rule(command: Command) -> Iterator[Effect]:
        yield from describe(tool, command) if isinstance(tool, Spec) else tool(command)
        for field in named(command.arguments, options):
            yield from runs_settings(field, command.name or "")

    return rule


def named(arguments: Sequence[Field], options: Collection[str]) -> Iterator[Field]:
    """The values of these options wherever they stand: behind a blank, an equals sign, or glued to a letter."""
    for index, field in enumerate(arguments):
        name, equals, start = field.prefix.partition("=")
        if field.text == "--":
            return
        if field.text in options and index + 1 < len(arguments):
            yield arguments[index + 1]
        elif equals and name in options:
            yield Field((start, *field.pieces[1:]), field.many)
        elif field.prefix[:2] in options and not field.prefix.startswith("--") and field.text not in options:
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
