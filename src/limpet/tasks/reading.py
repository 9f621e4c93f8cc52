"""What a task printed so far -> the texts of a result, or a part of it as a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.engine.capture import Capture
from limpet.engine.stored import check, matching, tail_of
from limpet.errors import StoreError
from limpet.model.limits import Limits
from limpet.model.request import Request
from limpet.model.task import TaskOutput
from limpet.output import terminal
from limpet.output.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.engine.stored import View
    from limpet.output.shape import Shaped
    from limpet.tasks.folder import TaskFolder
    from limpet.tasks.record import Facts

_LONGEST_CHARACTER = 4


def so_far(folder: TaskFolder, facts: Facts) -> tuple[Shaped, tuple[int, int]]:
    """What a result shows of it, and how many bytes of each stream that is made from."""
    request = Request(
        id=facts.task_id, command=facts.command, workspace=facts.workspace, cwd=facts.cwd, timeout=None,
        limits=Limits(), window=facts.window,
    )  # fmt: skip
    capture = Capture(request, None, None)
    try:
        with folder.log().view() as view:
            for stream, data in view.read(0, None):
                capture.write(stream, data)
    except StoreError:
        pass
    return capture.shaped(Redactor() if facts.redact else None, clean=facts.clean), capture.sizes


def part(
    folder: TaskFolder, *, since: int, tail: int | None, grep: str | None, stream: str | None, over: bool
) -> TaskOutput:
    """Some of it, as text: the bytes from `since` on, of those the lines that match, of those the last ones."""
    check(since=since, tail=tail, stream=stream)
    try:
        view = folder.log().view()
    except StoreError:  # it never came so far
        return TaskOutput(text="", next_offset=0)
    with view:
        data = b"".join(data for _, data in _wanted(view, since, tail, grep, stream))
        end = view.end
        dropped = max(0, min(view.first, end) - since)
    if tail is not None:
        data = tail_of([data], tail)
    kept = len(data) if over or stream or grep else _whole_characters(data)
    facts = folder.facts()
    text = data[:kept].decode("utf-8", "replace")
    if facts is None or facts.clean:
        text = terminal.clean(text)
    if facts is None or facts.redact:
        text = Redactor().text(text)
    return TaskOutput(text=text, next_offset=end - (len(data) - kept), dropped_bytes=dropped)


def _wanted(
    view: View, since: int, tail: int | None, grep: str | None, stream: str | None
) -> Iterator[tuple[int, bytes]]:
    if grep is not None:
        found = matching(grep, (data for _, data in view.read(since, stream)))
        yield from ((0, line) for line in found)
    elif tail is not None:
        yield 0, tail_of(view.backwards(since, stream), tail)
    else:
        yield from view.read(since, stream)


def _whole_characters(data: bytes) -> int:
    """Where to cut so that a character whose rest is still to come is not torn; it comes with the next part."""
    for back in range(1, min(_LONGEST_CHARACTER, len(data) + 1)):
        byte = data[-back]
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(data) - back if needed > back else len(data)
        if byte < 0x80:
            break
    return len(data)
