"""A table that describes an interpreter -> the effects of one call of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import code, risk, runs_stdin
from limpet.policy.tools.invocation import joined, placed, read_leading, runs_file, unread_options
from limpet.policy.tools.spec import play
from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.options import Option
    from limpet.policy.tools.invocation import Leading
    from limpet.policy.tools.spec import Rule


class Interpreter(msgspec.Struct, frozen=True, kw_only=True):
    """A program that runs code: a text, a file, or what it reads."""

    language: str
    options: dict[str, str] = {}
    """Options with a value, each with its role: those of `Spec`, `code`, `file` (whose code is run) and `module` (which
    is a file when it has a slash, otherwise a package)."""
    flags: dict[str, str] = {}
    """Options without a value that matter: `quit` (nothing is run), `stdin` (then it also runs what it reads), `reads`
    (its operands are only read), or a role."""
    glued: str = ""
    """Letters whose value, if any, is glued to them."""
    main: str = ""
    """What is run in a folder that is given as a file."""
    clusters: bool = True
    stdin: bool = True
    """Without a file it runs what it reads."""


def interpret(spec: Interpreter) -> Rule:
    """The rule of an interpreter."""
    return lambda command: _effects(spec, command)


def _effects(spec: Interpreter, command: Command) -> Iterator[Effect]:
    leading = read_leading(command.arguments, values=spec.options, glued=spec.glued, clusters=spec.clusters)
    yield from unread_options(leading, command.name)
    texts = leading.values(*(name for name, role in spec.options.items() if role == "code"))
    if texts:
        yield code(joined(texts), spec.language)
    for option in leading.options:
        yield from _option(spec, command, option)
    yield from _operands(spec, command, leading, done=bool(texts))


def _option(spec: Interpreter, command: Command, option: Option) -> Iterator[Effect]:
    name, value = option
    role = spec.options.get(name) or spec.flags.get(name, "")
    if role == "file" and value is not None:
        yield from runs_file(value, command.name or "", spec.language)
    elif role == "module" and value is not None:
        yield from _module(value, command)
    elif role not in ("code", "quit", "stdin", "reads", ""):
        yield from play(role, value if value is not None else known(""), command)


def _module(value: Field, command: Command) -> Iterator[Effect]:
    """A package belongs to the project; a path may lead anywhere."""
    if "://" in value.prefix or value.prefix.startswith("data:"):
        yield risk(f"{command.name}.module", Risk.OPAQUE, "loads code from an address")
    elif value.text is None or value.text.startswith(("/", ".", "~")):
        yield from play("program", placed(value), command)


def _operands(spec: Interpreter, command: Command, leading: Leading, *, done: bool) -> Iterator[Effect]:
    meanings = {spec.flags.get(option.name) for option in leading.options}
    file_given = any(spec.options.get(option.name) == "file" for option in leading.options)
    if "stdin" in meanings:
        yield runs_stdin(spec.language)
    if done or file_given or "quit" in meanings:
        return
    if "reads" in meanings:
        for field in leading.rest:
            yield from play("read", field, command)
    elif leading.rest:
        yield from runs_file(leading.rest[0], command.name or "", spec.language, spec.main)
    elif spec.stdin and "stdin" not in meanings:
        yield runs_stdin(spec.language)
