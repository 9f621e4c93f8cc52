"""The handle of a background task: what whoever started it holds, or whoever found it again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from limpet.errors import InvalidRequestError
from limpet.model.keys import typed
from limpet.model.result import Outcome, Result
from limpet.model.window import PRESETS
from limpet.render.screen import Screen
from limpet.tasks import reading, record
from limpet.tasks.ending import bring_about, until_over
from limpet.tasks.line import Line
from limpet.tasks.record import Facts

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.engine.stored import StoredLog
    from limpet.model.task import TaskOutput, TaskStatus
    from limpet.tasks.folder import TaskFolder

_LADDER = 5.0
_ENOUGH_FOR_A_SCREEN = 512 * 1024


class TaskView:
    """What can be known of a task without waiting."""

    def __init__(self, folder: TaskFolder) -> None:
        self.folder = folder

    @property
    def id(self) -> str:
        """What it is found again by."""
        return self.folder.id

    @property
    def output_file(self) -> str:
        """Where what it prints goes: the newest of it, as raw bytes."""
        return self.folder.output_file

    def status(self) -> TaskStatus:
        """Where it has come to. Reads a few small files, and never waits."""
        return self.folder.status()

    def output(
        self, *, since: int = 0, tail: int | None = None, grep: str | None = None, stream: str | None = None
    ) -> str:
        """What it printed so far: all that is kept, its last lines, the lines that match, one stream."""
        return self.read(since=since, tail=tail, grep=grep, stream=stream).text

    def read(
        self, *, since: int = 0, tail: int | None = None, grep: str | None = None, stream: str | None = None
    ) -> TaskOutput:
        """The same, with the offset to read on from, and how many bytes of what was asked for are gone."""
        over = self.folder.over()[0] is not None
        return reading.part(self.folder, since=since, tail=tail, grep=grep, stream=stream, over=over)

    def log(self) -> StoredLog:
        """What it printed, as raw bytes. Raises StoreError when it is gone."""
        return self.folder.log()

    def screen(self) -> Screen:
        """What its terminal shows now, drawn from the last that it printed: `task.screen().text()`.

        Raises InvalidRequestError when it has no terminal, ScreenUnavailableError where the extra is not installed.
        """
        standing = self.folder.standing()
        if standing is None or not standing.rows:
            raise InvalidRequestError(f"task {self.id} has no terminal, so it has no screen", field="task")
        screen = Screen(rows=standing.rows, columns=standing.columns)
        log = self.log()
        for data in log.read(since=max(log.first, log.size - _ENOUGH_FOR_A_SCREEN)):
            screen.feed(data)
        return screen

    def line(self) -> Line:
        """A way to reach its command, for several things to be sent: `with task.line() as line: line.send(...)`."""
        return Line(self.folder)

    def result(self) -> Result:
        """As it is now: complete when the task is over, else RUNNING with the output so far."""
        end, _ = self.folder.over()
        answer = record.read(self.folder.file("answer.json"), Result) if end is not None else None
        if answer is not None and end is not None and answer.outcome is end.outcome:
            return msgspec.structs.replace(answer, task_id=self.id)
        return self._pieced_together()

    def _pieced_together(self) -> Result:
        """From what there is: it goes on, was lost, or there was no room for its answer."""
        status = self.status()
        facts = self.folder.facts() or _nothing_known(status)
        shaped, (out_bytes, err_bytes) = reading.so_far(self.folder, facts)
        end = self.folder.end()
        outcome = Outcome.RUNNING if end is None else end.outcome
        return Result(
            command=status.command, outcome=outcome, ok=status.ok, exit_code=status.exit_code, signal=status.signal,
            stdout=shaped.stdout.text, stderr=shaped.stderr.text, output=shaped.output.text,
            truncated=shaped.stdout.truncated or shaped.stderr.truncated, timed_out=outcome is Outcome.TIMED_OUT,
            cancelled=outcome is Outcome.CANCELLED, duration_ms=status.duration_ms or 0, operation_id=self.id,
            cwd=status.cwd, output_file=self.output_file, stdout_bytes=out_bytes, stderr_bytes=err_bytes,
            task_id=self.id, error=status.error,
        )  # fmt: skip


class Task(TaskView):
    """A command in the background. It does not end with this object, nor with the process that has it."""

    async def wait(self, timeout: float | None = None) -> Result:  # noqa: ASYNC109 - it ends in an answer
        """Its result, once it is over. After `timeout` seconds: that it is RUNNING, with the output so far."""
        await until_over(self.folder, timeout)
        return self.result()

    async def send(self, text: str | bytes) -> None:
        """Have its command read this. Raises InvalidRequestError when it is over or takes no input."""
        await asyncio.to_thread(self._said, lambda line: line.send(text))

    async def send_keys(self, *keys: str) -> None:
        """Press keys of its terminal, by name: `enter`, `up`, `ctrl-c`, `f1`; single characters are text."""
        text = typed(*keys)
        await asyncio.to_thread(self._said, lambda line: line.send(text))

    async def close_input(self) -> None:
        """Nothing more will be sent."""
        await asyncio.to_thread(self._said, lambda line: line.close_input())

    async def resize(self, rows: int, columns: int) -> None:
        """Its terminal is of another size now."""
        await asyncio.to_thread(self._said, lambda line: line.resize(rows, columns))

    def _said(self, say: Callable[[Line], None]) -> None:
        with self.line() as line:
            say(line)

    async def stop(self, *, now: bool = False) -> Result:
        """End it with everything it started, with grace unless `now`, and wait for that; its result.

        Of a task that is over, only the result. Raises LaunchError when it could not be ended.
        """
        facts = self.folder.facts()
        await bring_about(self.folder, now=now, ladder=_LADDER if facts is None else facts.ladder)
        return self.result()


def _nothing_known(status: TaskStatus) -> Facts:
    from limpet.model.request import Origin  # noqa: PLC0415 - for a damaged task only

    return Facts(
        task_id=status.task_id, command="", description="", workspace="", cwd="", origin=Origin(), created_at=0.0,
        timeout=None, ladder=_LADDER, window=PRESETS["standard"], clean=True, redact=True,
    )  # fmt: skip
