"""Calls of tools -> what happens, and the answer."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types

from limpet.errors import InvalidRequestError, LaunchError, StoreError, limpetError
from limpet.logs import StoredLog
from limpet.model.keys import typed
from limpet.render.plain import plain
from limpet.surfaces.mcp import arguments, texts
from limpet.surfaces.mcp.asking import settle

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from limpet.model.result import Result
    from limpet.shell import Shell
    from limpet.surfaces.mcp.drafts import Drafts
    from limpet.surfaces.mcp.runs import Run, Runs
    from limpet.surfaces.mcp.talk import Talk

    Answer = types.CallToolResult | types.InputRequiredResult
    Handler = Callable[[Talk, Mapping[str, Any]], Awaitable[Answer]]

_TELL_EVERY = 1.0
_LINES = 40
_SETTLE = 0.3
"""Seconds that a command gets to answer what was typed."""


class Handlers:
    """The tools of one server."""

    def __init__(
        self,
        shell: Callable[[Talk], Awaitable[Shell]],
        runs: Runs,
        drafts: Drafts,
        *,
        patience: float,
        structured: bool,
    ) -> None:
        self._shell = shell
        self._runs = runs
        self._drafts = drafts
        self._patience = patience
        self._structured = structured
        self._tools: dict[str, Handler] = {
            "bash": self._bash, "bash_output": self._output, "bash_input": self._input, "bash_stop": self._stop,
            "bash_tasks": self._list, "bash_changes": self._changes,
        }  # fmt: skip

    async def call(self, talk: Talk, name: str, given: Mapping[str, Any]) -> Answer:
        """The one place where what went wrong becomes an answer."""
        tool = self._tools.get(name)
        if tool is None:
            return _said(f"refused: there is no tool {name!r}; there are: {', '.join(self._tools)}", error=True)
        try:
            return await tool(talk, given)
        except limpetError as error:
            return _said(f"{'not started' if isinstance(error, LaunchError) else 'refused'}: {error}", error=True)

    async def _bash(self, talk: Talk, given: Mapping[str, Any]) -> Answer:
        wanted = arguments.command(given, patience=self._patience)
        shell = await self._shell(talk)
        wanted.options["agent"] = talk.client
        pending = shell.ask(wanted.text, **wanted.options)
        if pending is not None:
            ask = await settle(talk, pending, patience=wanted.patience)
            if ask is not None:
                return ask
        where = await self._drafts.begin(shell) if wanted.draft else shell
        run = self._runs.start(where, wanted.text, wanted.options)
        await self._watch(talk, run, wanted.patience)
        return await self._answer(run)

    async def _watch(self, talk: Talk, run: Run, patience: float) -> None:
        """Wait, and tell what is seen meanwhile. Whoever calls the call off, or leaves, ends the command."""
        assert run.task is not None
        try:
            waiting = asyncio.ensure_future(run.until(patience))
            while not (await asyncio.wait([waiting], timeout=_TELL_EVERY))[0]:
                await talk.progress(run.seconds, texts.progress(run))
        except BaseException:
            run.token.cancel()
            with anyio.CancelScope(shield=True):  # called off, every await is called off again
                await asyncio.wait([run.task])
            raise
        finally:
            waiting.cancel()

    async def _output(self, talk: Talk, given: Mapping[str, Any]) -> Answer:
        wanted = arguments.reading(given)
        run = self._found(wanted.id)
        if run is not None and wanted.wait:
            await self._look_on(talk, run, wanted.wait)
        text, end = _read(wanted, known=run is not None)
        standing = texts.status(run) if run is not None else "over"
        shown = texts.bounded(text, what="narrow it with tail, since or grep")
        return _said(
            f"Run: {wanted.id}\nStatus: {standing}\nNext offset: {end}\n\n{shown.strip(chr(10)) or '(nothing)'}"
        )

    async def _input(self, talk: Talk, given: Mapping[str, Any]) -> Answer:
        wanted = arguments.typing(given)
        keys = typed(*wanted.keys)
        run = self._runs.find(wanted.id)
        run.type(wanted.text + keys)
        await self._look_on(talk, run, _SETTLE)
        return await self._answer(run)

    async def _stop(self, talk: Talk, given: Mapping[str, Any]) -> Answer:  # noqa: ARG002 - as all of them
        run = self._runs.find(arguments.name(given))
        with anyio.CancelScope(shield=True):
            await run.stop()
        return await self._answer(run)

    async def _list(self, talk: Talk, given: Mapping[str, Any]) -> Answer:  # noqa: ARG002 - as all of them
        arguments.nothing(given)
        return _said(texts.listed(self._runs.all()))

    async def _changes(self, talk: Talk, given: Mapping[str, Any]) -> Answer:
        wanted = arguments.verdict(given)
        shell = await self._shell(talk)
        if wanted.action == "show":
            return _said(self._drafts.show(shell))
        keep = wanted.action == "keep"
        return _said(await (self._drafts.keep(shell, wanted.paths) if keep else self._drafts.drop(shell)))

    async def _look_on(self, talk: Talk, run: Run, seconds: float) -> None:
        """Wait without owning it: whoever calls this off leaves the command alone."""
        waiting = asyncio.ensure_future(run.until(seconds))
        try:
            while not (await asyncio.wait([waiting], timeout=_TELL_EVERY))[0]:
                await talk.progress(run.seconds, texts.progress(run))
        finally:
            waiting.cancel()

    async def _answer(self, run: Run) -> Answer:
        assert run.task is not None
        if run.task.done():
            return self._ended(run.task.result())
        return _said(texts.going_on(run, _tail(run)))

    def _ended(self, result: Result) -> Answer:
        facts = texts.facts(result)
        said = types.TextContent(type="text", text=texts.ended(result))
        structured = {**facts, "stdout": result.stdout, "stderr": result.stderr} if self._structured else None
        return types.CallToolResult(
            content=[said], is_error=texts.is_error(result), structured_content=structured, _meta={"limpet": facts}
        )

    def _found(self, name: str) -> Run | None:
        """A run of this server; else the stored output has to do."""
        with contextlib.suppress(InvalidRequestError):
            return self._runs.find(name)
        return None


def _read(wanted: arguments.Reading, *, known: bool) -> tuple[str, int]:
    """What is wanted of the stored output, and where that ends now; a run that is known may have printed nothing."""
    try:
        log = StoredLog(wanted.id)
    except StoreError:
        if known:
            return "", 0
        raise
    end = log.size
    if wanted.grep is not None:
        lines = list(log.grep(wanted.grep, since=wanted.since))
        data = b"".join(lines if wanted.tail is None else lines[-wanted.tail :] if wanted.tail else [])
    elif wanted.tail is not None:
        data = log.tail(wanted.tail, since=wanted.since)
    else:
        data = b"".join(log.read(since=wanted.since))
    return plain(data), end


def _tail(run: Run) -> str:
    with contextlib.suppress(StoreError):
        return texts.bounded(plain(StoredLog(run.id).tail(_LINES)), what="bash_output has them")
    return ""


def _said(text: str, *, error: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)], is_error=error)
