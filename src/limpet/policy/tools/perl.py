"""perl -> its code, its modules, and the files that it changes in place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import code, program, read, risk, runs_stdin, script, write
from limpet.policy.tools.invocation import joined, placed, read_leading, runs_file, unread_options
from limpet.policy.tools.own_code import explained
from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.invocation import Leading
    from limpet.policy.tools.spec import Rule, Spec

_MODULE = re.compile(r"-?([A-Za-z_][A-Za-z0-9_:]*)(?:=[A-Za-z0-9_:,$@%&/ -]*| +qw\([A-Za-z0-9_: ]*\))?")
_SEPARATOR = re.compile(r"/(?:[^/\\({$@]|\\.)*/[a-z]*|'[^']*'|\"[^\"$@]*\"")
"""A separator of `-F` that is no more than that: in quotes or slashes it is code."""
_NUMBERS = re.compile(r"-([A-Za-z]*?)(?:0(?:x[0-9A-Fa-f]+|[0-7]*)|l[0-7]*|C[0-9IOADSL]*)(.*)", re.DOTALL)


def perl(command: Command) -> Iterator[Effect]:
    """perl: code of `-e`, else a file, else what it reads."""
    leading = read_leading(
        [_split_numbers(one) for one in command.arguments], values=("-e", "-E", "-I"), glued="iFMmdDVx"
    )
    yield from unread_options(leading, command.name)
    if leading.has("-v", "-V", "-h"):
        return
    yield from _modules(leading)
    texts = [*_used(leading), *leading.values("-e", "-E")]
    if leading.has("-e", "-E"):
        yield code(joined(texts), "perl")
        yield from _files(leading)
    elif leading.rest:
        yield from runs_file(leading.rest[0], "perl", "perl")
        for field in leading.rest[1:] if leading.has("-i") else ():
            yield write(field)
    else:
        yield runs_stdin("perl")


def _split_numbers(field: Field) -> Field:
    """`-0777ne` as `-ne`: the digits that belong to `-0` and `-l` are no letters of their own."""
    text = field.text
    if text is None:
        return field
    for _ in range(4):
        found = _NUMBERS.fullmatch(text)
        if found is None or found[1].strip("acnpwWsSTtuUXf"):
            return known(text)
        text = f"-{found[1]}{found[2]}" if found[1] or found[2] else "-w"
    return known(text)


def _modules(leading: Leading) -> Iterator[Effect]:
    for field in leading.values("-I"):
        yield program(placed(field), "perl")
    for field in leading.values("-M", "-m"):
        if field.text is None or not _MODULE.fullmatch(field.text):
            yield risk("perl.module", Risk.OPAQUE, "loads a module that is not known")
    for field in leading.values("-F", "-x"):
        if field.text is None or (field.text[:1] in tuple("/'\"") and not _SEPARATOR.fullmatch(field.text)):
            yield risk("perl.option", Risk.OPAQUE, "has an option with code that is not known")
    if leading.has("-d", "-D"):
        yield risk("perl.debug", Risk.OPAQUE, "runs the debugger, or a module in its place")


def _used(leading: Leading) -> list[Field]:
    """Modules of the command line as the code would have them."""
    found = [_MODULE.fullmatch(field.text or "") for field in leading.values("-M", "-m")]
    return [known(f"use {match[1]};") for match in found if match is not None]


def _files(leading: Leading) -> Iterator[Effect]:
    """What `<>` opens: a name with a pipe is a command."""
    suffixes = [field.prefix for field in leading.values("-i")]
    for field in leading.rest:
        text = (field.text or "").strip()
        if text.endswith("|") or text.startswith("|"):
            yield risk("perl.spawn", Risk.OPAQUE, "opens a command as if it were a file")
            yield script(known(text.strip("|")), "perl <>")
        elif leading.has("-i") or text.startswith(">"):
            yield write(known(text.lstrip(">+ ")) if text.startswith(">") else field)
        elif leading.has("-n", "-p"):
            yield read(field)
    for suffix in suffixes:
        if "/" in suffix:
            yield write(known(suffix))


TOOLS: dict[str, Spec | Rule] = explained({"perl": perl, "perl5": perl})
