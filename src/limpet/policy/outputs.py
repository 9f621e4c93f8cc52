"""Commands whose output is plain from their words -> that output."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.parser.quotes import ansi
from limpet.syntax.values.field import Field, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.policy.case import Case
    from limpet.policy.command import Command
    from limpet.policy.streams import Record

_DIRECTIVE = re.compile(r"%[sb]")


def known_output(records: Sequence[Record]) -> str | None:
    """What a pipe delivers, when it is one command that prints its own words or its heredoc."""
    if len(records) != 1:
        return None
    command = records[0].command
    if command.name == "echo":
        return _echoed(command)
    if command.name == "printf":
        return _printed(command)
    bodies = [each.body for each in command.opened if each.body is not None]
    if command.name in ("cat", "tee") and bodies and all((text or "").startswith("-") for text in command.texts):
        return bodies[0].text
    return None


def _echoed(command: Command) -> str | None:
    texts = list(command.texts)
    if None in texts:
        return None
    words = [text for text in texts if text is not None]
    escapes = False
    while words and re.fullmatch(r"-[neE]+", words[0]):
        escapes |= "e" in words.pop(0)
    text = " ".join(words) + "\n"
    return ansi(text) if escapes and "\\" in text else text


def _printed(command: Command) -> str | None:
    texts = list(command.texts)
    if not texts or None in texts:
        return None
    words = [text for text in texts if text is not None]
    template, rest = words[0], words[1:]
    if template == "--" and rest:
        template, rest = rest[0], rest[1:]
    if re.search(r"%(?![sb%])", template):
        return None
    count = len(_DIRECTIVE.findall(template))
    text = ansi(template) if template.isascii() else template
    if not count:
        return text.replace("%%", "%")
    made = []
    for index in range(0, max(len(rest), 1), count):
        values = iter(rest[index : index + count])
        made.append(_DIRECTIVE.sub(lambda _, values=values: next(values, ""), text))  # type: ignore[misc]
    return "".join(made).replace("%%", "%")


def items_of(command: Command, case: Case) -> Field | None:
    """What `xargs` is given: words that are known, or paths below a folder."""
    if command.name not in ("xargs", "gxargs"):
        return None
    bodies = [each.body for each in command.opened if each.body is not None]
    if bodies:
        words = (bodies[0].text or "").split()
        return Field((words[0],)) if len(words) == 1 else None
    records = case.streams.feeders(command)
    if not records:
        return None
    first = records[0].command
    if first.name in ("echo", "printf"):
        text = known_output(records[:1])
        words = (text or "").split()
        return Field((words[0],)) if len(words) == 1 else None
    if first.name == "find" and all(record.command.name in _FILTERS for record in records[1:]):
        return _below(first)
    if first.name in _LISTERS and all(record.command.name in _FILTERS for record in records[1:]):
        return Field((Pattern("some-file"),))
    return None


_FILTERS = frozenset({"grep", "egrep", "sort", "uniq", "head", "tail", "sed", "awk", "tr", "xargs", "cut"})
_LISTERS = frozenset({"git", "rg", "fd", "fdfind"})


def _below(command: Command) -> Field | None:
    """Some path below where `find` starts."""
    starts = []
    for field in command.arguments:
        if field.prefix.startswith(("-", "(", "!")):
            break
        starts.append(field)
    if len(starts) > 1 or (starts and starts[0].text is None):
        return None
    start = (starts[0].text or ".") if starts else "."
    return Field((start.rstrip("/") + "/", Pattern("some/file")))
