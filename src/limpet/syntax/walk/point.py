"""What a script has done so far -> what is known at one point of it, beyond its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.values.field import Field, known
from limpet.syntax.values.scope import Unset
from limpet.syntax.walk.names import HARMLESS, OWN_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.syntax.values.scope import Scope, Value

    Folders = frozenset[str] | None
    Stack = tuple["str | None", Folders, "Stack"] | tuple[()] | None

_MOST_NUMBERS = 64
_MOST_JOINED = 1 << 21
_MOST_EXPORTED = 64
_MOST_FOLDERS = 8
READ_ONLY = frozenset({"BASHOPTS", "BASH_VERSINFO", "EUID", "PPID", "SHELLOPTS", "UID"})
_FOLDERS = frozenset({"CDPATH", "DIRSTACK"})


def either(some: Folders, others: Folders) -> Folders:
    """All of these folders; None when they are too many to be told apart."""
    if some is None or others is None or len(some | others) > _MOST_FOLDERS:
        return None
    return some | others


class _Ledger:
    """What all points of a walk share: how many names there are, and how much joining may yet cost."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.left = _MOST_JOINED
        self.clock = 0


class Point:
    """Variables, the folder, what `pushd` remembers, and which variables are surely numbers."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._ledger = _Ledger()
        self._time = 0
        self.stack: Stack = ()
        """What `pushd` remembers, the newest first; None when that is not known."""
        self.numbers: frozenset[str] = OWN_NUMBERS
        """Variables whose values are not known, but that they are numbers."""
        self.integers: frozenset[str] = OWN_NUMBERS
        """Variables that may be of the kind that evaluates what is assigned; with `*` any may."""
        self.keyed: frozenset[str] = frozenset()
        """Arrays of keys, whose subscripts are no arithmetic."""
        self.frozen: frozenset[str] = READ_ONLY
        """Variables that may be read-only; with `*` any may."""
        self.exported: frozenset[str] = frozenset({"HOME"} if scope.home is not None else ())
        """Variables that are surely given to the programs that are started, with whatever they hold."""
        self.sure = scope.cwd is not None
        """Whether the folder is what it seems even if a `cd` before failed."""
        self.folders: Folders = frozenset({scope.cwd}) if scope.cwd is not None else None
        """Every folder that this may be, whichever `cd` before failed; None when it may be any."""
        self.reached: Folders = self.folders
        """The same, if only the last `cd` has worked."""
        self.left: Folders = None
        """Every folder that `cd -` may go back to."""
        self._leaving: Folders = None
        """The same, if only the last `cd` has worked."""
        self.strict = False
        """Whether the script surely ends when a command fails."""
        self.settles = self.sure
        """Whether it would be sure, if only the last `cd` has worked."""
        self.searched = False
        """Whether CDPATH may be set though the scope does not know it."""

    def copy(self) -> Point:
        """The same knowledge, to change on its own."""
        other = object.__new__(Point)
        other.__dict__.update(self.__dict__)
        other.scope = self.scope.copy()
        return other

    def join(self, other: Point) -> None:
        """Either this or the other is how things are."""
        if self.numbers is not other.numbers:
            self.numbers = frozenset(name for name in self.numbers | other.numbers if self._both(name, other))
        self.integers |= other.integers
        self.keyed &= other.keyed
        self.frozen |= other.frozen
        self.exported &= other.exported
        self.searched |= other.searched
        self.sure &= other.sure and self.scope.cwd == other.scope.cwd
        self.settles &= other.settles
        self.folders = either(self.folders, other.folders)
        self.reached = either(self.reached, other.reached)
        self.left = either(self.left, other.left)
        self._leaving = either(self._leaving, other._leaving)
        self.strict &= other.strict
        if self.stack is not other.stack:
            self.stack = None
        self.scope.join(other.scope)
        if self._time != other._time:
            self._pay()

    def _pay(self) -> None:
        """Joining takes longer the more names there are: when that was too much, nothing is known any more."""
        ledger = self._ledger
        ledger.left -= 32 + len(ledger.names)
        if ledger.left < 0:
            self.forget_all()
        self.touch("")

    def touch(self, name: str) -> None:
        """The variable may be another one than in any copy."""
        self._ledger.names.add(name)
        self._ledger.clock += 1
        self._time = self._ledger.clock

    def _both(self, name: str, other: Point) -> bool:
        return self.is_number(name) and other.is_number(name)

    def is_number(self, name: str) -> bool:
        """Whether evaluating what the variable holds can do nothing."""
        if name in self.numbers:
            return True
        value = self.scope.get(name)
        if isinstance(value, Unset):
            return True
        text = value.text if isinstance(value, Field) else None
        return text is not None and HARMLESS.fullmatch(text) is not None

    def is_frozen(self, name: str) -> bool:
        """Whether assigning the variable may fail, and bash then give up the line."""
        return name in self.frozen or "*" in self.frozen

    def may_be_keyed(self, name: str) -> bool:
        """Whether `declare -A` makes it an array of keys: nothing has assigned or declared it otherwise yet."""
        return name in self.keyed or name not in self._ledger.names

    def mark(self, name: str, *, number: bool) -> None:
        """Whether what the variable was just given is a number."""
        self.touch(name)
        if number and name not in self.numbers and len(self.numbers) < _MOST_NUMBERS:
            self.numbers |= {name}
        elif not number and name in self.numbers:
            self.numbers -= {name}
        if name == "OLDPWD":
            self.left = self._leaving = None
        if name == "GLOBIGNORE":
            self.scope.hides_dots = False
        if name == "BASH_XTRACEFD":  # what is traced may go where output goes
            self.scope.prints = False
        if name in _FOLDERS:
            self.searched = True
            self.stack = None

    def assign(self, name: str, value: Field | Mapping[int, Field]) -> None:
        """The variable has this value from here on."""
        self.scope.assign(name, value)
        text = value.text if isinstance(value, Field) else None
        self.mark(name, number=text is not None and HARMLESS.fullmatch(text) is not None)

    def forget(self, name: str, *, number: bool = False) -> None:
        """The variable may hold anything from here on, or any number."""
        self.scope.forget(name)
        self.mark(name, number=number)

    def forget_all(self) -> None:
        """Each variable and positional parameter may hold anything from here on; the folder stays."""
        self.touch("")
        self.scope.forget_all()
        self.numbers = self.keyed = frozenset()

    def forget_any(self) -> None:
        """A variable was given a value, and nobody knows which: it may be one that `cd` or `popd` look at."""
        self.forget_all()
        self.exported = frozenset()
        self.searched = True
        self.stack = None

    def pin(self, name: str, *, reference: bool = False) -> None:
        """The variable is unknown whatever is assigned from here on."""
        self.scope.pin_unknown(name, reference=reference)
        self.mark(name, number=False)
        if reference:
            self.forget_all()

    def refer(self, name: str, target: str) -> None:
        """`declare -n name=target`, of a variable that was none of another kind before."""
        fresh = name not in self._ledger.names or isinstance(self.scope.get(name), Field)
        if not fresh or self.is_frozen(name):
            self.pin(name, reference=True)
            return
        self.scope.refer(name, target)
        self.mark(name, number=False)

    def export(self, name: str, *, is_given: bool = True) -> None:
        """The variable is given to the programs that are started from here on, or may not be."""
        if not is_given:
            self.exported -= {name}
        elif len(self.exported) < _MOST_EXPORTED:
            self.exported |= {name}

    def move(self, folder: str | None, *, absolute: bool = False, reached: Folders = None) -> None:
        """The folder is another one, if that works, and then one of `reached`; what `$PWD` says depends on it."""
        self.settles = folder is not None and (absolute or self.sure)
        self.sure = False
        self._leaving, self.left = self.folders, either(self.left, self.folders)
        self.reached = reached
        self.folders = either(self.folders, reached)
        self.scope.move(folder)
        self.scope.forget("PWD")

    def begin_in(self, folders: tuple[str, ...] | None) -> None:
        """The folder may be any of these, or with None any at all."""
        self.folders = self.reached = frozenset(folders) if folders is not None else None
        if folders != (self.scope.cwd,):
            self.sure = self.settles = False
            self.scope.forget("PWD")

    def settle(self) -> None:
        """The last `cd` is known to have worked."""
        self.folders, self.left = self.reached, self._leaving
        if self.settles and self.scope.cwd is not None:
            self.sure = True
            self.scope.assign("PWD", known(self.scope.cwd))

    def lose(self) -> None:
        """Anything may have happened: a command that is not known, or one that was not followed."""
        self.forget_any()
        self.move(None)
        self.scope.ordinary = self.scope.prints = self.scope.hides_dots = self.strict = False

    def restore(self, name: str, value: Value | None, *, number: bool) -> None:
        """The variable has again what it had."""
        if value is None:
            self.scope.forget(name)
        elif isinstance(value, Unset):
            self.scope.unset(name)
        else:
            self.scope.assign(name, value)
        self.mark(name, number=number)
