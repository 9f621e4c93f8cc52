"""What a command does to the world, as far as its words tell."""

from __future__ import annotations

import enum

import msgspec

from limpet.model.decision import Risk
from limpet.policy.command import Command
from limpet.syntax.values.field import Field


class Kind(enum.StrEnum):
    """Kinds of effects. Paths, programs and texts are in the effect's `field`."""

    READ = "read"
    WRITE = "write"
    """Creates or changes a file or folder."""
    DELETE = "delete"
    CHANGE = "change"
    """Mode, owner, attributes."""
    COMMAND = "command"
    """Another command that is run: judged in its own right."""
    SCRIPT = "script"
    """Text that a shell runs: judged like any other command."""
    PROGRAM = "program"
    """One program that is run, without arguments: judged like a command."""
    CODE = "code"
    """Inline code of an interpreter, which `detail` names."""
    STDIN = "stdin"
    """What it reads from its standard input is run: by a shell, or by the interpreter that `detail` names."""
    RISK = "risk"
    """Something that has a name of its own: `risk`, `detail`, and `deny` when it is never allowed."""


class Effect(msgspec.Struct, frozen=True, gc=False):
    """One thing that a command does."""

    kind: Kind
    field: Field | None = None
    detail: str = ""
    """For a person: what it does; for `CODE`, the language."""
    recursive: bool = False
    risk: Risk | None = None
    deny: bool = False
    suggestion: str = ""
    rule: str = ""
    """Name of the built-in rule, such as `git.push`."""
    inner: Command | None = None


def read(field: Field) -> Effect:
    """Reads a file."""
    return Effect(Kind.READ, field)


def write(field: Field) -> Effect:
    """Creates or changes a file."""
    return Effect(Kind.WRITE, field)


def delete(field: Field, *, recursive: bool = False) -> Effect:
    """Removes a file, or a folder with all that is in it."""
    return Effect(Kind.DELETE, field, recursive=recursive)


def change(field: Field, *, recursive: bool = False) -> Effect:
    """Changes mode, owner or attributes."""
    return Effect(Kind.CHANGE, field, recursive=recursive)


def runs(command: Command, argv: tuple[Field, ...], by: str, **changes: object) -> Effect:
    """Runs another command: `by` is the wrapper that does; `changes` are what differs in it, such as `cwd`."""
    inner = msgspec.structs.replace(command, argv=argv, via=(*command.via, by), evaluated=False, read=None, **changes)
    return Effect(Kind.COMMAND, None, by, inner=inner)


def runs_stdin(language: str = "sh") -> Effect:
    """Runs what it reads from its standard input."""
    return Effect(Kind.STDIN, None, language)


def script(field: Field, by: str) -> Effect:
    """Has a shell run a text; `by` says what does."""
    return Effect(Kind.SCRIPT, field, by)


def program(field: Field, by: str) -> Effect:
    """Runs a program; `by` says what does."""
    return Effect(Kind.PROGRAM, field, by)


def code(field: Field, language: str) -> Effect:
    """Has an interpreter run code."""
    return Effect(Kind.CODE, field, language)


def risk(rule: str, which: Risk, detail: str, *, deny: bool = False, suggestion: str = "") -> Effect:
    """A risk that is known by name: `risk("git.push", Risk.PUBLISHES, "sends commits to a remote")`."""
    return Effect(Kind.RISK, None, detail, risk=which, deny=deny, suggestion=suggestion, rule=rule)
