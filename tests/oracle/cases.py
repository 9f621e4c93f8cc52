"""tests/corpus/grammar.txt -> cases: a script, and whether bash is expected to accept it."""

from __future__ import annotations

from pathlib import Path

import msgspec

PATH = Path(__file__).parent.parent / "corpus" / "grammar.txt"
_PICTURES = str.maketrans({"␤": "\n", "␉": "\t", "␍": "\r", "␠": " ", "␀": "\0"})


class Case(msgspec.Struct, frozen=True):
    """One line of the file."""

    line: int
    text: str
    heading: str

    @property
    def accepted(self) -> bool:
        """Whether bash is expected to accept it as it starts up."""
        return not self.heading.startswith(("refused", "extglob"))

    @property
    def extended(self) -> bool:
        """Whether bash is expected to accept it with extglob on only."""
        return self.heading.startswith("extglob")

    @property
    def known(self) -> bool:
        """Whether we have to know what it means."""
        return not self.heading.startswith(("refused", "opaque"))


def load() -> list[Case]:
    """All cases of the file."""
    found, heading = [], ""
    for number, line in enumerate(PATH.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("% "):
            heading = line[2:]
        elif line:
            found.append(Case(number, line.translate(_PICTURES), heading))
    return found
