"""Many clients over streamable HTTP, on this machine only, each with the token."""

from __future__ import annotations

import asyncio
import hmac
import socket
import sys
from typing import TYPE_CHECKING

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import JSONResponse

from limpet.errors import ConfigError
from limpet.surfaces.mcp.server import Limpet, build

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from limpet.surfaces.mcp.token import Token
    from limpet.surfaces.mcp.wishes import Wishes

_HOST = "127.0.0.1"
_PATH = "/mcp"
_LARGEST = 64 << 20
_WAITING = 128


def serve(wishes: Wishes, port: int, token: Token) -> int:
    """Serve until interrupted. Raises ConfigError for a port that is taken."""
    taken = _listen(port)
    port = taken.getsockname()[1]
    said = f"limpet: MCP at http://{_HOST}:{port}{_PATH}"
    sys.stderr.write(
        f"{said}\nlimpet: clients send the header  Authorization: Bearer {token.word}\n"
        if token.made_up
        else f"{said}\n"
    )
    sys.stderr.flush()
    asyncio.run(_serve(wishes, taken, port, token.word))
    return 0


async def _serve(wishes: Wishes, taken: socket.socket, port: int, token: str) -> None:
    limpet = Limpet(wishes)
    names = [f"{_HOST}:{port}", f"localhost:{port}"]
    checks = TransportSecuritySettings(allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names])
    server = build(limpet, wishes.patience)
    app = server.streamable_http_app(
        streamable_http_path=_PATH, transport_security=checks, host=_HOST, max_request_body_size=_LARGEST
    )
    config = uvicorn.Config(
        Guarded(app, token), log_level="warning", access_log=False, timeout_graceful_shutdown=5, server_header=False
    )
    try:
        await uvicorn.Server(config).serve(sockets=[taken])
    finally:
        await limpet.close()


class Guarded:
    """Lets in only who has the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A request, or the beginning and the end of the server."""
        if scope["type"] == "http" and not self._knows(scope):
            refused = JSONResponse(
                {"error": "the token is missing or wrong"}, status_code=401, headers={"WWW-Authenticate": "Bearer"}
            )
            await refused(scope, receive, send)
        elif scope["type"] in ("http", "lifespan"):
            await self._app(scope, receive, send)

    def _knows(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._wanted)


def _listen(port: int) -> socket.socket:
    """A socket that only this machine reaches."""
    taken = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((_HOST, port))
        taken.listen(_WAITING)
    except OSError as error:
        taken.close()
        raise ConfigError(f"--http {port}: {error.strerror}") from error
    return taken
