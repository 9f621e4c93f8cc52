"""`${x:-y}`, `${x:=y}`, `${x:?y}`, `${x:+y}` -> one of the two, where it is known which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.tree import Double, Literal, Parameter
from limpet.syntax.values.field import Field
from limpet.syntax.values.runs import NOTHING, Run, Runs, field_runs, flatten, is_several, unknown_run
from limpet.syntax.values.scope import Unset
from limpet.syntax.values.subject import One, Several
from limpet.syntax.values.tilde import Tildes

if TYPE_CHECKING:
    from typing import Protocol

    from limpet.syntax.tree import Word
    from limpet.syntax.values.reader import Reader
    from limpet.syntax.values.scope import Scope

    class Show(Protocol):
        """Turns a value into runs."""

        def __call__(self, subject: One | Several, scope: Scope, *, quoted: bool) -> Runs:
            """What stands in its place."""


CHOICES = frozenset((":-", "-", ":=", "=", ":?", "?", ":+", "+"))


def choose(node: Parameter, subject: One | Several, reader: Reader, show: Show, *, quoted: bool) -> Runs:
    """The value, or what the word after the operator becomes."""
    runs = _choose(node, subject, reader, show, quoted=quoted)
    if runs or not quoted or not isinstance(subject, Several):
        return runs
    is_gone = subject.count == 0 and not subject.joined and node.operator[-1] == "+"
    return [NOTHING if is_gone else unknown_run(quoted=True, many=True)]


def _choose(node: Parameter, subject: One | Several, reader: Reader, show: Show, *, quoted: bool) -> Runs:
    kind = node.operator[-1]
    there = _is_there(subject, empty_counts=node.operator[0] != ":")
    if there is None:
        return _either(node, subject, reader, quoted=quoted)
    if kind == "+":
        return _operand(node, reader, quoted=quoted) if there else []
    if there:
        return show(subject, reader.scope, quoted=quoted)
    if kind == "=":
        return _assign(node, subject, reader, quoted=quoted)
    if kind == "?":
        _operand(node, reader, quoted=quoted)
        return [unknown_run(quoted=False)]  # bash ends here
    return _operand(node, reader, quoted=quoted)


def _is_there(subject: One | Several, *, empty_counts: bool) -> bool | None:
    if isinstance(subject, Several):
        count = subject.count
        return count > 0 if count is not None and empty_counts else None
    value = subject.value
    if value is None or isinstance(value, Unset):
        return None if value is None else False
    if empty_counts or any(piece for piece in value.pieces if isinstance(piece, str)):
        return True
    return False if value.text == "" else None


def _operand(node: Parameter, reader: Reader, *, quoted: bool) -> Runs:
    if quoted and any(map(_has_inner_quotes, node.operands)):
        reader.scope.forget_all()
        return [unknown_run(quoted=False)]
    tildes = Tildes.NOWHERE if quoted else Tildes.OPERAND
    runs = [run for word in node.operands[:1] for run in reader.runs(word, tildes, quoted=quoted, splits=True)]
    if any(map(_has_all, node.operands)) and any(isinstance(run, Run) and run.splits for run in runs):
        return [unknown_run(quoted=False, many=True)]  # beside `"$@"` bash does not split what it would split alone
    return runs


def _either(node: Parameter, subject: One | Several, reader: Reader, *, quoted: bool) -> Runs:
    """Which one is not known, so neither is what the operand assigns."""
    before = reader.scope.copy()
    runs = _operand(node, reader, quoted=quoted)
    reader.scope.join(before)
    if node.operator[-1] == "=":
        _forget(node, subject, reader.scope)
    return [unknown_run(quoted=quoted, many=is_several(runs) or isinstance(subject, Several))]


def _assign(node: Parameter, subject: One | Several, reader: Reader, *, quoted: bool) -> Runs:
    value = flatten(_operand(node, reader, quoted=quoted), reader.scope.separators)
    if not isinstance(subject, One) or not subject.name:
        _forget(node, subject, reader.scope)
        return [unknown_run(quoted=False)]
    reader.scope.assign(subject.name, value)
    stored = reader.scope.get(subject.name)
    return field_runs(stored, quoted=quoted) if isinstance(stored, Field) else [unknown_run(quoted=quoted)]


def _forget(node: Parameter, subject: One | Several, scope: Scope) -> None:
    """The variable that may be assigned; `${!x:=y}` may assign any."""
    name = subject.name if isinstance(subject, One) else ""
    if node.indirect and not name:
        scope.forget_all()
    else:
        scope.forget(name or node.name)


def _has_all(operand: Word) -> bool:
    """`"$@"` or `"${a[@]}"`, as it may stand among other parts."""
    inside = [part for double in operand.parts if isinstance(double, Double) for part in double.parts]
    return any(isinstance(part, Parameter) and "@" in (part.name, _text(part.subscript)) for part in inside)


def _text(word: Word | None) -> str:
    return "" if word is None else "".join(part.text for part in word.parts if isinstance(part, Literal))


def _has_inner_quotes(operand: Word) -> bool:
    """`$'…'` in `"${x:-$'…'}"`, which bash undoes."""
    dollar = False
    for part in operand.parts:
        text = part.text if isinstance(part, Literal) else ""
        if "$'" in text or (dollar and (text[:1] == "'" or isinstance(part, Double))):
            return True
        dollar = text.endswith("$")
    return False
