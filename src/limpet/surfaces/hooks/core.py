"""A hook call -> the answer in the words of the agent. Total: whatever goes wrong is a block."""

from __future__ import annotations

import contextlib
import importlib
from typing import TYPE_CHECKING, cast

import msgspec

from limpet.config import resolve, state_dir
from limpet.errors import ConfigError, limpetError
from limpet.model.decision import Verdict
from limpet.surfaces.hooks.arguments import AGENTS, parsed
from limpet.surfaces.hooks.judged import judged, workspace_of
from limpet.surfaces.hooks.question import Json, MisunderstoodError, Reply, Told
from limpet.surfaces.hooks.wire import BLOCKED, Blocked, blocked, helper_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.model.decision import Decision
    from limpet.surfaces.hooks.question import Agent, Call, Options
    from limpet.surfaces.hooks.wire import Answer


def answer(arguments: list[str], question: bytes, environ: Mapping[str, str]) -> tuple[Answer, Told | None]:
    """Exit status, stdout and stderr of the hook; and what is to be recorded of it, where it was about a command."""
    try:
        return _answer(arguments, question, environ)
    except Exception as error:  # noqa: BLE001 - whatever it is, the command must not run
        known = bool(arguments) and arguments[0] in AGENTS
        return _worded(agent_named(arguments[0]), _no(error)) if known else _plain(error), None


def _answer(arguments: list[str], question: bytes, environ: Mapping[str, str]) -> tuple[Answer, Told | None]:
    options = parsed(arguments)
    agent = agent_named(options.agent)
    if options.wrap and not agent.REWRITES:
        raise MisunderstoodError(f"{options.agent} runs what it asked about, whatever it is told; leave --wrap out")
    call = agent.read(_event(question), environ)
    if call is None:
        return (0, b"", b""), None
    decision = None
    try:
        reply, decision = judged(call, agent, options, environ)
    except Exception as error:  # noqa: BLE001 - as above
        reply = _no(error)
    return _worded(agent, reply), _told(call, options, reply, decision)


def _told(call: Call, options: Options, reply: Reply, decision: Decision | None) -> Told:
    about = call.arguments.get("description", "")
    return Told(
        agent=options.agent, command=call.command, workspace=workspace_of(call, options), cwd=call.cwd,
        description=about if isinstance(about, str) else "", decision=decision, told=reply.verdict,
        reason="" if reply.verdict is Verdict.ALLOW else reply.text,
    )  # fmt: skip


def agent_named(name: str) -> Agent:
    """The module of an agent."""
    assert name in AGENTS
    return cast("Agent", importlib.import_module(f"limpet.surfaces.hooks.{name}"))


def _event(question: bytes) -> Json:
    try:
        event = msgspec.json.decode(question)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise MisunderstoodError(f"the agent sent no JSON ({error})") from None
    if not isinstance(event, dict):
        raise MisunderstoodError(f"the agent sent a {type(event).__name__}, not an object")
    return event


def _worded(agent: Agent, reply: Reply) -> Answer:
    """A deny is said three times over: a status that everybody heeds, a text, and the agent's own form."""
    said = agent.word(reply)
    out = b"" if said is None else msgspec.json.encode(said) + b"\n"
    if reply.verdict is not Verdict.DENY:
        return 0, out, b""
    return BLOCKED, out, f"{reply.text}\n".encode("utf-8", "backslashreplace")


def _plain(error: Exception) -> Answer:
    return blocked(Blocked(str(error).removesuffix(".")) if isinstance(error, limpetError) else error)


def _no(error: Exception) -> Reply:
    return Reply(verdict=Verdict.DENY, text=_plain(error)[2].decode("utf-8").strip())


def helper_wanted(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Where a helper should listen and for how many idle seconds; nothing where none is wanted."""
    try:
        # A project has no say in it, so that any folder will do which is none.
        idle = resolve(workspace=state_dir(environ), environ=environ).settings.hooks.helper
        folder = helper_folder({name.encode(): value.encode() for name, value in environ.items() if name in _PLACES})
    except (ConfigError, UnicodeError):
        return ()
    return (folder.decode(), str(idle)) if folder and idle else ()


def record(told: Told, environ: Mapping[str, str]) -> None:
    """In a process that nobody waits for: whether it can be written or not, the answer has been given."""
    from limpet.noting import note  # noqa: PLC0415 - takes longer than the answer did

    with contextlib.suppress(limpetError):
        note(environ, **msgspec.structs.asdict(told))


_PLACES = ("LIMPET_STATE_DIR", "XDG_STATE_HOME", "HOME")
