"""The arguments of a call, as a model wrote them -> values. What is wrong is said so that the next try is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from limpet.errors import InvalidRequestError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.model.options import RunOptions
    from limpet.sessions import CommandOptions

_LONGEST_WAIT = 3_600_000
_OF_BASH = {"command", "description", "timeout", "cwd", "env", "yield", "terminal", "draft", "background"}
_OTHER_NAMES = {"run_in_background": "background", "task_id": "id"}
"""What models call things that they know from other tools."""


class Command(NamedTuple):
    """What `bash` is to do."""

    text: str
    options: RunOptions
    patience: float
    """Seconds until the answer comes, whether it is over or not."""
    draft: bool
    """What it changes waits to be kept or dropped."""
    background: bool
    """Nobody waits for it, and it outlives the server."""


class InSession(NamedTuple):
    """What `bash_session` is to do."""

    name: str
    text: str | None
    """None: end it."""
    options: CommandOptions
    patience: float
    terminal: bool
    """Whether it is to have one."""


class Verdict(NamedTuple):
    """What `bash_changes` is to do."""

    action: str
    paths: list[str] | None


class Reading(NamedTuple):
    """What `bash_output` is to show."""

    id: str
    tail: int | None
    since: int
    grep: str | None
    wait: float
    screen: bool = False
    """What its terminal shows, in place of what was printed."""


class Typing(NamedTuple):
    """What `bash_input` is to type."""

    id: str
    text: str
    keys: tuple[str, ...]
    screen: bool


def command(given: Mapping[str, Any], *, patience: float) -> Command:
    """Of `bash`."""
    given = _renamed(given)
    _check(given, _OF_BASH, "command")
    options: RunOptions = {"description": _text(given, "description", "")}
    if given.get("timeout") is not None:
        options["timeout"] = _milliseconds(given, "timeout", None)
    if given.get("cwd") is not None:
        options["cwd"] = _text(given, "cwd", "")
    if given.get("env") is not None:
        options["env"] = given["env"]
    if _flag(given, "terminal"):
        options["terminal"] = True
    wait = _waiting(given, "yield", patience, patience)
    draft, background = _flag(given, "draft"), _flag(given, "background")
    if draft and background:
        raise InvalidRequestError("a command in the background cannot be part of a draft", field="background")
    return Command(_text(given, "command", ""), options, wait, draft, background)


def in_session(given: Mapping[str, Any], *, patience: float) -> InSession:
    """Of `bash_session`."""
    _check(given, {"command", "name", "description", "timeout", "yield", "terminal", "close"})
    close, terminal = _flag(given, "close"), _flag(given, "terminal")
    if close is (given.get("command") is not None):
        raise InvalidRequestError("give it a command to run, or close: true, and not both", field="command")
    options: CommandOptions = {"description": _text(given, "description", "")}
    if given.get("timeout") is not None:
        options["timeout"] = _milliseconds(given, "timeout", None)
    wait = _waiting(given, "yield", patience, patience)
    text = None if close else _text(given, "command", "")
    return InSession(_text(given, "name", "main"), text, options, wait, terminal)


def verdict(given: Mapping[str, Any]) -> Verdict:
    """Of `bash_changes`."""
    _check(given, {"action", "paths"}, "action")
    action, paths = given["action"], given.get("paths")
    if action not in ("show", "keep", "drop"):
        raise InvalidRequestError(f"action must be show, keep or drop, not {action!r}", field="action")
    if paths is not None and (action != "keep" or not _are_texts(paths) or not paths):
        raise InvalidRequestError("paths must be a list of paths, and goes with the action keep", field="paths")
    return Verdict(action, paths)


def reading(given: Mapping[str, Any], *, patience: float) -> Reading:
    """Of `bash_output`."""
    given = _renamed(given)
    _check(given, {"id", "tail", "since", "grep", "wait", "screen"}, "id")
    screen = _flag(given, "screen")
    if screen and not given.keys().isdisjoint({"tail", "since", "grep"}):
        raise InvalidRequestError("screen is all that is to be seen: leave out tail, since and grep", field="screen")
    tail = None if given.get("tail") is None else _count(given, "tail")
    grep = None if given.get("grep") is None else _text(given, "grep", "")
    wait = _waiting(given, "wait", 0.0, patience)
    return Reading(_text(given, "id", ""), tail, _count(given, "since"), grep, wait, screen)


def typing(given: Mapping[str, Any]) -> Typing:
    """Of `bash_input`."""
    given = _renamed(given)
    _check(given, {"id", "text", "keys", "screen"}, "id")
    keys = given.get("keys") or []
    if not _are_texts(keys):
        raise InvalidRequestError(f"keys must be a list of names of keys, not {keys!r}", field="keys")
    return Typing(_text(given, "id", ""), _text(given, "text", ""), tuple(keys), _flag(given, "screen"))


def name(given: Mapping[str, Any]) -> str:
    """Of a call that only says which run is meant."""
    given = _renamed(given)
    _check(given, {"id"}, "id")
    return _text(given, "id", "")


def nothing(given: Mapping[str, Any]) -> None:
    """Of a call that takes no arguments."""
    _check(given, set())


def _renamed(given: Mapping[str, Any]) -> dict[str, Any]:
    return {_OTHER_NAMES.get(key, key): value for key, value in given.items()}


def _check(given: Mapping[str, Any], known: set[str], *required: str) -> None:
    if unknown := sorted(set(given) - known):
        there = ", ".join(sorted(known)) or "none"
        raise InvalidRequestError(f"unknown arguments: {', '.join(unknown)}; there are: {there}")
    for one in required:
        if given.get(one) is None:
            raise InvalidRequestError(f"the argument {one} is missing", field=one)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _text(given: Mapping[str, Any], key: str, default: str) -> str:
    value = given.get(key)
    if value is None:
        return default
    if not isinstance(value, str):
        raise InvalidRequestError(f"{key} must be a text, not {value!r}", field=key)
    return value


def _flag(given: Mapping[str, Any], key: str) -> bool:
    value = given.get(key) or False
    if not isinstance(value, bool):
        raise InvalidRequestError(f"{key} must be true or false, not {value!r}", field=key)
    return value


def _count(given: Mapping[str, Any], key: str) -> int:
    value = given.get(key) or 0
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InvalidRequestError(f"{key} must be a number from 0 on, not {value!r}", field=key)
    return value


def _waiting(given: Mapping[str, Any], key: str, default: float, most: float) -> float:
    """In seconds, and never longer than the client waits: whoever wants more calls again."""
    return min(_milliseconds(given, key, _LONGEST_WAIT, default), most)


def _milliseconds(given: Mapping[str, Any], key: str, most: int | None, default: float = 0.0) -> float:
    """In seconds."""
    value = given.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= (most or 1e15):
        bound = "" if most is None else f" up to {most:,}"
        raise InvalidRequestError(f"{key} must be a number of milliseconds{bound}, not {value!r}", field=key)
    return value / 1000
