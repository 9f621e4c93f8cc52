"""A script of sed -> the commands it runs and the files it reads and writes."""

from __future__ import annotations

import re

from limpet.policy.code.finding import Finding, opaque, reads, spawns, writes

_L = "sed"
_UNREAD = opaque(_L, "the sed script could not be read")
_BLANKS = re.compile(r"[ \t]*")
_BETWEEN = re.compile(r"[ \t\n;]*")
_NUMBER = re.compile(r"[0-9]+(?:~[0-9]+)?|\$|[+~][0-9]+")
_LABEL = re.compile(r"[ \t]*[A-Za-z0-9_.-]*[ \t]*(?=[;\n}]|$)")
_FLAGS = re.compile(r"[gpiImMe0-9]*")
_AFTER = re.compile(r"[ \t]*(?=[;\n}#]|$)")
_CLASS = re.compile(r"\[[:.=].*?[:.=]\]", re.DOTALL)


class _RefusedError(Exception):
    """Not a script that sed would take."""


class _UnclearError(Exception):
    """A script that is not understood, whether sed would take it or not."""


def scan_sed(text: str) -> list[Finding]:
    """What a script of sed would do.

    A delimiter in brackets ends an expression for some versions of sed and not for others, so both are looked at; a
    reading that makes no sense is one that sed would refuse.
    """
    ways = (False, True) if "[" in text else (True,)
    found: list[Finding] = []
    understood = False
    for brackets in ways:
        try:
            found.extend(_Reader(text, brackets=brackets).read())
            understood = True
        except _RefusedError:
            continue
        except _UnclearError:
            return [_UNREAD]
    return found if understood else [_UNREAD]


class _Reader:
    def __init__(self, text: str, *, brackets: bool) -> None:
        self.text = text
        self.at = 0
        self.brackets = brackets
        self.findings: list[Finding] = []

    def read(self) -> list[Finding]:
        while True:
            self._skip(_BETWEEN)
            if self.at >= len(self.text):
                return self.findings
            self._one()

    def _one(self) -> None:
        """An address and a command, or a brace that ends a block."""
        if self.text[self.at] in "}#":
            self._rest() if self.text[self.at] == "#" else self._next()
            return
        self._addresses()
        self._command(self._next())

    def _next(self) -> str:
        if self.at >= len(self.text):
            raise _RefusedError
        self.at += 1
        return self.text[self.at - 1]

    def _skip(self, what: re.Pattern[str]) -> str:
        found = what.match(self.text, self.at)
        if found is None:
            raise _RefusedError
        self.at = found.end()
        return found[0]

    def _rest(self) -> str:
        end = self.text.find("\n", self.at)
        start, self.at = self.at, end if end >= 0 else len(self.text)
        return self.text[start : self.at]

    def _addresses(self) -> None:
        if self._address():
            self._skip(_BLANKS)
            if self.text.startswith(",", self.at):
                self.at += 1
                self._skip(_BLANKS)
                if not self._address():
                    raise _RefusedError
        self._skip(re.compile(r"[ \t!]*"))

    def _address(self) -> bool:
        number = _NUMBER.match(self.text, self.at)
        if number is not None:
            self.at = number.end()
            return True
        start = self.text[self.at : self.at + 1]
        if start not in ("/", "\\") or not start:
            return False
        self.at += 1
        self._until(self._next() if start == "\\" else "/", expression=True)
        self._skip(re.compile(r"[IM]*"))
        return True

    def _until(self, end: str, *, expression: bool) -> str:
        """What stands before the delimiter, and go behind that."""
        start = self.at
        while self.at < len(self.text):
            char = self._next()
            if char == end:
                return self.text[start : self.at - 1]
            if char == "\\":
                self._next()
            elif char == "[" and expression and self.brackets:
                self._bracket()
        raise _RefusedError

    def _bracket(self) -> None:
        self._skip(re.compile(r"\^?\]?"))
        while True:
            found = _CLASS.match(self.text, self.at)
            if found is not None:
                self.at = found.end()
            elif self._next() == "]":
                return

    def _command(self, letter: str) -> None:
        if letter in "=dDgGhHnNpPxFz":
            self._skip(_AFTER)
        elif letter in "lLqQ":
            self._skip(re.compile(r"[ \t]*[0-9]*"))
            self._skip(_AFTER)
        elif letter in ":btTv":
            self._label()
        elif letter in "aic":
            self._text()
        elif letter in "rRwWe":
            self._file(letter)
        elif letter in "sy":
            self._substitute(letter)
        elif letter != "{":
            raise _RefusedError

    def _label(self) -> None:
        """Versions of sed differ in where a label ends."""
        if _LABEL.match(self.text, self.at) is None:
            raise _UnclearError
        self._skip(_LABEL)

    def _text(self) -> None:
        """Text goes on to the end of a line that has no backslash there."""
        self._skip(re.compile(r"[ \t]*(?:\\[ \t]*\n)?"))
        while self.at < len(self.text):
            char = self._next()
            if char == "\n":
                return
            if char == "\\" and self.at < len(self.text):
                self.at += 1

    def _file(self, letter: str) -> None:
        self._skip(_BLANKS)
        rest = self._rest()
        if letter == "e":
            self.findings.append(spawns(_L, rest or None))
        else:
            self.findings.append(reads(_L, rest) if letter in "rR" else writes(_L, rest))

    def _substitute(self, letter: str) -> None:
        end = self._next()
        if end in "\n\\":
            raise _RefusedError
        self._until(end, expression=letter == "s")
        text = self._until(end, expression=False)
        if letter == "s":
            self._flags(text, end)
        self._skip(_AFTER)

    def _flags(self, text: str, end: str) -> None:
        """With `e` a shell runs the line, which has the new text in it."""
        if "e" in self._skip(_FLAGS):
            plain = text.replace(f"\\{end}", end)
            self.findings.append(spawns(_L, None if re.search(r"[\\&]", plain) else plain))
        if self.text.startswith("w", self.at):
            self.at += 1
            self._file("w")
