"""A program of awk -> the commands it runs and the files it reads and writes."""

from __future__ import annotations

import re

from limpet.policy.code.finding import Finding, connects, evaluates, opaque, reads, reverse_shell, spawns, writes
from limpet.policy.code.tokens import Lexer, Lexicon, Token
from limpet.policy.code.vocabulary import words

_L = "awk"
_LEXICON = Lexicon(
    comments=("#",), plain='"', patterns=True, lines=True, continues=True, divides=True, bad=r"\\",
    word=r"[A-Za-z_][A-Za-z0-9_]*",
    before_pattern=words("return in print printf getline case do else"),
)  # fmt: skip
_SAFE = words("""
    if else while for do switch case default break continue next nextfile exit return delete function func in BEGIN END
    BEGINFILE ENDFILE print printf getline length substr index split sub gsub gensub match sprintf sin cos atan2 exp
    log sqrt int rand srand tolower toupper strftime systime mktime strtonum and or xor compl lshift rshift asort
    asorti patsplit fflush close isarray typeof bindtextdomain dcgettext dcngettext mkbool
""")
_END = Token("line")
_LONGEST = 400
_FEW = 16
_BEGINNING = re.compile(r"(?!.*\.\.)[A-Za-z0-9_][A-Za-z0-9_./-]*")
_SHELL = re.compile("(?:/[a-z/]*/)?(?:ba|da|a|z|k)?sh(?: -[a-z]+)*")
_NUMBERS = frozenset(("NR", "FNR", "NF"))


def scan_awk(text: str) -> list[Finding]:
    """What a program of awk would do."""
    return _Program(Lexer(text, _LEXICON).read()).findings


class _Program:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.findings: list[Finding] = []
        self._functions = {self._at(i + 1).text for i, one in enumerate(tokens) if one.text in ("function", "func")}
        for index in range(len(tokens)):
            self._look(index)
        self._combine()

    def _at(self, index: int) -> Token:
        return self.tokens[index] if 0 <= index < len(self.tokens) else _END

    def _look(self, index: int) -> None:
        token = self.tokens[index]
        if token.kind == "bad":
            self.findings.append(opaque(_L, "the program could not be read to its end"))
        elif token.kind == "word":
            self._word(index, token.text)
        elif token.kind == "text" and token.text.startswith("/inet"):
            self.findings.append(connects(_L))
        elif token.kind == "mark" and token.text in ("@", "|"):
            self._mark(index, token.text)

    def _word(self, index: int, word: str) -> None:
        if word == "system":
            self.findings.append(
                spawns(_L, self._constant(index + 2, ")") if self._at(index + 1).text == "(" else None)
            )
        elif word in ("print", "printf"):
            self._printed(index + 1)
        elif word == "getline":
            self._got(index + 1)
        elif self._at(index + 1).text == "(" and word not in _SAFE and word not in self._functions:
            self.findings.append(opaque(_L, f"calls {word}, which is not known to be harmless"))

    def _mark(self, index: int, mark: str) -> None:
        if mark == "@":
            self.findings.append(evaluates(_L))
            return
        after = self._at(index + 2 if self._at(index + 1).text == "&" else index + 1)
        if after.text == "getline":
            before, earlier = self._at(index - 1), self._at(index - 2)
            alone = earlier.kind in ("line", "word") or earlier.text in ("(", "{", ";", "}", ")")
            self.findings.append(spawns(_L, before.text if before.kind == "text" and alone else None))
        else:
            command = self._constant(index + 1)
            self.findings.append(spawns(_L, command))
            if command is not None and _SHELL.fullmatch(command.strip()):
                at = index - 2 if self._at(index - 1).text == ")" else index - 1
                alone = self._at(at).kind == "text" and self._at(at - 1).text in ("print", "printf", "(")
                self.findings.append(spawns(_L, self._at(at).text if alone else None))

    def _constant(self, index: int, end: str = "") -> str | None:
        """The text that an expression is, when it is no more than that."""
        token, after = self._at(index), self._at(index + 1)
        ends = after.kind == "line" or after.text in (";", "}", end) if after.kind in ("line", "mark") else False
        return token.text if token.kind == "text" and ends else None

    def _begun(self, index: int) -> str | None:
        """A name that begins as known, such as `"out-" NR ".txt"`: some file of that folder, when nothing leads out."""
        token = self._at(index)
        if token.kind != "text" or not _BEGINNING.fullmatch(token.text):
            return None
        for at in range(index + 1, index + _FEW):
            part = self._at(at)
            if part.kind == "line" or part.text in (";", "}"):
                return f"{token.text}*"
            plain = (part.kind == "word" and part.text in _NUMBERS) or part.kind == "number"
            joined = part.kind == "text" and "/" not in part.text
            if not (plain or joined or (part.kind == "mark" and part.text in tuple("+-*%()"))):
                return None
        return None

    def _printed(self, index: int) -> None:
        """`print … > file`: outside parentheses a `>` is no comparison."""
        depth = 0
        for at in range(index, min(len(self.tokens), index + _LONGEST)):
            token = self.tokens[at]
            if token.kind == "line" or (token.kind == "mark" and token.text in (";", "}")):
                return
            if token.kind == "mark":
                depth += (token.text in "([") - (token.text in ")]")
            if token.kind == "mark" and token.text in (">", ">=") and depth <= 0:
                start = at + 2 if self._at(at + 1).text == ">" else at + 1
                self.findings.append(writes(_L, self._constant(start) or self._begun(start)))
                return
        if index + _LONGEST < len(self.tokens):
            self.findings.append(opaque(_L, "a statement is too long to be read"))

    def _got(self, index: int) -> None:
        """`getline line < "file"`."""
        at = index + 1 if self._at(index).kind == "word" else index
        if self._at(at).text == "<" and self._at(at + 1).kind == "text":
            self.findings.append(reads(_L, self._at(at + 1).text))

    def _combine(self) -> None:
        rules = {finding.rule for finding in self.findings}
        if {"awk.network", "awk.spawn"} <= rules:
            self.findings.append(reverse_shell(_L))
