"""Settings -> transactions. What they take is loaded with the first: few commands run in one."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from limpet.config import state_dir
from limpet.wiring.containing import native

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from limpet.config import Settings
    from limpet.model.request import Request
    from limpet.overlay.transactions import Guard
    from limpet.protocols import Transaction, Transactions
    from limpet.sandbox.choose import Chosen


class LateTransactions:
    """Those of one state directory."""

    def __init__(self, sandbox: Chosen, make: Callable[[], Transactions]) -> None:
        self._sandbox = sandbox
        self._made = functools.cache(make)

    def begin(self, request: Request) -> Transaction:
        """The one that the request names, or one of its own. Raises TransactionError."""
        return self._made().begin(request)

    def can_layer(self, request: Request) -> bool:
        """Whether it would run apart from the workspace."""
        return self._sandbox.can_layer(request)

    def open(self, request: Request) -> Transaction:
        """One that is settled by the caller. Raises TransactionError."""
        return self._made().open(request)


def transactions(settings: Settings, environ: Mapping[str, str], sandbox: Chosen) -> Transactions:
    """With layers where the sandbox can show them, else with copies."""
    return LateTransactions(sandbox, lambda: _transactions(settings, environ, sandbox))


def _transactions(settings: Settings, environ: Mapping[str, str], sandbox: Chosen) -> Transactions:
    from limpet.overlay.copies import Scope  # noqa: PLC0415 - see above
    from limpet.overlay.transactions import Means, Transactions  # noqa: PLC0415 - see above

    kept = settings.transaction
    scope = Scope(never=kept.skip, most_bytes=kept.copy_bytes)
    return Transactions(Means(state_dir(environ), _guard(settings, environ), sandbox.can_layer, scope))


def _guard(settings: Settings, environ: Mapping[str, str]) -> Guard:
    """Made when something is first committed."""
    held = functools.cache(lambda: native(settings, environ))
    return lambda request: held().guard(request)
