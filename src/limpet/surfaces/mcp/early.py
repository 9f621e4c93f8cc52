"""The first requests of a client -> the answers that the SDK would give, without it.

Only what is beyond doubt is answered: a handshake or a discovery that is well formed, a ping, the lists of tools and
resources. With the first line that is anything else, or is not well formed, the SDK takes over.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from limpet.config import resolve
from limpet.surfaces.mcp import catalogue

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.surfaces.mcp.wire import Wire
    from limpet.surfaces.mcp.wishes import Wishes

OLDER = ("2025-06-18", "2025-11-25")
"""Those older protocols whose list of tools has all that ours says."""
NEWER = "2026-07-28"
_META = "io.modelcontextprotocol/"
_LONGEST = 1 << 16
_CAPABILITIES = {"resources": {"listChanged": False, "subscribe": False}, "tools": {"listChanged": False}}
_SERVER = {"name": catalogue.NAME, "version": catalogue.VERSION}

_STAMP = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", "_meta": {f"{_META}serverInfo": _SERVER}}
_GREETING = {"protocolVersion", "capabilities", "clientInfo"}
_MEMBERS = {"jsonrpc", "id", "method", "params"}


def answer_early(
    wishes: Wishes, wire: Wire, environ: Mapping[str, str], greeted: Callable[[], None]
) -> tuple[list[bytes] | None, frozenset[Any]]:
    """Answer as long as that is possible: the lines that the SDK has to hear, and the ids that are answered.

    `greeted` is called once the first of them is. None instead of the lines: the client has left. Raises ConfigError.
    """
    early = Early(wishes, environ)
    heard: list[bytes] = []
    answered: set[Any] = set()
    for line in wire.lines():
        said = early.hear(line)
        if said is None or said.keep:
            heard.append(line)
        if said is None:
            return heard, frozenset(answered)
        if said.text is not None:
            if said.keep:
                answered.add(said.id)
            wire.write(said.text)
            greeted()
    return None, frozenset()


class Said:
    """What becomes of one line."""

    def __init__(self, *, keep: bool, id: Any = None, result: Any = None) -> None:  # noqa: A002 - what the protocol calls it
        self.keep = keep
        """Whether the SDK has to hear it, too."""
        self.id = id
        answer = {"jsonrpc": "2.0", "id": id, "result": result}
        self.text = None if result is None else json.dumps(answer, separators=(",", ":")).encode()


class Early:
    """A client that has said nothing yet that only the SDK understands."""

    def __init__(self, wishes: Wishes, environ: Mapping[str, str]) -> None:
        settings = resolve(workspace=wishes.workspace, environ=environ).settings
        self._lists: dict[str, dict[str, Any]] = {
            "tools/list": {"tools": catalogue.tools(settings, wishes.patience)},
            "resources/list": {"resources": []},
            "resources/templates/list": {"resourceTemplates": [catalogue.OUTPUT]},
        }
        self._about = {"capabilities": _CAPABILITIES, "instructions": catalogue.instructions(wishes.patience)}
        self._greeted = False

    def hear(self, line: bytes) -> Said | None:
        """None: this is for the SDK."""
        message = _parsed(line)
        if message is None:
            return None
        method, params = message.get("method"), message.get("params") or {}
        if "id" not in message:
            return Said(keep=True) if self._greeted and method == "notifications/initialized" else None
        if self._greeted:
            return self._older(message["id"], method)
        if method == "initialize" and _is_greeting(params):
            self._greeted = True
            greeting = {"protocolVersion": params["protocolVersion"], "serverInfo": _SERVER, **self._about}
            return Said(keep=True, id=message["id"], result=greeting)
        return self._newer(message["id"], method) if _is_newer(params) else None

    def _older(self, name: object, method: object) -> Said | None:
        known = {"ping": {}, **self._lists}
        return Said(keep=False, id=name, result=known[method]) if isinstance(method, str) and method in known else None

    def _newer(self, name: object, method: object) -> Said | None:
        known = {"server/discover": {"supportedVersions": [NEWER], **self._about}, **self._lists}
        if not isinstance(method, str) or method not in known:
            return None
        return Said(keep=False, id=name, result={**known[method], **_STAMP})


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        message = json.loads(line) if len(line) <= _LONGEST else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("jsonrpc") != "2.0" or set(message) - _MEMBERS:
        return None
    plain = isinstance(message.get("params", {}), dict) and isinstance(message.get("method"), str)
    return message if plain and type(message.get("id", 0)) in (int, str) else None


def _is_greeting(params: Mapping[str, Any]) -> bool:
    known = set(params) == _GREETING and params["protocolVersion"] in OLDER and isinstance(params["capabilities"], dict)
    return known and _is_name(params["clientInfo"])


def _is_newer(params: Mapping[str, Any]) -> bool:
    meta = params.get("_meta")
    if not isinstance(meta, dict) or set(params) != {"_meta"} or meta.get(f"{_META}protocolVersion") != NEWER:
        return False
    who = meta.get(f"{_META}clientInfo")
    return isinstance(meta.get(f"{_META}clientCapabilities"), dict) and (who is None or _is_name(who))


def _is_name(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), str) for key in ("name", "version"))
