"""`declare` and its kin, `read`, `unset` and others that name variables -> what is known of those afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.values.calc import calculate
from limpet.syntax.values.field import ANYTHING, Field, known
from limpet.syntax.values.outputs import printed
from limpet.syntax.walk.arithmetic import mark_numbers
from limpet.syntax.walk.evaluators import may_be_option
from limpet.syntax.walk.names import NAME, printed_into

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.walk.state import State

_OPTION = late(r"[-+][aAfFgiIlnprtuxc]+|--")
_PINNING = frozenset("AIcilnru")
_FILLED = ("REPLY", "MAPFILE", "OPTARG", "OPTIND")


def _forget_names(argv: tuple[Field, ...], state: State) -> None:
    """What is read from somewhere is unknown; so is everything when the name itself is."""
    for field in argv[1:]:
        if field.text is None:
            state.point.forget_any()
            return
        for name in NAME.findall(field.text):
            state.point.forget(name)
    for name in _FILLED:
        state.point.forget(name)


def _let(argv: tuple[Field, ...], state: State) -> None:
    for field in argv[1:]:
        if field.text is None:
            state.point.forget_any()
        else:
            calculate(field.text, state.scope)
            mark_numbers(field.text, state)


def _printf(argv: tuple[Field, ...], state: State) -> None:
    first = argv[1] if len(argv) > 1 else None
    if first is None or not (first.text or "-v").startswith("-v"):
        return
    if first.text is None and not first.many and first.prefix != "":
        return
    if first.text is None:
        _forget_names(argv[:3], state)
        return
    names, at = printed_into([field.text for field in argv[1:]])
    for name in names:
        _forget_names((argv[0], known(name) if name is not None else ANYTHING), state)
    if names and NAME.fullmatch(names[-1] or ""):
        _print_into(names[-1] or "", argv[1 + at :], state)


def _print_into(name: str, words: tuple[Field, ...], state: State) -> None:
    texts = [word.text for word in words]
    sure = state.scope.ordinary and state.scope.prints  # some shells have another `printf`
    shown = printed([text for text in texts if text is not None]) if sure and None not in texts else None
    if shown is not None and "\0" not in shown:
        state.point.assign(name, known(shown))


def _unset(argv: tuple[Field, ...], state: State) -> None:
    options = "".join(field.text or "" for field in argv[1:] if field.prefix.startswith("-"))
    only_variables = "v" in options and not set("fn") & set(options)
    sure = not set("fn") & set(options)  # else it unsets functions, or references, and leaves variables alone
    for field in argv[1:]:
        name = field.text
        if name is None:
            state.point.forget_any()
            state.functions.shake()
            continue
        if not only_variables and name in state.functions:
            state.functions.shake(name)
        _unset_one(name, state, sure=sure)


def _unset_one(name: str, state: State, *, sure: bool) -> None:
    if NAME.fullmatch(name):
        state.point.export(name, is_given=False)
        state.point.mark(name, number=False)
        state.point.keyed -= {name}
        # Inside a function it may uncover the variable of whoever called.
        if state.in_function or state.temporary or name in state.defined or not sure:
            state.point.forget(name)
        else:
            state.scope.unset(name)
    elif not name.startswith("-"):
        for each in NAME.findall(name):
            state.point.forget(each)


class _Flags:
    def __init__(self, argv: tuple[Field, ...]) -> None:
        texts = [field.text for field in argv[1:] if may_be_option(field)]
        self.unknown = None in texts
        self.odd = any(text is not None and not _OPTION.fullmatch(text) for text in texts)
        self.letters = set("".join(text for text in texts if text is not None))
        self.takes_away = "+" in self.letters
        if argv[0].text == "readonly":
            self.letters.add("r")
        self.pins = self.unknown or bool(_PINNING & self.letters)
        self.reference = self.unknown or "n" in self.letters


def _declare(argv: tuple[Field, ...], state: State) -> None:
    flags = _Flags(argv)
    if {"f", "F"} & flags.letters:
        _export_functions(argv, flags, state)
        return
    for field in argv[1:]:
        if may_be_option(field):
            if field.text is None:
                _declare_unknown(state)
            continue
        found = NAME.match(field.prefix)
        if found is None or (found.end() == len(field.prefix) and field.text is None):
            _declare_unknown(state)
        else:
            _declare_one(found[0], field, flags, argv[0].text or "", state)


def _export_functions(argv: tuple[Field, ...], flags: _Flags, state: State) -> None:
    """`export -f`, `declare -fx`, `typeset -f`."""
    if flags.unknown or any(field.text is None for field in argv[1:]):
        state.exports_functions = True
    state.exported.update(field.text for field in argv[1:] if field.text is not None)


def _declare_unknown(state: State) -> None:
    """A variable that is not known, with attributes that are not."""
    state.point.forget_any()
    state.point.integers |= {"*"}
    state.point.frozen |= {"*"}
    state.point.exported = frozenset()


def _declare_one(name: str, field: Field, flags: _Flags, by: str, state: State) -> None:
    rest = field.prefix[len(name) :]
    keyed = "A" in flags.letters and not flags.unknown and state.point.may_be_keyed(name)
    state.point.keyed -= {name}
    _export(name, flags, by, state)
    if flags.unknown or "i" in flags.letters:
        state.point.integers |= {name}
    if flags.unknown or "r" in flags.letters:
        state.point.frozen |= {name}
    if (target := _target(rest, field, flags, by, state)) is not None:
        state.point.refer(name, target)
    elif flags.pins:
        state.point.pin(name, reference=flags.reference)
        if keyed:  # an array that counts its elements cannot become one of keys
            state.point.keyed |= {name}
    elif rest == "=(" and (elements := _elements(field, flags, by, state)) is not None:
        state.point.assign(name, elements)
    elif rest.startswith("=") and _assigns(rest, field, flags, by, state):
        state.point.assign(name, Field((rest[1:], *field.pieces[1:])))
    elif rest or flags.odd or by in ("local", "declare", "typeset"):
        state.point.forget(name)


def _target(rest: str, field: Field, flags: _Flags, by: str, state: State) -> str | None:
    """The variable that `declare -n x=name` surely means from here on."""
    if flags.unknown or flags.odd or flags.letters != {"-", "n"} or field.text is None:
        return None
    sure = by in ("declare", "typeset") or (by == "local" and state.in_function > 0)
    return rest[1:] if sure and rest[:1] == "=" and NAME.fullmatch(rest[1:]) else None


def _export(name: str, flags: _Flags, by: str, state: State) -> None:
    """Whether programs are given the variable; one that a function declares for itself hides that of the same name."""
    if flags.unknown or flags.odd or flags.takes_away or "n" in flags.letters:
        state.point.export(name, is_given=False)
    elif by == "export" or "x" in flags.letters:
        state.point.export(name)
    elif state.in_function and by in ("local", "declare", "typeset"):
        state.point.export(name, is_given=False)


def _assigns(rest: str, field: Field, flags: _Flags, by: str, state: State) -> bool:
    """Whether the variable surely is given this text."""
    if field.many or rest.startswith("=(") or flags.odd or "g" in flags.letters:
        return False
    return by != "local" or state.in_function > 0


def _elements(field: Field, flags: _Flags, by: str, state: State) -> dict[int, Field] | None:
    """What the variable surely holds, if it is given an array as it stands."""
    if flags.odd or flags.takes_away or "g" in flags.letters or by not in ("declare", "typeset", "local"):
        return None
    found = next((elements for each, elements in state.arrays if each is field), None)
    return found if by != "local" or state.in_function > 0 else None


BUILTINS: dict[str, Callable[[tuple[Field, ...], State], None]] = {
    **dict.fromkeys(("declare", "typeset", "local", "export", "readonly"), _declare),
    **dict.fromkeys(("read", "mapfile", "readarray", "getopts", "wait"), _forget_names),
    "let": _let, "printf": _printf, "unset": _unset,
}  # fmt: skip
