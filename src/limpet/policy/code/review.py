"""Tokens of a scripting language + its vocabulary -> what is not known to be harmless."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from limpet.policy.code.declared import declared, is_arrow
from limpet.policy.code.finding import (
    Finding,
    connects,
    evaluates,
    opaque,
    reads,
    remote_code,
    reverse_shell,
    spawns,
)
from limpet.policy.code.powers import POWERS, Given, brought
from limpet.policy.code.tokens import Token
from limpet.policy.code.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.code.vocabulary import Vocabulary

_PATH = re.compile(r"(?:/|~/|\.{1,2}/|\.[a-z])[^\n]{0,300}|[A-Za-z0-9_.-]+/[A-Za-z0-9_./-]{1,300}")
_MOST_ARGUMENTS = 60
_CALLBACKS = {
    "array_map": 0, "array_filter": 1, "array_walk": 1, "array_reduce": 1, "usort": 1, "uasort": 1, "uksort": 1,
    "preg_replace_callback": 1,
}  # fmt: skip
"""Functions of PHP that call another one -> which argument that is."""
_LONGEST_FUNCTION = 2000
_ONE = Token("number", "1")
_END = Token("line")
_STOPS = frozenset((";", "}", "{"))
_BRACKETS = frozenset("([])")
_SCHEMES = ("http://", "https://", "ftp://", "ftps://", "phar://", "expect://", "ws://")
_FETCHING = words("file_get_contents fopen file readfile copy read.csv read.table readLines source open load_file")
_POWERFUL_OBJECTS = words("fs process os module require this global globalThis console")
_LOOPS = frozenset(("while", "until", "loop", "for", "forever", "setInterval", "repeat"))
_CONDITIONS = frozenset(("if", "unless", "while", "until", "for", "foreach", "or", "and", "do"))


class Review:
    """Looks at each token once."""

    def __init__(self, tokens: list[Token], vocabulary: Vocabulary) -> None:
        self.tokens = tokens
        self.vocabulary = vocabulary
        self.language = vocabulary.language
        self.locals, self.functions = declared(tokens, vocabulary)
        self._mentioned = frozenset(token.text for token in tokens if token.kind in ("word", "text"))
        self._minus_one = any(one.text == "-" and two == _ONE for one, two in pairwise(tokens))
        self.findings: list[Finding] = []
        for index, token in enumerate(tokens):
            self.findings.extend(self._look(index, token))
        self._combine()

    def _at(self, index: int) -> Token:
        return self.tokens[index] if 0 <= index < len(self.tokens) else _END

    def _look(self, index: int, token: Token) -> Iterator[Finding]:
        if token.kind == "bad":
            yield opaque(self.language, "the code could not be read to its end")
        elif token.kind == "shell":
            yield spawns(self.language, token.text if "$" not in token.text and "#{" not in token.text else None)
        elif token.kind == "word":
            yield from self._word(index, token.text)
        elif token.kind == "text":
            yield from self._text(token.text)
        elif token.text == "(" and token.kind == "mark":
            yield from self._called(index)
        elif token.text == "[" and token.kind == "mark":
            yield from self._subscript(index)

    def _text(self, text: str) -> Iterator[Finding]:
        """What a constant text may be: a command behind a pipe, an address, a path, a hidden name."""
        stripped = text.strip()
        if self.vocabulary.pipes and stripped[:1] == "|" and stripped.strip("|"):
            yield spawns(self.language, stripped.strip("|"))
        elif text.startswith(_SCHEMES) and self.mentions(*_FETCHING):
            yield connects(self.language)
        elif self.vocabulary.dynamic and text in self.vocabulary.powers:
            yield opaque(self.language, f"names {text} in a text")
            if self.vocabulary.powers[text] == "network":
                yield connects(self.language)
        elif _PATH.fullmatch(text):
            home = text.startswith("/.") and self.mentions("HOME", "homedir", "home")
            yield reads(self.language, f"~{text}" if home else text)

    def _called(self, index: int) -> Iterator[Finding]:
        """A call of something that has no name of its own: `x[y](…)`, `f()()`, `$f(…)`."""
        before = self._at(index - 1)
        named = before.kind == "variable" and self.language == "php"
        if before.text == ")" and before.kind == "mark" and self._closes_function(index - 1):
            return
        if named or (before.kind == "mark" and before.text in ("]", ")")) or before.kind in ("text", "live"):
            yield opaque(self.language, "calls something that is found while it runs")

    def _closes_function(self, end: int) -> bool:
        """`(function () { … })`, `(async () => { … })`: what is called stands there."""
        depth = 0
        for at in range(end, max(end - _LONGEST_FUNCTION, -1), -1):
            depth -= _depth(self.tokens[at])
            if depth == 0:
                first, before = self._at(at + 1), self._at(at - 1)
                alone = before.kind == "line" or before.text in (";", "=", "(", "}", "!", "void", "await")
                return alone and (first.text in ("function", "async") or is_arrow(self.tokens, at + 1))
        return False

    def _subscript(self, index: int) -> Iterator[Finding]:
        """`x["a" + "b"]`, `fs[name]`: a member whose name is made while it runs."""
        base, first, after = self._at(index - 1), self._at(index + 1), self._at(index + 2)
        if self.language != "node" or base.kind not in ("word", "mark") or (base.kind == "mark" and base.text != ")"):
            return
        made = first.kind in ("text", "live") and after.text != "]"
        chosen = first.kind in ("word", "live") and (base.text in _POWERFUL_OBJECTS or base.text == ")")
        if made or chosen:
            yield opaque(self.language, "takes a member whose name is made while it runs")

    def _word(self, index: int, word: str) -> Iterator[Finding]:
        vocabulary = self.vocabulary
        last = word.rpartition("::")[2]
        kind = self._kind(index, word, last)
        if kind and not self._is_key(index):
            yield from POWERS[kind](self, self._given(index, last))
        elif word in vocabulary.importers or self._is_import(index, word):
            yield from self._import(index)
        elif kind is None and not self._is_harmless(index, word, last):
            yield opaque(self.language, f"uses {word}, which is not known to be harmless")

    def _kind(self, index: int, word: str, last: str) -> str | None:
        """What a word does; empty when it is harmless, None when that is not known."""
        if self._is_import(index, word):
            return None
        if self._at(index - 1).text in self.vocabulary.members:
            qualified = self.vocabulary.qualified.get(f"{self._at(index - 2).text}.{word}")
            if qualified is not None:
                return qualified
        if word in _CALLBACKS and self._has_own_callback(index, _CALLBACKS[word]):
            return ""
        if word == "do" and self.language == "perl" and self._at(index + 1).text != "{":
            return "eval"
        kind = self.vocabulary.powers.get(word) or self.vocabulary.powers.get(last)
        own = word in self.locals and self._at(index - 1).text not in self.vocabulary.members
        return None if own and kind not in ("command", "argv", "eval") else kind

    def _has_own_callback(self, index: int, position: int) -> bool:
        """Whether a function that calls another one is given that one on the spot."""
        depth, before = 0, 0
        for at in range(index + 1, min(len(self.tokens), index + _MOST_ARGUMENTS)):
            token = self.tokens[at]
            if depth == 1 and before == position:
                return token.text in ("fn", "function", "static") and token.kind == "word"
            depth += _depth(token)
            before += depth == 1 and token.kind == "mark" and token.text == ","
            if depth <= 0:
                break
        return False

    def _is_import(self, index: int, word: str) -> bool:
        """`import x from "y"`, not `import("y")`."""
        return word == "import" and self.language == "node" and self._at(index + 1).text != "("

    def _is_harmless(self, index: int, word: str, last: str) -> bool:
        called = self._is_called(index + 1)
        member = self._at(index - 1).text in self.vocabulary.members
        if word in self.vocabulary.safe or last in self.vocabulary.safe or word in self.functions:
            return True
        if self.language == "php" and word.isupper() and not called:
            return True
        if member:
            return self.vocabulary.free_members and not called
        if self._at(index - 1).text == ":" and self._at(index - 2).text != "&" and self.language == "ruby":
            return True
        return self._is_key(index) or (word in self.locals and not called) or self._is_module_name(index)

    def _is_called(self, after: int) -> bool:
        token = self._at(after)
        braces = token.text == "{" and self.language == "lua"
        return token.text == "(" or token.kind in ("text", "live") or braces

    def _is_module_name(self, index: int) -> bool:
        before, earlier = self._at(index - 1).text, self._at(index - 2).text
        return before in self.vocabulary.importers or (before == "(" and earlier in self.vocabulary.importers)

    def _is_key(self, index: int) -> bool:
        """`name: value`, `name => value`, `{name}`: a text that needs no quotes."""
        after, before = self._at(index + 1), self._at(index - 1)
        if after.text == "=>" and self.language in ("perl", "ruby", "php"):
            return True
        colon = after.text == ":" and before.text in ("{", ",", "(") and self.language != "lua"
        return colon or (before.text == "{" and after.text == "}" and self._at(index - 2).kind in ("variable", "mark"))

    def _import(self, index: int) -> Iterator[Finding]:
        """`require("fs")`, `use strict`, `library(x)`."""
        following = index + 1
        statement = self._at(index).text == "import" and self.language == "node"
        while following < index + _MOST_ARGUMENTS and (
            self._at(following).text == "(" or (statement and self._at(following).kind in ("word", "mark"))
        ):
            following += 1
        token = self._at(following)
        made = self._at(following + 1).text in ("+", ".", "..", "%", "*", "[")
        kinds = ("text", "word") if self.language in ("perl", "r", "julia") else ("text",)
        if token.kind not in kinds or made or token.text.startswith(("/", "~", "..")):
            yield evaluates(self.language)
            return
        kind = self.vocabulary.modules.get(token.text.removeprefix("node:"), self.vocabulary.other_modules)
        yield from brought(kind, self.language)

    def _given(self, index: int, word: str) -> Given:
        """The arguments of a call; the items of a list count like arguments, and a `{` ends them."""
        arguments: list[list[Token]] = [[]]
        depth, at = 0, index + 1
        while at < min(len(self.tokens), index + _MOST_ARGUMENTS):
            token = self.tokens[at]
            depth += _depth(token)
            if depth < 0 or (token.kind == "mark" and token.text in _STOPS) or self._ends(token, depth):
                break
            if token.text == "," and token.kind == "mark":
                arguments.append([])
            elif token.kind != "mark" or token.text not in _BRACKETS:
                arguments[-1].append(token)
            if depth == 0 and token.text == ")":
                break
            at += 1
        cut = at >= index + _MOST_ARGUMENTS
        return Given(word, [None] if cut else [_constant(one) for one in arguments if one])

    def _ends(self, token: Token, depth: int) -> bool:
        return depth == 0 and (token.kind == "line" or (token.kind == "word" and token.text in _CONDITIONS))

    def mentions(self, *names: str) -> bool:
        """Whether any of these words or texts is used."""
        return not self._mentioned.isdisjoint(names)

    def minus_one(self) -> bool:
        """Whether -1 is written anywhere."""
        return self._minus_one

    def in_loop(self) -> bool:
        """Whether there is a loop anywhere."""
        return not self._mentioned.isdisjoint(_LOOPS)

    def _combine(self) -> None:
        rules = {finding.rule.partition(".")[2] for finding in self.findings}
        shell = any(_is_shell(finding.script) for finding in self.findings)
        piped = (
            self.mentions("STDIN", "STDOUT", "fdopen", "dup2", "proc_open", "pipe", "popen", "exec")
            and "spawn" in rules
        )
        if "network" in rules and (shell or piped):
            self.findings.append(reverse_shell(self.language))
        if {"network", "eval"} <= rules:
            self.findings.append(remote_code(self.language))


def _depth(token: Token) -> int:
    if token.kind != "mark":
        return 0
    return (token.text in "([") - (token.text in ")]")


def _constant(tokens: list[Token]) -> str | None:
    return tokens[0].text if len(tokens) == 1 and tokens[0].kind == "text" else None


def _is_shell(script: str | None) -> bool:
    first = (script or "").strip().partition(" ")[0].rpartition("/")[2]
    return first in ("sh", "bash", "dash", "zsh", "ksh", "cmd.exe")
