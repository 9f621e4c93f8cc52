"""A script -> what we, bash and shfmt each make of it, and where two of them part."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

import msgspec

from limpet.syntax.parser import parse
from oracle import bash, blanks, heredocs, quirks, shfmt, theirs
from oracle.form import Form, agree, difference, found_heredocs
from oracle.ours import Former
from oracle.outside import to_bytes, to_text
from oracle.printing import settled

if TYPE_CHECKING:
    from limpet.syntax.tree import Tree

WITH_PLACES = Former(places=True)
WITHOUT_PLACES = Former(places=False)


class Kind(enum.Enum):
    """How an input fared."""

    SAME = "the same"
    OPAQUE = "opaque"
    REFUSED = "refused by bash, and noticed"
    MISSED = "refused by bash, and not noticed"
    DIFFERENT = "different"
    UNPROVEN = "unproven: bash does not read what it prints as what it read"


class Outcome(msgspec.Struct, frozen=True):
    """How an input fared with one witness, and why."""

    kind: Kind
    detail: str = ""


def with_bash(text: str, reading: bash.Reading) -> Outcome:
    """Our reading of the script, and our reading of the script as bash printed it, must have the same form."""
    tree = parse(text, extglob=reading.extended)
    if not reading.accepted:
        return Outcome(Kind.REFUSED if tree.opaque else Kind.MISSED, reading.complaint)
    if tree.opaque:
        return Outcome(Kind.OPAQUE, tree.opaque[0].reason)
    if _file_only(text):
        return Outcome(Kind.UNPROVEN, "ends in a backslash")
    again = parse(reading.printed, extglob=reading.extended)
    ours, printed = _settled(tree), _settled(again)
    if ours == printed and not again.opaque:
        return Outcome(Kind.SAME)
    if found_heredocs(ours) == found_heredocs(printed) and _same_without_heredocs(text, tree):
        return Outcome(Kind.SAME, "but for its heredocs")
    if bash.stable(reading.printed, extended=reading.extended):
        return Outcome(Kind.DIFFERENT, difference(ours, printed) or again.opaque[0].reason)
    return Outcome(Kind.UNPROVEN, difference(ours, printed))


def closely_with_bash(text: str, reading: bash.Reading) -> Outcome:
    """The same, and the words must end where bash's do; this takes another process."""
    outcome = with_bash(text, reading)
    if outcome.kind is not Kind.SAME:
        return outcome
    detail = blanks.misjudged(text, parse(text, extglob=reading.extended), reading)
    return Outcome(Kind.DIFFERENT, detail) if detail else outcome


def _same_without_heredocs(text: str, tree: Tree) -> bool:
    """Whether all is well when each heredoc is made a `<<<`: after one, bash forgets to print a semicolon."""
    plain = heredocs.replaced(text, tree)
    return plain != text and with_bash(plain, bash.read(plain)).kind is Kind.SAME


def _file_only(text: str) -> bool:
    """A backslash at the very end is dropped from a file, and kept by `bash -c`, which is what we run."""
    return (len(text) - len(text.rstrip("\\"))) % 2 == 1


def _settled(tree: Tree) -> Form:
    form: Form = settled(WITHOUT_PLACES.script(tree.body))
    return form


def with_shfmt(text: str, reading: bash.Reading, read: shfmt.Read) -> Outcome:
    """Our reading and shfmt's must have the same form; where they part, a named quirk of shfmt's may explain it."""
    tree = parse(text, extglob=reading.extended)
    if tree.opaque:
        return Outcome(Kind.OPAQUE, tree.opaque[0].reason)
    if read.tree is None:
        return Outcome(Kind.UNPROVEN, quirks.of_complaint(read.complaint) or f"unnamed: {read.complaint}")
    ours, other = WITH_PLACES.script(tree.body), theirs.script(read.tree.get("Stmts"))
    if agree(ours, other):
        return Outcome(Kind.SAME)
    names = {quirks.of_text(piece) for piece in _parting(text, tree, ours, other)}
    if "" not in names and with_bash(text, reading).kind in {Kind.SAME, Kind.UNPROVEN}:
        return Outcome(Kind.UNPROVEN, ", ".join(sorted(names)))
    return Outcome(Kind.DIFFERENT, difference(ours, other))


def _parting(text: str, tree: Tree, ours: Form, other: Form) -> list[str]:
    """The text of each command that the two read in another way; of everything, if they do not count the same."""
    if len(ours) != len(other):
        return [text]
    data = to_bytes(text)
    starts = [node.start for node in tree.body.commands]
    spans = zip(starts, [*starts[1:], len(data)], strict=True)  # with the heredocs behind it
    parting = [not agree(first, second) for first, second in zip(ours[1:], other[1:], strict=True)]
    return [to_text(data[start:end]) for (start, end), parts in zip(spans, parting, strict=True) if parts]
