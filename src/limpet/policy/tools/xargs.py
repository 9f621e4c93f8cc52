"""`xargs` and `parallel` -> the commands that they make of what they are given."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, runs, runs_stdin, script
from limpet.policy.options import parse_options
from limpet.policy.tools.items import delimiter_of, input_of, split_at, split_lines, split_words
from limpet.syntax.values.field import ANYTHING, Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule, Spec

_MOST = 16
"""Commands that are looked at one by one; of more than that, nothing is taken for known."""


def _xargs(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="adEILnPs",
        long_values=(
            "--arg-file", "--delimiter", "--replace", "--max-args", "--max-procs", "--max-chars", "--process-slot-var",
        ),
        long_flags=(
            "--null", "--interactive", "--no-run-if-empty", "--verbose", "--exit", "--open-tty", "--eof",
            "--max-lines", "--show-limits", "--help", "--version",
        ),
        stop_early=True,
    )  # fmt: skip
    for field in parsed.values("-a", "--arg-file"):
        yield read(field)
    if not parsed.operands and parsed.has("--help", "--version"):
        return
    inner = parsed.operands or (known("echo"),)
    mark = _mark(parsed)
    for items in _batches(command, parsed, lines=bool(mark)):
        if mark:
            yield runs(command, tuple(_replaced(field, mark, items[0]) for field in inner), "xargs")
        else:
            yield runs(command, (*inner, *items), "xargs")


def _mark(parsed: Parsed) -> str:
    """What stands for an item in the command."""
    marks = [field.text for field in parsed.values("-I", "--replace") if field.text]
    return marks[-1] if marks else "{}" if parsed.has("-i", "--replace") else ""


def _batches(command: Command, parsed: Parsed, *, lines: bool) -> list[tuple[Field, ...]]:
    """The items of each call."""
    unknown: list[tuple[Field, ...]] = [(ANYTHING,)]
    if parsed.has("-a", "--arg-file", "-E", "--eof", "-e"):
        return unknown
    text, one = _given(command)
    if text is None:
        return [(one or ANYTHING,)]
    items = _items(text, parsed, lines=lines)
    if items is None:
        return unknown
    batches = [tuple(map(known, batch)) for batch in items]
    return batches if len(batches) <= _MOST else [*batches[:_MOST], *unknown]


def _given(command: Command) -> tuple[str | None, Field | None]:
    """All that is read, or one of the items, whichever is known."""
    opened, items = input_of(command), command.items
    if opened:
        return (opened[0].body.text if len(opened) == 1 and opened[0].body is not None else None), None
    if items is None:
        return None, None
    whole = all(isinstance(piece, str) for piece in items.pieces)
    return (items.prefix, None) if whole else (None, items)


def _items(text: str, parsed: Parsed, *, lines: bool) -> list[list[str]] | None:
    """The words of each call; None when they are not known."""
    ends = "\0" if parsed.has("-0", "--null") else None
    for field in parsed.values("-d", "--delimiter"):
        ends = delimiter_of(field.text)
        if ends is None:
            return None
    if ends is not None:
        rows: list[list[str]] | None = [[item] for item in split_at(text, ends)]
    elif lines:
        rows = split_lines(text)
    else:
        rows = split_words(text)
    return rows if lines or rows is None else _calls(rows, text, parsed)


def _calls(rows: list[list[str]], text: str, parsed: Parsed) -> list[list[str]] | None:
    """Which words go into one call: all of them, some, or those of so many lines."""
    goes_on = parsed.has("-L") and re.search(r"[ \t]\n", text)
    if goes_on or parsed.has("-l", "--max-lines", "-s", "--max-chars"):
        return None
    words = [word for row in rows for word in row]
    for name in ("-L", "-n", "--max-args"):
        for field in parsed.values(name):
            size = int(field.text) if re.fullmatch("[1-9][0-9]{0,5}", field.text or "") and field.text else 0
            if not size:
                return None
            if name == "-L":
                return [[word for row in rows[at : at + size] for word in row] for at in range(0, len(rows), size)]
            return [words[at : at + size] for at in range(0, len(words), size)]
    if not words and parsed.has("-r", "--no-run-if-empty"):
        return []
    return [words]


def _replaced(field: Field, mark: str, items: Field) -> Field:
    if not any(isinstance(piece, str) and mark in piece for piece in field.pieces):
        return field
    pieces: list[object] = []
    for piece in field.pieces:
        if not isinstance(piece, str):
            pieces.append(piece)
            continue
        for index, part in enumerate(piece.split(mark)):
            pieces.extend((*items.pieces, part) if index else (part,))
    return Field(tuple(pieces), field.many)  # type: ignore[arg-type]  # pieces of fields


# --- parallel -------------------------------------------------------------------------------------------------------

_PLAIN = re.compile(r"[-A-Za-z0-9_./=:,@%+{} ]*")
_MARK = re.compile(r"\{(?:[0-9]*(?:\.|/|//|/\.|#|%)?|[-+]?[0-9]+)\}")
_ITEM = '"$item_of_parallel"'
"""A variable that nothing sets: nobody knows what it holds."""


def _parallel(command: Command) -> Iterator[Effect]:
    """The words are joined and given to a shell, with each item quoted in place of its mark, or behind them."""
    parsed = parse_options(
        command.arguments,
        values="ajSnNLdIPC",
        long_values=(
            "--jobs", "--arg-file", "--colsep", "--delay", "--timeout", "--joblog", "--results", "--tmpdir",
            "--sshlogin", "--sshloginfile", "--workdir", "--wd", "--retries", "--halt", "--max-args", "--load",
            "--memfree", "--nice", "--env", "--basefile", "--return", "--transferfile", "--block", "--recstart",
            "--recend", "--tagstring", "--max-replace-args", "--delimiter", "--rpl", "--profile", "--shellquote",
        ),
        stop_early=True,
    )  # fmt: skip
    if parsed.has("-S", "--sshlogin", "--sshloginfile"):
        yield risk("parallel.remote", Risk.NETWORK, "runs commands on other machines")
    words = list(parsed.operands)
    marks = [index for index, field in enumerate(words) if (field.text or "").startswith(":::")]
    inner = tuple(words[: marks[0]] if marks else words)
    given = words[marks[0] + 1 :] if len(marks) == 1 and words[marks[0]].text == ":::" else []
    if not marks and command.items is not None and not input_of(command):
        given = _listed(command.items)
    if inner:
        few = given if 0 < len(given) <= _MOST else [ANYTHING]
        for item in few:
            yield from _shared(command, inner, item)
    elif given:
        yield from (script(item, "parallel") for item in given[:_MOST])
    elif not parsed.has("--version", "--help", "--citation"):
        yield runs_stdin()


def _listed(items: Field) -> list[Field]:
    """An item for each line that is known, or one that stands for all."""
    if any(not isinstance(piece, str) for piece in items.pieces):
        return [items]
    return [known(line) for line in items.prefix.split("\n") if line]


def _shared(command: Command, inner: tuple[Field, ...], item: Field) -> Iterator[Effect]:
    """One call; words that mean nothing to a shell stay the words that they are."""
    texts = [field.text for field in inner]
    text = " ".join(each for each in texts if each is not None)
    if None in texts:
        yield runs(command, (*(_replaced(field, "{}", item) for field in inner), item), "parallel")
    elif _PLAIN.fullmatch(text):
        fields = tuple(_in_place(word, item) for word in text.split())
        yield runs(command, fields if _MARK.search(text) else (*fields, item), "parallel")
    else:
        quoted = _ITEM if item.text is None else "'" + item.text.replace("'", "'\\''") + "'"
        filled = _MARK.sub(lambda _: quoted, text)
        yield script(known(filled if _MARK.search(text) else f"{text} {quoted}"), "parallel")


def _in_place(word: str, item: Field) -> Field:
    """A word with the item where its mark is; a part of the item is not worked out."""
    parts: list[object] = []
    at = 0
    for found in _MARK.finditer(word):
        whole = found[0] in ("{}", "{1}")
        parts.extend((word[at : found.start()], *(item if whole else ANYTHING).pieces))
        at = found.end()
    return Field((*parts, word[at:]), item.many and at > 0)  # type: ignore[arg-type]  # pieces of fields


TOOLS: dict[str, Spec | Rule] = {"xargs": _xargs, "gxargs": _xargs, "parallel": _parallel}
