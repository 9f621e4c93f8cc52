"""A command in the background, blocking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.engine.blocking import wait
from limpet.tasks.task import TaskView

if TYPE_CHECKING:
    from limpet.model.result import Result
    from limpet.tasks import task as _task


class Task(TaskView):
    """Blocking twin of `limpet.Task`."""

    def __init__(self, inner: _task.Task) -> None:
        super().__init__(inner.folder)
        self._inner = inner

    def wait(self, timeout: float | None = None) -> Result:
        """Its result, once it is over. After `timeout` seconds: that it is RUNNING, with the output so far."""
        return wait(self._inner.wait(timeout))

    def stop(self, *, now: bool = False) -> Result:
        """End it with everything it started, with grace unless `now`, and wait for that; its result."""
        return wait(self._inner.stop(now=now))

    def send(self, text: str | bytes) -> None:
        """Have its command read this. Raises InvalidRequestError when it is over or takes no input."""
        wait(self._inner.send(text))

    def send_keys(self, *keys: str) -> None:
        """Press keys of its terminal, by name: `enter`, `up`, `ctrl-c`, `f1`; single characters are text."""
        wait(self._inner.send_keys(*keys))

    def close_input(self) -> None:
        """Nothing more will be sent."""
        wait(self._inner.close_input())

    def resize(self, rows: int, columns: int) -> None:
        """Its terminal is of another size now."""
        wait(self._inner.resize(rows, columns))
