"""A text, or a command in it -> everything that speaks against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import FoundCommand, Risk
from limpet.policy.around import effects_around, way_to
from limpet.policy.bombs import is_plain
from limpet.policy.case import MAX_DEPTH
from limpet.policy.command import Command
from limpet.policy.effect import Effect, Kind, read
from limpet.policy.flow import REMOTE_CODE, check_flow, judge_input
from limpet.policy.foreign import judge_unpacked, language_of, note_foreign, note_written
from limpet.policy.names import judge_name
from limpet.policy.outputs import items_of
from limpet.policy.paths import judge_effect_on_path
from limpet.policy.reaching import is_network, is_secret, note_secret
from limpet.policy.shapes import judge_shape
from limpet.policy.tools import effects_of
from limpet.syntax.parser import parse
from limpet.syntax.values.field import Unknown, known
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk.shells import SHELLS
from limpet.syntax.walk.walker import read as read_script
from limpet.syntax.walk.walker import walk

if TYPE_CHECKING:
    from limpet.policy.case import Case
    from limpet.syntax.walk.found import Again, Found, Opened


_EDITING = frozenset({"sed", "awk"})
"""Languages whose text is read whole: where nothing is found in it, it only prints."""


def judge_text(text: str, case: Case, *, cwd: str | None, host: Command | None = None, by: str = "") -> None:
    """Judge every command of a script; one that stands in a command takes that command's place in the text."""
    if case.depth >= MAX_DEPTH:
        case.unclear("is nested too deep to be followed", _span(host), "limit.depth")
        return
    if host is not None and not case.may_read(text, _span(host)):
        return
    facts = case.facts if host is None else None
    tree = read_script(text) if facts is None or "extglob" not in facts.options else parse(text, extglob=True)
    folders = host.folders if host is not None and host.cwd == cwd else ()
    followed = walk(tree, Scope(home=case.world.home, cwd=cwd), text, case.budget, folders, facts)
    case.depth += 1
    current, case.current = case.current, -1
    for start, end, reason in followed.opaque:
        case.unclear(f"cannot be read: {reason}", _span(host) if host else (start, end), "syntax")
    if not is_plain(text):
        judge_shape(tree, case, host)
    before = len(case.records)
    for found in followed.found:
        judge_found(found, case, host, by)
    check_flow(case, case.records[before:])
    case.depth -= 1
    case.current = current


def _span(host: Command | None) -> tuple[int, int]:
    return (host.start, host.end) if host is not None else (0, 0)


def judge_found(found: Found, case: Case, host: Command | None, by: str) -> None:
    """Judge a command where it was found: what it opens and sets, then what it is."""
    start, end = _span(host) if host is not None else (found.start, found.end)
    outer = (*host.via, by) if host is not None else ()
    command = Command(
        found.argv, start, end, found.cwd, (*outer, *way_to(found.steps)),
        tuple((each.node.name, each.value) for each in found.assigned if each.value is not None),
        found.opened, found.steps, found.function, any(again.kind == "script" for again in found.again),
        next((again.text for again in found.again if again.kind == "script" and again.by.endswith(" -s")), None),
        _own(found) if found.opened else (), found.folders,
    )  # fmt: skip
    if any(load := case.carried.named_in(found)):
        case.streams.bring(start, load)
    case.carried.fill(found, case.streams.brought(found.start))
    if effects := effects_around(found, command):
        _judge_effects(effects, command, case)
        note_written(effects, command, case)
    for again in found.again:
        if again.text is not None and again.kind in ("script", "later") and not is_plain(again.text):
            judge_shape(parse(again.text), case, command)
        if again.text is None and again.kind in ("script", "file", "later") and not _is_some_file(again):
            unknown_text(again.by, command, case)
    if command.argv:
        judge_command(command, case)


def _is_some_file(again: Again) -> bool:
    """A script that a glob names, and that is no option: which place it lies in is judged as for any program."""
    if again.kind != "file" or again.by not in SHELLS or not again.arguments:
        return False
    field = again.arguments[0]
    return not any(isinstance(piece, Unknown) for piece in field.pieces) and field.prefix[:1] not in ("", "-", "+")


def _own(found: Found) -> tuple[Opened, ...]:
    nodes = {id(node) for node in found.node.redirects}
    return tuple(each for each in found.opened if id(each.node) in nodes)


def judge_command(command: Command, case: Case) -> None:
    """Judge one command by what its tool is known to do with such arguments."""
    case.left -= 1
    if case.left < 0 or case.depth >= MAX_DEPTH:
        case.unclear("is too much to be followed", (command.start, command.end), "limit.size")
        return
    case.commands.append(
        FoundCommand(
            argv=tuple(field.text for field in command.argv), span=(command.start, command.end), via=command.via
        )
    )
    if (items := items_of(command, case)) is not command.items:
        command = msgspec.structs.replace(command, items=items)
    before, case.current = case.current, len(case.commands) - 1
    _judge_tool(command, case)
    case.current = before


def _judge_tool(command: Command, case: Case) -> None:
    _judge_written(command, case)
    judge_unpacked(command, case)
    named = judge_name(command, case)
    if named is None:
        case.record(command)
        return
    effects = effects_of(named, case.tools)
    if effects is None:
        _unknown_tool(named, case)
        return
    _judge_effects(list(effects), named, case)


def _judge_written(command: Command, case: Case) -> None:
    """A program that the same script has written, with text that is known: judge the text."""
    path = case.judge(command.argv[0], command.cwd).path if case.contents else ""
    text = case.contents.get(path)
    if text is None:
        return
    language = language_of(path, text, command.via[-1] if command.via else "")
    if language == "sh":
        judge_text(text, case, cwd=command.cwd, host=command, by=path)
    else:
        judge_code(text, language, command, case)


def _unknown_tool(command: Command, case: Case) -> None:
    case.record(command)
    case.read_only = False
    if not command.function:
        span = (command.start, command.end)
        case.ask("unknown.command", Risk.UNKNOWN, f"runs {command.name}, which limpet does not know", span)


def _judge_effects(effects: list[Effect], command: Command, case: Case) -> None:
    """Note what each effect is, and what speaks against it."""
    network = any(is_network(effect, command, case) for effect in effects)
    secret = any(is_secret(effect, command, case) for effect in effects)
    case.record(command, network=network, secret=secret)
    if secret:
        note_secret(effects, command, case)
    for effect in effects:
        _judge_effect(effect, command, case)
    note_foreign(effects, command, case, network=network)


def _judge_effect(effect: Effect, command: Command, case: Case) -> None:
    span = (command.start, command.end)
    case.depth += 1
    if effect.kind in (Kind.READ, Kind.WRITE, Kind.DELETE, Kind.CHANGE):
        judge_effect_on_path(effect, command, case)
    elif effect.kind is Kind.COMMAND and effect.inner is not None:
        judge_command(effect.inner, case)
    elif effect.kind in (Kind.SCRIPT, Kind.PROGRAM):
        if effect.rule and effect.risk is not None:
            case.ask(effect.rule, effect.risk, effect.suggestion, span)
        _judge_script(effect, command, case)
    elif effect.kind is Kind.CODE:
        judge_code(effect.field.text if effect.field is not None else None, effect.detail, command, case)
    elif effect.kind is Kind.STDIN:
        judge_input(effect.detail, command, case, judge_text, judge_code)
    elif effect.risk is not None:
        case.read_only = False
        note = case.deny if effect.deny else case.ask
        note(effect.rule, effect.risk, effect.detail, span, effect.suggestion)
    case.depth -= 1


def _judge_script(effect: Effect, command: Command, case: Case) -> None:
    text = effect.field.text if effect.field is not None else None
    if text is None:
        unknown_text(effect.detail, command, case)
    elif effect.kind is Kind.PROGRAM:
        argv = (known(text),)
        judge_command(msgspec.structs.replace(command, argv=argv, via=(*command.via, effect.detail), opened=()), case)
    elif not (command.evaluated and effect.detail.endswith("-c")):
        judge_text(text, case, cwd=command.cwd, host=command, by=effect.detail)


def unknown_text(by: str, command: Command, case: Case) -> None:
    """Text that is run and not known; when it comes from the network, that is enough to know."""
    span = (command.start, command.end)
    if case.streams.fed_by_network(command):
        case.deny("floor.remote-code", Risk.OPAQUE, f"runs what comes from the network ({by})", span, REMOTE_CODE)
    else:
        case.unclear(f"has {by} run text that is not known before it runs", span)


def judge_code(text: str | None, language: str, command: Command, case: Case) -> None:
    """Judge inline code by what can be read in it."""
    span = (command.start, command.end)
    if text is None or not case.may_read(text, span):
        case.read_only = False
        if text is None:
            unknown_text(language, command, case)
        return
    from limpet.policy.code import scan  # noqa: PLC0415 - most commands hold no code, and its readers are many
    from limpet.policy.code_effects import effects_on_paths  # noqa: PLC0415 - as above

    findings = scan(language, text)
    case.read_only = case.read_only and language in _EDITING and not findings
    if case.reader is not command:  # it may run many pieces of code, and all of them see the same arguments
        case.reader = command
        for field in command.arguments:
            if case.judge(field, command.cwd).credential:
                judge_effect_on_path(read(field), command, case)
    network = any(found.risk is Risk.NETWORK and found.rule for found in findings)
    paths = effects_on_paths(findings, case.world.home)
    case.record(command, network=network, secret=any(is_secret(effect, command, case) for effect in paths))
    for effect in paths:
        judge_effect_on_path(effect, command, case)
    for found in findings:
        if found.script is not None:
            judge_text(found.script, case, cwd=command.cwd, host=command, by=language)
        if found.rule:
            note = case.deny if found.deny else case.ask
            note(found.rule, found.risk, found.message, span)
