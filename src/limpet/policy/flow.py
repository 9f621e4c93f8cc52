"""Commands that feed each other -> what is wrong with the whole, when no part of it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.outputs import known_output
from limpet.policy.places import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limpet.policy.case import Case
    from limpet.policy.command import Command
    from limpet.policy.streams import Record
    from limpet.syntax.walk.found import Opened

REMOTE_CODE = "Download to a file, read it, then run it."
_SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish"})


def judge_input(
    language: str,
    command: Command,
    case: Case,
    judge_text: Callable[..., None],
    judge_code: Callable[[str | None, str, Command, Case], None],
) -> None:
    """A shell or an interpreter that runs what it reads from its standard input."""
    span = (command.start, command.end)
    if case.streams.fed_by_network(command):
        message = f"runs what comes from the network ({command.name})"
        case.deny("floor.remote-code", Risk.OPAQUE, message, span, REMOTE_CODE)
        return
    own = _given(command.own)[-1:]
    before = [] if own else case.streams.feeders(command)
    around = _given(command.opened)
    shells = sum(step.kind.endswith(" -s") for step in command.steps)  # each of them reads itself from its own input
    given = own or (around if before == [] or len(around) > shells else [])
    if before != []:  # redirections around the pipe are none of its, and those inside it are told from them by nothing
        text = known_output(before or ())
        _judge_known(text, language, command, case, judge_text, judge_code)
        hidden = known_output(before or (), decoding=True) if text is None else None
        if hidden is not None:
            _judge_known(hidden, language, command, case, judge_text, judge_code)
    if (not given and before == []) or (not own and given and shells):
        case.unclear(f"starts {command.name}, which runs whatever it is given", span, "opaque.shell")
        return
    for each in given:  # of several around it, nothing tells which one counts
        if each.body is not None:
            _judge_known(each.body.text, language, command, case, judge_text, judge_code)
        else:
            path = case.judge(each.target, command.cwd).path
            if path in case.contents:
                _judge_known(case.contents[path], language, command, case, judge_text, judge_code)
            else:
                _judge_file(each, command, case)


def _given(opened: Sequence[Opened]) -> list[Opened]:
    """What the standard input may be, as far as these say; of a command's own the last one counts."""
    return [each for each in opened if each.node.descriptor in ("", "0") and each.node.operator.startswith("<")]


def _judge_known(
    text: str | None,
    language: str,
    command: Command,
    case: Case,
    judge_text: Callable[..., None],
    judge_code: Callable[[str | None, str, Command, Case], None],
) -> None:
    if text is None:
        message = f"has {command.name} run text that is not known before it runs"
        case.unclear(message, (command.start, command.end), "opaque.input")
    elif language in _SHELLS and text == command.read:
        return
    elif language in _SHELLS:
        judge_text(text, case, cwd=command.cwd, host=command, by=command.name or language)
    else:
        judge_code(text, language, command, case)


def _judge_file(opened: Opened, command: Command, case: Case) -> None:
    judged = case.judge(opened.target, command.cwd)
    if judged.place is not Place.WORKSPACE or opened.node.operator == "<&" or judged.path in case.foreign:
        case.unclear(f"has {command.name} run {judged.path}", (command.start, command.end), "opaque.input")


def check_flow(case: Case, records: Sequence[Record]) -> None:
    """Secrets that go into the network, and shells whose ends are on it."""
    for record in records:
        for each in record.command.opened if record.command.name == "exec" else ():
            if _is_socket(each, record.command, case):
                case.sockets.add(each.node.descriptor or ("0" if each.node.operator.startswith("<") else "1"))
        if record.network and (record.secret or case.streams.fed_by_secret(record.command)):
            _deny_secrets(case, record.command)
        if record.command.name in _SHELLS:
            _check_shell(case, record.command)


def _is_socket(opened: Opened, command: Command, case: Case) -> bool:
    """A redirection to a connection, or to the descriptor of one that the script opened before."""
    if opened.node.operator in (">&", "<&") and opened.target.text in case.sockets:
        return True
    return case.judge(opened.target, command.cwd).place is Place.SOCKET


def _deny_secrets(case: Case, command: Command) -> None:
    message = f"sends secrets into the network ({command.name})"
    case.deny("floor.exfiltration", Risk.SECRETS, message, (command.start, command.end))


def _check_shell(case: Case, command: Command) -> None:
    span = (command.start, command.end)
    inherited = not {"0", "1"}.isdisjoint(case.sockets) and not _given(command.opened)
    if inherited or any(_is_socket(each, command, case) for each in command.opened):
        case.deny("floor.reverse-shell", Risk.NETWORK, "puts a shell at the end of a network connection", span)
    elif case.streams.feeds_network(command) and not any("-c" in (text or "") for text in command.texts):
        case.deny("floor.reverse-shell", Risk.NETWORK, "sends what a shell prints into the network", span)
