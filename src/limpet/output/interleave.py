"""Pieces of two streams in the order they were read -> one text in which no line is torn and stderr is marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.output.decode import Decoder, torn_start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from limpet.output.keep_both import Segment

STDERR_MARK = "stderr: "
"""Stands before each line of stderr where both streams are shown together."""

_STDERR = 2
_LONGEST_TORN = 3


class Pieces(msgspec.Struct, frozen=True, kw_only=True):
    """Decoded text, each piece with the stream it is from."""

    pieces: tuple[tuple[int, str], ...]
    chars: int


def decode_segments(segments: Iterable[Segment], *, starts: bool, ends: bool) -> Pieces:
    """Decode each stream by itself. Without `starts` or `ends`, what is torn at that end of a stream is left out."""
    decoders = {1: Decoder(), 2: Decoder()}
    torn = dict.fromkeys(decoders, 0 if starts else _LONGEST_TORN)
    pieces = []
    for stream, data in segments:
        skip = min(torn_start(data), torn[stream])
        torn[stream] = torn[stream] - skip if skip == len(data) else 0
        pieces.append((stream, decoders[stream].feed(data[skip:])))
    if ends:
        pieces += [(stream, decoder.feed(b"", final=True)) for stream, decoder in decoders.items()]
    return Pieces(pieces=tuple(pieces), chars=sum(len(text) for _, text in pieces))


def interleaved(pieces: Iterable[tuple[int, str]], refine: Callable[[str], str]) -> str:
    """Whole lines in the order in which they began; `refine` sees each stream's own text, before marks."""
    lines = _Lines()
    for stream, text in pieces:
        lines.add(stream, text)
    refined = ((stream, refine(text)) for stream, text in lines.groups())
    shown = [_marked(stream, text) for stream, text in refined if text]
    return "".join([text if text.endswith("\n") else text + "\n" for text in shown[:-1]] + shown[-1:])


class _Lines:
    """Text in slots; a stream's unfinished line stays open until its rest comes, whatever the other one prints."""

    def __init__(self) -> None:
        self._slots: list[tuple[int, list[str]]] = []
        self._open: dict[int, list[str]] = {}

    def add(self, stream: int, text: str) -> None:
        if not text:
            return
        line = self._open.pop(stream, None)
        if line is not None and line is not self._slots[-1][1]:
            end = text.find("\n") + 1 or len(text)
            line.append(text[:end])
            text, line = text[end:], line if not line[-1].endswith("\n") else None
        if text:
            line = self._slot(stream)
            line.append(text)
        if line is not None and not line[-1].endswith("\n"):
            self._open[stream] = line

    def groups(self) -> list[tuple[int, str]]:
        return [(stream, "".join(parts)) for stream, parts in self._slots]

    def _slot(self, stream: int) -> list[str]:
        if not self._slots or self._slots[-1][0] != stream:
            self._slots.append((stream, []))
        return self._slots[-1][1]


def _marked(stream: int, text: str) -> str:
    if stream != _STDERR:
        return text
    ended = text.endswith("\n")
    marked = STDERR_MARK + text[: len(text) - ended].replace("\n", "\n" + STDERR_MARK)
    return marked + "\n" * ended
