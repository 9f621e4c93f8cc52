"""A script -> whether bash accepts it, and how bash prints what it read. Nothing of the script is run."""

from __future__ import annotations

import functools
import re

import msgspec

from oracle.outside import Said, ask

_ADDED_NAME = re.compile(r"\bcoproc COPROC ")
"""bash prints `coproc a b` as `coproc COPROC a b`, which it would itself read as the command `COPROC a b`."""

_MARKED = re.compile("\x01([\x01\x7f])")
"""bash marks these two characters for its own use, and prints the marks with them."""
_MARK = ": a-mark-between-texts"
_AFTER = re.compile(rf"^{_MARK} ([0-9]+)$\n?", re.MULTILINE)


class Reading(msgspec.Struct, frozen=True):
    """What bash made of a script."""

    accepted: bool
    printed: str = ""
    """The script as bash prints it."""
    extended: bool = False
    """Only accepted with `extglob` on: `bash -n` does not see the `shopt` that turns it on."""
    complaint: str = ""
    """What bash wrote to standard error: an error, or a warning about a heredoc that the end of the text ended."""


def read(text: str) -> Reading:
    """The reading of a text."""
    plain = _printed(text, ())
    if plain.accepted or not _may_be_extended(text):
        return plain
    extended = _printed(text, ("-O", "extglob"))
    return msgspec.structs.replace(extended, extended=True) if extended.accepted else plain


def read_many(texts: list[str]) -> list[Reading]:
    """The readings of many texts, from few processes: where one is refused, or runs into the next, they are halved."""
    if len(texts) <= 1:
        return [read(text) for text in texts]
    together = "".join(f"{text}\n{_MARK} {number}\n" for number, text in enumerate(texts))
    said = _printed(together, ())
    pieces = _AFTER.split(said.printed)
    if said.accepted and not said.complaint and pieces[1:-1:2] == [str(n) for n in range(len(texts))]:
        return [Reading(accepted=True, printed=piece) for piece in pieces[:-1:2]]
    half = len(texts) // 2
    return [*read_many(texts[:half]), *read_many(texts[half:])]


@functools.lru_cache(4096)
def stable(printed: str, *, extended: bool = False) -> bool:
    """Whether bash reads what it printed as what it printed; where it does not, its printing proves nothing."""
    again = _printed(printed, ("-O", "extglob") if extended else ())
    return again.accepted and again.printed.rstrip("\n") == printed.rstrip("\n")


def _printed(text: str, options: tuple[str, ...]) -> Reading:
    said = ask(("bash", "--pretty-print", *options, "/dev/stdin"), text)
    return Reading(said.status == 0, printed=_undone(said.out), complaint=_error(said))


def _undone(printed: str) -> str:
    return _MARKED.sub(r"\1", _ADDED_NAME.sub("coproc ", printed))


def _error(said: Said) -> str:
    return "too slow" if said.status is None else said.error


def _may_be_extended(text: str) -> bool:
    return re.search(r"[?*+@!]\(", text) is not None
