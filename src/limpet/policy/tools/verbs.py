"""A tool whose first operand says what to do (`git push`, `npm test`) -> the effects of one call of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk, runs, write
from limpet.policy.options import Parsed, parse_options
from limpet.policy.tools.own_code import parse_exact, play_options, runs_place
from limpet.policy.tools.spec import Rule, Spec, describe, play
from limpet.syntax.values.field import Field, known
from limpet.syntax.walk.folders import join_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from limpet.policy.command import Command

HERE = write(known("."))
"""It works in its folder: harmless inside the workspace, a question elsewhere."""
TEXT = Spec(operands="text*")
"""Nothing in its arguments matters."""
_TERMINAL = frozenset({"--help", "-h", "--version", "-V", "-?", "-help", "-version"})
"""Options that make a tool say something and stop."""


class Verb(msgspec.Struct, frozen=True):
    """What a verb does whatever its arguments, and what its arguments bring about."""

    does: tuple[Effect, ...] = ()
    spec: Spec = TEXT
    starts: bool = False
    """Its operands name code that is run."""


class Verbs(msgspec.Struct, frozen=True, kw_only=True):
    """A tool with verbs, or a verb with verbs of its own."""

    table: dict[str, Meaning]
    options: dict[str, str] = {}
    """Options with a value that may stand before the verb, each with its role."""
    flags: str = ""
    """Options without a value that may stand before the verb. One that is not listed is worth a question."""
    ask: dict[str, str] = {}
    """Options that are worth a question, each with why."""
    folder: tuple[str, ...] = ()
    """Options that name the folder to work in, as `-C` does."""
    bare: Meaning = Verb()
    """Without a verb."""
    other: Meaning | None = None
    """For a verb that is not listed; None asks. A `Verb` takes that word as its first operand."""
    anywhere: bool = True
    """Its options may stand behind the verb as well."""
    single_dash: bool = False


Meaning: TypeAlias = Verb | Verbs | Rule

READS = Verb()
CHANGES = Verb((HERE,))
RUNS = Verb((HERE,), starts=True)


def each(words: str, meaning: Meaning) -> dict[str, Meaning]:
    """The same meaning for several verbs."""
    return dict.fromkeys(words.split(), meaning)


def asks(rule: str, which: Risk, detail: str, *, suggestion: str = "", spec: Spec = TEXT, here: bool = False) -> Verb:
    """A verb that is worth a question."""
    effect = risk(rule, which, detail, suggestion=suggestion)
    return Verb((effect, HERE) if here else (effect,), spec)


def reaches(rule: str, detail: str = "talks to the network", *, spec: Spec = TEXT) -> Verb:
    """A verb that uses the network."""
    return asks(rule, Risk.NETWORK, detail, spec=spec)


def works_here(spec: Spec = TEXT, *, starts: bool = False) -> Rule:
    """A tool that works on what its folder holds and leaves results there; with `starts` it runs its operands."""

    def rule(command: Command) -> Iterator[Effect]:
        yield HERE
        yield from describe(spec, command)
        for field in parse_spec(spec, command).operands if starts else ():
            yield from runs_place(field, command.name or "")

    return rule


def exactly(
    options: Mapping[str, str], *, operands: str = "read", ask: Mapping[str, str] | None = None, starts: bool = False
) -> Rule:
    """A tool that works in its folder and whose options are never abbreviated."""
    loads = ask or {}

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_exact(command.arguments, options)
        yield HERE
        yield from play_options(parsed, options, command)
        for name, _ in parsed.options:
            if name in loads:
                yield risk(f"{command.name}{name}", Risk.UNKNOWN, loads[name])
        for field in parsed.operands:
            yield from play(operands, field, command)
            if starts:
                yield from runs_place(field, command.name or "")

    return rule


def with_verbs(verbs: Verbs) -> Rule:
    """The rule of a tool that has verbs."""
    return lambda command: follow(verbs, command)


def follow(verbs: Verbs, command: Command) -> Iterator[Effect]:
    """The effects of a call: the options before the verb, then what the verb does."""
    parsed = _parse(verbs, command)
    if parsed.has(*verbs.folder):
        yield elsewhere(command, parsed, verbs.folder)
        return
    yield from _options(verbs, parsed, command)
    if not parsed.operands and parsed.has(*_TERMINAL):
        return
    if not parsed.operands:
        yield from _mean(verbs.bare, verbs, command, ())
        return
    verb, rest = parsed.operands[0], parsed.operands[1:]
    if _only_explains(rest):
        return
    meaning = _find(verbs, verb, command)
    is_operand = meaning is verbs.other and isinstance(meaning, Verb)
    yield from _mean(meaning, verbs, command, parsed.operands if is_operand else rest)


def elsewhere(command: Command, parsed: Parsed, names: tuple[str, ...]) -> Effect:
    """The same command without the options that name a folder, in that folder."""
    cwd = command.cwd
    for field in parsed.values(*names):
        cwd = None if field.text is None else join_path(cwd, field.text)
    kept = [field for option in parsed.options if option.name not in names for field in option.written]
    return runs(command, (command.argv[0], *kept, *parsed.operands), f"{command.name} {names[0]}", cwd=cwd)


def _parse(verbs: Verbs, command: Command) -> Parsed:
    names = [*verbs.options, *verbs.folder]
    flags = [name for name in (*verbs.flags.split(), *verbs.ask) if name.startswith("-")]
    return parse_options(
        command.arguments,
        values="".join(name[1:] for name in names if len(name) == 2),
        long_values=[name for name in names if len(name) > 2 or verbs.single_dash],
        long_flags=[*flags, *(name for name in _TERMINAL if len(name) > 2)],
        stop_early=True,
        single_dash=verbs.single_dash,
    )


def _options(verbs: Verbs, parsed: Parsed, command: Command) -> Iterator[Effect]:
    for name, value in parsed.options:
        if name in verbs.ask:
            yield risk(f"{command.name}{name}", Risk.UNKNOWN, verbs.ask[name])
        elif name in verbs.options and value is not None:
            yield from play(verbs.options[name], value, command)
        elif name not in verbs.flags.split() and name not in _TERMINAL:
            yield risk(f"{command.name}.option", Risk.UNKNOWN, f"the option {name} of {command.name} is not known")


def _only_explains(rest: tuple[Field, ...]) -> bool:
    return len(rest) == 1 and rest[0].text in ("--help", "-h")


def _find(verbs: Verbs, verb: Field, command: Command) -> Meaning:
    text = verb.text
    if text is None:
        return asks(f"{command.name}.unknown", Risk.OPAQUE, f"what {command.name} is told to do is not known")
    if text in verbs.table:
        return verbs.table[text]
    if verbs.other is not None:
        return verbs.other
    return asks(f"{command.name}.unknown", Risk.UNKNOWN, f"what `{command.name} {text}` does is not known")


def _mean(meaning: Meaning, verbs: Verbs, command: Command, rest: tuple[Field, ...]) -> Iterable[Effect]:
    inner = msgspec.structs.replace(command, argv=(command.argv[0], *rest))
    if isinstance(meaning, Verbs):
        return follow(meaning, inner)
    if isinstance(meaning, Verb):
        return _do(meaning, verbs, inner)
    return meaning(inner)


def _do(verb: Verb, verbs: Verbs, inner: Command) -> Iterator[Effect]:
    yield from verb.does
    spec = verb.spec
    if verbs.anywhere and (verbs.options or verbs.ask or verbs.folder):
        folders = dict.fromkeys(verbs.folder, "write")
        spec = msgspec.structs.replace(
            spec, options={**folders, **verbs.options, **spec.options}, ask={**verbs.ask, **spec.ask}
        )
    yield from describe(spec, inner)
    if verb.starts:
        for field in parse_spec(spec, inner).operands:
            yield from runs_place(field, inner.name or "")


def runs_rest(by: str, options: dict[str, str] | None = None, flags: str = "") -> Rule:
    """`uv run CMD …`, `bundle exec CMD …`: what follows the options is a command."""
    spec = Spec(options=options or {}, flags=flags, operands="text*", stop_early=True)

    def rule(command: Command) -> Iterator[Effect]:
        yield from describe(spec, command)
        operands = parse_spec(spec, command).operands
        if operands:
            yield runs(command, operands, by)

    return rule


def parse_spec(spec: Spec, command: Command) -> Parsed:
    """Options and operands as a table lists them."""
    return parse_options(
        command.arguments,
        values="".join(name[1:] for name in spec.options if len(name) == 2),
        long_values=[name for name in spec.options if len(name) > 2 or spec.single_dash],
        long_flags=[name for name in (*spec.flags.split(), *spec.ask) if name.startswith("-")],
        stop_early=spec.stop_early,
        single_dash=spec.single_dash,
    )
