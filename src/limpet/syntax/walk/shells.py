"""The arguments and the input of a shell -> the text that it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.walk.found import Again

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.values.field import Field
    from limpet.syntax.walk.found import Opened
    from limpet.syntax.walk.state import State

SHELLS = frozenset({
    "ash", "bash", "dash", "fish", "ksh", "loksh", "mksh", "oksh", "posh", "rbash", "rksh", "sh", "yash", "zsh",
})  # fmt: skip
_LONG_VALUES = frozenset({"--rcfile", "--init-file", "-rcfile", "-init-file"})
_LONG = frozenset({
    "-debug", "-debugger", "-dump-po-strings", "-dump-strings", "-help", "-login", "-noediting", "-noprofile", "-norc",
    "-posix", "-pretty-print", "-protected", "-restricted", "-verbose", "-version", "-wordexp",
})  # fmt: skip
_HARMLESS = late(r"[-+][abcehlmnpsuvxCET]+|--?(?:norc|noprofile|login)|--")

_STARTS = late(r"-[A-Za-z]*[il][A-Za-z]*|--login|--interactive")


class _Options:
    """What the options of a shell say."""

    def __init__(self, argv: tuple[Field, ...]) -> None:
        self.index = 1
        self.runs_text = False
        self.reads_input = False
        self.odd = False
        self.reads_files = False
        """Whether it starts with files of its own, which may set any variable."""
        self.unknown = False
        self.files: list[Field] = []
        while self._read(argv):
            pass

    def _read(self, argv: tuple[Field, ...]) -> bool:
        if self.index >= len(argv):
            return False
        option = argv[self.index].text
        if option is None:
            self.unknown = argv[self.index].many or argv[self.index].prefix[:1] in ("", "-", "+")
            return False
        if option[:1] not in ("-", "+") or option == "+":
            return False
        self.index += 1
        if option in ("-", "--"):
            return False
        if option in _LONG_VALUES:
            self.files.extend(argv[self.index : self.index + 1])
        self._note(option)
        return True

    def _note(self, option: str) -> None:
        self.odd |= _HARMLESS.fullmatch(option) is None
        self.reads_files |= _STARTS.fullmatch(option) is not None
        if option in _LONG_VALUES:
            self.index += 1
        elif option == "--command":
            self.runs_text = True
        elif not option.startswith("--") and option not in _LONG:
            self.runs_text |= option[0] == "-" and "c" in option
            self.reads_input |= "s" in option
            self.index += option.count("o") + option.count("O")


def in_shell(
    argv: tuple[Field, ...], opened: tuple[Opened, ...], span: tuple[int, int], state: State
) -> Iterator[Again]:
    """`sh -c text name args`, `sh <<< text`, `sh file args`: options stand before the first word that is none."""
    name = (argv[0].text or "").rpartition("/")[2]
    options = _Options(argv)
    for file in options.files:
        yield Again("file", f"{name} --rcfile", file.text, *span)
    if options.unknown:
        yield Again("script", f"{name} -c", None, *span)
        return
    rest = argv[options.index :]
    if options.runs_text:
        found = Again("script", f"{name} -c", rest[0].text if rest else None, *span, rest[1:])
    elif rest and not options.reads_input and (text := fed(rest[0], state)) is not None:
        found = Again("script", f"{name} -s", text, *span, rest[1:])
    elif rest and not options.reads_input and rest[0].text not in ("/dev/stdin", "/dev/fd/0"):
        found = Again("file", name, rest[0].text, *span, rest)
    else:
        found = _from_input(name, opened, span, rest if options.reads_input else rest[1:])
    if options.odd:
        state.odd.add(found)
    if options.reads_files or options.files:
        state.own_start.add(found)
    yield found


def fed(argument: Field, state: State) -> str | None:
    """What comes out of the pipe that an argument names, if it is known."""
    return next((text for each, text in state.fed if each is argument), None)


def _from_input(name: str, opened: tuple[Opened, ...], span: tuple[int, int], arguments: tuple[Field, ...]) -> Again:
    """What is read from a heredoc or a here-string is known as far as that is."""
    for each in reversed([each for each in opened if each.node.descriptor in ("", "0")]):
        if each.body is not None:
            return Again("script", f"{name} -s", each.body.text, *span, arguments)
        if each.node.operator.startswith("<"):
            break
    return Again("file", name, "/dev/stdin", *span, arguments)
