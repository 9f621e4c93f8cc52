"""What a command draws on a terminal of its own, piece by piece -> the same, safe for the terminal of a person.

A list of what may pass, not of what may not: text, colours, the cursor, erasing, scrolling, the alternate screen, and
modes that are undone on leaving. Gone is whatever makes a terminal answer, remember or act: questions (it would type
the answer), the clipboard, titles, links, printing, window operations, keyboard protocols, all strings (OSC, DCS, APC,
PM, SOS), and the answerback of ENQ.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late

if TYPE_CHECKING:
    import re

_LONGEST = 64
"""Characters of a sequence: a longer one is none that passes."""
_ESC = "\x1b"
_NO_COLOUR = f"{_ESC}[0m"
_C1 = {chr(0x80 + code): chr(0x40 + code) for code in range(32)}
_STRINGS = "]PX^_"
_AFTER_ESCAPE = frozenset("78DEMH=>")
_CHARACTER_SETS = frozenset({"(B", "(0", "(A", ")B", ")0", ")A"})
_SHOWN_CONTROLS = "\x07\x08\t\n\x0b\x0c\r\x0e\x0f"
_ABORT = "\x18\x1a"
_MODES = {
    "1": "cursor keys", "5": "reversed", "6": "origin", "7": "wrapping", "12": "blinking", "25": "cursor",
    "47": "alternate screen", "66": "keypad", "1000": "mouse", "1002": "mouse", "1003": "mouse", "1004": "focus",
    "1005": "mouse", "1006": "mouse", "1015": "mouse", "1047": "alternate screen", "1048": "saved cursor",
    "1049": "alternate screen", "2004": "bracketed paste", "2026": "held back",
}  # fmt: skip
_USUALLY_ON = frozenset({"7", "25"})
_UNDONE_BY_ITSELF = frozenset({"1048"})
_INSERT = "4"
# What each final letter may have before it.
_NUMBERS = r"(?:[0-9]{0,5};)*[0-9]{0,5}"
_CSI = late(
    r"(?:[0-9]{0,5}[@ABCDEFGILMPSTXZ`abdeg]"
    rf"|{_NUMBERS}[Hfr]|[012]?[JK]|[0-9:;]*m|[su]|[0-6]? q)"
)
_SET = late(r"(?P<private>\??)(?P<modes>[0-9]{1,5}(?:;[0-9]{1,5})*)(?P<how>[hl])")
_USUAL = late(r"(?:[^\x00-\x1f\x7f-\x9f]++|[\x07-\x0d]|\x1b\[[0-9:;]{0,63}+m)++")
"""Text, controls and colours: most of what is ever drawn, and all of it passes."""


class Guard:
    """Lets pass what only draws; how the text is cut into pieces makes no difference."""

    def __init__(self) -> None:
        self._held = ""
        """A sequence that has begun: `ESC`, `ESC [ 1 ;`, or the letter that began a string."""
        self._string = False
        self._on: dict[str, None] = {}
        self._touched: dict[str, None] = {}

    def feed(self, text: str) -> str:
        """What may be shown of it by now."""
        passed: list[str] = []
        at = 0
        while at < len(text):
            if not self._held and not self._string and (usual := _USUAL.match(text, at)):
                passed.append(usual[0])
                at = usual.end()
                if _ESC in usual[0]:
                    self._touched[_NO_COLOUR] = None
                continue
            passed.append(self._take(text[at]))
            at += 1
        return "".join(passed)

    def leave(self) -> str:
        """What undoes the modes that were set and not reset: for the end, whenever that comes."""
        self._held, self._string = "", False
        undo = [f"{_ESC}[?{mode}{'h' if mode in _USUALLY_ON else 'l'}" for mode in self._on]
        undo += self._touched
        self._on, self._touched = {}, {}
        return "".join(undo)

    def _take(self, char: str) -> str:
        if char in _C1:  # one character for an escape and a letter
            return self._take(_ESC) + self._take(_C1[char])
        if char in _ABORT:
            self._held, self._string = "", False
            return ""
        if char == _ESC:
            self._held, self._string = _ESC, False
            return ""
        if self._string:
            self._string = char not in "\x07\n"
            return char if char == "\n" else ""
        if self._held:
            return self._continue(char)
        return self._control(char)

    def _control(self, char: str) -> str:
        if char == "\x0e":
            self._touched["\x0f"] = None
        return char if char in _SHOWN_CONTROLS else ""

    def _continue(self, char: str) -> str:
        if char < " " or char == "\x7f":  # a terminal acts on it in the middle of a sequence
            return self._control(char)
        self._held += char
        if self._held[1] == "[":
            return self._parameter(char)
        return self._after_escape(char)

    def _parameter(self, char: str) -> str:
        whole = self._held[2:]
        if char > "~":
            self._held = ""
        elif whole and char >= "@":
            self._held = ""
            return self._sequence(whole) if len(whole) <= _LONGEST else ""
        elif len(whole) > _LONGEST:
            self._held = self._held[:-1]
        return ""

    def _after_escape(self, char: str) -> str:
        body = self._held[1:]
        if " " <= char <= "/" and len(body) == 1:
            return ""
        self._held = ""
        if body in _STRINGS:
            self._string = True
            return ""
        if body in _CHARACTER_SETS:
            self._touched[f"{_ESC}{body[0]}B"] = None
            return _ESC + body
        if body not in _AFTER_ESCAPE:
            return ""
        if body == "=":
            self._touched[f"{_ESC}>"] = None
        return _ESC + body

    def _sequence(self, whole: str) -> str:
        if found := _SET.fullmatch(whole):
            return self._modes(found)
        if not _CSI.fullmatch(whole):
            return ""
        if whole.endswith("m"):
            self._touched[_NO_COLOUR] = None
        elif whole.endswith("r"):  # it moves the cursor, too
            self._touched[f"{_ESC}7{_ESC}[r{_ESC}8"] = None
        elif whole.endswith(" q"):
            self._touched[f"{_ESC}[0 q"] = None
        return f"{_ESC}[{whole}"

    def _modes(self, found: re.Match[str]) -> str:
        """Those that may be set, each in a sequence of its own."""
        how = found["how"]
        if not found["private"]:
            if _INSERT not in found["modes"].split(";"):
                return ""
            self._touched[f"{_ESC}[4l"] = None
            return f"{_ESC}[4{how}"
        modes = [mode for mode in found["modes"].split(";") if mode in _MODES]
        for mode in modes:
            self._on.pop(mode, None)
            if (how == "h") != (mode in _USUALLY_ON) and mode not in _UNDONE_BY_ITSELF:
                self._on[mode] = None
        return "".join(f"{_ESC}[?{mode}{how}" for mode in modes)
