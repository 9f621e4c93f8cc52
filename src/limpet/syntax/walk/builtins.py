"""A builtin and its arguments -> what is known after it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.values.field import Field
from limpet.syntax.walk.calls import call
from limpet.syntax.walk.folders import BUILTINS as FOLDERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.walk.found import Found
    from limpet.syntax.walk.state import State

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENDS = frozenset({"exit", "return", "break", "continue", "logout"})
_HARMLESS_FLAGS = re.compile(r"[-+][abehmnpuvxCETo]+")
_HARMLESS_OPTIONS = frozenset({
    "allexport", "errexit", "errtrace", "functrace", "hashall", "monitor", "noclobber", "noexec", "notify", "nounset",
    "pipefail", "privileged", "verbose", "xtrace",
})  # fmt: skip
_HARMLESS_SHOPT = frozenset({
    "autocd", "cdspell", "checkhash", "checkjobs", "checkwinsize", "cmdhist", "direxpand", "dirspell", "execfail",
    "extdebug", "gnu_errfmt", "histappend", "histreedit", "huponexit", "inherit_errexit", "login_shell",
    "progcomp", "promptvars", "restricted_shell", "shift_verbose", "sourcepath", "xpg_echo", "dotglob", "nullglob",
    "failglob", "globstar", "nocaseglob", "extglob", "globasciiranges", "globskipdots",
})  # fmt: skip


def apply(found: Found, state: State) -> bool:
    """Do to the scope what the command does; whether what stands behind it is still reached."""
    argv = _look_through(found.argv)
    name = argv[0].text if argv else ""
    if name is None:
        state.scope.forget_all()
        return True
    if found.function and argv is found.argv:
        call(name, found, state)
    elif name in _BUILTINS:
        _BUILTINS[name](argv, state)
    return name not in _ENDS and not (name == "exec" and len(argv) > 1)


def _look_through(argv: tuple[Field, ...]) -> tuple[Field, ...]:
    """`builtin cd x`, `command cd x` -> `cd x`."""
    rest = argv
    while rest and rest[0].text in ("builtin", "command"):
        rest = rest[1:]
        while rest and (rest[0].text or "").startswith("-"):
            if set("vV") & set(rest[0].text or ""):
                return ()
            rest = rest[1:]
    return rest


def _forget_names(argv: tuple[Field, ...], state: State) -> None:
    """What is read from somewhere is unknown; so is everything when the name itself is."""
    for field in argv[1:]:
        if field.text is None:
            state.scope.forget_all()
            return
        for name in _NAME.findall(field.text):
            state.scope.forget(name)
    for name in ("REPLY", "MAPFILE", "OPTARG", "OPTIND"):
        state.scope.forget(name)


def _unset(argv: tuple[Field, ...], state: State) -> None:
    for field in argv[1:]:
        if field.text is None:
            state.scope.forget_all()
        elif _NAME.fullmatch(field.text):
            state.scope.unset(field.text)
        elif not field.text.startswith("-"):
            _forget_names((field, field), state)


def _declare(argv: tuple[Field, ...], state: State) -> None:
    flags = "".join(field.text for field in argv[1:] if field.text is not None and field.text[:1] in ("-", "+"))
    for field in argv[1:]:
        found = _NAME.match(field.prefix)
        if found is None:
            if field.text is None:
                state.scope.forget_all()
            continue
        name, rest = found[0], field.prefix[found.end() :]
        if set("Ailnu") & set(flags):
            state.scope.pin_unknown(name, reference="n" in flags)
        elif rest.startswith("=") and not field.many and not rest.startswith("=("):
            state.scope.assign(name, Field((rest[1:], *field.pieces[1:])))
        elif rest or argv[0].text in ("local", "declare", "typeset"):
            state.scope.forget(name)


def _set(argv: tuple[Field, ...], state: State) -> None:
    index = 1
    while index < len(argv):
        option = argv[index].text
        if option is None:
            state.scope.ordinary = False
            state.scope.positional = None
            return
        if option in ("--", "-") or option[:1] not in ("-", "+"):
            index += option in ("--", "-")
            break
        _set_option(option, argv[index + 1].text if index + 1 < len(argv) else None, state)
        index += 2 if "o" in option else 1
    if index < len(argv) or (len(argv) > 1 and argv[-1].text == "--"):
        rest = argv[index:]
        state.scope.positional = None if any(field.many for field in rest) else rest


def _set_option(option: str, name: str | None, state: State) -> None:
    if not _HARMLESS_FLAGS.fullmatch(option) or ("o" in option and name is not None and name not in _HARMLESS_OPTIONS):
        state.scope.ordinary = False


def _shift(argv: tuple[Field, ...], state: State) -> None:
    count = argv[1].text if len(argv) > 1 else "1"
    positional = state.scope.positional
    if positional is None or count is None or not count.isdecimal():
        state.scope.positional = None
    elif int(count) <= len(positional):
        state.scope.positional = positional[int(count) :]


def _shopt(argv: tuple[Field, ...], state: State) -> None:
    for field in argv[1:]:
        if field.text is None or (not field.text.startswith("-") and field.text not in _HARMLESS_SHOPT):
            state.scope.ordinary = False
        if field.text == "expand_aliases":
            state.aliases_on = True


def _alias(argv: tuple[Field, ...], state: State) -> None:
    for field in argv[1:]:
        name, equals, _ = field.prefix.partition("=")
        if equals:
            state.aliases.add(name)


def _source(_: tuple[Field, ...], state: State) -> None:
    """A file may set any variable; that it also goes to another folder for good is too odd to ask about."""
    state.scope.forget_all()


def _printf(argv: tuple[Field, ...], state: State) -> None:
    if any((field.text or "-v").startswith("-v") for field in argv[1:2]):
        _forget_names(argv[:3], state)


_BUILTINS: dict[str, Callable[[tuple[Field, ...], State], None]] = {
    **FOLDERS,
    **dict.fromkeys(("declare", "typeset", "local", "export", "readonly"), _declare),
    **dict.fromkeys(("read", "mapfile", "readarray", "getopts", "let", "wait"), _forget_names),
    **dict.fromkeys(("source", "."), _source),
    "alias": _alias, "printf": _printf, "set": _set, "shift": _shift, "shopt": _shopt, "unset": _unset,
}  # fmt: skip
