"""What two readers of a script must agree on, as nested tuples: the form, and how its pieces are joined."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from oracle.outside import to_bytes, to_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Form = tuple[Any, ...]
"""A kind, then whatever belongs to it: strings, numbers, truths, None and more forms."""

DECLARING = frozenset({"declare", "typeset", "local", "export", "readonly"})
LOOSE = DECLARING | {"let"}
"""Commands whose words the other reader takes apart further: of their words the places and expansions are compared."""


def literal(text: str, *, quoted: bool) -> Form:
    """Text in a word."""
    return ("text", text, quoted)


def joined(parts: Iterable[Form]) -> Form:
    """Parts of a word, with texts that follow each other made one."""
    out: list[Form] = []
    for part in parts:
        if part[0] != "text":
            out.append(part)
        elif out and out[-1][0] == "text" and out[-1][2] == part[2]:
            # Two bytes may spell a character that neither spelled alone.
            out[-1] = ("text", to_text(to_bytes(out[-1][1] + part[1])), part[2])
        elif part[1] or part[2]:
            out.append(part)
    return tuple(out)


def kept(operands: list[Form]) -> Form:
    """Operands without the last when it is empty: `${a/b/}` is `${a/b}`."""
    return tuple(operands[:-1] if len(operands) > 1 and not operands[-1] else operands)


def expansions(parts: Iterable[Form]) -> Form:
    """What is left of a word when its text is left out."""
    return tuple(part for part in parts if part[0] != "text")


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two forms are the same; of parts that they did not look into, only the place counts."""
    if ours == theirs:
        return True
    if not isinstance(ours, tuple) or not isinstance(theirs, tuple):
        return False
    return ("unread",) in theirs or (len(ours) == len(theirs) and all(map(agree, ours, theirs)))


def found_heredocs(form: Any) -> list[Form]:
    """The heredocs in a form, wherever they stand."""
    if not isinstance(form, tuple):
        return []
    own = [form] if form[:1] == ("redirect",) and form[1] in {"<<", "<<-"} else []
    return own + [found for one in form for found in found_heredocs(one)]


def lines(form: Any, depth: int = 0) -> Iterator[str]:
    """A form, one line for each piece, to be shown."""
    if not isinstance(form, tuple) or all(not isinstance(one, tuple) for one in form):
        yield "  " * depth + repr(form)
        return
    yield "  " * depth + "("
    for one in form:
        yield from lines(one, depth + 1)


def difference(ours: Form, theirs: Form, limit: int = 12) -> str:
    """Where two forms part: ours with `-`, theirs with `+`."""
    if ours == theirs:
        return ""
    first, second = _narrow(ours, theirs)
    diff = difflib.unified_diff(list(lines(first)), list(lines(second)), "ours", "theirs", lineterm="", n=1)
    shown = list(diff)[2:]
    more = [f"… {len(shown) - limit} more lines"] if len(shown) > limit else []
    return "\n".join([*shown[:limit], *more])


def _narrow(ours: Any, theirs: Any) -> tuple[Any, Any]:
    """The smallest pieces that differ: comparing all of a long script line by line takes very long."""
    while isinstance(ours, tuple) and isinstance(theirs, tuple) and len(ours) == len(theirs):
        pairs = [(a, b) for a, b in zip(ours, theirs, strict=True) if a != b]
        if len(pairs) != 1 or not isinstance(pairs[0][0], tuple) or not isinstance(pairs[0][1], tuple):
            break
        ours, theirs = pairs[0]
    return (ours, theirs)
