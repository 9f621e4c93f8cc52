"""The command line -> a server: the client is answered while the rest is still being imported."""

from __future__ import annotations

import importlib.util
import os
import threading
from typing import TYPE_CHECKING

from limpet.errors import ConfigError
from limpet.shell import workspace_folder
from limpet.surfaces.mcp.token import take_token

if TYPE_CHECKING:
    from limpet.surfaces.mcp.wishes import Wishes


def start(wishes: Wishes, port: int | None) -> int:
    """Serve until the client is gone, or for good over HTTP. Raises ConfigError without the SDK."""
    if importlib.util.find_spec("mcp_types") is None:
        raise ConfigError("limpet mcp needs the MCP SDK, version 2: pip install 'limpet[mcp]'")
    wishes = wishes._replace(workspace=workspace_folder(wishes.workspace))
    if port is not None:
        token = take_token(os.environ)
        from limpet.surfaces.mcp.http import serve as serve_http  # noqa: PLC0415 - takes a second

        return serve_http(wishes, port, token)
    return _over_stdio(wishes)


def _over_stdio(wishes: Wishes) -> int:
    from limpet.surfaces.mcp.wire import Wire  # noqa: PLC0415 - not needed over HTTP

    wire = Wire()
    importing = threading.Thread(target=_import)
    importing.start()
    from limpet.surfaces.mcp.early import answer_early  # noqa: PLC0415 - imported while the other thread works

    before, answered = answer_early(wishes, wire, os.environ)
    if before is None:
        return 0  # the client has left
    importing.join()
    from limpet.surfaces.mcp.stdio import serve  # noqa: PLC0415 - has been imported meanwhile

    serve(wishes, wire, before, answered)
    return 0


def _import() -> None:
    pass
