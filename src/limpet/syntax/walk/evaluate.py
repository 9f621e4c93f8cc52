"""Text that is evaluated again -> its commands, walked."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from limpet.syntax.late import late
from limpet.syntax.parser import parse
from limpet.syntax.tree import Simple
from limpet.syntax.values.field import Field, known
from limpet.syntax.walk.again import in_word
from limpet.syntax.walk.forget import changes_of, forget
from limpet.syntax.walk.found import Step
from limpet.syntax.walk.lines import walk_lines
from limpet.syntax.walk.names import NAME
from limpet.syntax.walk.options import modes
from limpet.syntax.walk.reading import read, survey
from limpet.syntax.walk.shells import SHELLS
from limpet.syntax.walk.substitutions import walk_substitutions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.syntax.tree import Tree, Word
    from limpet.syntax.walk.found import Again
    from limpet.syntax.walk.state import State

_MAYBE = ("mapfile", "readarray", "compgen")
_OWN_PROCESS = (" -c", " -s")
_LIKE_BASH = frozenset({"bash", "rbash", "sh", "dash", "ash"})
_OTHER_IN_SH = late(
    r"\$['\"]|&>|\|&|[<>]\(|(?<!\$)\(\(|\[\[|<<<|;;?&|\}[<>]|=\(|\$\[|(?<![A-Za-z0-9_])(?:function|coproc|select|time)(?![A-Za-z0-9_])"
)
_ASSIGNS = late(r"=|\+\+|--")
_OWN_VARIABLES = late(r"_|BASH.*|EUID|IFS|OLDPWD|OPTIND|PPID|PS[0-4]|PWD|SHELLOPTS|SHLVL|UID")
_CODED = late(r"\\[0-7]")


def evaluate(again: Again, state: State) -> None:
    """Walk text that is evaluated again, in this shell or in one of its own."""
    if again.text is None:
        _lose(again, state)
    elif again.kind == "later":
        _watch(again, again.text, state)
    elif again.kind == "script":
        _walk_script(again, again.text, state)
    elif again.kind in ("arithmetic", "words"):
        _walk_words(again, again.text, state)


def _lose(again: Again, state: State) -> None:
    """Nobody knows what it did. Of arithmetic that is not known, and of files for shells, the finding itself tells."""
    if again.kind == "arithmetic":
        state.point.forget_all()
        state.faulty = True
    if again.kind == "file" and again.by in SHELLS:
        return
    if again.kind == "arithmetic" and not state.live:
        return
    state.note(again.start, again.end, f"{again.by} of text that is not known")
    if again.kind == "arithmetic" or (again.kind == "script" and again.by.endswith(_OWN_PROCESS)):
        return
    state.point.forget_any()
    if again.kind == "script":
        state.point.lose()
        state.functions.shake()


def _watch(again: Again, text: str, state: State) -> None:
    """Run at some other time; what a trap of signals changes may change between any two commands."""
    state.deferred.append((again, state.point.copy(), state.steps))
    if not _may_read(text, state):
        return
    body = parse(text).body
    state.trees.append(body)
    if again not in state.odd:
        return
    state.scope.prints = False
    found = changes_of(body, state)
    if found.everything or found.folder or found.positional or found.options or found.functions:
        state.note(again.start, again.end, "a trap that may change anything at any time")
    for name in found.names:
        state.point.pin(name)
        state.pinned.add(name)


def _may_read(text: str, state: State) -> bool:
    if not state.may_parse or not state.budget.read(len(text) + 1, again=state.repeating > 0):
        state.note(*state.at, "too much to follow: text that is evaluated again, or too deep inside")
        state.point.lose()
        return False
    return True


def _walk_words(again: Again, text: str, state: State) -> None:
    """Expanded as if in double quotes: the substitutions in it run, the rest of it does not."""
    if not _may_read(text, state):
        return
    if _CODED.search(text):
        state.note(again.start, again.end, f"{again.by} of text in disguise")
    if _ASSIGNS.search(text):
        _forget_names(again, text, state)
    tree, body = _body(text)
    if body is not None and state.enter(body):
        with _moved(again, tree, state), state.step(Step(again.by, again.start)):
            walk_substitutions(body, state, body, 0)
            for inner in dict.fromkeys(in_word(body, state)):
                evaluate(inner, state)
        state.leave()


def _forget_names(again: Again, text: str, state: State) -> None:
    """An expansion may assign any of them; a prompt is expanded at any time."""
    for name in NAME.findall(text):
        state.point.forget(name)
        if again.by.startswith("PS"):
            state.point.pin(name)


def _body(text: str) -> tuple[Tree, Word | None]:
    """The text as the body of a heredoc, in which all is expanded that is in double quotes."""
    end = "E" * (1 + max((len(run) for run in re.findall("E+", text)), default=0))
    tree = parse(f": <<{end}\n{text}\n{end}\n")
    first = tree.body.commands[0]
    return tree, first.redirects[0].body if isinstance(first, Simple) and first.redirects else None


@contextmanager
def _moved(again: Again, tree: Tree, state: State) -> Iterator[None]:
    """While text is walked whose spans mean nothing outside it."""
    before, state.moved = state.moved, (again.start, again.end)
    state.note_opaque(tree.opaque)
    yield
    state.moved = before


def _walk_script(again: Again, text: str, state: State) -> None:
    if not _may_read(text, state):
        return
    tree = state.texts.get(text) or state.texts.setdefault(text, read(text))
    if not state.enter(tree.body):
        return
    _expect(again, text, state)
    live, shadows = survey(tree, text)
    state.live = state.live or live
    state.scope.prints = state.scope.prints and not shadows
    with _moved(again, tree, state):
        if again.by.endswith(_OWN_PROCESS):
            _walk_own(again, tree, text, state)
        elif again.by.startswith(_MAYBE):
            _walk_maybe(again, tree, text, state)
        else:
            with state.step(Step(again.by, again.start)), state.guarded():
                walk_lines(tree.body, text, state)
    if again.by == "source":  # it may end early
        forget(changes_of(tree.body, state), state)
    state.leave()


def _expect(again: Again, text: str, state: State) -> None:
    """Options that the text as it was given does not speak of."""
    new = modes(text) - state.modes
    if new:
        state.modes |= new
        state.note(again.start, again.end, "options are switched in disguise")


def _walk_maybe(again: Again, tree: Tree, text: str, state: State) -> None:
    """Run any number of times, or in a process of its own."""
    with state.apart(Step(again.by, again.start)):
        walk_lines(tree.body, text, state)
    forget(changes_of(tree.body, state), state)


def _walk_own(again: Again, tree: Tree, text: str, state: State) -> None:
    """In a shell of its own, which knows only the functions that were exported."""
    shell = again.by.partition(" ")[0]
    if shell not in _LIKE_BASH or (shell not in ("bash", "rbash") and _OTHER_IN_SH.search(text)):
        state.note(again.start, again.end, f"{shell} does not read this as bash does")
    functions, depth = state.functions, state.in_function
    aliases, state.aliases = state.aliases, set()
    state.functions = functions.exported(state.exported, every=state.exports_functions)
    state.in_function = 0
    odd = shell != "bash" or again in state.odd
    with state.apart(Step(again.by, again.start)):
        _enter_shell(again, state)
        state.scope.ordinary = not odd
        walk_lines(tree.body, text, state)
    if state.aliases and (odd or "aliases" in state.modes):
        state.note(again.start, again.end, "aliases are on, and change how the script is read")
    state.functions, state.in_function, state.aliases = functions, depth, state.aliases | aliases


def _enter_shell(again: Again, state: State) -> None:
    """It sees the folder, and the variables that were exported."""
    point, cwd, given = state.point, state.scope.cwd, _given(again, state)
    folders, sure = point.folders, point.sure
    arguments = again.arguments or ()
    point.searched |= state.scope.get("CDPATH") is not None
    point.stack = ()
    point.forget_all()
    for name, value in given.items():
        point.assign(name, value)
    state.scope.assign("IFS", known(" \t\n"))
    point.move(cwd)
    point.folders = point.reached = folders
    point.settles = sure
    if sure:
        point.settle()
    point.left, point.strict = None, False
    state.scope.positional = _positional(arguments[1:] if again.by.endswith(" -c") else arguments)


def _given(again: Again, state: State) -> dict[str, Field]:
    """The variables that a shell of its own is given, save those that it makes for itself."""
    values = {name: state.scope.get(name) for name in state.point.exported}
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, Field)
        and not _OWN_VARIABLES.fullmatch(name)
        and (name == "HOME" or again not in state.own_start)
    }


def _positional(arguments: tuple[Field, ...]) -> tuple[Field, ...] | None:
    return None if any(field.many for field in arguments) else arguments
