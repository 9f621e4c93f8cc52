"""How a command ended -> whether what it changed is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from limpet.errors import InvalidRequestError
from limpet.model.ended import Ending
from limpet.model.transaction import FAILED, Codes, Transacted

if TYPE_CHECKING:
    from limpet.model.ended import Ended
    from limpet.model.options import Options

_LAST = 255


def transacted(options: Options) -> Transacted | None:
    """What was asked for. Raises InvalidRequestError."""
    wanted = options.transaction
    if wanted is not None and not isinstance(wanted, bool):
        _refuse("transaction", f"transaction must be True or False, not {wanted!r}")
    codes = FAILED if options.rollback_on is None else _codes(options.rollback_on)
    if wanted is False and options.rollback_on is not None:
        _refuse("rollback_on", "rollback_on is for a transaction, and transaction is False")
    return Transacted(rollback_on=codes) if wanted or options.rollback_on is not None else None


def why_dropped(ended: Ended, codes: Codes) -> str:
    """In words; empty when it is kept."""
    if ended.ending is Ending.TIMEOUT:
        return "it timed out"
    if ended.ending is Ending.STOPPED:
        return "it was cancelled"
    if ended.exit_code is None:
        return "it did not exit by itself"
    return f"it exited with {ended.exit_code}" if any(a <= ended.exit_code <= b for a, b in codes) else ""


def _refuse(field: str, message: str) -> NoReturn:
    raise InvalidRequestError(message, field=field)


def _codes(wanted: object) -> Codes:
    if wanted == "nonzero":
        return ((1, _LAST),)
    parts = wanted.split(",") if isinstance(wanted, str) else wanted
    if isinstance(parts, (bytes, int)) or not hasattr(parts, "__iter__"):
        _refuse("rollback_on", f"rollback_on must be `nonzero`, exit codes such as '2-255', or numbers, not {wanted!r}")
    return tuple(_range(part) for part in parts)


def _range(part: object) -> tuple[int, int]:
    first, dash, last = str(part).strip().partition("-")
    if isinstance(part, bool) or not (first.isdecimal() and (last.isdecimal() or not dash)):
        _refuse(
            "rollback_on", f"rollback_on: {part!r} is neither an exit code nor a range such as 2-255, nor `nonzero`"
        )
    low, high = int(first), int(last if dash else first)
    if not low <= high <= _LAST:
        _refuse("rollback_on", f"rollback_on: {part!r}: exit codes go from 0 to {_LAST}, the lower one first")
    return low, high
