"""The arguments of `set` and `shopt` -> whether words are still read as bash does by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limpet.syntax.values.field import Field
    from limpet.syntax.walk.state import State

_FLAGS = late(r"[-+][abehmnpuvxCETo]+")
_OPTIONS = frozenset({
    "allexport", "errexit", "errtrace", "functrace", "hashall", "monitor", "noclobber", "noexec", "notify", "nounset",
    "pipefail", "privileged", "verbose", "xtrace",
})  # fmt: skip
_SHOPT = frozenset({
    "autocd", "cdspell", "checkhash", "checkjobs", "checkwinsize", "cmdhist", "direxpand", "dirspell", "gnu_errfmt",
    "histappend", "histreedit", "huponexit", "inherit_errexit", "login_shell", "progcomp", "promptvars",
    "restricted_shell", "shift_verbose", "sourcepath", "dotglob", "nullglob", "globstar",
    "extglob", "globasciiranges", "globskipdots",
})  # fmt: skip
_TELLING = {
    "aliases": ("expand_aliases", "posix", "POSIXLY_CORRECT"),
    "posix": ("posix", "POSIXLY_CORRECT", "BASH_COMPAT"),
    "last stage": ("lastpipe",),
    "exec may fail": ("execfail",),
    "globs may fail": ("failglob",),
    "searched": ("CDPATH",),
    "descriptors": ("&-", "exec"),
    "shown dots": ("dotglob", "GLOBIGNORE"),
}
"""What may be on when one of these words stands anywhere in the text."""
_OPAQUE = {
    "keyword": "`set -k`: words that assign are no arguments any more",
    "history": "history expansion changes how the script is read",
    "histexpand": "history expansion changes how the script is read",
    "extdebug": "a trap may skip commands",
    "nocaseglob": "what a glob matches may be spelled otherwise",
    "physical": "folders are not what their paths say",
    "localvar_inherit": "local variables are not what they seem",
    "localvar_unset": "local variables are not what they seem",
}
_LETTERS = {"k": "keyword", "H": "histexpand", "P": "physical"}
_KEPT = frozenset(word for words in _TELLING.values() for word in words)


def modes(text: str) -> frozenset[str]:
    """What of `last stage`, `aliases`, `posix` … the text may ever switch on."""
    return frozenset(mode for mode, words in _TELLING.items() if any(word in text for word in words))


_ORDINARY = frozenset({"braceexpand", "interactive-comments"})
_ORDINARY_SHOPT = frozenset({
    "assoc_expand_once", "bash_source_fullpath", "complete_fullquote", "extquote", "force_fignore", "histverify",
    "hostcomplete", "interactive_comments", "lastpipe", "lithist", "mailwarn", "no_empty_cmd_completion",
    "patsub_replacement", "progcomp_alias", "varredir_close",
})  # fmt: skip


def changes_reading(options: Sequence[str]) -> bool:
    """Whether a shell with these switched on, and no others, reads words otherwise than by default."""
    usual = {*_OPTIONS, *_SHOPT, *_ORDINARY, *_ORDINARY_SHOPT}
    return not usual.issuperset(options) or (bool(options) and "braceexpand" not in options)


def opaque_options(options: Sequence[str]) -> list[str]:
    """What cannot be followed where these are switched on."""
    return [_OPAQUE[name] for name in options if name in _OPAQUE]


def is_harmless_set(texts: Sequence[str | None]) -> bool:
    """Whether `set` with these arguments changes neither the positional parameters nor how words are read."""
    index = 0
    while index < len(texts):
        option = texts[index]
        if option is None or not _FLAGS.fullmatch(option):
            return False
        index += 1
        if "o" in option and index < len(texts):
            if texts[index] not in _OPTIONS:
                return False
            index += 1
    return True


def is_harmless_shopt(text: str | None) -> bool:
    """Whether an argument of `shopt` leaves the reading of words as it is."""
    return text is not None and (text.startswith("-") or text in _SHOPT)


def _set(argv: tuple[Field, ...], state: State) -> None:
    index = 1
    while index < len(argv):
        option = argv[index].text
        if option is None:
            _unknown(state)
            return
        if option in ("--", "-") or option[:1] not in ("-", "+"):
            break
        _flags(option, argv[index + 1].text if index + 1 < len(argv) else "", state)
        index += 2 if "o" in option else 1
    ended = index < len(argv) and argv[index].text in ("--", "-")
    rest = argv[index + 1 :] if ended else argv[index:]
    if rest or (ended and argv[index].text == "--"):
        state.scope.positional = None if any(field.many for field in rest) else rest


def _unknown(state: State) -> None:
    state.scope.ordinary = state.point.strict = False
    state.scope.positional = None
    state.note(*state.at, "`set` or `shopt` of options that are not known")


def _flags(option: str, name: str | None, state: State) -> None:
    if "o" in option:
        _switch(name, state)
    _end_on_failure(option, name, state)
    for letter in set(option) & set(_LETTERS):
        _switch(_LETTERS[letter], state)
    if "a" in option or name == "allexport":
        state.exports_functions = True
    if not _FLAGS.fullmatch(option) or ("o" in option and name not in (*_OPTIONS, "")):
        state.scope.ordinary = False


def _end_on_failure(option: str, name: str | None, state: State) -> None:
    """`set -e`, `set -eu`, `set -o errexit`, and with a plus the opposite."""
    if "e" in option or ("o" in option and name in ("errexit", None)):
        state.point.strict = option[0] == "-" and name is not None


def _switch(name: str | None, state: State) -> None:
    """An option that changes more than how words are read; disguised, it was not expected from the text."""
    if name is None:
        _unknown(state)
    elif name in _OPAQUE:
        state.note(*state.at, _OPAQUE[name])
    elif name in _KEPT and not any(name in words for mode, words in _TELLING.items() if mode in state.modes):
        state.note(*state.at, f"{name} is switched on in disguise")


def _shopt(argv: tuple[Field, ...], state: State) -> None:
    for field in argv[1:]:
        state.scope.hides_dots &= field.text not in (None, "dotglob")
        if field.text is None:
            _unknown(state)
        elif not is_harmless_shopt(field.text):
            state.scope.ordinary = False
            _switch(field.text, state)
        if field.text is not None and field.text.startswith("-") and "o" in field.text:
            state.scope.ordinary = state.point.strict = False


BUILTINS: dict[str, Callable[[tuple[Field, ...], State], None]] = {"set": _set, "shopt": _shopt}
