"""A task -> a line to its command: what is said there, the command reads."""

from __future__ import annotations

import socket
import time
from typing import TYPE_CHECKING, Self

from limpet.errors import InvalidRequestError, LaunchError
from limpet.model.keys import sent, typed
from limpet.model.terminal import Terminal, checked
from limpet.tasks import control

if TYPE_CHECKING:
    from types import TracebackType

    from limpet.tasks.folder import TaskFolder
    from limpet.tasks.record import Standing

_PATIENCE = 10.0
_LOOK_EVERY = 0.02


class Line:
    """Open for as long as the block runs. Every call waits for a moment, until the holder has taken what was said."""

    def __init__(self, folder: TaskFolder) -> None:
        self._folder = folder
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.settimeout(_PATIENCE)

    def __enter__(self) -> Self:
        """Raises InvalidRequestError when the task is over or takes no input, LaunchError when nobody answers."""
        try:
            standing = self._standing()
            if not standing.key:
                raise InvalidRequestError(_NO_INPUT.format(id=self._folder.id), field="task")
            try:
                with control.short_path(self._folder.path) as path:
                    self._socket.connect(path)
            except OSError as error:
                raise self._trouble(error) from error
            self._say(control.KEY + standing.key.encode())
        except BaseException:
            self._socket.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def send(self, text: str | bytes) -> None:
        """Have the command read this."""
        data = sent(text)
        for at in range(0, len(data), control.MOST_AT_ONCE):
            self._say(control.SEND + data[at : at + control.MOST_AT_ONCE])

    def send_keys(self, *keys: str) -> None:
        """Press keys of its terminal, by name."""
        self.send(typed(*keys))

    def close_input(self) -> None:
        """Nothing more will be sent."""
        self._say(control.END)

    def resize(self, rows: int, columns: int) -> None:
        """Its terminal is of another size now."""
        size = checked(Terminal(rows=rows, columns=columns))
        self._say(control.SIZE + control.SIZES.pack(size.rows, size.columns))

    def _standing(self) -> Standing:
        """Of one that has just been started, as soon as it has a holder."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            ended, standing = self._folder.over()
            if ended is not None:
                over = f"task {self._folder.id} is over ({ended.state.value}): nothing is left that could read"
                raise InvalidRequestError(over, field="task")
            if standing is not None:
                return standing
            time.sleep(_LOOK_EVERY)
        raise LaunchError(f"task {self._folder.id} has not started yet, and nobody says why; try again")

    def _say(self, packet: bytes) -> None:
        try:
            self._socket.send(packet)
            answer = self._socket.recv(control.MOST_AT_ONCE)
        except OSError as error:
            raise self._trouble(error) from error
        if not answer:
            raise self._trouble(None)
        if answer[:1] != control.DONE:
            raise InvalidRequestError(f"task {self._folder.id}: {answer[1:].decode('utf-8', 'replace')}", field="task")

    def _trouble(self, error: OSError | None) -> LaunchError | InvalidRequestError:
        if self._folder.over()[0] is not None:
            return InvalidRequestError(f"task {self._folder.id} has just ended", field="task")
        why = "it does not answer" if error is None or isinstance(error, TimeoutError) else error.strerror
        return LaunchError(f"the holder of task {self._folder.id} cannot be reached: {why}")


_NO_INPUT = (
    "task {id} takes no input: only one that was started with stdin=limpet.OPEN or a terminal does "
    "(limpet start --stdin, limpet start --terminal)"
)
