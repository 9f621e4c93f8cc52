"""A command as it is judged: wrappers taken off, its folder and what it reads from known as far as they can be."""

from __future__ import annotations

import msgspec

from limpet.syntax.values.field import Field
from limpet.syntax.walk.found import Opened, Step


class Command(msgspec.Struct, frozen=True, gc=False):
    """One program or builtin with its arguments."""

    argv: tuple[Field, ...]
    start: int
    end: int
    cwd: str | None
    via: tuple[str, ...] = ()
    """What it was found through, outermost first."""
    environment: tuple[tuple[str, Field], ...] = ()
    """Variables that are set for it."""
    opened: tuple[Opened, ...] = ()
    steps: tuple[Step, ...] = ()
    function: bool = False
    """Its name is that of a function of the script."""
    evaluated: bool = False
    """Text that it evaluates again was followed already, where the command was found."""
    read: str | None = None
    """Text on its standard input that it runs, and that was followed already, where the command was found."""
    own: tuple[Opened, ...] = ()
    """Of what is opened, that which its own redirections open."""
    folders: tuple[str, ...] | None = ()
    """All folders that it may run in, where a `cd` before it may have failed; None for any, empty for its own."""
    items: Field | None = None
    """What `xargs` reads, when something is known of it: one of those."""

    @property
    def name(self) -> str | None:
        """The program without its folder; None when it is not known."""
        text = self.argv[0].text if self.argv else ""
        return None if text is None else text.rpartition("/")[2]

    @property
    def path(self) -> str | None:
        """The program as it is written."""
        return self.argv[0].text if self.argv else ""

    @property
    def arguments(self) -> tuple[Field, ...]:
        """What follows the name."""
        return self.argv[1:]

    @property
    def texts(self) -> tuple[str | None, ...]:
        """The arguments as text, None for each that is not known."""
        return tuple(field.text for field in self.arguments)
