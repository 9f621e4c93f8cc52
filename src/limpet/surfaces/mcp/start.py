"""The command line -> a server: the client is answered while the rest is still being imported."""

from __future__ import annotations

import importlib.util
import os
import threading
from typing import TYPE_CHECKING

from limpet.errors import ConfigError

if TYPE_CHECKING:
    from limpet.surfaces.mcp.wishes import Wishes

_SHY = 0.3
"""Seconds that a client may take for its first word."""


def start(wishes: Wishes, port: int | None) -> int:
    """Serve until the client is gone, or for good over HTTP. Raises ConfigError without the SDK."""
    if importlib.util.find_spec("mcp_types") is None:
        raise ConfigError("limpet mcp needs the MCP SDK, version 2: pip install 'limpet[mcp]'")
    wishes = wishes._replace(workspace=_folder(wishes.workspace))
    return _over_stdio(wishes) if port is None else _over_http(wishes, port)


def _over_http(wishes: Wishes, port: int) -> int:
    from limpet.surfaces.mcp.token import take_token  # noqa: PLC0415 - not needed over stdio

    token = take_token(os.environ)
    from limpet.surfaces.mcp.http import serve  # noqa: PLC0415 - takes a second

    return serve(wishes, port, token)


def _over_stdio(wishes: Wishes) -> int:
    from limpet.surfaces.mcp.early import answer_early  # noqa: PLC0415 - not needed over HTTP
    from limpet.surfaces.mcp.wire import Wire  # noqa: PLC0415 - not needed over HTTP

    wire, greeted = Wire(), threading.Event()
    importing = threading.Thread(target=_import, args=(greeted,), daemon=True)
    importing.start()
    before, answered = answer_early(wishes, wire, os.environ, greeted.set)
    if before is None:
        return 0  # the client has left
    greeted.set()
    importing.join()
    from limpet.surfaces.mcp.stdio import serve  # noqa: PLC0415 - has been imported meanwhile

    serve(wishes, wire, before, answered)
    return 0


def _import(greeted: threading.Event) -> None:
    """Once the client has been greeted, for which this would only be in the way; or when it does not speak."""
    greeted.wait(_SHY)
    importlib.import_module("limpet.surfaces.mcp.stdio")


def _folder(workspace: str) -> str:
    """By its real path. Raises InvalidRequestError."""
    if os.path.isdir(workspace):
        return os.path.realpath(workspace)
    from limpet.workspaces import workspace_folder  # noqa: PLC0415 - takes a while, and says what is wrong

    return workspace_folder(workspace)
