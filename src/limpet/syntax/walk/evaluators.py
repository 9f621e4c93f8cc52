"""The arguments of a builtin -> the texts that it evaluates once more."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.values.field import ANYTHING, known
from limpet.syntax.walk.again import in_name, in_variable, is_integer
from limpet.syntax.walk.arithmetic import LIVE, in_text
from limpet.syntax.walk.found import Again
from limpet.syntax.walk.names import printed_into
from limpet.syntax.walk.shells import SHELLS, fed, in_shell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.syntax.values.field import Field
    from limpet.syntax.walk.found import Opened
    from limpet.syntax.walk.state import State

    Argv = tuple[Field, ...]
    Span = tuple[int, int]

_ANY_ARGUMENT = ' "$_" "$_" "$_"'
_INTEGER = late(r"[-+][A-Za-z]*i[A-Za-z]*")
_REFERENCE = late(r"[-+][A-Za-z]*n[A-Za-z]*")
_LAST = ("EXIT", "0", "exit")


def in_command(argv: Argv, opened: tuple[Opened, ...], span: Span, state: State) -> tuple[Again, ...]:
    """What a command evaluates by being what it is."""
    name = argv[0].text if argv else None
    if name is None:
        return ()
    if name.rpartition("/")[2] in SHELLS:
        return tuple(in_shell(argv, opened, span, state))
    if name in _AROUND:
        return _look_through(argv, opened, span, state)
    return tuple(_EVALUATORS[name](argv, span, state)) if name in _EVALUATORS else ()


def _look_through(argv: Argv, opened: tuple[Opened, ...], span: Span, state: State) -> tuple[Again, ...]:
    """`command eval …`, `builtin eval …` and `exec bash -c …`."""
    rest = argv[1:]
    while rest and (rest[0].text or "").startswith("-"):
        option = rest[0].text or ""
        if argv[0].text == "command" and set("vV") & set(option):
            return ()
        rest = rest[2:] if argv[0].text == "exec" and option.endswith("a") else rest[1:]
    if rest and rest[0].text is None and argv[0].text != "exec":
        return (Again("script", argv[0].text or "", None, *span),)
    return in_command(rest, opened, span, state)


_AROUND = frozenset({"builtin", "command", "exec"})


def _words(argv: Argv) -> Argv:
    return argv[2:] if len(argv) > 1 and argv[1].text == "--" else argv[1:]


def _eval(argv: Argv, span: Span, _: State) -> Iterator[Again]:
    words = _words(argv)
    if words:
        yield Again("script", "eval", joined(words), *span)


def joined(words: Argv) -> str | None:
    """Arguments with blanks between them, when all are known."""
    texts = [word.text for word in words]
    return None if None in texts else " ".join(text for text in texts if text is not None)


def _source(argv: Argv, span: Span, state: State) -> Iterator[Again]:
    words = _words(argv)
    text = fed(words[0], state) if len(words) == 1 else None
    if text is not None:
        yield Again("script", "source", text, *span)
    elif words:
        yield Again("file", "source", words[0].text, *span, words)


def _trap(argv: Argv, span: Span, state: State) -> Iterator[Again]:
    words = _words(argv)
    first = words[0].text if words else ""
    sure = not any(word.many for word in words)
    if sure and (len(words) < 2 or first in ("-", "", "-p", "-l", "-lp", "-pl") or (first or "").isdecimal()):
        return
    found = Again("later", "trap", first, *span)
    if any(word.text not in _LAST for word in words[1:]):
        state.odd.add(found)
    yield found


def _test(argv: Argv, span: Span, state: State) -> Iterator[Again]:
    if state.loose and any(word.many and word.prefix in ("", "-") for word in argv[1:]):
        yield from in_text(None, "test -v", span, state)
    for before, word in pairwise(argv[1:]):
        asks = before.text in ("-v", "-R") or (before.text is None and "[" in (word.text or ""))
        if asks and word.text != "]":
            yield from in_name(word, "test -v", span, state)


def _let(argv: Argv, span: Span, state: State) -> Iterator[Again]:
    for word in argv[1:]:
        yield from in_text(word.text, "let", span, state)


def _declare(argv: Argv, span: Span, state: State) -> Iterator[Again]:
    by = argv[0].text or ""
    flags = [word.text or "-i" for word in argv[1:] if may_be_option(word)]
    integer = any(_INTEGER.fullmatch(flag) for flag in flags)
    reference = any(_REFERENCE.fullmatch(flag) for flag in flags)
    array = any("a" in flag.lower() for flag in flags)
    for word in argv[1:]:
        if any(word is each for each, _ in state.arrays):
            continue
        shown = word.text if word.text is not None else word.prefix
        name, equals, value = shown.partition("=")
        known = value if word.text is not None else None
        yield from in_variable(name.rstrip("+"), known, span) if equals else ()
        if "[" in name:
            yield from in_text(name.partition("[")[2].rpartition("]")[0], by, span, state)
        if integer or is_integer(name.rstrip("+"), state):
            yield from in_text(known, f"{by} -i", span, state) if equals or known is None else ()
        elif reference and (known is None or "[" in known):
            yield from in_text(known, f"{by} -n", span, state)
        elif equals and ((array and known is None) or _is_array(value, known)):
            yield Again("words", by, known, *span)


def may_be_option(word: Field) -> bool:
    """Whether an argument is one, or is not known and may be one."""
    return word.prefix[:1] in ("-", "+") if word.prefix else word.text is None


def _is_array(value: str, known: str | None) -> bool:
    """A text in parentheses is read as elements, where the variable is an array."""
    return value.startswith("(") and (known is None or LIVE.search(known) is not None)


def _names(argv: Argv, span: Span, state: State) -> Iterator[Again]:
    """`read`, `unset`, `wait -p` and others that take names, which may have subscripts."""
    by = argv[0].text or ""
    for word in argv[1:]:
        if word.text is None or "[" in word.text:
            yield from in_name(word, by, span, state)
        elif is_integer(word.text, state) and by not in ("unset", "wait"):
            yield from in_text(None, by, span, state)


def _printf(argv: Argv, span: Span, state: State) -> Iterator[Again]:
    first = argv[1] if len(argv) > 1 else None
    if first is None or (first.text is not None and not first.text.startswith("-v")):
        return
    if first.text is None:  # it may be `-v`, but so may any text that is printed
        yield from in_text(None, "printf -v", span, state) if first.many and first.prefix == "" else ()
        return
    for name in printed_into([word.text for word in argv[1:]])[0]:
        if name is None or "[" in name:
            yield from in_name(known(name) if name is not None else ANYTHING, "printf -v", span, state)
        elif is_integer(name, state):
            yield from in_text(None, "printf -v", span, state)


def _mapfile(argv: Argv, span: Span, state: State) -> Iterator[Again]:
    for value in _option(argv, "C"):
        yield Again("script", f"{argv[0].text} -C", None if value is None else value + _ANY_ARGUMENT, *span)
    yield from _names(argv, span, state)


def _option(argv: Argv, letter: str) -> Iterator[str | None]:
    """The values of an option, glued to its letter or in the next word; any word that is not known may be it."""
    for index, word in enumerate(argv[1:], 1):
        option = word.text
        if option is None:
            if word.many and not word.prefix:
                yield None
        elif option[:1] == "-" and letter in option:
            glued = option.partition(letter)[2]
            yield glued or (argv[index + 1].text if index + 1 < len(argv) else None)


def _compgen(argv: Argv, span: Span, _: State) -> Iterator[Again]:
    name = argv[0].text or ""
    when = "script" if name == "compgen" else "later"
    for letter in "CF":
        for value in _option(argv, letter):
            yield Again(when, f"{name} -{letter}", None if value is None else value + _ANY_ARGUMENT, *span)
    for value in _option(argv, "W"):
        yield Again("words", f"{name} -W", value, *span)


def _alias(argv: Argv, span: Span, _: State) -> Iterator[Again]:
    for word in argv[1:]:
        if word.text is None or "=" in word.text:
            yield Again("later", "alias", word.text.partition("=")[2] if word.text is not None else None, *span)


def _bind(argv: Argv, span: Span, _: State) -> Iterator[Again]:
    for value in _option(argv, "x"):
        yield Again("later", "bind -x", (value or "").partition(":")[2].strip().strip("\"'") or None, *span)


def _fc(argv: Argv, span: Span, _: State) -> Iterator[Again]:
    if not any((word.text or "").startswith("-l") for word in argv[1:]):
        yield Again("script", "fc", None, *span)


def _enable(argv: Argv, span: Span, _: State) -> Iterator[Again]:
    for value in _option(argv, "f"):
        yield Again("file", "enable -f", value, *span)


def _hash(argv: Argv, span: Span, _: State) -> Iterator[Again]:
    for value in _option(argv, "p"):
        yield Again("file", "hash -p", value, *span)


_EVALUATORS: dict[str, Callable[[tuple[Field, ...], tuple[int, int], State], Iterator[Again]]] = {
    "eval": _eval, "source": _source, ".": _source, "trap": _trap, "test": _test, "[": _test, "let": _let,
    "declare": _declare, "typeset": _declare, "local": _declare, "export": _declare, "readonly": _declare,
    "read": _names, "unset": _names, "wait": _names, "getopts": _names, "printf": _printf, "mapfile": _mapfile,
    "readarray": _mapfile, "compgen": _compgen, "complete": _compgen, "alias": _alias, "bind": _bind, "fc": _fc,
    "enable": _enable, "hash": _hash,
}  # fmt: skip
