"""A rule's pattern -> whether a command matches it."""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache
from typing import TYPE_CHECKING

from limpet.syntax.late import late

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ANY = "**"
"""Any number of words, also of those that are not known before the command runs."""
REST = ":*"
"""Any number of words that are known."""
GAPS = (ANY, REST)
MOST_WORDS = 64
_SPELLED = late(r"Bash(?:\((.*)\))?", re.DOTALL)
_ODD = late(r"""["'\\$`;|&<>()\x00-\x08\x0a-\x1f\x7f]|\{[^{}]*,[^{}]*\}""")
_ASSIGNMENT = late(r"[A-Za-z_][A-Za-z0-9_]*=")
_MOST_OPTIONS = 16

Words = tuple[str | None, ...]
Pattern = tuple[str | tuple[str, ...], ...]
"""One entry a word: text with `*`, `?` and `[…]` as globs, or alternatives of it; or a gap: `**` or `:*`."""


class BadPatternError(ValueError):
    """A pattern that cannot match what its author means; says what to write instead."""


# --- reading --------------------------------------------------------------------------------------------------------


def parse_pattern(text: str, *, beginning: bool = False) -> Pattern:
    """`git push *`, `git push:*`, `curl`, and the spelling of others: `Bash(git push:*)`, `Bash(ls*)`, `Bash`.

    A word alone is a program with any arguments. With `beginning`, for rules that forbid, any words may follow, and
    options may stand anywhere behind what comes before them. Raises BadPatternError.
    """
    spelled = _SPELLED.fullmatch(text.strip())
    inner = text if spelled is None else spelled[1] if spelled[1] is not None else ANY
    words = _words(inner.strip(" \t"))
    # In that spelling a star reaches across words.
    crossing = spelled is not None and words[-1].endswith("*")
    words = [ANY if word == "*" and spelled is not None else word for word in words]
    if words[-1] not in GAPS and (crossing or (spelled is None and len(words) == 1)):
        words.append(REST)
    return check_pattern(_beginning(words, inner.endswith(REST)) if beginning else tuple(words))


def check_pattern(pattern: Pattern) -> Pattern:
    """The pattern, or BadPatternError when no command could match it."""
    if not pattern:
        raise BadPatternError("is empty; write the words of a command")
    if len(pattern) > MOST_WORDS:
        raise BadPatternError(f"has more than {MOST_WORDS} words; shorten it and let it end in *")
    for text in alternatives(pattern[0]):
        if _ASSIGNMENT.match(text):
            raise BadPatternError("begins with a variable, which is no word of a command; begin with its name")
    if any(text.startswith("~") for entry in pattern for text in alternatives(entry)):
        raise BadPatternError("has a ~, which is a whole path by the time rules are looked at; write */ instead of ~/")
    return pattern


def alternatives(entry: str | tuple[str, ...]) -> tuple[str, ...]:
    """The texts that an entry stands for."""
    return (entry,) if isinstance(entry, str) else entry


def is_open(entry: str | tuple[str, ...]) -> bool:
    """Whether an entry stands for words that it does not spell out."""
    return any(_is_glob(text) or text in GAPS for text in alternatives(entry))


def _words(text: str) -> list[str]:
    odd = _ODD.search(text)
    if odd is not None:
        raise BadPatternError(
            f"has {odd[0]!a}, but a pattern is the plain words of one command; for a word with blanks or such "
            "characters write argv = [...], for several commands a rule each"
        )
    if text.endswith((":*", " *")):
        text = f"{text[:-2]} {REST}"
    words = [word for word in re.split(r"[ \t]+", text) if word]
    if not words or words == [REST]:
        raise BadPatternError("is empty; write the words of a command")
    return [ANY] if words == ["*"] else words


def _beginning(words: list[str], colon: bool) -> Pattern:  # noqa: FBT001 - the last word ended in `:*`
    """Its program is known by the last part of its path, and whatever follows is matched, too."""
    fixed = words[:-1] if words[-1] in GAPS else words
    found: list[str | tuple[str, ...]] = []
    for word in fixed:
        if word.startswith("-") and found and found[-1] not in GAPS:
            found.append(ANY)
        found.append(word)
    if fixed and not is_open(fixed[0]):
        found[0] = fixed[0].rpartition("/")[2] or fixed[0]
    if colon and len(fixed) > 1:
        # `npm run test:*`: also the scripts `test:unit` and `test:all`, should that be meant.
        found[-1] = (fixed[-1], f"{fixed[-1]}:*")
    return (*found, ANY)


# --- matching -------------------------------------------------------------------------------------------------------


def matches(pattern: Pattern, words: Sequence[str | None]) -> bool:
    """Whether a command matches, whatever its unknown words are: only `**` may stand for those."""
    return _match(pattern, words, careful=False)


def allows(pattern: Pattern, words: Sequence[str | None]) -> bool:
    """The same for a rule that allows: a glob does not stand for a path with `..` in it."""
    return _match(pattern, words, careful=True)


def may_match(pattern: Pattern, words: Sequence[str | None]) -> bool:
    """Whether a command could match; a word that is not known could be any number of any words."""
    places = _past_gaps(pattern, {0})
    for word in words:
        if word is None:
            places = set(range(min(places), len(pattern) + 1))
        else:
            places = _past_gaps(pattern, set(_step(pattern, places, word)))
        if not places:
            return False
    return len(pattern) in places


def spellings(words: Words) -> Iterator[Words]:
    """A command in the ways in which a rule that forbids may know it.

    By the name of its program without the path and in lower case, and without the options before its first plain
    word: `/usr/bin/git -C x push` is `git push`.
    """
    if not words or words[0] is None:
        yield words
        return
    name = words[0].rpartition("/")[2]
    for first in dict.fromkeys((words[0], name, name.lower())):
        yield (first, *words[1:])
    for start in _after_options(words):
        yield (name.lower(), *words[start:])


def _after_options(words: Words) -> Iterator[int]:
    """Where the first plain word may be: behind options, each of which may have a value."""
    value = False
    for index, word in enumerate(words[1:_MOST_OPTIONS], start=1):
        if word is not None and word.startswith("-"):
            value = True
            continue
        if index > 1:
            yield index
        if not value:
            return
        value = False


def _match(pattern: Pattern, words: Sequence[str | None], *, careful: bool) -> bool:
    """From gap to gap; when a word does not fit, the last gap takes one word more."""
    place = index = 0
    gap = taken = -1
    while index < len(words):
        if place < len(pattern) and pattern[place] in GAPS:
            gap, taken = place, index
            place += 1
        elif place < len(pattern) and _covers(pattern[place], words[index], careful=careful):
            place, index = place + 1, index + 1
        elif gap >= 0 and (pattern[gap] == ANY or words[taken] is not None):
            taken += 1
            place, index = gap + 1, taken
        else:
            return False
    return all(entry in GAPS for entry in pattern[place:])


def _past_gaps(pattern: Pattern, places: set[int]) -> set[int]:
    for place in sorted(places):
        after = place
        while after < len(pattern) and pattern[after] in GAPS:
            after += 1
            places.add(after)
    return places


def _step(pattern: Pattern, places: set[int], word: str) -> Iterator[int]:
    for place in places:
        if place < len(pattern) and pattern[place] in GAPS:
            yield place
        elif place < len(pattern) and _covers(pattern[place], word, careful=False):
            yield place + 1


def _covers(entry: str | tuple[str, ...], word: str | None, *, careful: bool) -> bool:
    if word is None:
        return False
    return any(_covers_one(text, word, careful=careful) for text in alternatives(entry))


def _covers_one(text: str, word: str, *, careful: bool) -> bool:
    if not _is_glob(text):
        return text == word
    if careful and ".." in word.split("/"):
        return False
    return _glob(text).match(word) is not None


def _is_glob(text: str) -> bool:
    return text not in GAPS and not {"*", "?", "["}.isdisjoint(text)


@lru_cache(maxsize=4096)
def _glob(text: str) -> re.Pattern[str]:
    return re.compile(translate(text))
