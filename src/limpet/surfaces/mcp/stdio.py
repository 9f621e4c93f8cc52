"""One client at the standard streams -> served until it is gone.

The SDK takes a second to import. What a client asks first is answered before that, by `early`; the SDK hears what it
has to know of it afterwards, and what it answers to that is dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

from limpet.surfaces.mcp.server import Limpet, build

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from limpet.surfaces.mcp.wire import Wire
    from limpet.surfaces.mcp.wishes import Wishes


def serve(wishes: Wishes, wire: Wire, before: Iterable[bytes] = (), answered: frozenset[Any] = frozenset()) -> None:
    """Serve the client. `before`: what it has said already; `answered`: ids of those that were answered."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(wishes, wire, before, answered))


async def _serve(wishes: Wishes, wire: Wire, before: Iterable[bytes], answered: frozenset[Any]) -> None:
    server = build(Limpet(wishes), wishes.patience)
    heard, reading = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    writing, said = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as group:
        group.start_soon(_listen, wire, before, heard)
        group.start_soon(_speak, wire, said, answered)
        await server.run(reading, writing, server.create_initialization_options())
        group.cancel_scope.cancel()


async def _listen(
    wire: Wire, before: Iterable[bytes], heard: MemoryObjectSendStream[SessionMessage | Exception]
) -> None:
    """A thread of its own reads: it must not keep anybody from leaving."""
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    threading.Thread(target=_read, args=(wire.lines(), lines, loop), daemon=True).start()
    async with heard:
        for line in before:
            await heard.send(_message(line))
        while (more := await lines.get()) is not None:
            await heard.send(_message(more))


def _read(wire: Iterator[bytes], lines: asyncio.Queue[bytes | None], loop: asyncio.AbstractEventLoop) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
        for line in wire:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)


async def _speak(wire: Wire, said: MemoryObjectReceiveStream[SessionMessage], answered: frozenset[Any]) -> None:
    async with said:
        async for one in said:
            if answered and getattr(one.message, "id", None) in answered and not hasattr(one.message, "method"):
                answered -= {getattr(one.message, "id", None)}
                continue
            line = one.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
            with contextlib.suppress(OSError):  # it is gone, which its other stream tells
                await asyncio.to_thread(wire.write, line)


def _message(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error
