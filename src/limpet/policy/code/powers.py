"""What a word of a scripting language does, and what it is given -> what that means."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from limpet.policy.code.finding import (
    Finding,
    changes,
    connects,
    deletes,
    evaluates,
    fork_bomb,
    opaque,
    reads,
    signals,
    spawns,
    spawns_argv,
    writes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Given(NamedTuple):
    """A word and what it is given."""

    word: str
    arguments: list[str | None]
    """Each as a constant text, or None."""

    @property
    def first(self) -> str | None:
        """The first argument."""
        return self.arguments[0] if self.arguments else None

    @property
    def texts(self) -> list[str]:
        """Those that are constant."""
        return [text for text in self.arguments if text is not None]

    @property
    def complete(self) -> bool:
        """Whether all are constant."""
        return None not in self.arguments


class Code(Protocol):
    """The code that the word stands in."""

    language: str

    def mentions(self, *names: str) -> bool:
        """Whether any of these words or texts is used."""

    def minus_one(self) -> bool:
        """Whether -1 is written anywhere."""

    def in_loop(self) -> bool:
        """Whether there is a loop anywhere."""


def brought(kind: str, language: str) -> Iterator[Finding]:
    """What taking a module in means."""
    if kind == "network":
        yield connects(language)
    elif kind in ("command", "argv"):
        yield spawns(language)
    elif kind == "eval":
        yield evaluates(language)
    elif kind:
        yield opaque(language, "uses a module that is not known to be harmless")


def _shell(code: Code, given: Given) -> Iterator[Finding]:
    """Several texts are a program and its arguments; what is not a text behind the first one are options."""
    if given.first is None or (len(given.texts) > 1 and not given.complete):
        yield spawns(code.language)
    elif len(given.texts) == 1 or code.language == "node":
        yield spawns(code.language, given.first)
    else:
        yield spawns_argv(code.language, given.texts)


def _argv(code: Code, given: Given) -> Iterator[Finding]:
    yield spawns_argv(code.language, given.texts) if given.texts and given.complete else spawns(code.language)


def _delete(code: Code, given: Given) -> Iterator[Finding]:
    yield from _deletions(code, given, recursive=code.mentions("recursive"))


def _delete_tree(code: Code, given: Given) -> Iterator[Finding]:
    yield from _deletions(code, given, recursive=True)


def _deletions(code: Code, given: Given, *, recursive: bool) -> Iterator[Finding]:
    for path in given.arguments or [None]:
        yield deletes(code.language, path, recursive=recursive)


def _write(code: Code, given: Given) -> Iterator[Finding]:
    yield writes(code.language, given.first)


def _write_second(code: Code, given: Given) -> Iterator[Finding]:
    yield writes(code.language, given.arguments[1] if len(given.arguments) > 1 else None)


def _write_all(code: Code, given: Given) -> Iterator[Finding]:
    for path in given.arguments or [None]:
        yield writes(code.language, path)


def _link(code: Code, given: Given) -> Iterator[Finding]:
    """A second name for something, then that name: what is done to it later is done to the first."""
    if given.first is None or leads_out(given.first):
        yield opaque(code.language, "makes a link to something outside the folder, or not known")
    yield from _write_second(code, given)


def leads_out(path: str) -> bool:
    """Whether a path is not surely below the folder that it is used in."""
    return path.startswith(("/", "~")) or ".." in path.split("/")


def _change(code: Code, given: Given) -> Iterator[Finding]:
    yield changes(code.language, given.texts[-1] if given.texts else None)


def _open(code: Code, given: Given) -> Iterator[Finding]:
    """A file, then a mode: without one it is read."""
    mode = given.arguments[1] if len(given.arguments) > 1 else "r"
    if mode is None or set("wax+") & set(mode.partition(":")[0]):
        yield writes(code.language, given.first)
    elif given.first is not None:
        yield reads(code.language, given.first)


def _perl_open(code: Code, given: Given) -> Iterator[Finding]:
    """`open(F, "<", name)`, `open(F, ">name")`, `open(F, "command |")`."""
    mode, rest = (given.arguments[1], given.arguments[2:]) if len(given.arguments) > 1 else (None, [])
    if mode is None:
        yield opaque(code.language, "opens something that is not known")
    elif "|" in mode:
        yield spawns_argv(code.language, given.texts[1:]) if rest else spawns(code.language, mode.strip(" |"))
    elif mode.lstrip(" ")[:1] in (">", "+"):
        path = rest[0] if rest else mode.lstrip(" +<>")
        yield writes(code.language, path)


def _fork(code: Code, _given: Given) -> Iterator[Finding]:
    yield fork_bomb(code.language) if code.in_loop() else spawns(code.language)


def _network(code: Code, _given: Given) -> Iterator[Finding]:
    yield connects(code.language)


def _eval(code: Code, _given: Given) -> Iterator[Finding]:
    yield evaluates(code.language)


def _kill(code: Code, _given: Given) -> Iterator[Finding]:
    yield signals(code.language, everyone=code.minus_one())


def _opaque_power(code: Code, given: Given) -> Iterator[Finding]:
    yield opaque(code.language, f"uses {given.word}")


POWERS: dict[str, Callable[[Code, Given], Iterator[Finding]]] = {
    "command": _shell, "argv": _argv, "delete": _delete, "delete-tree": _delete_tree, "write": _write,
    "write-second": _write_second, "write-all": _write_all, "change": _change, "open": _open, "fork": _fork,
    "network": _network, "eval": _eval, "kill": _kill, "opaque": _opaque_power, "perl-open": _perl_open,
    "link": _link,
}  # fmt: skip
