"""Settings -> a server of the SDK, with limpet's tools and the stored outputs behind it."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from limpet.errors import StoreError, limpetError
from limpet.logs import StoredLog
from limpet.render.plain import plain
from limpet.surfaces.mcp import catalogue, texts
from limpet.surfaces.mcp.answers import said
from limpet.surfaces.mcp.drafts import Drafts
from limpet.surfaces.mcp.handlers import Handlers
from limpet.surfaces.mcp.runs import Runs
from limpet.surfaces.mcp.sessions import Sessions
from limpet.surfaces.mcp.shells import Shells
from limpet.surfaces.mcp.talk import Talk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from mcp.server.context import ServerRequestContext

    from limpet.shell import Shell
    from limpet.surfaces.mcp.wishes import Wishes

    Context = ServerRequestContext[Any, Any]

_RUNS, _OUTPUT = "limpet://runs/", "/output"
_UNKNOWN_RESOURCE = -32602


class Limpet:
    """The shells of one server, one for each workspace, and what runs in them."""

    def __init__(self, wishes: Wishes) -> None:
        self._wishes = wishes
        self._shells = Shells(wishes.options)
        self._roots: dict[int, tuple[object, list[str]]] = {}
        """By connection, each with what must not be collected as long as its id stands for it."""
        self.runs, self._drafts, self._sessions = Runs(), Drafts(), Sessions()
        self._shells.of(wishes.workspace)  # what is wrong with the settings is told before anything is served
        self._handlers = Handlers(
            self.runs, self._drafts, self._sessions, patience=wishes.patience, structured=wishes.structured
        )

    async def call(self, context: Context, params: types.CallToolRequestParams) -> Any:
        """A tool."""
        talk = Talk(context, params)
        try:
            shell = await self._shell(talk)
        except limpetError as error:  # they have been changed meanwhile, and make no sense any more
            return said(f"refused: {error}", error=True)
        return await self._handlers.call(talk, shell, params.name, params.arguments or {})

    async def list_tools(self, context: Context, params: Any) -> types.ListToolsResult:  # noqa: ARG002 - the SDK's
        """All tools."""
        listed = catalogue.tools(self._shells.of(self._wishes.workspace).settings, self._wishes.patience)
        return types.ListToolsResult(tools=[types.Tool.model_validate(tool) for tool in listed])

    async def list_resources(self, context: Context, params: Any) -> types.ListResourcesResult:  # noqa: ARG002 - the SDK's
        """What the runs of this server printed."""
        listed = [
            types.Resource(
                uri=f"{_RUNS}{name}{_OUTPUT}", name=name, title=texts.shortened(command), mime_type="text/plain"
            )
            for name, command in self.runs.printed()
        ]
        return types.ListResourcesResult(resources=listed)

    async def list_templates(self, context: Context, params: Any) -> types.ListResourceTemplatesResult:  # noqa: ARG002 - the SDK's
        """How the output of any run is named."""
        template = types.ResourceTemplate.model_validate(catalogue.OUTPUT)
        return types.ListResourceTemplatesResult(resource_templates=[template])

    async def read(self, context: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:  # noqa: ARG002 - the SDK's
        """The stored output of a run."""
        uri = str(params.uri)
        if not uri.startswith(_RUNS) or not uri.endswith(_OUTPUT):
            raise MCPError(code=_UNKNOWN_RESOURCE, message=f"there is no {uri}; there is {catalogue.TEMPLATE}")
        try:
            data = b"".join(StoredLog(uri[len(_RUNS) : -len(_OUTPUT)]).read())
        except StoreError as error:
            raise MCPError(code=_UNKNOWN_RESOURCE, message=str(error)) from error
        text = texts.bounded(plain(data), what="bash_output reads them")
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=uri, text=text, mime_type="text/plain")]
        )

    async def close(self) -> None:
        """End all that runs."""
        await self.runs.stop_all()
        await self._sessions.close_all()
        await self._drafts.close()
        await self._shells.close()

    async def _shell(self, talk: Talk) -> Shell:
        """The one of the folder that the client works in."""
        if not self._wishes.fixed:
            for root in await talk.roots(self._roots):
                if (folder := _folder(root)) is not None:
                    return self._shells.of(folder)
        return self._shells.of(self._wishes.workspace)


def build(limpet: Limpet, patience: float) -> Server[None]:
    """The server of the SDK."""

    @contextlib.asynccontextmanager
    async def lifespan(_: Server[None]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await asyncio.shield(asyncio.ensure_future(limpet.close()))

    return Server(
        catalogue.NAME, version=catalogue.VERSION, instructions=catalogue.instructions(patience), lifespan=lifespan,
        on_list_tools=limpet.list_tools, on_call_tool=limpet.call, on_list_resources=limpet.list_resources,
        on_list_resource_templates=limpet.list_templates, on_read_resource=limpet.read,
    )  # fmt: skip


def _folder(uri: str) -> str | None:
    """The folder of a root that is one of this machine, and there."""
    parts = urlsplit(uri)
    path = unquote(parts.path)
    here = parts.scheme == "file" and parts.netloc in ("", "localhost") and os.path.isabs(path)
    return os.path.realpath(path) if here and os.path.isdir(path) else None
