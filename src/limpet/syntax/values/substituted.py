"""`$(echo text)`, `$(pwd)`, `<(printf text)` and the like -> what they print, where that is plain from their words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.tree import Assignment, Simple
from limpet.syntax.values.braces import expand_braces
from limpet.syntax.values.field import Field
from limpet.syntax.values.globs import assemble
from limpet.syntax.values.outputs import echoed, printed
from limpet.syntax.values.scope import BLANKS
from limpet.syntax.values.split import split
from limpet.syntax.values.tilde import Tildes

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.tree import Redirect, Script, Word
    from limpet.syntax.values.reader import Reader
    from limpet.syntax.values.scope import Scope

    NewReader = Callable[[Scope], Reader]


def output_of(script: Script, scope: Scope, new_reader: NewReader) -> str | None:
    """All that the script prints, when it is one command that prints its own words, or its heredoc."""
    only = script.commands[0] if len(script.commands) == 1 else None
    inner = scope.inner()
    if not isinstance(only, Simple) or only.assignments or not only.words or inner is None:
        return None
    words = _texts(only.words, inner, new_reader)
    shown = None if words is None else _shown(words, only.redirects, inner, new_reader)
    if shown is None or "\0" in shown or not scope.spend(len(shown)):
        return None
    return shown


def _shown(words: list[str], redirects: tuple[Redirect, ...], scope: Scope, new_reader: NewReader) -> str | None:
    name, rest = words[0], words[1:]
    if name == "cat" and rest in ([], ["-"]):
        return _body(redirects, scope, new_reader)
    if redirects:
        return None
    if name == "pwd" and rest in ([], ["-L"]):
        return _folder(scope)
    if name == "dirname" and len(rest) == 1 and not rest[0].startswith("-"):
        return f"{_parent(rest[0])}\n"
    if name == "echo":
        return echoed(rest, any_shell=not scope.ordinary)
    return printed(rest, any_shell=not scope.ordinary) if name == "printf" else None


def _folder(scope: Scope) -> str | None:
    """What `pwd` prints; where `$PWD` says something else, a `cd` may have failed, or somebody has set it."""
    shown = scope.get("PWD")
    sure = scope.cwd is not None and isinstance(shown, Field) and shown.text == scope.cwd
    return f"{scope.cwd}\n" if sure else None


def _parent(path: str) -> str:
    """What `dirname` prints."""
    front = path.rstrip("/").rpartition("/")[0].rstrip("/")
    return front or ("/" if path.startswith("/") else ".")


def _body(redirects: tuple[Redirect, ...], scope: Scope, new_reader: NewReader) -> str | None:
    """What a command reads that has a heredoc or a here-string, and no other redirection."""
    only = redirects[0] if len(redirects) == 1 else None
    if only is None or only.descriptor not in ("", "0"):
        return None
    if only.operator == "<<<":
        text = new_reader(scope).text(only.target, Tildes.START).text
        return None if text is None else text + "\n"
    if only.operator not in ("<<", "<<-") or only.body is None:
        return None
    return new_reader(scope).text(only.body, Tildes.NOWHERE).text


def _texts(words: tuple[Word | Assignment, ...], scope: Scope, new_reader: NewReader) -> list[str] | None:
    """The arguments that words become, when all of them are known."""
    found: list[str] = []
    for word in words:
        texts = None if isinstance(word, Assignment) else _arguments(word, scope, new_reader)
        if texts is None:
            return None
        found += texts
    return found


def _arguments(word: Word, scope: Scope, new_reader: NewReader) -> list[str] | None:
    if expand_braces(word) != [word]:
        return None
    reader = new_reader(scope)
    runs = reader.runs(word, Tildes.ARGUMENT)
    arguments = split(runs, scope.separators)
    if arguments is None or (reader.met_list and scope.separators != BLANKS):
        return None
    texts = [assemble(each).text for each in arguments]
    known = [text for text in texts if text is not None]
    return known if len(known) == len(texts) else None
