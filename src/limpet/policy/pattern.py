"""A rule's pattern -> whether a command matches it."""

from __future__ import annotations

import re
from fnmatch import translate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPELLED = re.compile(r"Bash(?:\((.*)\))?\Z", re.DOTALL)
_MANY = "**"
_ONE = "*"

Words = tuple[str | None, ...]
Pattern = tuple[str | tuple[str, ...], ...]
"""One entry a word: text with `*` and `?` as globs, alternatives, or at the end `**` for any number of words."""


def parse_pattern(text: str) -> Pattern:
    """`git push *`, and the spellings `Bash(git push:*)`, `Bash(npm run *)`, `Bash(ls)`, `Bash`."""
    found = _SPELLED.fullmatch(text.strip())
    if found is not None:
        text = found[1] if found[1] is not None else _MANY
    text = text.strip()
    if text.endswith((":*", " *")):
        text = f"{text[:-2]} {_MANY}"
    return tuple(_MANY if word == _ONE and len(text) == 1 else word for word in text.split())


def matches(pattern: Pattern, words: Words, *, unknown: bool) -> bool:
    """Whether the words of a command match; `unknown` says what a word counts as that is not known."""
    names = (words[0].rpartition("/")[2] if words and words[0] else None, *words[1:])
    return any(_match(pattern, each, unknown=unknown) for each in {names, tuple(words)})


def _match(pattern: Pattern, words: Sequence[str | None], *, unknown: bool) -> bool:
    rest = pattern and pattern[-1] == _MANY
    fixed = pattern[:-1] if rest else pattern
    if len(words) < len(fixed) or (len(words) > len(fixed) and not rest):
        return False
    if rest and not unknown and None in words[len(fixed) :]:
        return False
    return all(_match_word(entry, word, unknown=unknown) for entry, word in zip(fixed, words, strict=False))


def _match_word(entry: str | tuple[str, ...], word: str | None, *, unknown: bool) -> bool:
    if word is None:
        return unknown
    if isinstance(entry, tuple):
        return any(_match_word(each, word, unknown=unknown) for each in entry)
    if not set("*?[") & set(entry):
        return entry == word
    return re.match(translate(entry), word) is not None
