"""What a named session and those who come to it say to each other: one JSON value each, its length before it."""

from __future__ import annotations

import asyncio
import struct
from typing import Any

import msgspec

from limpet.model.codec import to_json
from limpet.model.decision import Decision
from limpet.model.request import Request
from limpet.model.result import Result

_SIZE = struct.Struct("!I")
_MOST = 1 << 28


class Run(msgspec.Struct, frozen=True, kw_only=True, tag="run"):
    """Run a command."""

    command: bytes
    options: dict[str, Any]
    stdin: bytes | None = None
    approver: str = "deny"
    """`deny`, `yes`, or `ask`: whoever came answers."""
    attended: bool = False
    """Whether whoever came answers what the command itself asks, at the terminal of the session."""


class Cancel(msgspec.Struct, frozen=True, kw_only=True, tag="cancel"):
    """End the command that runs; the second time without grace."""


class Answered(msgspec.Struct, frozen=True, kw_only=True, tag="answered"):
    """What they answered."""

    approved: bool
    reason: str = ""


class Typed(msgspec.Struct, frozen=True, kw_only=True, tag="typed"):
    """Have the command read this: said by whoever runs it, or by anybody else who comes for that."""

    data: bytes
    end: bool = False
    """And then the end of the input."""


class Resized(msgspec.Struct, frozen=True, kw_only=True, tag="resized"):
    """The terminal is of another size."""

    rows: int
    columns: int


class Look(msgspec.Struct, frozen=True, kw_only=True, tag="look"):
    """Tell how it stands."""


class Draw(msgspec.Struct, frozen=True, kw_only=True, tag="draw"):
    """Tell what its terminal shows."""


class Close(msgspec.Struct, frozen=True, kw_only=True, tag="close"):
    """End."""


Said = Run | Cancel | Answered | Typed | Resized | Look | Draw | Close


class Opened(msgspec.Struct, frozen=True, kw_only=True, tag="opened"):
    """The command is about to start."""

    request: Request


class Piece(msgspec.Struct, frozen=True, kw_only=True, tag="piece"):
    """A piece of output."""

    stream: str
    data: bytes
    text: str


class Question(msgspec.Struct, frozen=True, kw_only=True, tag="question"):
    """Policy asks."""

    request: Request
    decision: Decision


class Done(msgspec.Struct, frozen=True, kw_only=True, tag="done"):
    """The command is over."""

    result: Result


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    """It could not be done."""

    kind: str
    message: str


class Standing(msgspec.Struct, frozen=True, kw_only=True, tag="standing"):
    """How a session stands."""

    name: str
    workspace: str
    cwd: str
    pid: int
    """Of its bash; 0 while there is none."""
    busy: str
    """The command that runs."""
    commands: int
    """How many it has run."""
    started_at: float
    idle: float
    """Seconds since the last command ended."""
    terminal: bool = False
    waiting: bool = False
    """Whether the command waits for input there."""
    prompt: str = ""
    """Its last line, where it does."""


class Taken(msgspec.Struct, frozen=True, kw_only=True, tag="taken"):
    """The command has it to read."""


class Drawn(msgspec.Struct, frozen=True, kw_only=True, tag="drawn"):
    """The last that was printed on its terminal, for whoever came to draw."""

    rows: int
    columns: int
    data: bytes


class Closed(msgspec.Struct, frozen=True, kw_only=True, tag="closed"):
    """It has ended."""


Told = Opened | Piece | Question | Done | Failed | Standing | Taken | Drawn | Closed

_said: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)
_told: msgspec.json.Decoder[Told] = msgspec.json.Decoder(Told)


class Line:
    """One connection, seen from either end."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def say(self, value: Said | Told) -> None:
        """Raises ConnectionError when nobody is there."""
        data = to_json(value).encode()
        self._writer.write(_SIZE.pack(len(data)) + data)
        await self._writer.drain()

    async def heard(self) -> Said | None:
        """What the other end wants; None when it is gone."""
        data = await self._next()
        return None if data is None else _said.decode(data)

    async def told(self) -> Told | None:
        """What the other end answers; None when it is gone."""
        data = await self._next()
        return None if data is None else _told.decode(data)

    def close(self) -> None:
        """Hang up."""
        self._writer.close()

    async def _next(self) -> bytes | None:
        try:
            (size,) = _SIZE.unpack(await self._reader.readexactly(_SIZE.size))
            return await self._reader.readexactly(size) if size <= _MOST else None
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
