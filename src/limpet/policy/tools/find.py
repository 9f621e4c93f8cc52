"""`find` and `fd` -> what they do to the paths they meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, delete, read, risk, runs, write
from limpet.policy.options import Parsed, parse_options
from limpet.policy.sensitive import is_secret_to_send
from limpet.policy.tools.fieldpaths import ALL, HERE, base_name, below, has_unclear_option, is_broad, join
from limpet.policy.tools.find_expression import COMMANDS, Action, read_expression
from limpet.policy.tools.find_filters import FEW, Filter, Filters, fill, glob_below, name_filter, regex_filter, union
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.tables import reads, texts
from limpet.syntax.values.field import ANYTHING, Field, Unknown, known
from limpet.syntax.walk.folders import join_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_MOST = 32
"""More places than that are not told apart."""


def _paths(starts: tuple[Field, ...], filters: Filters) -> tuple[Field, ...]:
    """What an action may be done to."""
    if len(starts) * len(filters or (0,)) > _MOST:
        return (ANYTHING,)
    if filters is None:
        return tuple(below(start, ALL) for start in starts)
    return tuple(below(start, glob_below(start, one)) for start in starts for one in filters)


def _find(command: Command) -> Iterator[Effect]:
    expression = read_expression(command.arguments)
    if expression.unknown or _is_open(command):
        yield risk("find.unknown", Risk.UNKNOWN, f"{expression.unknown or 'an argument'} of find is not understood")
    starts = expression.starts
    yield from map(read, (*starts, *expression.reads))
    yield from _secrets(command, starts, expression.actions)
    if any(word.text == "-files0-from" for word in command.arguments):
        starts = (*starts, ANYTHING)
    for action in expression.actions:
        if action.name == "-delete":
            yield from _deleted(starts, action.filters)
        elif action.name in COMMANDS:
            yield from _executed(command, starts, action)
        else:
            yield from map(write, action.words)


def _secrets(command: Command, starts: tuple[Field, ...], actions: tuple[Action, ...]) -> Iterator[Effect]:
    """Files that are named like secrets, when something is done with them: those lie in hidden folders of homes."""
    filters = [one for action in actions for one in action.filters or ()]
    if any(step.kind == "stage" for step in command.steps):
        names = [
            after for name, after in zip(command.texts, command.texts[1:], strict=False) if name in ("-name", "-iname")
        ]
        filters.extend(Filter(name) for name in names if name)
    for start in starts:
        home = known("/home/any") if start.text in ("/", "/home", "/Users") else start
        for one in filters if start.prefix.startswith("/") else ():
            if is_secret_to_send(f"/any/{one.glob}", "/none", "/none"):
                yield read(below(home, f".*/{one.glob}"))


def _is_open(command: Command) -> bool:
    """Whether `xargs` puts arguments behind the others that could be part of the expression."""
    by = command.via[-1] if command.via else ""
    last = command.arguments[-1:]
    return by in ("xargs", "gxargs", "parallel") and any(isinstance(piece, Unknown) for f in last for piece in f.pieces)


def _deleted(starts: tuple[Field, ...], filters: Filters) -> Iterator[Effect]:
    for path in starts if filters is None else _paths(starts, filters):
        yield delete(path, recursive=True)


def _executed(command: Command, starts: tuple[Field, ...], action: Action) -> Iterator[Effect]:
    by = f"find {action.name}"
    if action.name in ("-exec", "-ok"):
        yield from _each(command, _paths(starts, action.filters), action, by)
        return
    for start in starts[:_MOST]:  # the command runs in the folder of what was found
        folder = join_path(command.cwd, start.text) if start.text is not None else None
        yield from _each(command, _paths((HERE,), action.filters), action, by, folder=folder, moved=True)


def _each(
    command: Command,
    paths: tuple[Field, ...],
    action: Action,
    by: str,
    *,
    folder: str | None = None,
    moved: bool = False,
) -> Iterator[Effect]:
    changes: dict[str, object] = {"cwd": folder} if moved else {}
    if action.batch:
        yield runs(command, (*action.words[:-1], *paths), by, **changes)
        return
    for path in paths:
        yield runs(command, tuple(fill(word, path) for word in action.words), by, **changes)


_FD_VALUES = "eEtdcjSoC"
_FD_LONG_VALUES = (
    "--extension", "--exclude", "--type", "--max-depth", "--min-depth", "--exact-depth", "--color", "--threads",
    "--size", "--changed-within", "--changed-before", "--newer", "--older", "--change-newer-than",
    "--change-older-than", "--owner", "--max-results", "--search-path", "--base-directory", "--path-separator",
    "--ignore-file", "--batch-size", "--and", "--format", "--gen-completions",
)  # fmt: skip
_FD_MARKS = ("{}", "{.}", "{//}", "{/}", "{/.}")


def _fd(command: Command) -> Iterator[Effect]:
    options, groups = _cut_commands(command.arguments)
    parsed = parse_options(options, values=_FD_VALUES, long_values=_FD_LONG_VALUES)
    if has_unclear_option(options, _FD_VALUES) or any(is_broad(field) for field in parsed.operands):
        yield risk("fd.unknown", Risk.UNKNOWN, "an argument of fd is not known and could run a command")
    base = next(parsed.values("-C", "--base-directory"), None)
    starts = (*parsed.operands[1:], *parsed.values("--search-path"))
    starts = tuple(join(base, start) for start in starts) or (base or HERE,)
    yield from map(read, (*starts, *parsed.values("--ignore-file")))
    for words, batch in groups:
        yield from _fd_each(command, _paths(starts, _fd_filters(parsed)), words, batch=batch)


def _fd_each(command: Command, paths: Sequence[Field], words: tuple[Field, ...], *, batch: bool) -> Iterator[Effect]:
    marked = any(mark in (piece if isinstance(piece, str) else "") for word in words for piece in word.pieces
                 for mark in _FD_MARKS)  # fmt: skip
    words = words if marked else (*words, known("{}"))
    if batch and words[-1].text == "{}":
        yield runs(command, (*words[:-1], *paths), "fd -X")
        return
    for path in paths:
        yield runs(command, tuple(_fd_fill(word, path) for word in words), "fd -x")


def _fd_fill(word: Field, path: Field) -> Field:
    return fill(fill(word, path, ("{}", "{.}", "{//}")), base_name(path), ("{/}", "{/.}"))


def _cut_commands(arguments: Sequence[Field]) -> tuple[list[Field], list[tuple[tuple[Field, ...], bool]]]:
    """The options without `-x …` and `-X …`, and the commands after those, each with whether it is a batch."""
    options: list[Field] = []
    groups: list[tuple[tuple[Field, ...], bool]] = []
    index = 0
    while index < len(arguments):
        field = arguments[index]
        index += 1
        found = _command_option(field)
        if found is None:
            options.append(field)
            continue
        first, batch = found
        end = next((at for at in range(index, len(arguments)) if arguments[at].text == ";"), len(arguments))
        groups.append(((*first, *arguments[index:end]), batch))
        index = end + 1
    return options, groups


def _command_option(field: Field) -> tuple[tuple[Field, ...], bool] | None:
    """What of the command is glued to the option, and whether it is a batch; None for any other word."""
    start = field.prefix
    name, equals, value = start.partition("=")
    if name in ("--exec", "--exec-batch"):
        return ((Field((value, *field.pieces[1:])),) if equals else ()), name == "--exec-batch"
    if not start.startswith("-") or start.startswith("--"):
        return None
    for index, letter in enumerate(start[1:], 2):
        if letter in _FD_VALUES:
            return None
        if letter in "xX":
            glued = Field((start[index:].removeprefix("="), *field.pieces[1:]))
            return ((glued,) if glued.pieces else ()), letter == "X"
    return None


def _fd_filters(parsed: Parsed) -> Filters:
    extensions = tuple(parsed.values("-e", "--extension"))
    if extensions:
        return union(*(_extension(field.text) for field in extensions))
    if any(field.text in ("l", "symlink", "e", "empty") for field in parsed.values("-t", "--type")):
        return FEW
    pattern = parsed.operands[0] if parsed.operands else None
    if parsed.has("-g", "--glob"):
        return name_filter(pattern)
    if parsed.has("-F", "--fixed-strings"):
        return name_filter(Field(("*", *pattern.pieces, "*")) if pattern is not None else None)
    return regex_filter(pattern)


def _extension(text: str | None) -> Filters:
    return (Filter(f"*.{text.lstrip('.')}"),) if text else None


_LOCATE = Spec(operands="text*", options=reads("-d --database") | texts("-l -n --limit"))

TOOLS: dict[str, Spec | Rule] = {
    "find": _find,
    "gfind": _find,
    "fd": _fd,
    "fdfind": _fd,
    "locate": _LOCATE,
    "plocate": _LOCATE,
    "mlocate": _LOCATE,
    "mdfind": Spec(operands="text*", options=reads("-onlyin")),
}
