"""A question that policy left open -> the answer of the person at the controlling terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import termios
from typing import TYPE_CHECKING

from limpet.approval.lasting import Lasting
from limpet.approval.remembered import Remembered, rules_to_remember
from limpet.model.answer import NO, NOBODY, Answer
from limpet.output.terminal import spelled
from limpet.render.decision import explain
from limpet.render.question import about

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.model.decision import Decision
    from limpet.model.request import Request
    from limpet.policy.rules import Rule

_PATIENCE = 600.0
_LONGEST = 4096
_LONGEST_REASON = 500
_NO = re.compile(r"no?\b[\s,:;.-]*", re.IGNORECASE | re.ASCII)
_ONCE, _SESSION, _ALWAYS = frozenset({"o", "once", "y", "yes"}), frozenset({"s", "session"}), frozenset({"a", "always"})


class AskOnTerminal:
    """Asks there, one question at a time. Whatever is no clear yes is a no, and so is nobody to ask."""

    def __init__(
        self, environ: Mapping[str, str], *, remembered: Remembered | None = None,
        keep: Callable[[tuple[Rule, ...]], str] | None = None, path: str = "/dev/tty", patience: float = _PATIENCE,
    ) -> None:  # fmt: skip
        """`session` can be chosen only with `remembered`, and `always` only with `keep`: it stores, and says where."""
        self._environ = environ
        self._lasting = Lasting(remembered, keep)
        self._path = path
        self._patience = patience
        self._turn = asyncio.Lock()

    async def __call__(self, request: Request, decision: Decision) -> Answer:
        """Whether it may run; what is to be remembered is."""
        rules = rules_to_remember(decision)
        answer = await self._ask(request, decision, rules)
        self._lasting.remember(answer, rules)
        return answer

    async def _ask(self, request: Request, decision: Decision, rules: tuple[Rule, ...]) -> Answer:
        """`NOBODY` without a terminal, at its end, and when nobody answers for too long."""
        offered = self._lasting.offered(rules)
        async with self._turn:
            try:
                fd = os.open(self._path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError:
                return NOBODY
            try:
                async with asyncio.timeout(self._patience):
                    answer = await self._converse(fd, _question(request, decision, offered, self._look(fd)), offered)
                    await _write(fd, self._told(answer, rules))
                    return answer
            except (OSError, TimeoutError, termios.error):
                return NOBODY
            except asyncio.CancelledError:
                with contextlib.suppress(OSError):
                    os.write(fd, b"\nlimpet: no answer is needed here any more\n")
                raise
            finally:
                os.close(fd)

    def _told(self, answer: Answer, rules: tuple[Rule, ...]) -> str:
        """What came of the answer; what is to hold for good is kept on the way."""
        kept = self._lasting.keep(answer, rules)
        return f"limpet: {'approved' if answer.approved else 'not approved'}{f'; {kept}' if kept else ''}\n"

    def _look(self, fd: int) -> tuple[int, bool]:
        width = os.get_terminal_size(fd).columns or 80
        return width, self._environ.get("TERM", "dumb") != "dumb" and not self._environ.get("NO_COLOR")

    async def _converse(self, fd: int, question: str, offered: dict[str, str]) -> Answer:
        if os.tcgetpgrp(fd) != os.getpgrp():
            return NOBODY  # in the background, where a question would only stop us
        termios.tcflush(fd, termios.TCIFLUSH)  # what was typed before the question is no answer to it
        await _write(fd, question)
        return parse_answer(await _read_line(fd), offered)


def parse_answer(line: bytes, offered: Mapping[str, str] | frozenset[str] = frozenset()) -> Answer:
    """What was typed, with its line end -> what it means. What is not understood is a no, and its reason."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return NO
    word = text.strip().lower()
    if not text.endswith("\n") or text.count("\n") > 1:  # an end of input in the middle, or something pasted
        return NO
    if word in _ONCE:
        return Answer(approved=True)
    if word in _SESSION and "session" in offered:
        return Answer(approved=True, session=True)
    if word in _ALWAYS and "always" in offered:
        return Answer(approved=True, session=True, always=True)
    return Answer(approved=False, reason=_reason(text.strip()))


def _reason(text: str) -> str:
    text = _NO.sub("", text, count=1) if _NO.match(text) else text
    return spelled(text)[:_LONGEST_REASON]


def _question(request: Request, decision: Decision, offered: dict[str, str], look: tuple[int, bool]) -> str:
    width, color = look
    told = about(cwd=request.cwd, env=request.env, description=request.description)
    choices = ["o  once", *(f"{name[0]}  {name}: {covered}" for name, covered in offered.items())]
    choices.append("n  no; whatever else you type is a no, and its reason")
    return (
        f"\nlimpet: may this run?\n{explain(request.command, decision, width=width, color=color)}"
        + "".join(f"  {line}\n" for line in [*told, *choices])
        + "> "
    )


async def _write(fd: int, text: str) -> None:
    data = text.encode("utf-8", "replace")
    while data:
        await _ready(fd, asyncio.get_running_loop().add_writer, asyncio.get_running_loop().remove_writer)
        with contextlib.suppress(BlockingIOError):
            data = data[os.write(fd, data) :]


async def _read_line(fd: int) -> bytes:
    """What was typed up to the line end; with all that follows, when more was put there at once."""
    await _ready(fd, asyncio.get_running_loop().add_reader, asyncio.get_running_loop().remove_reader)
    line = os.read(fd, _LONGEST)
    with contextlib.suppress(BlockingIOError):
        line += os.read(fd, _LONGEST)
    return line


async def _ready(fd: int, add: Callable[..., object], remove: Callable[[int], object]) -> None:
    ready = asyncio.Event()
    add(fd, ready.set)
    try:
        await ready.wait()
    finally:
        remove(fd)
