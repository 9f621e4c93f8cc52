"""Commands whose output is plain from their words -> that output."""

from __future__ import annotations

import binascii
import re
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.values.field import Field, Pattern
from limpet.syntax.values.outputs import echoed, printed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limpet.policy.case import Case
    from limpet.policy.command import Command
    from limpet.policy.streams import Record
    from limpet.syntax.walk.found import Opened

_PLAIN_FORMAT = late(r"(?:[^%\\]|%s|\\n|\\t|\\0(?![0-7]))*")


def known_output(records: Sequence[Record], *, decoding: bool = False) -> str | None:
    """What a pipe delivers, when its first command prints what is known, and the others pass it on.

    With `decoding` also when they decode it: good for a look at what is hidden there, not for more.
    """
    if not records:
        return None
    text = _first(records[0].command, decoding=decoding)
    for record in records[1:]:
        steps = record.command.steps
        plain = text is not None and not record.command.own and steps and steps[-1].kind == "stage"
        text = _through(text, record.command, decoding=decoding) if plain and text is not None else None
    return text


def _first(command: Command, *, decoding: bool) -> str | None:
    """What it prints of its own words, or of its heredoc."""
    if decoding and command.name in ("echo", "printf") and None not in command.texts:
        words = [text or "" for text in command.texts]
        return echoed(words) if command.name == "echo" else printed(words)
    if command.name == "echo":
        return _echoed(command)
    if command.name == "printf":
        return _printed(command)
    body = _body_of(command)
    return None if body is None or body.text is None else _through(body.text, command, decoding=decoding)


def _through(text: str, command: Command, *, decoding: bool) -> str | None:
    """What comes out where this goes in."""
    name, texts = command.name, command.texts
    if (name == "cat" and texts in ((), ("-",))) or name == "tee":
        return text
    if not decoding:
        return None
    if name == "rev" and not texts:
        return "\n".join(line[::-1] for line in text.split("\n"))
    if (name == "base64" and texts in _DECODES) or (name == "xxd" and {*texts} in ({"-r", "-p"}, {"-rp"}, {"-pr"})):
        return _decoded(text, binascii.a2b_base64 if name == "base64" else bytes.fromhex)
    return None


_DECODES = (("-d",), ("-D",), ("--decode",), ("-di",), ("-d", "-i"))


def _decoded(text: str, decode: Callable[[str], bytes]) -> str | None:
    try:
        return decode("".join(text.split())).decode("utf-8")
    except ValueError:
        return None


def _body_of(command: Command) -> Field | None:
    """The heredoc that is surely its input; what stands around a pipe goes to the first command of it."""
    own = _inputs(command.own)
    if own:
        return own[-1].body
    piped = any(step.kind == "stage" and step.index > 0 for step in command.steps)
    around = [] if piped else _inputs(command.opened)
    return around[0].body if len(around) == 1 else None


def _inputs(opened: Sequence[Opened]) -> list[Opened]:
    return [each for each in opened if each.node.descriptor in ("", "0") and each.node.operator.startswith("<")]


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
    text = template.replace("\\n", "\n").replace("\\t", "\t").replace("\\0", "\0")
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
    if command.name not in ("xargs", "gxargs", "parallel"):
        return None
    records = case.streams.feeders(command)
    if not records:
        return None
    first = records[0].command
    text = known_output(records)
    if text is not None or first.name in ("echo", "printf"):
        return None if text is None else Field((text,), many=True)
    if not all(_selects(record.command) for record in records[1:]):
        return None
    return _listed(first)


def _selects(command: Command) -> bool:
    """Whether it passes on whole lines, or none."""
    options = "".join(text for text in command.texts if text is not None and text.startswith("-"))
    return command.name in _FILTERS and None not in command.texts and not _CHANGES_LINES.search(options)


_FILTERS = frozenset({"grep", "egrep", "fgrep", "sort", "uniq", "head", "tail"})
_CHANGES_LINES = late(r"o|c|--only-matching|--count")
_NARROWING = frozenset({"-name", "-iname", "-path", "-ipath", "-regex", "-iregex", "-wholename", "-empty", "-newer"})


def _listed(command: Command) -> Field | None:
    """Some path that a command lists, when all it can list lies in the folder."""
    texts = command.texts
    known = [text for text in texts if text is not None]
    if len(known) < len(texts):
        return None
    if command.name == "find":
        return _below(known)
    if any(text.startswith(("/", "~")) or ".." in text for text in known):
        return None
    if command.name == "git":
        names = known[:1] == ["ls-files"] or (known[:1] == ["diff"] and "--name-only" in known)
        names |= known[:1] == ["grep"] and any(text in ("-l", "--files-with-matches") for text in known)
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
