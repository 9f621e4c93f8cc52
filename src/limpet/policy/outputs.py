"""Commands whose output is plain from their words -> that output."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.syntax.values.field import Field, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.policy.case import Case
    from limpet.policy.command import Command
    from limpet.policy.streams import Record

_PLAIN_FORMAT = re.compile(r"(?:[^%\\]|%s|\\n|\\t)*")


def known_output(records: Sequence[Record]) -> str | None:
    """What a pipe delivers, when it is one command that prints its own words or its heredoc."""
    if len(records) != 1:
        return None
    command = records[0].command
    if command.name == "echo":
        return _echoed(command)
    if command.name == "printf":
        return _printed(command)
    body = _body_of(command)
    return body.text if command.name == "cat" and body is not None and not command.texts else None


def _body_of(command: Command) -> Field | None:
    """The heredoc that is surely its input; what stands around a pipe goes to the first command of it."""
    piped = any(step.kind == "stage" and step.index > 0 for step in command.steps)
    opened = command.own if piped else (*command.own, *command.opened)
    return next((each.body for each in opened if each.body is not None), None)


def _echoed(command: Command) -> str | None:
    """What `echo` prints; with a backslash in it that depends on options, settings and which shell it is."""
    words = [text for text in command.texts if text is not None]
    if len(words) < len(command.texts) or any("\\" in word for word in words):
        return None
    end = "\n"
    while words and re.fullmatch(r"-[neE]+", words[0]):
        end = "" if "n" in words.pop(0) else end
    return " ".join(words) + end


def _printed(command: Command) -> str | None:
    """What `printf` prints, when its format has nothing but `%s`, line ends and tabs."""
    words = [text for text in command.texts if text is not None]
    if not words or len(words) < len(command.texts):
        return None
    template, rest = words[0], words[1:]
    if not _PLAIN_FORMAT.fullmatch(template) or template.startswith("-"):
        return None
    text = template.replace("\\n", "\n").replace("\\t", "\t")
    count = text.count("%s")
    if not count:
        return text
    rounds = [rest[index : index + count] for index in range(0, max(len(rest), 1), count)]
    return "".join(_filled(text, values) for values in rounds)


def _filled(text: str, values: list[str]) -> str:
    parts = text.split("%s")
    padded = [*values, *[""] * (len(parts) - 1 - len(values))]
    return "".join(part + value for part, value in zip(parts, [*padded, ""], strict=True))


def items_of(command: Command, case: Case) -> Field | None:
    """What `xargs` is given: a word that is known, or some path below a folder; None when nobody knows."""
    if command.name not in ("xargs", "gxargs"):
        return None
    body = _body_of(command)
    if body is not None:
        return _only_word(body.text)
    records = case.streams.feeders(command)
    if not records:
        return None
    first = records[0].command
    if first.name in ("echo", "printf"):
        return _only_word(known_output(records))
    if not all(_selects(record.command) for record in records[1:]):
        return None
    return _listed(first)


def _only_word(text: str | None) -> Field | None:
    words = (text or "").split()
    return Field((words[0],)) if len(words) == 1 else None


def _selects(command: Command) -> bool:
    """Whether it passes on whole lines, or none."""
    options = "".join(text for text in command.texts if text is not None and text.startswith("-"))
    return command.name in _FILTERS and None not in command.texts and not _CHANGES_LINES.search(options)


_FILTERS = frozenset({"grep", "egrep", "fgrep", "sort", "uniq", "head", "tail"})
_CHANGES_LINES = re.compile(r"o|c|--only-matching|--count")
_NARROWING = frozenset({"-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-wholename", "-empty", "-newer"})


def _listed(command: Command) -> Field | None:
    """Some path that a command lists, when all it can list lies in the folder."""
    texts = command.texts
    known = [text for text in texts if text is not None]
    if len(known) < len(texts) or any(text.startswith(("/", "~")) or ".." in text for text in known):
        return None
    if command.name == "find":
        return _below(known)
    if command.name == "git":
        names = known[:1] == ["ls-files"] or (known[:1] == ["diff"] and "--name-only" in known)
        return _SOME if names and "--format" not in " ".join(known) else None
    if command.name in ("rg", "grep"):
        return (
            _SOME
            if any(re.fullmatch(r"-[A-Za-z]*l[A-Za-z]*|--files(-with-matches)?", text) for text in known)
            else None
        )
    return None


_SOME = Field((Pattern("some/file"),))


def _below(texts: list[str]) -> Field | None:
    """Some path below where `find` starts, or, without a filter, all of them."""
    starts = []
    for text in texts:
        if text.startswith(("-", "(", "!")):
            break
        starts.append(text)
    if len(starts) > 1 or any(text.startswith(("-printf", "-exec", "-ok", "-fprint", "-delete")) for text in texts):
        return None
    start = (starts[0] if starts else ".").rstrip("/")
    return Field((f"{start}/", Pattern("some/file" if _NARROWING & set(texts) else "*")))
