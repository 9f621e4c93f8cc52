"""Tokens of a scripting language -> the names that the code itself gives to things."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.code.tokens import Token

if TYPE_CHECKING:
    from limpet.policy.code.vocabulary import Vocabulary

_END = Token("line")
_STARTS_FUNCTION = frozenset(("function", "lambda", "proc", "async", "sub", "fn", "->"))


def declared(tokens: list[Token], vocabulary: Vocabulary) -> tuple[frozenset[str], frozenset[str]]:
    """Names that the code itself gives to things, and to functions."""
    names: set[str] = set()
    functions: set[str] = set()
    for index, token in enumerate(tokens):
        if token.kind != "word":
            continue
        before = tokens[index - 1] if index else _END
        after = tokens[index + 1] if index + 1 < len(tokens) else _END
        following = tokens[index + 2] if index + 2 < len(tokens) else _END
        named = before.text in vocabulary.functions and before.kind == "word"
        given = after.text in ("=", "<-") and (following.text in _STARTS_FUNCTION or is_arrow(tokens, index + 2))
        if named or given:
            functions.add(token.text)
        elif _is_new(before, after, vocabulary) or _in_parameters(tokens, index, vocabulary):
            names.add(token.text)
    return frozenset(names), frozenset(functions) - frozenset(vocabulary.powers)


def _is_new(before: Token, after: Token, vocabulary: Vocabulary) -> bool:
    assigned = after.text in ("=", "=>", "<-") and before.text not in vocabulary.members
    return assigned or before.text in vocabulary.declare


def is_arrow(tokens: list[Token], index: int) -> bool:
    """`(a, b) => …` or `a => …`."""
    if index + 1 < len(tokens) and tokens[index].kind == "word":
        return tokens[index + 1].text == "=>"
    end = _closing(tokens, index)
    return end is not None and end + 1 < len(tokens) and tokens[end + 1].text in ("=>", "->")


def _closing(tokens: list[Token], index: int) -> int | None:
    if index >= len(tokens) or tokens[index].text != "(":
        return None
    for at in range(index + 1, min(index + 60, len(tokens))):
        if tokens[at].text == ")":
            return at
    return None


def _in_parameters(tokens: list[Token], index: int, vocabulary: Vocabulary) -> bool:
    """Inside `|a, b|`, `function (a, b)`, `(a, b) =>`, `const {a, b} =`."""
    for at in range(index - 1, max(index - 40, -1), -1):
        token = tokens[at]
        if token.text in vocabulary.declare and token.kind == "word":
            return True
        if token.text in ("(", "|", "{", "["):
            return _opens_parameters(tokens, at, vocabulary)
        if token.kind not in ("word", "line") and token.text not in (",", "*", "&", "...", ".", ":"):
            return False
    return False


def _opens_parameters(tokens: list[Token], at: int, vocabulary: Vocabulary) -> bool:
    before = tokens[at - 1] if at else _END
    if tokens[at].text == "|":
        return vocabulary.language == "ruby" and before.text in ("{", "do")
    if before.text in vocabulary.declare:
        return True
    earlier = tokens[at - 2] if at > 1 else _END
    return before.text in vocabulary.functions or earlier.text in vocabulary.functions or is_arrow(tokens, at)
