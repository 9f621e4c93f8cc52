"""A pattern whose text is known -> what it matches in a text that is known.

Covers characters, `*`, `?` and brackets of characters, ranges and the usual classes; anything else is not a matcher.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.values.runs import Break, Runs

if TYPE_CHECKING:
    from collections.abc import Callable

_CHARS = frozenset(map(chr, range(1, 128)))
# Spelled out: the module `string` takes as long to load as a third of all that reads values.
_DIGIT = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = _LOWER.upper()
_CLASSES = {
    "alnum": _LOWER + _UPPER + _DIGIT,
    "alpha": _LOWER + _UPPER,
    "blank": " \t",
    "digit": _DIGIT,
    "lower": _LOWER,
    "punct": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
    "space": " \t\n\v\f\r",
    "upper": _UPPER,
    "xdigit": _DIGIT + "abcdefABCDEF",
}
_MOST_TOKENS = 256

_Char = tuple[str, bool]
"""A character, and whether it has its special meaning."""
_Token = str | frozenset[str] | None
"""A character, some of which one must stand, or None for a star."""


class Matcher:
    """A pattern, ready to be looked for. `spend` is asked before each piece of work and may refuse it."""

    def __init__(self, tokens: list[_Token], spend: Callable[[int], bool]) -> None:
        self._tokens = tokens
        self._spend = spend
        self._hits: dict[str, int] = {}
        self._stars = sum(1 << at for at, token in enumerate(tokens) if token is None)
        self._done = 1 << len(tokens)
        self.literal = "".join(t for t in tokens if isinstance(t, str)) if all(map(_is_char, tokens)) else None
        """The pattern's text, when it has no special characters."""
        self._counts_characters = any(isinstance(token, frozenset) for token in tokens)

    def can_read(self, text: str) -> bool:
        """Whether a character of the text is one for bash too, where that matters."""
        return not self._counts_characters or text.isascii()

    def edge(self, *, from_end: bool) -> str | None:
        """The character of `.*`, or at the other end of `*.`, when that is all there is; else None."""
        tokens = self._tokens if from_end else self._tokens[::-1]
        return tokens[0] if len(tokens) == 2 and isinstance(tokens[0], str) and tokens[1] is None else None

    def reversed(self) -> Matcher:
        """The pattern for texts that are read from their end."""
        return Matcher(self._tokens[::-1], self._spend)

    def length(self, text: str, start: int = 0, *, longest: bool) -> int | None:
        """How many characters from `start` it matches, or -1 when it matches none; None when that is too much work."""
        states = self._close(1)
        best = 0 if states & self._done else -1
        if best == 0 and not longest:
            return 0
        at = start
        for at in range(start, len(text)):
            states = self._step(states, text[at])
            if states & self._done:
                best = at + 1 - start
                if not longest:
                    break
            if not states:
                break
        return best if self._spend(at + 1 - start) else None

    def _step(self, states: int, char: str) -> int:
        hit = self._hits.get(char)
        if hit is None:
            hit = sum(1 << at for at, token in enumerate(self._tokens) if token is not None and char in token)
            self._hits[char] = hit
        return self._close(((states & hit) << 1) | (states & self._stars))

    def _close(self, states: int) -> int:
        return states | ((states & self._stars) << 1)


def compile_runs(runs: Runs, spend: Callable[[int], bool]) -> Matcher | None:
    """The matcher for a pattern, or None when it is not known or is of another kind."""
    chars: list[_Char] = []
    for run in runs:
        if isinstance(run, Break) or not isinstance(run.piece, str):
            return None
        chars.extend((char, not run.quoted) for char in run.piece)
    tokens = _read(chars)
    return None if tokens is None or len(tokens) > _MOST_TOKENS else Matcher(tokens, spend)


def _is_char(token: _Token) -> bool:
    return isinstance(token, str)


def _read(chars: list[_Char]) -> list[_Token] | None:
    tokens: list[_Token] = []
    at = 0
    while at < len(chars):
        char, live = chars[at]
        following = chars[at + 1] if at + 1 < len(chars) else ("", False)
        if live and (char == "\\" or (char in "?*+@!" and following == ("(", True))):
            return None
        if live and char == "[":
            found = _bracket(chars, at + 1)
            if found is None:
                return None
            at, token = found
            tokens.append(token)
            continue
        _add(tokens, char, live=live)
        at += 1
    return tokens


def _add(tokens: list[_Token], char: str, *, live: bool) -> None:
    if live and char == "*":
        if not tokens or tokens[-1] is not None:
            tokens.append(None)
    else:
        tokens.append(_CHARS if live and char == "?" else char)


def _bracket(chars: list[_Char], at: int) -> tuple[int, frozenset[str]] | None:
    """What stands between `[` and its `]`, and where it ends."""
    negated = chars[at : at + 1] in ([("!", True)], [("^", True)])
    start = at = at + negated
    members: set[str] = set()
    while at < len(chars):
        if chars[at] == ("]", True) and at > start:
            return at + 1, frozenset(_CHARS - members if negated else members)
        found = _member(chars, at)
        if found is None:
            return None
        at, some = found
        members |= some
    return None


def _member(chars: list[_Char], at: int) -> tuple[int, set[str]] | None:
    char, live = chars[at]
    if live and char == "[":
        return _class(chars, at)
    if (live and char in "\\/") or not char.isascii():
        return None
    if chars[at + 1 : at + 2] != [("-", True)] or chars[at + 2 : at + 3] in ([], [("]", True)]):
        return at + 1, {char}
    last, last_live = chars[at + 2]
    if not last.isascii() or (last_live and last in "[\\/") or last < char:
        return None
    return at + 3, {chr(code) for code in range(ord(char), ord(last) + 1)}


def _class(chars: list[_Char], at: int) -> tuple[int, set[str]] | None:
    text = "".join(char if live else "\0" for char, live in chars[at : at + 12])
    for name, members in _CLASSES.items():
        if text.startswith(f"[:{name}:]"):
            return at + len(name) + 4, set(members)
    return None
