"""A command and what to do when it waits for input -> what was asked, what was printed, and how it ended."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from limpet import Output, Result, Session, Shell, Stream, Waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PATIENCE = 60
AT_ONCE = 12


class Talk(msgspec.Struct, frozen=True, kw_only=True):
    """A run that was answered."""

    result: Result
    prompts: list[str]
    data: bytes

    @property
    def text(self) -> str:
        """What came through the terminal, with plain line ends."""
        return self.data.decode().replace("\r\n", "\n")


async def talk(
    shell: Shell | Session, command: str, *answers: str | Callable[[Stream], object], **options: Any
) -> Talk:
    """Give one answer each time it waits; when none is left, leave it waiting until its time is over."""
    prompts, data, left = [], b"", list(answers)
    async with asyncio.timeout(PATIENCE), shell.stream(command, **options) as run:
        async for event in run:
            if isinstance(event, Output):
                data += event.data
            elif isinstance(event, Waiting) and event.waiting:
                prompts.append(event.prompt)
                give(run, left)
        return Talk(result=await run.result(), prompts=prompts, data=data)


def give(run: Stream, left: list[str | Callable[[Stream], object]]) -> None:
    """The next answer: text to send, or what to do."""
    if left:
        answer = left.pop(0)
        run.send(answer) if isinstance(answer, str) else answer(run)


async def waits(shell: Shell | Session, command: str, *, seconds: float, **options: Any) -> str | None:
    """What it asks, once it is seen to wait for input; None when that does not happen in time."""
    async with shell.stream(command, **options) as run:
        try:
            async with asyncio.timeout(seconds):
                async for event in run:
                    if isinstance(event, Waiting) and event.waiting:
                        return event.prompt
        except TimeoutError:
            pass
    return None


async def all_waits(
    shell: Shell, commands: dict[str, str], *, seconds: float, in_sessions: bool = False, **options: Any
) -> dict[str, str | None]:
    """The same of several, a few at a time; or each in a session of its own, which the options are for."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(command: str) -> str | None:
        async with places:
            if not in_sessions:
                return await waits(shell, command, seconds=seconds, **options)
            async with shell.session(**options) as bash:
                return await waits(bash, command, seconds=seconds)

    found: Sequence[str | None] = await asyncio.gather(*map(one, commands.values()))
    return dict(zip(commands, found, strict=True))
