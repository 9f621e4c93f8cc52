"""The words of a simple command, as they are written -> what the command may change."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.tree import Assignment, Double, Literal, Parameter, Word
from limpet.syntax.walk.names import HARMLESS, NAME, literal, names_in, printed_into
from limpet.syntax.walk.options import is_harmless_set, is_harmless_shopt

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.walk.changes import Changes

    Words = tuple[Word | Assignment, ...]

_ATTRIBUTES = late(r"[-+][A-Za-z]*[AIcilnru][A-Za-z]*")
_BUILTINS = frozenset({
    ".", "alias", "bind", "break", "builtin", "cd", "chdir", "command", "compgen", "complete", "continue", "declare",
    "dirs", "enable", "eval", "exec", "exit", "export", "fc", "getopts", "hash", "let", "local", "logout", "mapfile",
    "popd", "printf", "pushd", "read", "readarray", "readonly", "return", "set", "shift", "shopt", "source", "test",
    "trap", "typeset", "unalias", "unset", "wait", "[",
})  # fmt: skip
_READ = ("REPLY", "MAPFILE", "OPTARG", "OPTIND")


def note_command(words: Words, found: Changes) -> None:
    """Add what the command may change."""
    name = literal(words[0])
    if name is None:
        if is_arguments(words[0]):
            found.arguments = True
        elif not is_path(words[0]):
            found.anything()
        return
    found.calls.add(name)
    if name in _NOTES:
        _NOTES[name](words, found)


def is_builtin(name: str) -> bool:
    """Whether a command of that name may change anything for those behind it."""
    return name in _BUILTINS


def is_arguments(word: Word | Assignment) -> bool:
    """Whether the word is `"$@"`."""
    only = word.parts[0] if isinstance(word, Word) and len(word.parts) == 1 else None
    inner = only.parts[0] if isinstance(only, Double) and len(only.parts) == 1 else None
    return isinstance(inner, Parameter) and inner.name == "@" and not inner.operator and inner.subscript is None


def is_path(word: Word | Assignment) -> bool:
    """Whether a name that is not known is yet one word with a slash in it, which no builtin has."""
    if isinstance(word, Assignment):
        return False
    slash = any(isinstance(part, Literal) and "/" in part.text for part in word.parts)
    return slash and all(isinstance(part, Literal | Double) for part in word.parts)


def _names(words: Words, found: Changes) -> None:
    """`read x y`, `unset x`: any name that stands in the arguments."""
    for word in words[1:]:
        _name(literal(word), found)
    for name in _READ:
        found.name(name)


def _name(text: str | None, found: Changes) -> None:
    if text is None:
        found.everything = found.folder = True  # it may be CDPATH or DIRSTACK
        return
    for name in NAME.findall(text):
        found.name(name)
    found.reads.update(names_in(text.partition("[")[2]))


def _unset(words: Words, found: Changes) -> None:
    _names(words, found)
    found.remade.update(name for word in words[1:] for name in NAME.findall(literal(word) or ""))
    found.functions = True


def _let(words: Words, found: Changes) -> None:
    for word in words[1:]:
        text = literal(word)
        found.everything |= text is None
        names = names_in(text or "")
        found.names.update(names)
        found.reads.update(names)


def _printf(words: Words, found: Changes) -> None:
    texts = [literal(word) for word in words[1:]]
    if texts[:1] == [None]:
        _names(words[:3], found)
    for name in printed_into(texts)[0]:
        _name(name, found)


def _declare(words: Words, found: Changes) -> None:
    texts = [literal(word) for word in words[1:]]
    attributes = literal(words[0]) == "readonly" or any(_ATTRIBUTES.fullmatch(text or "") for text in texts)
    for word, text in zip(words[1:], texts, strict=True):
        name = _declared(word)
        if name is None:
            found.everything |= text is None or not text.startswith(("-", "+"))
            continue
        value = (text or "").partition("=")[2]
        found.name(name, number=text is not None and bool(value) and HARMLESS.fullmatch(value) is not None)
        found.remade.add(name)
        if attributes:
            found.attributes.add(name)
        found.reads.update(names_in((text or "").partition("[")[2]))
    found.everything |= any(text is not None and re.fullmatch(r"[-+][A-Za-z]*n[A-Za-z]*", text) for text in texts)


def _declared(word: Word | Assignment) -> str | None:
    if isinstance(word, Assignment):
        return word.name
    first = word.parts[0] if word.parts else None
    match = NAME.match(first.text) if isinstance(first, Literal) else None
    if match is None or not isinstance(first, Literal) or (len(word.parts) > 1 and first.text[match.end() :] == ""):
        return None
    return match[0]


def _set(words: Words, found: Changes) -> None:
    texts = [literal(word) for word in words[1:]]
    if not is_harmless_set(texts):
        found.positional = found.options = True
    found.lenient |= any(text is None or text[:1] != "-" for text in texts) and texts[-1:] != ["pipefail"]


def _shift(_: Words, found: Changes) -> None:
    found.positional = True


def _shopt(words: Words, found: Changes) -> None:
    if not all(is_harmless_shopt(literal(word)) for word in words[1:]):
        found.options = True


def _folder(_: Words, found: Changes) -> None:
    found.folder = True
    for name in ("PWD", "OLDPWD"):
        found.name(name)


def _trap(words: Words, found: Changes) -> None:
    """What a trap does, it does at any time, unless that is the end."""
    if any(literal(word) not in ("EXIT", "0") for word in words[2:]):
        found.anything()


def _jump(_: Words, found: Changes) -> None:
    found.jumps = True


def _anything(_: Words, found: Changes) -> None:
    found.anything()


def _look_through(words: Words, found: Changes) -> None:
    rest = words[1:]
    while rest and (literal(rest[0]) or "").startswith("-"):
        rest = rest[1:]
    if rest:
        note_command(rest, found)


_NOTES: dict[str, Callable[[Words, Changes], None]] = {
    **dict.fromkeys(("declare", "export", "local", "readonly", "typeset"), _declare),
    **dict.fromkeys(("getopts", "mapfile", "read", "readarray", "wait"), _names),
    **dict.fromkeys(("cd", "chdir", "dirs", "popd", "pushd"), _folder),
    **dict.fromkeys(("break", "continue", "return"), _jump),
    **dict.fromkeys((".", "compgen", "enable", "eval", "fc", "source"), _anything),
    **dict.fromkeys(("builtin", "command"), _look_through),
    "let": _let, "printf": _printf, "set": _set, "shift": _shift, "shopt": _shopt, "trap": _trap, "unset": _unset,
}  # fmt: skip
