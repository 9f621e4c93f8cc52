"""`$x`, `${x:-y}`, `"${a[@]}"` and all their kin -> runs of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.values.carve import carve
from limpet.syntax.values.choices import CHOICES, choose
from limpet.syntax.values.field import UNKNOWN, Field, known
from limpet.syntax.values.operands import read_pattern, read_replacement
from limpet.syntax.values.runs import BREAK, NOTHING, Run, Runs, field_runs, number_run, text_run, unknown_run
from limpet.syntax.values.scope import BLANKS, Unset
from limpet.syntax.values.subject import One, Several, find_subject
from limpet.syntax.values.transform import at, change_case, cut, replace, strip

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.tree import Parameter
    from limpet.syntax.values.reader import Reader
    from limpet.syntax.values.scope import Scope


def expand_parameter(node: Parameter, reader: Reader, *, quoted: bool) -> Runs:
    """What stands in the parameter's place."""
    if node.operator == "names":
        return [unknown_run(quoted=quoted, many=True)]
    subject = find_subject(node, reader)
    if isinstance(subject, Several):
        _note(node, subject, reader)
    if node.operator in CHOICES:
        return choose(node, subject, reader, show, quoted=quoted)
    if node.operator == "length":
        return [_length(subject, quoted=quoted)]
    if not node.operator:
        return show(subject, reader.scope, quoted=quoted)
    before = reader.scope.copy()
    if node.operator == ":":
        changed = _slice(node, subject, reader)
    elif node.operator[0] in "#%":
        changed = _strip(node, subject, reader, quoted=quoted)
    else:
        changed = _map(subject, _change(node, reader, quoted=quoted))
    if not _has_text(subject):
        reader.scope.join(before)  # bash does not read the operands when there is nothing to change
    return show(changed, reader.scope, quoted=quoted)


def _note(node: Parameter, subject: Several, reader: Reader) -> None:
    reader.met_list = True
    reader.met_each = reader.met_each or not subject.joined
    reader.met_joined = reader.met_joined or (subject.joined and node.operator not in ("", "length"))


def show(subject: One | Several, scope: Scope, *, quoted: bool) -> Runs:
    """The value or values as they stand."""
    if isinstance(subject, Several):
        return _show_all(subject, scope, quoted=quoted)
    if subject.value is None:
        return [Run(subject.stands, quoted=quoted, splits=not quoted)]
    value = Field() if isinstance(subject.value, Unset) else subject.value
    if not scope.spend(value.size):
        return [unknown_run(quoted=quoted)]
    return field_runs(Field(value.pieces), quoted=quoted)


def _show_all(subject: Several, scope: Scope, *, quoted: bool) -> Runs:
    elements = subject.elements
    separators = scope.separators
    if (
        elements is None
        or not scope.spend(len(elements))
        or not scope.spend(sum(element.size + 1 for element in elements))
    ):
        return [unknown_run(quoted=quoted, many=not subject.joined)]
    if quoted and subject.joined:
        return _join(subject, separators)
    if not quoted and (separators != BLANKS or any(element.many for element in elements)):
        return [unknown_run(quoted=False)]
    runs: Runs = []
    for element in elements:
        runs += [BREAK] if runs else []
        runs += field_runs(element, quoted=quoted) or [Run("", quoted=quoted)]
    return runs or ([NOTHING] if quoted else [])


def _join(subject: Several, separators: str | None) -> Runs:
    """`"$*"`: the values with the first separator between them."""
    elements = subject.elements or ()
    if separators is None or subject.count is None:
        return [unknown_run(quoted=True)]
    runs: Runs = []
    for number, element in enumerate(elements):
        runs += [Run(separators[:1], quoted=True)] if number else []
        runs += field_runs(element, quoted=True)
    return runs


def _length(subject: One | Several, *, quoted: bool) -> Run:
    if isinstance(subject, Several):
        size = subject.count
    else:
        value = Field() if isinstance(subject.value, Unset) else subject.value
        text = value.text if value is not None else None
        size = len(text) if text is not None and text.isascii() else None
    return text_run(str(size), quoted=quoted) if size is not None else number_run(quoted=quoted)


def _map(subject: One | Several, change: Callable[[str], str | None]) -> One | Several:
    if isinstance(subject, One):
        value = subject.value
        return One("", _changed(value, change) if isinstance(value, Field) else value)
    if subject.elements is None:
        return subject
    changed = tuple(_changed(element, change) for element in subject.elements)
    return Several(changed, subject.indexes, joined=subject.joined)


def _changed(value: Field, change: Callable[[str], str | None]) -> Field:
    changed = change(value.text) if value.text is not None else None
    return known(changed) if changed is not None else Field((UNKNOWN,), many=value.many)


def _change(node: Parameter, reader: Reader, *, quoted: bool) -> Callable[[str], str | None]:
    """What the operator does to each value."""
    operator, kind = node.operator, node.operator[0]
    if kind == "@":
        return lambda text: at(operator[1:], text)
    if kind == "/":
        return _replacing(node, reader, quoted=quoted)
    has_pattern = bool(node.operands) and bool(node.operands[0].parts)
    pattern = read_pattern(node.operands[0], reader, quoted=quoted) if has_pattern else None
    if kind in "^,~" and (not has_pattern or (pattern is not None and pattern.literal != "")):
        return lambda text: change_case(operator, text, pattern)
    return lambda _: None


def _strip(node: Parameter, subject: One | Several, reader: Reader, *, quoted: bool) -> One | Several:
    """`${x#p}` and its kin."""
    if not node.operands or not node.operands[0].parts:
        return _map(subject, lambda text: text)
    pattern = read_pattern(node.operands[0], reader, quoted=quoted)
    if pattern is None:
        return _map(subject, lambda _: None)
    value = subject.value if isinstance(subject, One) else None
    if isinstance(value, Field) and value.text is None:
        hides = reader.scope.hides_dots and reader.scope.ordinary
        left = carve(node.operator, value, pattern, hides_dots=hides)
        return One("", left if left is not None else Field((UNKNOWN,)))
    return _map(subject, lambda text: strip(node.operator, text, pattern))


def _replacing(node: Parameter, reader: Reader, *, quoted: bool) -> Callable[[str], str | None]:
    if not node.operands:
        return lambda _: None
    pattern = read_pattern(node.operands[0], reader, quoted=quoted, anchors=node.operator == "/")
    new = read_replacement(node.operands[1], reader, quoted=quoted) if len(node.operands) > 1 else ""
    # Where nothing stands before the second slash, bash takes that slash for the pattern.
    slashed = len(node.operands) > 1 and not node.operands[0].parts and node.operator in ("/", "//")
    if pattern is None or new is None or slashed or not reader.scope.spend(len(new)):
        return lambda _: None
    return lambda text: replace(node.operator, text, pattern, new)


def _has_text(subject: One | Several) -> bool:
    value = subject.value if isinstance(subject, One) else None
    return isinstance(value, Field) and any(isinstance(piece, str) for piece in value.pieces)


def _slice(node: Parameter, subject: One | Several, reader: Reader) -> One | Several:
    numbers = [reader.number(operand) for operand in node.operands]
    offset = numbers[0] if numbers else None
    length = numbers[1] if len(numbers) > 1 else None
    sure = offset is not None and None not in numbers
    if isinstance(subject, One):
        cutting = (lambda text: cut(text, offset or 0, length)) if sure else (lambda _: None)
        return _map(subject, cutting)
    elements = _part(subject, offset, length) if sure and offset is not None else None
    return Several(elements, joined=subject.joined)


def _part(subject: Several, offset: int, length: int | None) -> tuple[Field, ...] | None:
    """`${a[@]:offset:length}`, counted by index from `offset` on."""
    if subject.count is None or subject.elements is None or (length is not None and length < 0):
        return None
    start = offset + max(subject.indexes, default=0) + 1 if offset < 0 else offset
    if start < subject.first:
        return None
    chosen = [field for at, field in zip(subject.indexes, subject.elements, strict=True) if at >= start]
    return tuple(chosen[:length])
