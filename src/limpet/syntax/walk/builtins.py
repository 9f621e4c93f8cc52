"""A builtin and its arguments -> what is known after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.walk.declares import BUILTINS as DECLARES
from limpet.syntax.walk.folders import BUILTINS as FOLDERS
from limpet.syntax.walk.options import BUILTINS as OPTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.values.field import Field
    from limpet.syntax.walk.state import State

KEEPING = frozenset({
    "cd", "dirs", "getopts", "hash", "let", "mapfile", "popd", "printf", "pushd", "read", "readarray", "set", "shift",
    "shopt", "type", "wait",
})  # fmt: skip
"""Builtins that leave alone what is assigned before them, so that it is afterwards as it was."""
_OTHERS = frozenset({"builtin", "command", "compgen", "eval", "exec", "exit", "fc", "return", "trap"})


def is_builtin(name: str | None) -> bool:
    """Whether it changes anything for the commands behind it."""
    return name is None or name in _BUILTINS or name in _OTHERS


def do(argv: tuple[Field, ...], state: State) -> None:
    """Do to what is known what the builtin does, if it is one."""
    name = argv[0].text if argv else ""
    if name is None:
        if not _is_path(argv[0]):
            state.point.lose()
            state.functions.shake()
    elif name in _BUILTINS:
        _BUILTINS[name](argv, state)


def _is_path(name: Field) -> bool:
    """One word with a slash in it: no builtin, and a function only by a very odd name."""
    return not name.many and any("/" in piece for piece in name.pieces if isinstance(piece, str))


def look_through(argv: tuple[Field, ...]) -> tuple[Field, ...]:
    """`builtin cd x`, `command cd x` -> `cd x`."""
    rest = argv
    while rest and rest[0].text in ("builtin", "command"):
        rest = rest[1:]
        while rest and (rest[0].text or "").startswith("-"):
            if set("vV") & set(rest[0].text or ""):
                return ()
            rest = rest[1:]
    return rest


def ends(argv: tuple[Field, ...], state: State) -> bool:
    """Whether nothing of this shell, or of this function, runs after it: `exit`, `return`, or `exec` of something."""
    texts = [field.text for field in argv]
    if None in texts or "posix" in state.modes:
        return False
    if texts[:1] == ["exit"] or (texts[:1] == ["return"] and state.in_function):
        return len(texts) == 1 or (len(texts) == 2 and (texts[1] or "").isdecimal())
    if texts[:1] != ["exec"] or "exec may fail" in state.modes:
        return False
    return len(texts) > 1 and not (texts[1] or "-").startswith("-")


def _shift(argv: tuple[Field, ...], state: State) -> None:
    count = argv[1].text if len(argv) > 1 else "1"
    positional = state.scope.positional
    if positional is None or count is None or not count.isdecimal() or len(count) > 6:
        state.scope.positional = None
    elif int(count) <= len(positional):
        state.scope.positional = positional[int(count) :]


def _alias(argv: tuple[Field, ...], state: State) -> None:
    for field in argv[1:]:
        name, equals, _ = field.prefix.partition("=")
        if equals or field.text is None:
            state.aliases.add(name)


def _source(_: tuple[Field, ...], state: State) -> None:
    """A file may set any variable; that it also goes to another folder for good is too odd to ask about."""
    state.point.forget_all()
    state.point.exported = frozenset()
    state.scope.prints = state.scope.hides_dots = state.point.strict = False
    state.functions.shake()


def _enable(argv: tuple[Field, ...], state: State) -> None:
    if len(argv) > 1:
        state.note(*state.at, "builtins are switched off or replaced")


_BUILTINS: dict[str, Callable[[tuple[Field, ...], State], None]] = {
    **FOLDERS,
    **DECLARES,
    **OPTIONS,
    **dict.fromkeys(("source", "."), _source),
    "alias": _alias, "enable": _enable, "shift": _shift,
}  # fmt: skip
