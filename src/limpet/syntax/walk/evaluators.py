"""The arguments of a builtin, or of a shell -> the texts that it evaluates once more."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from limpet.syntax.walk.found import Again

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.syntax.values.field import Field

_LIVE = re.compile(r"[$`]")
_SHELLS = ("sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "rbash", "rksh", "fish", "yash", "posh", "oksh", "loksh")
_SHELL_VALUES = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})


def _eval(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    words = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    if words:
        yield Again("script", "eval", joined(words), start, end)


def joined(words: tuple[Field, ...]) -> str | None:
    """Arguments with blanks between them, when all are known."""
    texts = [word.text for word in words]
    return None if None in texts else " ".join(text for text in texts if text is not None)


def _source(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    words = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    if words:
        yield Again("file", "source", words[0].text, start, end, words)


def _trap(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    words = argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]
    first = words[0].text if words else ""
    if len(words) < 2 or first in ("-", "", "-p", "-l", "-lp") or (first or "").isdigit():
        return
    yield Again("later", "trap", first, start, end)


def _shell(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    """`sh -c text name args`: `-c` in any bundle of options, before the first word that is no option."""
    index, text_follows = 1, False
    while index < len(argv):
        option = argv[index].text
        if option is None:
            yield Again("script", f"{_name(argv)} -c", None, start, end)
            return
        if option in ("-", "--"):
            index += 1
            break
        if option[:1] not in ("-", "+") or len(option) < 2:
            break
        text_follows |= option == "--command" or (option[0] == "-" and option[1] != "-" and "c" in option)
        index += 2 if option in _SHELL_VALUES or (not option.startswith("--") and option[-1] in "oO") else 1
    if text_follows:
        text = argv[index].text if index < len(argv) else None
        yield Again("script", f"{_name(argv)} -c", text, start, end, argv[index + 1 :])


def _name(argv: tuple[Field, ...]) -> str:
    return (argv[0].text or "").rpartition("/")[2]


def _test(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    for before, word in pairwise(argv[1:]):
        if before.text in ("-v", "-R"):
            yield from _subscript("test -v", word, start, end)


def _subscript(by: str, word: Field, start: int, end: int) -> Iterator[Again]:
    """A name with a subscript: what stands in there is evaluated."""
    if word.text is not None and "[" in word.text and _LIVE.search(word.text):
        yield Again("arithmetic", by, word.text.partition("[")[2].rpartition("]")[0], start, end)
    elif word.text is None and "[" in "".join(piece for piece in word.pieces if isinstance(piece, str)):
        yield Again("arithmetic", by, None, start, end)


def _let(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    for word in argv[1:]:
        if word.text is None or _LIVE.search(word.text):
            yield Again("arithmetic", "let", word.text, start, end)


def _declare(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    integer = any(re.fullmatch(r"-[A-Za-z]*i[A-Za-z]*", word.text or "") for word in argv[1:])
    for word in argv[1:]:
        shown = word.text if word.text is not None else word.prefix
        name, equals, value = shown.partition("=")
        if integer and (word.text is None or _LIVE.search(value)):
            yield Again("arithmetic", f"{_name(argv)} -i", value if word.text is not None else None, start, end)
        elif equals and value.startswith("(") and word.text is not None and _LIVE.search(value):
            yield Again("words", _name(argv), value, start, end)
        elif "[" in name:
            yield from _subscript(_name(argv), word, start, end)


def _names(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    """`read`, `unset`, `wait -p` and others that take names, which may have subscripts."""
    for word in argv[1:]:
        yield from _subscript(_name(argv), word, start, end)


def _printf(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    for option, word in pairwise(argv[1:]):
        if option.text == "-v":
            yield from _subscript("printf -v", word, start, end)
    if len(argv) > 1 and (argv[1].text or "").startswith("-v") and argv[1].text != "-v":
        yield from _subscript("printf -v", argv[1], start, end)


def _mapfile(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    yield from _option(argv, "C", "mapfile -C", "script", start, end)
    yield from _names(argv, start, end)


def _option(argv: tuple[Field, ...], letter: str, by: str, kind: str, start: int, end: int) -> Iterator[Again]:
    """The value of an option, glued to its letter or in the next word."""
    for index, word in enumerate(argv[1:], 1):
        option = word.text or ""
        if option[:1] != "-" or letter not in option:
            continue
        glued = option.partition(letter)[2]
        value = glued or (argv[index + 1].text if index + 1 < len(argv) else None)
        yield Again(kind, by, value, start, end)


def _compgen(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    when = "script" if _name(argv) == "compgen" else "later"
    for letter in "CF":
        yield from _option(argv, letter, f"{_name(argv)} -{letter}", when, start, end)
    yield from _option(argv, "W", f"{_name(argv)} -W", "words", start, end)


def _alias(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    for word in argv[1:]:
        shown = word.text if word.text is not None else word.prefix
        if "=" in shown:
            yield Again("later", "alias", shown.partition("=")[2] if word.text is not None else None, start, end)


def _bind(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    for again in _option(argv, "x", "bind -x", "later", start, end):
        keys = again.text or ""
        yield Again("later", again.by, keys.partition(":")[2].strip().strip("\"'") or None, start, end)


def _fc(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    if not any((word.text or "").startswith("-l") for word in argv[1:]):
        yield Again("script", "fc", None, start, end)


def _enable(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    yield from _option(argv, "f", "enable -f", "file", start, end)


def _look_through(argv: tuple[Field, ...], start: int, end: int) -> Iterator[Again]:
    """`command eval …` and `builtin eval …`."""
    rest = argv[1:]
    while rest and (rest[0].text or "").startswith("-"):
        if set("vV") & set(rest[0].text or ""):
            return
        rest = rest[1:]
    if rest and (rest[0].text or "") in EVALUATORS:
        yield from EVALUATORS[rest[0].text or ""](rest, start, end)


EVALUATORS: dict[str, Callable[[tuple[Field, ...], int, int], Iterator[Again]]] = {
    "eval": _eval, "source": _source, ".": _source, "trap": _trap, "test": _test, "[": _test, "let": _let,
    "declare": _declare, "typeset": _declare, "local": _declare, "export": _declare, "readonly": _declare,
    "read": _names, "unset": _names, "wait": _names, "getopts": _names, "printf": _printf, "mapfile": _mapfile,
    "readarray": _mapfile, "compgen": _compgen, "complete": _compgen, "alias": _alias, "bind": _bind, "fc": _fc,
    "enable": _enable, "command": _look_through, "builtin": _look_through,
    **dict.fromkeys(_SHELLS, _shell),
}  # fmt: skip
