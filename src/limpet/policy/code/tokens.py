"""Code of a scripting language -> tokens, as far as they can be told apart without reading the whole grammar.

A reader of tokens must be able to trust that no code hides inside a text: where it is not clear whether something is a
text, a pattern or an operator, the token is `bad`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec


class Token(NamedTuple):
    """A word, a variable, a constant text and so on."""

    kind: str
    """One of `word`, `variable`, `number`, `mark`, `text`, `live`, `pattern`, `shell`, `line` and `bad`.

    A `text` is known; a `live` one has parts that are computed; `shell` is given to a shell; with a `line`, one ends.
    """
    text: str = ""


class Lexicon(msgspec.Struct, frozen=True, kw_only=True):
    """How a language writes things."""

    comments: tuple[str, ...] = ()
    block: tuple[str, str] | None = None
    plain: str = ""
    """Quotes around texts with nothing in them that is computed."""
    live: str = ""
    """Quotes around texts that may have computed parts."""
    ticks: str = ""
    """Quotes around commands."""
    insert: str = ""
    """What begins a computed part, which `}` or `)` ends: `${`."""
    unsure: str = ""
    """A regular expression for what in a live text cannot be told to be harmless."""
    patterns: bool = False
    """Whether `/…/` can be a pattern."""
    sigils: str = ""
    before_pattern: frozenset[str] = frozenset()
    """Words that an operand follows, so that a slash begins a pattern."""
    divides: bool = False
    """Whether a slash behind any other word divides, and one behind a block or a line end never does, as in awk."""
    word: str = r"[A-Za-z_][A-Za-z0-9_]*[?!]?"
    lines: bool = False
    """Whether the end of a line ends a statement."""
    bad: str = ""
    """A regular expression for what is not read."""
    never: str = ""
    """A regular expression for what is not read wherever it stands, in comments and in texts as well."""
    continues: bool = False
    """Whether a backslash at the end of a line joins it to the next."""


_NUMBER = re.compile(r"[0-9][0-9A-Za-z_.]*")
_MARK = re.compile(r"\+\+|--|->|<-|=>|==|!=|<=|>=|&&|\|\||\?\.|::|<<|.", re.DOTALL)
_BLANK = re.compile(r"[ \t\r\f]+")
_LONG = re.compile(r"\[(=*)\[")
_VALUES = frozenset(("number", "variable", "text", "live", "shell", "pattern"))
_ENDS = {"{": "}", "(": ")"}
_NESTED = 6


class Lexer:
    """Reads tokens from a text, left to right."""

    def __init__(self, text: str, lexicon: Lexicon, depth: int = 0) -> None:
        self.text = text
        self.lexicon = lexicon
        self.at = 0
        self.tokens: list[Token] = []
        self._depth = depth
        self._word = re.compile(lexicon.word)
        self._bad = re.compile(lexicon.bad) if lexicon.bad else None
        self._unsure = re.compile(lexicon.unsure) if lexicon.unsure else None
        self._comment = re.compile("|".join(re.escape(one) for one in lexicon.comments) or r"(?!)")

    def read(self) -> list[Token]:
        """All tokens."""
        if self.lexicon.never and re.search(self.lexicon.never, self.text):
            self.add("bad")
        while self.at < len(self.text):
            self.step()
        return self.tokens

    def step(self) -> None:
        """The next token, or what stands between tokens."""
        if self._skipped() or self._quoted() or self._named() or self._slashed():
            return
        self.take("mark", _MARK)

    def take(self, kind: str, what: re.Pattern[str]) -> bool:
        """A token, if the text goes on with one."""
        found = what.match(self.text, self.at)
        if found is None or found.end() == self.at:
            return False
        self.add(kind, found[0])
        self.at = found.end()
        return True

    def add(self, kind: str, text: str = "") -> None:
        """Note a token."""
        self.tokens.append(Token(kind, text))

    def _skipped(self) -> bool:
        """Blanks, the ends of lines, comments."""
        blank = _BLANK.match(self.text, self.at)
        if blank is not None:
            self.at = blank.end()
            return True
        if self.lexicon.continues and self.text.startswith("\\\n", self.at):
            self.at += 2
            return True
        if self.text[self.at] == "\n":
            self.at += 1
            self.add("line") if self.lexicon.lines else None
            return True
        block = self.lexicon.block
        if block is not None and self.text.startswith(block[0], self.at):
            return self._skip_to(block[1], self.at + len(block[0]))
        if self._bad is not None and self._bad.match(self.text, self.at):
            self.add("bad")
            self.at = len(self.text)
            return True
        return self._comment.match(self.text, self.at) is not None and self._skip_comment()

    def _skip_comment(self) -> bool:
        end = self.text.find("\n", self.at)
        self.at = end if end >= 0 else len(self.text)
        return True

    def _skip_to(self, end: str, start: int) -> bool:
        found = self.text.find(end, start)
        self.at = found + len(end) if found >= 0 else len(self.text)
        return True

    def _quoted(self) -> bool:
        quote = self.text[self.at]
        long = _LONG.match(self.text, self.at) if "[[" in self.lexicon.plain else None
        if long is not None:
            return self._long_text(f"]{long[1]}]", long.end())
        if quote not in self.lexicon.plain.replace("[[", "") + self.lexicon.live + self.lexicon.ticks:
            return False
        inside = self.until(quote, self.at + 1)
        if inside is None:
            return True
        if quote in self.lexicon.ticks:
            self.add("shell", inside)
        elif quote in self.lexicon.live:
            self.live(inside)
        else:
            self.add("text", unescape(inside))
        return True

    def _long_text(self, end: str, start: int) -> bool:
        found = self.text.find(end, start)
        self.add("text" if found >= 0 else "bad", self.text[start:found])
        self.at = found + len(end) if found >= 0 else len(self.text)
        return True

    def until(self, end: str, start: int) -> str | None:
        """What stands before the end, a backslash taking the character behind it along; None when it never ends."""
        at = start
        while at < len(self.text) and self.text[at] != end:
            at += 2 if self.text[at] == "\\" else 1
        if at >= len(self.text):
            self.add("bad")
            self.at = len(self.text)
            return None
        self.at = at + 1
        return self.text[start:at]

    def live(self, inside: str) -> None:
        """A text with parts that are computed: those are code like any other."""
        if self._unsure is not None and self._unsure.search(inside):
            self.add("bad")
            return
        insert = self.lexicon.insert
        if not insert or insert not in inside:
            self.add("live" if self._has_variable(inside) else "text", unescape(inside))
            return
        self.add("live", inside)
        for part in inside.split(insert)[1:]:
            code, end, _ = part.rpartition(_ENDS[insert[-1]])
            # Without its end here, a quote inside it was taken for the end of the text.
            self._computed(code) if end else self.add("bad")

    def _has_variable(self, inside: str) -> bool:
        return any(sigil in inside for sigil in self.lexicon.sigils)

    def _computed(self, code: str) -> None:
        if self._depth >= _NESTED:
            self.add("bad")
            return
        self.tokens.extend(Lexer(code, self.lexicon, self._depth + 1).read())
        self.add("mark", ";")

    def _named(self) -> bool:
        sigil = self.text[self.at]
        if sigil in self.lexicon.sigils:
            found = self._word.match(self.text, self.at + 1)
            if found is not None:
                self.add("variable", sigil + found[0])
                self.at = found.end()
                return True
        return self.take("number", _NUMBER) or self.take("word", self._word)

    def _slashed(self) -> bool:
        """A pattern, where an operand must follow; where that is not clear, and it matters, nobody can read on."""
        if not self.lexicon.patterns or self.text[self.at] != "/":
            return False
        expected = self.expects_operand()
        if expected is None and "/" in self.text[self.at + 1 :]:
            self.add("bad")
            self.at = len(self.text)
            return True
        if not expected:
            return False
        inside = self.until("/", self.at + 1)
        if inside is not None:
            self._pattern(inside)
        return True

    def _pattern(self, inside: str) -> None:
        """A slash in brackets does not end a pattern in some languages; letters behind it are its flags."""
        odd = inside.count("[") - inside.count("\\[") > inside.count("]") - inside.count("\\]")
        unsure = self._unsure is not None and self._unsure.search(inside) is not None
        insert = self.lexicon.insert
        self.add("bad" if odd or unsure or (insert and insert in inside) else "pattern", inside)
        flags = re.compile(r"[A-Za-z]*").match(self.text, self.at)
        self.at = flags.end() if flags is not None else self.at

    def expects_operand(self) -> bool | None:
        """Whether a slash here begins a pattern; None when that cannot be told."""
        last = next((token for token in reversed(self.tokens) if token.kind != "line"), None)
        begins = self.lexicon.divides and (
            self.tokens[-1:] == [Token("line")] or (last is not None and last.text == "}")
        )
        if last is None or begins:
            return True
        if last.kind in _VALUES or last.text == "]":
            return False
        if last.kind == "word":
            return True if last.text in self.lexicon.before_pattern else False if self.lexicon.divides else None
        if self.lexicon.divides and last.text in ("++", "--"):
            return False
        return None if last.text in (")", "}", "++", "--") or last.kind == "bad" else True


_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{4}|u\{[0-9A-Fa-f]{1,6}\}|[0-7]{1,3}|.|\n)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b"}


def unescape(text: str) -> str:
    """A text with its escapes read."""
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    code = match[1]
    if code in _PLAIN:
        return _PLAIN[code]
    if code[0] in "xu" and len(code) > 1:
        point = int(code[1:].strip("{}"), 16)
        return chr(point) if point < 0x110000 else ""
    return chr(int(code, 8) & 0xFF) if code[0] in "01234567" else code
