"""How far a script has been read, and what every rule of the grammar needs to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser.source import JOIN, decode, joined, unmark
from limpet.syntax.tree import Opaque

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.parser.bodies import Body
    from limpet.syntax.tree import Command, Part, Redirect, Script

MAX_DEPTH = 48
"""Of anything inside anything. Deeper text is opaque: no script needs it, and Python's own stack is finite."""

BLANKS = late(f"[ \\t{JOIN}]*+")
_REST_OF_LINE = late(f"[^\\n{JOIN}]*+")


class Rules:
    """The rules that refer to each other in a circle, tied together where the parser is put together."""

    def __init__(
        self,
        script: Callable[[Reader], Script],
        command: Callable[[Reader], Command],
        dollar: Callable[[Reader, bool], Part | None],
        bodies: Callable[[Reader], None],
        backtick: Callable[[Reader, bool], Part],
    ) -> None:
        self.script = script
        self.command = command
        self.dollar = dollar
        self.bodies = bodies
        self.backtick = backtick


class Reader:
    """A text and a place in it. Rules read from `pos` and leave it behind what they have read."""

    __slots__ = (
        "closed", "commented", "depth", "end", "extglob", "in_heredoc", "in_substitution", "known", "opaque", "pending",
        "pos", "rules", "text", "unclosed",
    )  # fmt: skip

    def __init__(self, text: str, rules: Rules, *, extglob: bool, depth: int = 0) -> None:
        self.text = text
        self.pos = 0
        self.end = len(text)
        """Nothing is read beyond: the end of the text, or of the part of it that is being read."""
        self.rules = rules
        self.extglob = extglob
        self.depth = depth
        self.opaque: list[Opaque] = []
        self.pending: list[Redirect] = []
        """Heredocs whose bodies begin after the next line end."""
        self.commented = -1
        """Where the last comment ends."""
        self.in_substitution = False
        self.known: dict[int, Body] = {}
        """What stands in parentheses, by where it begins: asked for its end first, and for its commands later."""
        self.unclosed: set[tuple[str, int]] = set()
        """Brackets whose end was looked for in vain, and how far: looking again and again would take forever."""
        self.closed: dict[tuple[str, int], int] = {}
        """Where brackets close, by where their insides begin: each level looks through all levels inside it."""
        self.in_heredoc = False
        """Whether this is the body of a heredoc, where nobody has looked at quotes before it is expanded."""

    def peek(self) -> str:
        """The next character, or nothing."""
        return self.text[self.pos] if self.pos < self.end else ""

    def skip_blanks(self) -> None:
        """Go to the next character that is neither blank nor continuation."""
        if self.pos == self.commented:
            return
        found = BLANKS.match(self.text, self.pos, self.end)
        if found is not None:
            self.pos = found.end()

    def skip_joins(self) -> None:
        """Go behind line continuations."""
        while self.pos < self.end and self.text[self.pos] == JOIN:
            self.pos += 1

    def skip_comment(self) -> None:
        """From a `#` to the end of its line; a backslash does not make it longer."""
        found = _REST_OF_LINE.match(self.text, self.pos, self.end)
        if found is not None:
            self.pos = self.commented = found.end()

    def at_line_end(self) -> bool:
        """Whether a line ends here; after a comment a marked continuation is an ordinary line end."""
        return self.pos < self.end and (self.text[self.pos] == "\n" or self.pos == self.commented)

    def read_line_end(self) -> None:
        """Read a line end, and the heredocs that begin after it."""
        self.pos += 2 if self.text[self.pos] == JOIN else 1
        if self.pending:
            self.rules.bodies(self)

    def skip_lines(self) -> bool:
        """Blanks, comments and line ends; whether there was a line end."""
        crossed = False
        while True:
            self.skip_blanks()
            if self.peek() == "#":
                self.skip_comment()
            if not self.at_line_end():
                return crossed
            self.read_line_end()
            crossed = True

    def plain(self, start: int, end: int) -> str:
        """That text without continuations, decoded."""
        text = self.text[start:end]
        return text if text.isascii() else decode(joined(text))

    def raw(self, start: int, end: int) -> str:
        """That text with continuations as they stood, decoded."""
        text = self.text[start:end]
        return text if text.isascii() else decode(unmark(text))

    def fault(self, start: int, end: int, reason: str) -> Opaque:
        """Note something that was not understood."""
        node = Opaque(start, end, reason)
        self.opaque.append(node)
        return node

    def too_deep(self) -> bool:
        """Whether nothing may be nested any deeper."""
        return self.depth >= MAX_DEPTH
