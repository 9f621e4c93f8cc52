"""What somebody outside wants to tell a command while it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.keys import sent
from limpet.model.terminal import Terminal, checked

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.protocols import Running


class Handle:
    """A way to reach one run. What is said before it has started waits for it; what comes too late is nobody's."""

    def __init__(self) -> None:
        self._running: Running | None = None
        self._early: list[Callable[[Running], None]] = []
        self._over = False

    def attach(self, running: Running) -> None:
        """It has started."""
        self._running = running
        for say in self._early:
            say(running)
        self._early.clear()

    def detach(self) -> None:
        """It is over."""
        self._running, self._over = None, True
        self._early.clear()

    def send(self, text: str | bytes) -> None:
        """Have the command read this."""
        data = sent(text)
        if data:
            self._say(lambda running: running.send(data))

    def close_input(self) -> None:
        """Nothing more will be sent."""
        self._say(lambda running: running.close_input())

    def resize(self, rows: int, columns: int) -> None:
        """The terminal is of another size now."""
        size = checked(Terminal(rows=rows, columns=columns))
        self._say(lambda running: running.resize(size.rows, size.columns))

    def _say(self, say: Callable[[Running], None]) -> None:
        if self._running is not None:
            say(self._running)
        elif not self._over:
            self._early.append(say)
