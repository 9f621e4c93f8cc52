"""A judge and somebody else's permission check -> the stricter of the two."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.errors import InvalidRequestError
from limpet.model.decision import Decision, Reason, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.model.request import Request
    from limpet.protocols import Judge

ACTION = "tool:bash:"
_MESSAGES = {
    Verdict.ASK: "the permissions of the agent ask about it",
    Verdict.DENY: "the permissions of the agent deny it",
}


class WithPermission:
    """Also asks the permission system of the agent about `tool:bash:<command>`: it can only make things stricter."""

    def __init__(self, judge: Judge, permission: Callable[[str], Verdict | str]) -> None:
        self._judge = judge
        self._permission = permission

    def __call__(self, request: Request) -> Decision:
        """Nothing is asked about what is denied already."""
        decision = self._judge(request)
        if decision.verdict is Verdict.DENY:
            return decision
        verdict = self._verdict(ACTION + request.command)
        if verdict is Verdict.ALLOW:
            return decision
        reason = Reason(rule="permission", verdict=verdict, message=_MESSAGES[verdict])
        strictest = max(decision.verdict, verdict)
        return msgspec.structs.replace(decision, verdict=strictest, reasons=(reason, *decision.reasons))

    def _verdict(self, action: str) -> Verdict:
        said = self._permission(action)
        try:
            return Verdict(said)
        except ValueError:
            message = f"permission must answer allow, ask or deny, not {said!r}"
            raise InvalidRequestError(message, field="permission") from None
