"""The words after `limpet hook` -> options. By hand: click would take longer to load than everything else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from limpet.surfaces.hooks.question import MisunderstoodError, OnAllow, OnAsk, Options

if TYPE_CHECKING:
    from collections.abc import Iterator

_Choice = TypeVar("_Choice", OnAllow, OnAsk)

AGENTS = ("claude", "codex", "gemini", "qwen", "copilot", "cursor", "opencode")


def parsed(arguments: list[str]) -> Options:
    """The options. Raises MisunderstoodError."""
    if not arguments or arguments[0] not in AGENTS:
        named = f"there is no agent {arguments[0]!a}" if arguments else "no agent is named"
        raise MisunderstoodError(f"{named}; there are {', '.join(AGENTS)}")
    given: dict[str, str | bool] = {}
    words = iter(arguments[1:])
    for word in words:
        name, equals, value = word.partition("=")
        if name == "--wrap" and not equals:
            given["wrap"] = True
        elif name in ("--workspace", "--on-allow", "--on-ask"):
            given[name[2:].replace("-", "_")] = value if equals else _next(words, name)
        else:
            raise MisunderstoodError(
                f"there is no option {word!a}; there are --wrap, --workspace, --on-allow, --on-ask"
            )
    return _options(arguments[0], given)


def _next(words: Iterator[str], name: str) -> str:
    value = next(words, None)
    if value is None:
        raise MisunderstoodError(f"{name} needs a value")
    return value


def _options(agent: str, given: dict[str, str | bool]) -> Options:
    workspace = given.get("workspace")
    return Options(
        agent=agent,
        wrap=bool(given.get("wrap")),
        workspace=os.path.abspath(workspace) if isinstance(workspace, str) else None,
        on_allow=_choice(OnAllow, "--on-allow", given.get("on_allow", "approve")),
        on_ask=_choice(OnAsk, "--on-ask", given["on_ask"]) if "on_ask" in given else None,
    )


def _choice(kind: type[_Choice], name: str, value: object) -> _Choice:
    try:
        return kind(str(value))
    except ValueError:
        raise MisunderstoodError(f"{name} is {' or '.join(kind)}, not {value!a}") from None
