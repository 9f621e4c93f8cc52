"""The name of a command -> the tool that is meant by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.places import Place
from limpet.policy.preflight import odd_name, odd_word
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from limpet.policy.case import Case
    from limpet.policy.command import Command

_PROGRAM_FOLDERS = (
    "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin", "/snap/bin",
    "/usr/games", "/nix", "/usr/lib/git-core", "/usr/libexec",
)  # fmt: skip
_IN_PROGRAM_FOLDERS = tuple(f"{folder}/" for folder in _PROGRAM_FOLDERS)


def judge_name(command: Command, case: Case) -> Command | None:
    """The command under the name that its tool is known by; None when there is nothing more to say about it."""
    span = (command.start, command.end)
    name, path = command.name, command.path
    if name is None or path is None:
        if case.streams.fed_by_network(command):
            case.deny("floor.remote-code", Risk.OPAQUE, "runs what comes from the network", span)
        case.unclear("runs a command whose name is not known before it runs", span, "unknown.name")
        return None
    odd = odd_name(name)
    if odd is not None:
        case.unclear(f"has a name that is not what it looks like: {odd}", span, "confusable.name")
    for word in command.texts:
        if word and (odd := odd_word(word)) is not None:
            case.unclear(f"has an argument that is not what it looks like: {odd}", span, "confusable.word")
    if not name:
        case.ask("unknown.command", Risk.UNKNOWN, "runs nothing that has a name", span)
        return None
    if "/" in path and not _judge_path(command, path, case):
        return None if name not in case.tools else command
    if name not in case.tools and name.lower() in case.tools and not command.function:
        case.ask("unknown.command", Risk.UNKNOWN, f"runs {name}, which is not {name.lower()}", span)
        return _renamed(command, name.lower())
    return command


def _renamed(command: Command, name: str) -> Command:
    return msgspec.structs.replace(command, argv=(known(name), *command.argv[1:]))


def _judge_path(command: Command, path: str, case: Case) -> bool:
    """Judge a program that is named by its path; False when that settles it."""
    span = (command.start, command.end)
    judged = case.judge(command.argv[0], command.cwd)
    if judged.path in _PROGRAM_FOLDERS or judged.path.startswith(_IN_PROGRAM_FOLDERS):
        return True
    case.read_only = False
    if judged.path in case.foreign:
        case.unclear(f"runs {path}, which the same script brings into the workspace", span, "execute.foreign")
    if judged.place is Place.WORKSPACE:
        return False
    case.ask("execute.outside", Risk.UNKNOWN, f"runs {path}, which lies outside the workspace", span)
    return False
