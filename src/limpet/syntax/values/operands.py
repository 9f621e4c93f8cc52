"""The pattern or replacement inside `${x#…}` and `${x/…/…}` -> a matcher or a text, where bash's reading is certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.tree import Literal, Part, Word
from limpet.syntax.values.match import Matcher, compile_runs
from limpet.syntax.values.runs import Run, flatten
from limpet.syntax.values.tilde import Tildes

if TYPE_CHECKING:
    from limpet.syntax.values.reader import Reader

_SPECIAL = late(r"[*?\[\]\\+@!~#%]")
_ANCHORS = ("#", "%")


def read_pattern(word: Word, reader: Reader, *, quoted: bool, anchors: bool = False) -> Matcher | None:
    """The matcher of a pattern; with `anchors`, a value that begins with a character that anchors is not followed."""
    bared = _bare(word) if quoted else word
    if bared is None or _starts_with_tilde(word) or not reader.scope.ordinary:
        reader.runs(word, Tildes.NOWHERE)  # for what it may assign
        return None
    runs = reader.runs(bared, Tildes.NOWHERE)
    matcher = compile_runs(runs, reader.scope.spend)
    first = next((run for run in runs if isinstance(run, Run) and run.piece), None)
    anchored = first is not None and not first.quoted and str(first.piece)[:1] in _ANCHORS
    return None if anchors and anchored else matcher


def read_replacement(word: Word, reader: Reader, *, quoted: bool) -> str | None:
    """The text to put in. An `&` that is not quoted stands for what was matched, in some versions of bash."""
    runs = reader.runs(word, Tildes.NOWHERE)
    risky = any(isinstance(run, Run) and not run.quoted and _has_reference(run.piece) for run in runs)
    literal = (part.text for part in word.parts if isinstance(part, Literal))
    if risky or _starts_with_tilde(word) or (quoted and any(map(_has_reference, literal))):
        return None
    return flatten(runs, reader.scope.separators).text


def _has_reference(piece: object) -> bool:
    return isinstance(piece, str) and ("&" in piece or "\\" in piece)


def _starts_with_tilde(word: Word) -> bool:
    first = word.parts[0] if word.parts else None
    return isinstance(first, Literal) and first.text.startswith("~")


def _bare(word: Word) -> Word | None:
    """A pattern keeps its meaning in double quotes: text as long as its span was not quoted by itself."""
    parts: list[Part] = []
    for part in word.parts:
        if isinstance(part, Literal) and part.quoted and _SPECIAL.search(part.text):
            if part.end - part.start != len(part.text.encode("utf-8", "surrogateescape")):
                return None
            parts.append(Literal(part.start, part.end, part.text))
        else:
            parts.append(part)
    return Word(word.start, word.end, tuple(parts))
