"""Calls of tools -> what happens, and the answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import anyio

from limpet.errors import CommandDeniedError, InvalidRequestError, LaunchError, limpetError
from limpet.surfaces.mcp import arguments, held, texts
from limpet.surfaces.mcp.afterwards import Afterwards, look_on
from limpet.surfaces.mcp.answers import Answers, noted, said
from limpet.surfaces.mcp.asking import Asked, settle
from limpet.surfaces.mcp.held import TELL_EVERY

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    import mcp_types as types

    from limpet.shell import Shell
    from limpet.surfaces.mcp.arguments import Command
    from limpet.surfaces.mcp.drafts import Drafts
    from limpet.surfaces.mcp.runs import Run, Runs
    from limpet.surfaces.mcp.sessions import Sessions
    from limpet.surfaces.mcp.talk import Talk

    Answer = types.CallToolResult | types.InputRequiredResult
    Handler = Callable[[Talk, Shell, Mapping[str, Any]], Awaitable[Answer]]


class Handlers:
    """The tools of one server."""

    def __init__(self, runs: Runs, drafts: Drafts, sessions: Sessions, *, patience: float, structured: bool) -> None:
        self._runs = runs
        self._drafts = drafts
        self._sessions = sessions
        self._patience = patience
        self._answers = Answers(structured=structured)
        self._afterwards = Afterwards(runs, self._answers, patience=patience)
        self._tools: dict[str, Handler] = {
            "bash": self._bash, "bash_output": self._afterwards.output, "bash_input": self._afterwards.type,
            "bash_stop": self._stop, "bash_tasks": self._list, "bash_changes": self._changes,
            "bash_session": self._session,
        }  # fmt: skip

    async def call(self, talk: Talk, shell: Shell, name: str, given: Mapping[str, Any]) -> Answer:
        """The one place where what went wrong becomes an answer."""
        tool = self._tools.get(name)
        if tool is None:
            return said(f"refused: there is no tool {name!r}; there are: {', '.join(self._tools)}", error=True)
        try:
            return await tool(talk, shell, given)
        except CommandDeniedError as denied:
            return self._answers.ended(denied.result)
        except limpetError as error:
            return said(f"{'not started' if isinstance(error, LaunchError) else 'refused'}: {error}", error=True)

    async def _bash(self, talk: Talk, shell: Shell, given: Mapping[str, Any]) -> Answer:
        wanted = arguments.command(given, patience=self._patience)
        wanted.options["agent"] = talk.client
        pending, began = shell.ask(wanted.text, **wanted.options), time.monotonic()
        if pending is not None:
            ask = await settle(talk, pending, patience=wanted.patience)
            if ask is not None:
                return ask
            if not talk.elicits:  # the client has waited for as long, and shows nobody anything
                wanted = wanted._replace(patience=max(0.0, wanted.patience - (time.monotonic() - began)))
        if wanted.background:
            return await self._start(shell, wanted)
        if wanted.draft or shell.settings.run.setup:  # neither can go on without the server
            return await self._run(talk, shell, wanted)
        result = await held.run(talk, shell, wanted)
        if result.output_file is not None:
            self._runs.note(result.operation_id, wanted.text)
        return self._answers.held(shell, result)

    async def _run(self, talk: Talk, shell: Shell, wanted: Command) -> Answer:
        where = await self._drafts.begin(shell) if wanted.draft else shell
        text, options = wanted.text, wanted.options
        attended = options.get("terminal") is True  # else nobody could type, and it is ended where it waits for that
        run = self._runs.start(
            text, lambda cancel: where.stream(text, attended=attended, cancel=cancel, **options), terminal=attended
        )
        await self._own(talk, run, wanted.patience)
        return self._answers.of(run)

    async def _session(self, talk: Talk, shell: Shell, given: Mapping[str, Any]) -> Answer:
        wanted = arguments.in_session(given, patience=self._patience)
        if wanted.text is None:
            return said(await self._sessions.close(shell, wanted.name))
        self._refuse_unanswered(shell, wanted.name)
        _, session, terminal = await self._sessions.find(shell, wanted.name, terminal=wanted.terminal)
        text, options = wanted.text, wanted.options
        options["agent"] = talk.client
        asked = Asked(talk, shell.later, patience=wanted.patience)
        run = self._runs.start(
            text, lambda cancel: session.stream(text, cancel=cancel, approver=asked, **options),
            session=session, terminal=terminal,
        )  # fmt: skip
        await self._own(talk, run, wanted.patience)
        while asked.asking and run.result is None:
            await self._own(talk, run, TELL_EVERY)
        await self._refuse_late(run, wanted.name)
        answer = self._answers.of(run)
        return asked.form or noted(answer, f"Session {wanted.name}: now in {session.cwd}")

    def _refuse_unanswered(self, shell: Shell, name: str) -> None:
        """What waits for input would let nothing else have its turn; and it may be that the command was its answer."""
        before = self._runs.running_in(self._sessions.known(shell, name))
        if before is not None and before.asks is not None:
            raise InvalidRequestError(texts.in_the_way(name, before), field="command")

    async def _refuse_late(self, run: Run, name: str) -> None:
        """What has not had its turn yet is called off: nobody could reach it by an id."""
        before = self._runs.before(run)
        if before is not None:
            await run.stop()
            raise InvalidRequestError(texts.in_the_way(name, before), field="command")

    async def _own(self, talk: Talk, run: Run, patience: float) -> None:
        """Wait for it. Whoever calls the call off, or leaves, ends the command."""
        try:
            await look_on(talk, run, patience)
            if self._runs.before(run) is None:
                await run.begun()
        except BaseException:
            with anyio.CancelScope(shield=True):  # called off, every await is called off again
                await run.stop()
            raise

    async def _start(self, shell: Shell, wanted: Command) -> Answer:
        status = (await shell.start(wanted.text, **wanted.options)).status()
        return said(
            f"Started in the background.\nId: {status.task_id}\nOutput File: {status.output_file}\n"
            f"Status: {texts.status_of(status)}\nNext: bash_output with this id reads what it prints; bash_stop ends it"
        )

    async def _stop(self, talk: Talk, shell: Shell, given: Mapping[str, Any]) -> Answer:  # noqa: ARG002 - as all of them
        return await self._afterwards.stop(shell, given)

    async def _list(self, talk: Talk, shell: Shell, given: Mapping[str, Any]) -> Answer:  # noqa: ARG002 - as all of them
        return self._afterwards.list(shell, given)

    async def _changes(self, talk: Talk, shell: Shell, given: Mapping[str, Any]) -> Answer:  # noqa: ARG002 - as all of them
        wanted = arguments.verdict(given)
        if wanted.action == "show":
            return said(self._drafts.show(shell))
        keep = wanted.action == "keep"
        return said(await (self._drafts.keep(shell, wanted.paths) if keep else self._drafts.drop(shell)))
