"""One call of a client: who it is, what it can do, and how it is told things on the way."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import anyio
from mcp.shared.exceptions import MCPError

from limpet.render.paint import shorten

if TYPE_CHECKING:
    from collections.abc import Mapping

    import mcp_types as types
    from mcp.server.context import ServerRequestContext

_LONGEST_NAME = 60
_ROOTS = 5.0
"""Seconds that a client gets to say where it works."""
_NEWER = "2026-07-28"


class Talk:
    """The client during one call."""

    def __init__(self, context: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> None:
        self._context = context
        self._params = params
        self._told = 0.0

    @property
    def client(self) -> str:
        """What it calls itself."""
        known = self._context.session.client_params
        name = "" if known is None else known.client_info.name
        return shorten(name, _LONGEST_NAME)

    @property
    def elicits(self) -> bool:
        """Whether it can put a form in front of a person. One that does not say what it can means forms."""
        can = self._context.session.client_capabilities
        way = None if can is None else can.elicitation
        return way is not None and (way.form is not None or way.url is None)

    @property
    def can_be_asked(self) -> bool:
        """Whether it takes requests of ours: the older protocol."""
        return self._context.protocol_version < _NEWER and self._context.session.can_send_request

    @property
    def state(self) -> str | None:
        """What we gave it when it was to ask."""
        return self._params.request_state

    @property
    def responses(self) -> Mapping[str, object]:
        """What it brought back."""
        return self._params.input_responses or {}

    async def roots(self, known: dict[int, tuple[object, list[str]]]) -> list[str]:
        """The folders it says it works in; none when it does not say so in time. Asked once."""
        can, who = self._context.session.client_capabilities, self._context.session.client_params
        if can is None or can.roots is None or who is None or not self.can_be_asked:
            return []
        if id(who) not in known:
            known[id(who)] = (who, await self._listed())
        return known[id(who)][1]

    async def _listed(self) -> list[str]:
        try:
            with warnings.catch_warnings(), anyio.fail_after(_ROOTS):
                warnings.simplefilter("ignore")  # of a protocol that does not have them any more
                return [str(root.uri) for root in (await self._context.session.list_roots()).roots]
        except (MCPError, TimeoutError):
            return []

    async def elicit(self, message: str, schema: dict[str, Any]) -> types.ElicitResult:
        """Have it ask, and wait for that."""
        return await self._context.session.elicit_form(message, schema, self._context.request_id)

    async def progress(self, seconds: float, message: str) -> None:
        """Tell whoever looks on, where anybody does; it may only grow."""
        self._told = max(self._told + 0.001, seconds)
        await self._context.session.report_progress(self._told, message=message)
