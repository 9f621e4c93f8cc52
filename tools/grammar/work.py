"""A script -> how it and each of its commands fared."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

import msgspec

from oracle import bash, shfmt
from oracle.comparing import Kind, Outcome, closely_with_bash, with_bash, with_shfmt
from oracle.outside import to_bytes, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corpora import Script

MANY = 64
LONGEST = 2**19
"""Of longer texts shfmt writes trees that take too long to read."""


class Found(msgspec.Struct, frozen=True):
    """How one input fared."""

    corpus: str
    name: str
    text: str
    """Empty when there is nothing to show."""
    by_bash: Outcome
    by_shfmt: Outcome | None = None
    whole: bool = True
    """A whole file, not one of its commands."""


def examine(script: Script) -> list[Found]:
    """The script as it is, then each of its top-level commands on its own."""
    reading = bash.read(script.text)
    read = shfmt.read(script.text) if len(script.text) < LONGEST else shfmt.Read(None, "too long")
    by_shfmt = with_shfmt(script.text, reading, read) if reading.accepted else None
    whole = Found(script.corpus, script.name, script.text, closely_with_bash(script.text, reading), by_shfmt)
    return [_short(whole), *map(_short, _pieces(script, read))]


def _pieces(script: Script, read: shfmt.Read) -> Iterator[Found]:
    texts = _commands(script.text, read)
    if len(texts) < 2:  # of one command the script has already told
        return
    for at in range(0, len(texts), MANY):
        some = texts[at : at + MANY]
        for text, reading in zip(some, bash.read_many(some), strict=True):
            yield Found(script.corpus, script.name, text, with_bash(text, reading), whole=False)


def _commands(text: str, read: shfmt.Read) -> list[str]:
    """From the start of each command to that of the next: the heredocs in between belong to it."""
    if read.tree is None:
        return []
    data = to_bytes(text)
    starts = [one["Pos"]["Offset"] for one in read.tree.get("Stmts") or []]
    pieces = (data[start:end] for start, end in itertools.pairwise([*starts, len(data)]))
    # Without a line of its own, but with the line end after a last backslash.
    return list(dict.fromkeys(re.sub(r"(?<!\\)[ \t\n]+\Z", "", to_text(piece)) for piece in pieces))


def _short(found: Found) -> Found:
    """Without the text where all is well: it has to travel between processes."""
    telling = {Kind.DIFFERENT, Kind.MISSED, Kind.OPAQUE, Kind.UNPROVEN}
    if found.by_bash.kind in telling or (found.by_shfmt and found.by_shfmt.kind is Kind.DIFFERENT):
        return found
    return msgspec.structs.replace(found, text="")
