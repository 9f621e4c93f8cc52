"""What a script has done so far -> what is known of its variables at one point."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec

from limpet.syntax.values.field import UNKNOWN, Field, known
from limpet.syntax.values.special import RESTLESS

if TYPE_CHECKING:
    from collections.abc import Mapping

BLANKS = " \t\n"
"""What separates arguments until a script says otherwise."""
_LONGEST = 1 << 16  # characters of one value
_MOST_PIECES = 256  # of one value, known and unknown ones in turn
_MOST_ELEMENTS = 1024
_MOST_NAMES = 8192
_DEEPEST = 4  # of substitutions in substitutions whose output is known
_WORK = 1 << 20  # characters that may be handled while values are put in place of their names


class Unset(msgspec.Struct, frozen=True, gc=False):
    """A variable that is known to have no value."""


Elements = MappingProxyType[int, Field]
"""An indexed array, wholly known: which elements it has, and each of them."""

Value = Field | Elements | Unset

UNSET = Unset()


class Scope:
    """Variables, positional parameters and the folder at one point of a script.

    What was never assigned is unknown, for the environment may hold it. Copies share one allowance of work: when it is
    used up, nothing more is known.
    """

    def __init__(
        self, *, home: str | None = None, cwd: str | None = None, positional: tuple[Field, ...] | None = None
    ) -> None:
        self._values: dict[str, Value] = {"IFS": known(BLANKS)}
        self._shared = False
        self._pinned: frozenset[str] = RESTLESS
        self._references: frozenset[str] = frozenset()
        self._meant: dict[str, str] = {}  # by which of these references; never changed in place, for copies share it
        self._work = [_WORK]
        self.positional = positional
        """`$1` and on, or None when not even their number is known."""
        self.ordinary = True
        """Whether words are read as bash does by default: set to False once `set` or `shopt` may have changed it."""
        self.prints = False
        """Whether `echo`, `printf`, `cat` and so on surely are what they seem, so that what they print is known."""
        self.hides_dots = False
        """Whether globs surely leave out names that begin with a dot."""
        self._inside = 0
        self.evaluates = False
        """Whether arithmetic has read text that is not known, which could assign variables or run commands."""
        self._cwd: str | None = None
        if home is not None:
            self.assign("HOME", known(home))
        self.move(cwd)

    @property
    def home(self) -> str | None:
        """What `~` means."""
        value = self.get("HOME")
        return value.text if isinstance(value, Field) else None

    @property
    def cwd(self) -> str | None:
        """The folder that commands run in."""
        return self._cwd

    @property
    def separators(self) -> str | None:
        """The characters that unquoted values are cut at, or None when they are not known."""
        value = self.get("IFS")
        if isinstance(value, Unset):
            return BLANKS
        text = value.text if isinstance(value, Field) else None
        # A character of several bytes may be given as one or as several here.
        return text if text is not None and text.isascii() else None

    def get(self, name: str) -> Value | None:
        """What a variable holds, or None when not even that is known whether it holds anything."""
        value = self._values.get(self._meant.get(name, name))
        return value if not self._inside or isinstance(value, Field) else None

    def move(self, cwd: str | None) -> None:
        """The folder is another one from here on, or, with None, may be any."""
        self._cwd = cwd
        self.forget("OLDPWD")
        if cwd is None:
            self.forget("PWD")
        else:
            self.assign("PWD", known(cwd))

    def assign(self, name: str, value: Field | Mapping[int, Field]) -> None:
        """`name=value`; of a variable that is an array, text becomes the first element."""
        current = self._values.get(name)
        if not isinstance(value, Field):
            self._store(name, MappingProxyType(dict(value)))
        elif isinstance(current, MappingProxyType):
            self.assign_element(name, 0, value)
        else:
            self._store(name, _one(value))

    def assign_element(self, name: str, index: int | None, value: Field) -> None:
        """`name[index]=value`. What was not known to be an array, or to be unset, may be one of keys: it is unknown."""
        current = self._values.get(name)
        elements = MappingProxyType[int, Field]({}) if isinstance(current, Unset) else current
        if index is None or not isinstance(elements, MappingProxyType):
            self.forget(name)
            return
        index += 1 + max(elements, default=-1) if index < 0 else 0
        if index < 0:
            self.forget(name)
        else:
            self._store(name, MappingProxyType({**elements, index: _one(value)}))

    def unset(self, name: str) -> None:
        """The variable has no value from here on."""
        self._store(name, UNSET)

    def forget(self, name: str) -> None:
        """The variable may hold anything from here on."""
        if name in self._references:
            self.forget_all()
        elif name in self._values:
            self._own()
            del self._values[name]

    def forget_all(self) -> None:
        """Each variable and positional parameter may hold anything from here on; the folder stays."""
        self._values = {}
        self._meant = {}
        self._shared = False
        self.positional = None

    def pin_unknown(self, name: str, *, reference: bool = False) -> None:
        """The variable is unknown whatever is assigned from here on; with `reference` it may be any other by name."""
        self._pinned |= {name}
        if reference:
            self._references |= {name}
        self.forget(name)

    def refer(self, name: str, target: str) -> None:
        """`declare -n name=target`: reading it reads the other one; assigning it is not followed."""
        plain = name != name.upper()  # bash looks at others, such as IFS, without following them
        sure = plain and name not in self._pinned and target not in self._references and target != name
        if not sure or isinstance(self._values.get(name), MappingProxyType):
            self.pin_unknown(name, reference=True)
            return
        self.forget(name)
        self._pinned |= {name}
        self._references |= {name}
        self._meant = {**self._meant, name: target}

    def is_reference(self, name: str) -> bool:
        """Whether it may be another variable by name."""
        return name in self._references

    def copy(self) -> Scope:
        """The same knowledge, to change on its own."""
        other = object.__new__(Scope)
        other.__dict__.update(self.__dict__)
        self._shared = other._shared = True
        return other

    def inner(self) -> Scope | None:
        """What is known inside a substitution whose output is to be known; None where that is too deep, or not sure."""
        if not self.prints or self._inside >= _DEEPEST:
            return None
        other = self.copy()
        other.enter()
        return other

    def enter(self) -> None:
        """Into a substitution."""
        self._inside += 1

    @property
    def doubts_unset(self) -> bool:
        """Whether what has no value may be missed, and end what runs here."""
        return self._inside > 0

    def join(self, other: Scope) -> None:
        """Either this or the other is how things are: what differs becomes unknown."""
        if self._values is not other._values:
            theirs = other._values
            self._values = {name: value for name, value in self._values.items() if theirs.get(name) == value}
            self._shared = False
        self._pinned |= other._pinned
        self._references |= other._references
        if self._meant is not other._meant:
            self._meant = {name: meant for name, meant in self._meant.items() if other._meant.get(name) == meant}
        self.positional = self.positional if self.positional == other.positional else None
        self._cwd = self._cwd if self._cwd == other._cwd else None
        self.ordinary = self.ordinary and other.ordinary
        self.prints = self.prints and other.prints
        self.hides_dots = self.hides_dots and other.hides_dots
        self.evaluates = self.evaluates or other.evaluates

    def spend(self, work: int) -> bool:
        """Whether that many more characters may be handled."""
        self._work[0] -= work
        return self._work[0] >= 0

    def _store(self, name: str, value: Value) -> None:
        full = name not in self._values and len(self._values) >= _MOST_NAMES
        if name in self._pinned or full or _is_large(value):
            self.forget(name)
            return
        self._own()
        self._values[name] = value

    def _own(self) -> None:
        if self._shared:
            self._values = dict(self._values)
            self._shared = False


def _one(value: Field) -> Field:
    """A variable holds one text, however many arguments it was taken from."""
    return Field(value.pieces) if value.many else value


def _is_large(value: Value) -> bool:
    if isinstance(value, Unset):
        return False
    if isinstance(value, Field):
        return value.size > _LONGEST or len(value.pieces) > _MOST_PIECES
    return len(value) > _MOST_ELEMENTS or sum(element.size for element in value.values()) > _LONGEST


def add(first: Field, second: Field) -> Field:
    """The two texts, one after the other."""
    fits = first.size + second.size <= _LONGEST and len(first.pieces) + len(second.pieces) <= _MOST_PIECES
    return Field((*first.pieces, *second.pieces)) if fits else Field((UNKNOWN,))
