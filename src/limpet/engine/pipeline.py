"""The one road: a request in, a complete answer out.

admit      before this: defaults, ranges, cwd, environment
judge      the verdict, with reasons                                      Decided
gate       allow: on; deny: stop; ask: approver                           Asked, Answered
plan       what we want -> exactly what will be executed                  Prepared
launch     hand it to a keeper                                            Started
pump       output -> stored file, memory, listeners                       Output
stop       always: nothing of it is alive when this returns
settle     a transaction of its own: kept or dropped                      Committed, RolledBack
shape      decode, clean, redact, window
finish     the result, recorded                                           Finished
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

import msgspec

from limpet.engine import gate, results
from limpet.engine.capture import Capture
from limpet.engine.patience import to_the_end
from limpet.engine.rollback import why_dropped
from limpet.engine.settle import Settled, conclude
from limpet.engine.stopper import Stopper
from limpet.errors import AuditError, TransactionError, limpetError
from limpet.model.decision import Verdict
from limpet.model.event import Answered, Decided, Event, Finished, Prepared
from limpet.model.result import Outcome, Result
from limpet.model.transaction import Transacted
from limpet.output.blank import Blanker
from limpet.protocols import EffectsApprover

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from limpet.engine.cancel import CancelToken
    from limpet.engine.feed import Feed
    from limpet.engine.handle import Handle
    from limpet.engine.parts import Parts
    from limpet.engine.storing import StoredOutput
    from limpet.model.change import Changes
    from limpet.model.decision import Decision
    from limpet.model.ended import Ended
    from limpet.model.plan import Plan
    from limpet.model.request import Request
    from limpet.output.redact import Redactor
    from limpet.output.sift.choose import Patterns
    from limpet.protocols import Planned, Transaction

T = TypeVar("T")


async def execute(
    request: Request, parts: Parts, *, cancel: CancelToken, feed: Feed | None = None, handle: Handle | None = None
) -> Result:
    """Walk the road. Whatever happens, what was started is gone when this returns or raises.

    `handle`: somebody is there to answer a command that waits for input.
    """
    road = _Road(request, parts, feed, Stopper(), handle)
    return await _guarded(road, road.walk, cancel)


async def clear(request: Request, parts: Parts, *, cancel: CancelToken) -> Result | Decision:
    """Walk as far as the gate, for somebody else to go on from there: the decision, or the result that it ended in."""
    road = _Road(request, parts, None, Stopper(), None)
    return await _guarded(road, road.pass_gate, cancel)


async def _guarded(road: _Road, walk: Callable[[], Awaitable[T]], cancel: CancelToken) -> T | Result:
    """However the walk ends, that is recorded."""
    if cancel.cancelled and (called_off := await road.give_up(Outcome.CANCELLED, "cancelled before it started")):
        return called_off
    stopper = road.stopper
    cancel.add_listener(stopper)
    try:
        return await walk()
    except limpetError as error:
        await road.give_up(Outcome.NOT_STARTED, str(error))
        raise
    except asyncio.CancelledError:
        result = await to_the_end(road.give_up(Outcome.CANCELLED, "cancelled before it started"))
        if result is not None and stopper.took_back_its_cancel():
            return result
        raise
    finally:
        cancel.remove_listener(stopper)
        stopper.retire()


class _Road:
    """One request under way."""

    def __init__(
        self, request: Request, parts: Parts, feed: Feed | None, stopper: Stopper, handle: Handle | None
    ) -> None:
        self._handle = handle
        self._request = request
        self._parts = parts
        self._feed = feed
        self.stopper = stopper
        self._decision: Decision | None = None
        self._over = False
        self._trouble = ""
        self._unprotected = ""
        self._afterwards: EffectsApprover | None = None
        self._called_off: asyncio.CancelledError | None = None

    async def pass_gate(self, *, can_wait: bool = False) -> Decision | Result:
        """The decision when it may run; else how it ended. `can_wait`: a question may be answered when it has run."""
        self._decision = decision = self._parts.judge(self._request)
        await self._emit(Decided(request=self._request, decision=decision))
        if can_wait and decision.verdict is Verdict.ASK and self._runs_first():
            return decision
        if decision.verdict is not Verdict.ALLOW:
            refused = await gate.refusal(self._request, decision, self._parts.approver, self._emit)
            if refused is not None:
                return await self._finish(results.refused(self._request, decision, refused))
        return decision

    def _runs_first(self) -> bool:
        """Whether whoever is to be asked wants to see what it does: then it runs apart, and without the network."""
        approver, request = self._parts.approver, self._request
        if not isinstance(approver, EffectsApprover) or request.transaction is not None:
            return False
        alone = msgspec.structs.replace(request, transaction=Transacted(), network=False)
        if not self._parts.transactions.can_layer(alone):
            return False
        self._request, self._afterwards = alone, approver
        return True

    async def walk(self) -> Result:
        """All the way."""
        decision = await self.pass_gate(can_wait=True)
        if isinstance(decision, Result):
            return decision
        transaction = None if self._request.transaction is None else self._begin(self._request.transaction)
        try:
            planned = self._parts.sandbox.plan(self._request, announce=self._feed is not None)
            await self._parts.queue.enter(self._parts.settings.run.parallel)
            try:
                return await self._run(decision, planned, transaction)
            finally:
                self._parts.queue.leave()
        finally:
            if transaction is not None and transaction.is_its_own:
                transaction.drop()

    async def _settle(self, transaction: Transaction, decision: Decision, ended: Ended) -> Settled:
        """Look at what it changed; where that is not the caller's to settle, keep it or drop it."""
        found = await to_the_end(asyncio.to_thread(transaction.changes))
        codes = self._request.transaction.rollback_on if self._request.transaction is not None else ()
        why = why_dropped(ended, codes)
        if self._afterwards is not None and found.changes and not why:
            why = await self._objection(self._afterwards, decision, found)
        return await to_the_end(conclude(transaction, self._request, found, why))

    async def _objection(self, approver: EffectsApprover, decision: Decision, found: Changes) -> str:
        """What whoever is asked afterwards has against it; nothing is kept of what was called off meanwhile."""
        self.stopper.let_go()
        try:
            answer = await approver.afterwards(self._request, decision, found)
        except asyncio.CancelledError as error:
            self._called_off = None if self.stopper.took_back_its_cancel() else error
            return "it was cancelled"
        finally:
            self.stopper.retire()
        by = gate.name_of(approver)
        await self._emit(Answered(request=self._request, approved=answer.approved, by=by))
        return "" if answer.approved else f"not approved{f': {answer.reason}' if answer.reason else ''}"

    def _begin(self, wanted: Transacted) -> Transaction | None:
        """The transaction that it is to run in; None where it may do without."""
        try:
            transaction = self._parts.transactions.begin(self._request)
        except TransactionError as error:
            if self._afterwards or self._parts.settings.transaction.required or wanted.name:
                raise
            self._request = msgspec.structs.replace(self._request, transaction=None)
            self._unprotected = f"it ran in no transaction: {error}"
            return None
        self._request = msgspec.structs.replace(self._request, layer=transaction.layer)
        return transaction

    async def give_up(self, outcome: Outcome, error: str) -> Result | None:
        """Record that nothing was started, unless an end was recorded already."""
        if self._over:
            return None
        return await self._finish(results.not_started(self._request, self._decision, outcome, error))

    async def _run(self, decision: Decision, planned: Planned, transaction: Transaction | None) -> Result:
        await self._emit(Prepared(request=self._request, decision=decision, plan=planned.plan))
        redactor = self._parts.redactor(self._request)
        stored = self._store(redactor) if self._request.capture_output else None
        capture = Capture(self._request, stored, self._feed, self._noise(decision), redactor)
        try:
            if transaction is None:
                ended, cancelled = await self._carry_out(planned.plan, capture)
            else:
                with transaction.running():
                    ended, cancelled = await self._carry_out(planned.plan, capture)
            capture.finish()
        finally:
            if stored is not None:
                stored.finish()
        self._trouble = "; ".join(filter(None, (self._unprotected, *planned.settle())))
        settled = await self._settle(transaction, decision, ended) if transaction is not None else None
        shaped = capture.shaped(redactor, clean=self._parts.settings.output.clean)
        result = results.finished(self._request, decision, planned, ended, capture, shaped)
        if settled is not None:
            result = settled.told(result)
            if settled.event is not None:
                await self._emit(settled.event)
        if stored is not None and stored.trouble:
            result = _noted(result, stored.trouble)
        result = await self._finish(result)
        if cancelled := cancelled or self._called_off:
            raise cancelled
        return result

    def _noise(self, decision: Decision) -> Patterns | None:
        """The lines of these commands that tell of progress only, where those are not to be shown."""
        if not self._parts.settings.output.filter:
            return None
        from limpet.output.sift.choose import patterns_for  # noqa: PLC0415 - only where it was asked for

        return patterns_for(decision.commands)

    def _store(self, redactor: Redactor | None) -> StoredOutput:
        disk = self._request.limits.output_disk
        limit = self._parts.settings.output.disk if disk is None else disk
        return self._parts.store.open(self._request.id, limit, Blanker(redactor.mask_spans) if redactor else None)

    async def _carry_out(self, plan: Plan, capture: Capture) -> tuple[Ended, asyncio.CancelledError | None]:
        """To the end. A cancelled caller gets its CancelledError when nothing is alive any more."""
        running = await self._parts.launcher.launch(plan)
        self.stopper.watch(running)
        if self._handle is None:
            capture.nobody_answers = running.stop
        else:
            self._handle.attach(running)
        try:
            return await running.finish(capture), None
        except asyncio.CancelledError as error:
            running.stop()
            # Cancelled again while it ends: then without grace.
            return await to_the_end(running.finish(capture), again=lambda: running.stop(now=True)), error
        finally:
            if self._handle is not None:
                self._handle.detach()
            running.close()

    async def _finish(self, result: Result) -> Result:
        self._over = True
        self.stopper.retire()  # the answer is decided: nothing is left to call off
        try:
            await self._parts.recorder.record(Finished(request=self._request, result=result))
        except AuditError as error:
            self._note(error)
        if self._trouble:
            result = _noted(result, self._trouble)
        if self._feed is not None:
            self._feed.put(Finished(request=self._request, result=result))
        return result

    async def _emit(self, event: Event) -> None:
        """What cannot be recorded does not start."""
        try:
            await self._parts.recorder.record(event)
        except AuditError as error:
            if self._parts.settings.audit.required:
                raise
            self._note(error)
        if self._feed is not None:
            self._feed.put(event)

    def _note(self, error: AuditError) -> None:
        """What has happened is answered all the same."""
        self._trouble = "; ".join(part for part in (self._trouble, f"not recorded: {error}") if part)


def _noted(result: Result, note: str) -> Result:
    return msgspec.structs.replace(result, error="; ".join(part for part in (result.error, note) if part))
