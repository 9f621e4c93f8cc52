"""`env` -> the command that it runs, and what it sets for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk, runs
from limpet.policy.options import parse_options
from limpet.policy.tools.assigning import assignment_risks, split_assignments
from limpet.syntax.values.field import UNKNOWN, Field, Piece
from limpet.syntax.walk.folders import join_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule, Spec

_SPLIT = ("-S", "--split-string")
_MOST = 8
_VARIABLE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "#": "#", "$": "$", "\\": "\\", '"': '"', "'": "'"}


def _env(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="uCSPa",
        long_values=("--argv0", "--unset", "--chdir", "--split-string"),
        long_flags=(
            "--ignore-environment", "--null", "--debug", "--list-signal-handling", "--block-signal",
            "--default-signal", "--ignore-signal", "--help", "--version",
        ),
        stop_early=True,
    )  # fmt: skip
    if parsed.has(*_SPLIT):
        yield _split(command, parsed)
        return
    operands = parsed.operands[1:] if parsed.operands and parsed.operands[0].text == "-" else parsed.operands
    assigned, rest = split_assignments(operands)
    yield from assignment_risks(assigned)
    folder = command.cwd
    for field in parsed.values("-C", "--chdir"):
        folder = join_path(folder, field.text) if field.text is not None else None
    if rest:
        yield runs(command, rest, "env", environment=(*command.environment, *assigned), cwd=folder)


def _split(command: Command, parsed: Parsed) -> Effect:
    """`env -S TEXT …` is `env` with the words of the text in its place, options and all."""
    before: list[Field] = []
    for option in parsed.options:
        if option.name not in _SPLIT:
            before.extend(option.written)
            continue
        value = option.value
        words = None if value is None or value.text is None else split_string(value.text)
        if words is None or command.via.count("env -S") >= _MOST:
            return risk("env.text", Risk.OPAQUE, "runs a text that cannot be read (env -S)")
        before.extend(words)
    return runs(command, (command.argv[0], *before, *parsed.operands), "env -S")


def split_string(text: str) -> tuple[Field, ...] | None:
    """The words of `env -S`, which has quotes, escapes and variables of its own; None when it would refuse them."""
    words: list[list[Piece]] = []
    open_word: list[Piece] | None = None
    quote, at = "", 0
    while at < len(text):
        sign = text[at]
        piece, used = _sign(text, at, quote)
        at += used
        if piece is None:
            return None
        if sign in "'\"" and quote in ("", sign):
            quote = "" if quote else sign
            open_word = [] if open_word is None else open_word
        elif piece == _STOP or (sign == "#" and open_word is None and not quote):
            break
        elif piece == _BLANK:
            words.extend([] if open_word is None else [open_word])
            open_word = None
        else:
            open_word = [*(open_word or ()), piece]
    words.extend([] if open_word is None else [open_word])
    return None if quote else tuple(Field(tuple(word)) for word in words)


_STOP, _BLANK = "\0stop", "\0blank"


def _sign(text: str, at: int, quote: str) -> tuple[Piece | None, int]:
    """What one sign stands for, and how many it takes; None for what is refused."""
    sign = text[at]
    if sign == "\\" and quote != "'":
        return _escaped(text[at + 1 : at + 2], quote), 2
    if sign == "\\" and text[at + 1 : at + 2] in ("\\", "'"):
        return text[at + 1], 2
    if sign == "$" and quote != "'":
        found = _VARIABLE.match(text, at)
        return (None, 1) if found is None else (UNKNOWN, found.end() - at)
    return (_BLANK if sign in " \t\n\v\f\r" and not quote else sign), 1


def _escaped(letter: str, quote: str) -> str | None:
    if letter == "_":
        return " " if quote else _BLANK
    if letter == "c":
        return None if quote else _STOP
    return _ESCAPES.get(letter)


TOOLS: dict[str, Spec | Rule] = {"env": _env}
