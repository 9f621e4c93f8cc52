"""Where a holder begins: what takes long is started first, then it waits for its errand."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.process.detached import taken
from limpet.process.shared import keepers

if TYPE_CHECKING:
    import socket


def main(sock: socket.socket) -> None:
    """Hold what is handed over: runs that are waited for, one after the other, until one goes on as a task."""
    with contextlib.suppress(LaunchError):  # the run itself says why
        keepers().start()  # it gets ready while the rest is imported
    from limpet.tasks import holder  # noqa: PLC0415 - as above

    kept = holder.Kept()
    while (errand := taken(sock)) is not None and holder.hold(sock, *errand, kept):
        sock.settimeout(None)
