"""A command in the background, blocking."""

from __future__ import annotations

from limpet.sync.twin import waiting
from limpet.tasks import task


class Task(task.TaskView):
    """Blocking twin of `limpet.Task`."""

    def __init__(self, inner: task.Task) -> None:
        super().__init__(inner.folder)
        self._inner = inner

    wait = waiting(task.Task.wait)
    stop = waiting(task.Task.stop)
    send = waiting(task.Task.send)
    send_keys = waiting(task.Task.send_keys)
    close_input = waiting(task.Task.close_input)
    resize = waiting(task.Task.resize)
