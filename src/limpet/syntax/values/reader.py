"""Parts of a word -> runs of text: what quotes, parameters, arithmetic and substitutions become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.tree import Arithmetic, Double, Literal, Parameter, Part, Substitution, Word
from limpet.syntax.values.calc import calculate, forget_names
from limpet.syntax.values.field import UNKNOWN
from limpet.syntax.values.parameters import expand_parameter
from limpet.syntax.values.runs import NOTHING, Break, Run, Runs, flatten, number_run, text_run, unknown_run
from limpet.syntax.values.scope import BLANKS
from limpet.syntax.values.substituted import output_of
from limpet.syntax.values.tilde import Tildes, expand_tildes

if TYPE_CHECKING:
    from limpet.syntax.values.field import Field
    from limpet.syntax.values.scope import Scope

_DEEPEST = 24
_ASSIGNS = late(r"(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--")


class Reader:
    """Reads words in a scope, which what it reads may change: `${x:=y}` and `$((x = 1))` assign."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.met_list = False
        """Whether `$@` or another list was among what was read."""
        self.met_each = self.met_joined = False
        """Whether there was an `@`, and a `*` with an operator: together they follow rules of their own."""
        self._depth = 0

    def runs(self, word: Word, tildes: Tildes, *, quoted: bool = False, splits: bool = False) -> Runs:
        """What the word becomes; `splits` when its bare text is cut at separators, as it is inside `${…}`."""
        if self._depth >= _DEEPEST:
            self.scope.forget_all()
            return [unknown_run(quoted=False)]
        self._depth += 1
        runs: Runs = []
        for part in expand_tildes(word.parts, self.scope, tildes):
            if isinstance(part, Run) and splits and part.piece == UNKNOWN:
                runs.append(unknown_run(quoted=False))
            elif isinstance(part, (Run, Break)):
                runs.append(part)
            else:
                runs.extend(self._part(part, quoted=quoted, splits=splits))
        self._depth -= 1
        mixed = self._depth == 0 and self.met_each and self.met_joined
        return [unknown_run(quoted=False)] if mixed else runs

    def text(self, word: Word, tildes: Tildes, *, quoted: bool = False) -> Field:
        """The word as one text."""
        return flatten(self.runs(word, tildes, quoted=quoted), self.scope.separators)

    def number(self, expression: Word) -> int | None:
        """The value of an arithmetic expression."""
        value = self.text(expression, Tildes.NOWHERE, quoted=True)
        if value.text is not None:
            return calculate(value.text, self.scope)
        shown = " ".join(piece for piece in value.pieces if isinstance(piece, str))
        self.scope.evaluates = True
        if _ASSIGNS.search(shown):
            self.scope.forget_all()  # the name that is assigned may be part of what is not known
        else:
            forget_names(shown, self.scope)
        return None

    def _part(self, part: Part, *, quoted: bool, splits: bool) -> Runs:
        if isinstance(part, Literal):
            bare = not (quoted or part.quoted)
            return [Run(part.text, quoted=not bare, splits=splits and bare)]
        if isinstance(part, Double):
            return self._double(part)
        if isinstance(part, Parameter):
            return expand_parameter(part, self, quoted=quoted)
        if isinstance(part, Arithmetic):
            return [self._arithmetic(part, quoted=quoted)]
        if isinstance(part, Substitution):
            # The path of a pipe is digits and slashes.
            is_path = part.kind in ("<(", ">(") and self.scope.separators == BLANKS
            if is_path:
                return [text_run("/dev/fd/", quoted=True), unknown_run(quoted=True)]
            shown = output_of(part.body, self.scope, Reader) if part.kind in ("$(", "`") else None
            return [unknown_run(quoted=quoted) if shown is None else text_run(shown.rstrip("\n"), quoted=quoted)]
        return [unknown_run(quoted=False)]

    def _double(self, double: Double) -> Runs:
        runs: Runs = []
        for part in double.parts:
            runs.extend(self._part(part, quoted=True, splits=False))
        if NOTHING not in runs:
            return runs or [Run("", quoted=True)]
        rest: Runs = [run for run in runs if run != NOTHING]
        if any(isinstance(run, Run) and run.piece for run in rest):
            return rest
        return [] if len(double.parts) == 1 else [unknown_run(quoted=True, many=True)]

    def _arithmetic(self, part: Arithmetic, *, quoted: bool) -> Run:
        value = self.number(part.expression)
        if value is not None:
            return text_run(str(value), quoted=quoted)
        return number_run(quoted=quoted)
