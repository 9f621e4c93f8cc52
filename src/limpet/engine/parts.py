"""What a run needs, chosen elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from limpet.config import Settings
from limpet.engine.store import Store
from limpet.model.request import Request
from limpet.output.redact import Redactor
from limpet.protocols import Approver, Judge, Launcher, Queue, Recorder, Sandbox, Transactions


class Parts(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of the road."""

    settings: Settings
    judge: Judge
    approver: Approver
    approvers: Callable[[str | Approver], Approver]
    """By name, for a command that has its own."""
    sandbox: Sandbox
    launcher: Launcher
    recorder: Recorder
    store: Store
    transactions: Transactions
    queue: Queue
    redactor: Callable[[Request], Redactor | None]
    """What blanks out secrets in the output of this request."""
    files: tuple[str, ...] = ()
    """The files of rules that the judge goes by."""
