"""Events -> lines of JSON, one each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from limpet.model.codec import to_json
from limpet.model.event import Output, Prepared

if TYPE_CHECKING:
    from limpet.model.event import Event


def line(event: Event) -> str:
    """One line, without its end: an object whose `type` names the event.

    Output carries text and its number of bytes. Of a plan's environment there are only names: values may be secret.
    """
    return to_json(_told(event))


def _told(event: Event) -> Event | dict[str, Any]:
    if isinstance(event, Output):
        return {
            "type": "output",
            "stream": event.stream,
            "text": event.text,
            "bytes": len(event.data),
            "skipped_bytes": event.skipped_bytes,
        }
    if isinstance(event, Prepared):
        told: dict[str, Any] = msgspec.to_builtins(event)
        told["plan"]["env"] = sorted(event.plan.env)
        return told
    return event
