"""Random choices -> words of bash: quoted in every way, with expansions in them, broken over lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import DrawFn

NAMES = ("a", "b", "cmd", "x1", "_y", "ls", "git")
PLAIN = "abz019_-./:,=@%+^"
HOSTILE = " ab;|&<>()$`\"'*?[]{}~#!\\\t"
SPECIAL = ("@", "*", "#", "?", "$", "!", "-", "1", "0")
OPERATORS = (":-", "-", ":=", "=", ":+", "+", ":?", "?", "#", "##", "%", "%%", "^", "^^", ",", ",,")
ESCAPES = ("\\n", "\\t", "\\'", '\\"', "\\\\", "\\x41", "\\x7a", "\\101", "\\u0061", "\\e", "\\z", "\\cq")


class Words:
    """Writes words. What is deeper than `depth` has no scripts in it."""

    def __init__(self, draw: DrawFn, script: Callable[[int], str]) -> None:
        self.draw = draw
        self.script = script

    def pick(self, *choices: str) -> str:
        """One of these."""
        return self.draw(st.sampled_from(choices))

    def number(self, low: int, high: int) -> int:
        """A number, both ends included."""
        return self.draw(st.integers(low, high))

    def rarely(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.number(1, one_in) == one_in

    def name(self) -> str:
        """A name, which may be broken over lines."""
        name = self.pick(*NAMES)
        return name[:1] + "\\\n" + name[1:] if len(name) > 1 and self.rarely(12) else name

    def command_name(self, depth: int) -> str:
        """The first word of a command: a name, some of its letters in disguise."""
        if self.rarely(8):
            return self.word(depth)
        return "".join(map(self._disguised, self.pick(*NAMES)))

    def _disguised(self, letter: str) -> str:
        if not self.rarely(5):
            return letter
        return self.pick(
            f"'{letter}'",
            f'"{letter}"',
            f"\\{letter}",
            f"$'\\x{ord(letter):02x}'",
            f"''{letter}",
            f"{letter}" if not self.rarely(3) else f"\\\n{letter}",
        )

    def word(self, depth: int) -> str:
        """A word that is not empty and has no meaning of its own to the parser."""
        word = "".join(self._piece(depth) for _ in range(self.number(1, 3)))
        return f"''{word}" if word[0] in "#{}=![" or word in RESERVED else word

    def _piece(self, depth: int) -> str:
        makers = [self._plain, self._plain, self._escaped, self._single, self._double, self._ansi, self._glob]
        if depth > 0:
            makers += [self.expansion, self.expansion]
        return makers[self.number(0, len(makers) - 1)](depth)

    def _plain(self, depth: int) -> str:
        return self.draw(st.text(PLAIN, min_size=1, max_size=4))

    def _escaped(self, depth: int) -> str:
        return "\\" + self.pick(*HOSTILE, "\n") + self.pick("a", "b")

    def _single(self, depth: int) -> str:
        return "'" + self.draw(st.text(HOSTILE.replace("'", "") + "\n", max_size=5)) + "'"

    def _ansi(self, depth: int) -> str:
        return "$'" + "".join(self.pick("a", " ", "$", "`", '"', ";", *ESCAPES) for _ in range(self.number(0, 3))) + "'"

    def _glob(self, depth: int) -> str:
        return self.pick("*", "?", "[ab]", "[!a-z]", "{a,b}", "{1..3}", "~", "a~", "x*y")

    def _double(self, depth: int) -> str:
        pieces = [self._inside(depth) for _ in range(self.number(0, 3))]
        return self.pick('"', '"', '"', '$"') + "".join(pieces) + '"'

    def _inside(self, depth: int) -> str:
        if depth > 0 and self.rarely(3):
            return self.expansion(depth, quoted=True)
        return self.pick(
            "a", " b", "\\$", '\\"', "\\`", "\\\\", "\\\n", "'", "#", "; c", "| d", "\\a", "\n", "(", ")", "}"
        )

    def expansion(self, depth: int, *, quoted: bool = False) -> str:
        """Something that is replaced when the word is expanded."""
        makers = [self._parameter, self._braced, self._braced, self._command, self._command, self._backtick, self._sum]
        if not quoted:
            makers.append(self._process)
        return makers[self.number(0, len(makers) - 1)](depth - 1)

    def _parameter(self, depth: int) -> str:
        return "$" + self.pick(*SPECIAL, "a", "x1")

    def _braced(self, depth: int) -> str:
        name = self.pick("a", "x1", "a[0]", "a[@]", "a[$b]", "1", "@", "!a", "#a")
        if name[0] in "#!" or self.rarely(4):
            return "${" + name + "}"
        return "${" + name + self._operation(depth) + "}"

    def _operation(self, depth: int) -> str:
        kind = self.number(1, 6)
        if kind == 1:
            return self.pick(":1", ":1:2", ": -1", ":a+1:$b", "@Q", "@P")
        if kind == 2:
            return (
                self.pick("/", "//", "/#", "/%") + self._operand(depth) + self.pick("", "/", "/" + self._operand(depth))
            )
        return self.pick(*OPERATORS) + self._operand(depth)

    def _operand(self, depth: int) -> str:
        choices = ["", "b", "b c", "*", "\\}", '"b c"', '"}"', "$b", "\\\n", "b\\\nc", ";", "|", "#"]
        return self.expansion(depth, quoted=True) if depth > 0 and self.rarely(3) else self.pick(*choices)

    def _command(self, depth: int) -> str:
        opening = self.pick("$(", "$( ", "$(\n") if not self.rarely(10) else self.pick("$(\\\n ", "$\\\n( ")
        body = self.script(depth)
        return opening + (" " if body.startswith("(") else "") + body + ")"

    def _backtick(self, depth: int) -> str:
        body = self.script(min(depth, 0)).replace("\\", "\\\\").replace("`", "\\`").replace("$", self.pick("$", "\\$"))
        return f"`{body}`"

    def _process(self, depth: int) -> str:
        body = self.script(depth)
        return self.pick("<(", ">(") + body + ")"

    def _sum(self, depth: int) -> str:
        return self.pick("$((", "$((", "$[").replace("$[", "$((") + self.sum(depth) + "))"

    def sum(self, depth: int) -> str:
        """Arithmetic."""
        terms = [self._term(depth) for _ in range(self.number(1, 3))]
        return self.pick("", " ") + self.pick("+", " * ", "<", "&&", ",").join(terms) + self.pick("", " ")

    def _term(self, depth: int) -> str:
        if depth > 0 and self.rarely(3):
            return self.expansion(depth, quoted=True)
        return self.pick("1", "a", "$a", "${a}", "a[1]", "(1)", "-b", "16#ff", "a++")


RESERVED = frozenset(
    {"if", "then", "else", "elif", "fi", "case", "esac", "for", "select", "while", "until", "do", "done", "in"}
    | {"function", "time", "coproc", "{", "}", "!", "[[", "]]"}
)
