"""`cp`, `mv`, `ln`, `install` -> what they read, write and take away."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, change, delete, program, read, risk, write
from limpet.policy.options import Parsed, parse_options
from limpet.policy.tools.fieldpaths import HERE, base_name, child, is_broad, read_tree
from limpet.policy.tools.running import wary
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule, Spec

_LONG_FLAGS = (
    "--archive", "--attributes-only", "--backup", "--compare", "--context", "--copy-contents", "--debug",
    "--dereference", "--directory", "--exchange", "--force", "--help", "--interactive", "--keep-directory-symlink",
    "--link", "--logical", "--no-clobber", "--no-copy", "--no-dereference", "--no-target-directory",
    "--one-file-system", "--parents", "--physical", "--preserve", "--preserve-context", "--preserve-timestamps",
    "--recursive", "--reflink", "--relative", "--remove-destination", "--strip", "--strip-trailing-slashes",
    "--symbolic", "--symbolic-link", "--update", "--verbose", "--version",
)  # fmt: skip
_LONG_VALUES = ("--suffix", "--target-directory", "--no-preserve", "--sparse")
_INSTALL_VALUES = (*_LONG_VALUES, "--group", "--mode", "--owner", "--strip-program")


class _Placed(NamedTuple):
    sources: tuple[Field, ...]
    targets: tuple[Field, ...]


def _place(parsed: Parsed) -> _Placed:
    """What goes where; a source that lands in a folder keeps its name."""
    operands = parsed.operands
    folders = tuple(parsed.values("-t", "--target-directory"))
    if folders:
        return _Placed(operands, tuple(child(folder, base_name(one)) for folder in folders for one in operands))
    if len(operands) < 2:
        return _Placed(operands, tuple(one for one in operands if is_broad(one)))
    *sources, target = operands
    into = _is_folder(target) or len(sources) > 1 or any(one.many for one in sources)
    if parsed.has("-T", "--no-target-directory") or not into:
        return _Placed(tuple(sources), (target,))
    inside = tuple(child(target, base_name(one)) for one in sources)
    alone = len(sources) == 1 and not _is_folder(target)  # it may be one file, and then the target is its new name
    return _Placed(tuple(sources), (*inside, target) if alone else inside)


def _is_folder(path: Field) -> bool:
    return path.suffix.endswith(("/", "/.", "/..")) or path.text in (".", "..")


def _copy(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="St", long_values=_LONG_VALUES, long_flags=_LONG_FLAGS)
    placed = _place(parsed)
    tree = parsed.has("-r", "-R", "-a", "--recursive", "--archive")
    yield from map(read_tree if tree else read, placed.sources)
    if parsed.has("-l", "--link"):
        yield from map(change, placed.sources)  # two names for one file: who writes to one writes to the other
    yield from map(write, placed.targets)


def _move(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="St", long_values=_LONG_VALUES, long_flags=_LONG_FLAGS)
    placed = _place(parsed)
    for source in placed.sources:
        yield delete(source, recursive=True)
    for target in placed.targets:
        yield write(target)


def _link(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="St", long_values=_LONG_VALUES, long_flags=_LONG_FLAGS)
    placed = _place(parsed)
    if len(parsed.operands) == 1 and not placed.targets:
        placed = _Placed(parsed.operands, (child(HERE, base_name(parsed.operands[0])),))
    symbolic = parsed.has("-s", "--symbolic")
    for index, source in enumerate(placed.sources):
        target = placed.targets[min(index, len(placed.targets) - 1)] if placed.targets else None
        yield read(_pointed(source, target) if symbolic and not parsed.has("-r", "--relative") else source)
        if not symbolic:
            yield change(source)
    for target in placed.targets:
        yield write(target)


def _pointed(source: Field, target: Field | None) -> Field:
    """What a symbolic link leads to: its text is relative to the folder of the link."""
    text = target.text if target is not None else None
    if text is None or "/" not in text or source.prefix.startswith("/") or not source.prefix:
        return source
    return Field((f"{text.rpartition('/')[0]}/", *source.pieces), source.many)


def _install(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="Stgmo", long_values=_INSTALL_VALUES, long_flags=_LONG_FLAGS)
    for mode in parsed.values("-m", "--mode"):
        if gives_rights(mode.text or ""):
            yield setuid_risk("install")
    for stripper in parsed.values("--strip-program"):
        yield program(stripper, "install")
    if parsed.has("-d", "--directory"):
        yield from map(write, parsed.operands)
        return
    placed = _place(parsed)
    yield from map(read, placed.sources)
    yield from map(write, placed.targets)


def gives_rights(mode: str) -> bool:
    """Whether a mode has programs run with the rights of their owner or group."""
    if re.fullmatch("[-+=]?[0-7]+", mode):
        return bool(int(mode.lstrip("-+="), 8) & 0o6000) and not mode.startswith("-")
    return re.search("[+=][rwxXtugo]*s", mode) is not None


def setuid_risk(tool: str) -> Effect:
    """The question about such a mode."""
    return risk(f"{tool}.setuid", Risk.PRIVILEGE, "has a program run with the rights of its owner or group")


TOOLS: dict[str, Spec | Rule] = {
    "cp": _copy,
    "gcp": _copy,
    "mv": _move,
    "gmv": _move,
    "ln": _link,
    "install": wary(_install),
}
