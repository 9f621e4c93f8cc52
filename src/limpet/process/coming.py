"""A shell that a keeper is starting at this moment -> waited for: that is quicker than to start another."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from limpet.errors import LaunchError
from limpet.process.expected import ahead

if TYPE_CHECKING:
    from limpet.model.plan import Plan
    from limpet.process.expected import Expected
    from limpet.process.keepers import Keepers
    from limpet.process.prepared import Prepared, ReadyKey
    from limpet.process.ready import ReadyShells

_PATIENCE = 0.5
"""Seconds. A keeper that needs longer has been stopped, or has no processor: a new one may do better."""
_LATER = 0.03
"""Seconds: the commands at hand go first, and most of them come alone."""


async def awaited(ready: ReadyShells, plan: Plan, key: ReadyKey) -> Prepared | None:
    """The next shell to come for plans with this key; None when none will."""
    expected = ready.next_to_come(key)
    if expected is None:
        return None
    expected.hurry()
    try:
        return await _arrival(expected, plan)
    except OSError:  # that it takes too long is one
        expected.let_go()
        return None
    except asyncio.CancelledError:
        ready.put_back(expected)
        raise


def start_another_later(ready: ReadyShells, keepers: Keepers, plan: Plan, key: ReadyKey) -> None:
    """One more shell for plans with this key: they were scarce, or a keeper has served long enough."""
    asyncio.get_running_loop().call_later(_LATER, _start_another, ready, keepers, plan, key)


def _start_another(ready: ReadyShells, keepers: Keepers, plan: Plan, key: ReadyKey) -> None:
    """If there are not enough, and none is on its way that is new. That it cannot be started is no harm."""
    promise = ready.one_more(plan, key)
    if promise is None:
        return
    try:
        expected = ahead(plan, key, keepers)
    except (OSError, LaunchError):
        ready.break_promise(promise)
    else:
        ready.expect(expected, promise)


async def _arrival(expected: Expected, plan: Plan) -> Prepared:
    loop = asyncio.get_running_loop()
    until = loop.time() + _PATIENCE
    while True:
        heard: asyncio.Future[None] = loop.create_future()
        too_long = loop.call_at(until, _settle, heard, TimeoutError("it does not come"))
        loop.add_reader(expected.held.sock, _settle, heard)
        try:
            await heard
        finally:
            loop.remove_reader(expected.held.sock)
            too_long.cancel()
        shell = expected.arrived(plan)
        if shell is not None:
            return shell


def _settle(future: asyncio.Future[None], error: OSError | None = None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)
