"""`cd`, `pushd`, `popd` -> the folder that the commands behind them run in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.values.field import Field, known
from limpet.syntax.walk.point import either

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.walk.point import Folders
    from limpet.syntax.walk.state import State

_LONGEST = 4096
"""Characters of a folder; where the system ends, too."""


def join_path(folder: str | None, path: str) -> str | None:
    """An absolute path without `.`, `..` and doubled slashes, by its text alone; None when the folder is not known."""
    if not path.startswith("/"):
        if folder is None:
            return None
        path = f"{folder}/{path}"
    kept: list[str] = []
    for name in path.split("/"):
        if name == "..":
            del kept[-1:]
        elif name not in ("", "."):
            kept.append(name)
    return "/" + "/".join(kept)


def _target(argv: tuple[Field, ...], state: State, cwd: str | None) -> str | None:
    """Where `cd` goes from a folder; None when that is not known."""
    words = list(argv[1:])
    physical = not state.scope.ordinary
    while words and (words[0].text or "").startswith("-") and len(words[0].text or "") > 1:
        option = words.pop(0).text or ""
        if option == "--":
            break
        physical |= "P" in option
    if not words:
        home = state.scope.home or ""
        return join_path(None, home) if home.startswith("/") else None
    text = words[0].text
    if text is None or text == "-":
        return _previous(state) if text == "-" else None
    if not text.startswith(("/", "./", "../")) and text not in (".", "..") and _searched(state):
        return None
    if physical and not text.startswith("/"):
        return None
    if ".." in text.split("/") and (physical or _may_leave(text, state, cwd)):
        return None
    path = join_path(cwd, text) if text else cwd
    return path if path is not None and len(path) <= _LONGEST else None


def _may_leave(text: str, state: State, cwd: str | None) -> bool:
    """Where the path goes up and down again, bash may follow a link up instead, if the text leads nowhere."""
    path = text if text.startswith("/") else f"{cwd or ''}/{text}"
    origin = (state.origin or "").rstrip("/") + "/"
    kept: list[str] = []
    left = False
    for name in path.split("/"):
        if name == "..":
            left |= not origin.startswith("/" + "".join(f"{each}/" for each in kept))
            del kept[-1:]
        elif name not in ("", "."):
            if left:
                return True
            kept.append(name)
    return False


def _previous(state: State) -> str | None:
    """Where `cd -` goes; a script may have put anything there."""
    value = state.scope.get("OLDPWD")
    text = value.text if isinstance(value, Field) else None
    return join_path(None, text) if text is not None and text.startswith("/") and ".." not in text else None


def _searched(state: State) -> bool:
    """Whether the script may set CDPATH, so that a folder may be found elsewhere."""
    value = state.scope.get("CDPATH")
    if value is None:
        return state.point.searched or "searched" in state.modes
    return isinstance(value, Field) and value.text != ""


def _cd(argv: tuple[Field, ...], state: State) -> None:
    before = state.scope.cwd
    if sum(field.prefix[:1] != "-" and not field.many for field in argv[1:]) > 1:
        return  # bash refuses to go to two folders
    folder = _target(argv, state, before)
    absolute = (argv[-1].prefix if len(argv) > 1 else "").startswith("/")
    state.point.move(folder, absolute=absolute, reached=_reached(argv, state))
    if before is not None:
        state.scope.assign("OLDPWD", known(before))


def _reached(argv: tuple[Field, ...], state: State) -> Folders:
    """Every folder that `cd` may lead to, from whichever folder it is now."""
    if len(argv) > 1 and argv[-1].text == "-":
        return state.point.left
    found = [_target(argv, state, each) for each in state.point.folders or ()]
    known = frozenset(each for each in found if each is not None)
    return known if known and len(known) == len(set(found)) else None


def _pushd(argv: tuple[Field, ...], state: State) -> None:
    stack = state.point.stack
    if stack is None or len(argv) != 2 or (argv[1].text or "-")[:1] in ("+", "-"):
        state.point.stack = None
        state.point.move(None)
        return
    state.point.stack = (state.scope.cwd, state.point.folders, stack)
    _cd(argv, state)


def _popd(argv: tuple[Field, ...], state: State) -> None:
    stack = state.point.stack
    if not stack or len(argv) != 1:
        state.point.stack = None
        state.point.move(None)
        return
    folder, folders, state.point.stack = stack
    before = state.scope.cwd
    while stack:  # it goes back further when a `pushd` has failed
        folders, stack = either(folders, stack[1]), stack[2]
    state.point.move(folder, reached=folders)
    if before is not None:
        state.scope.assign("OLDPWD", known(before))


def _dirs(argv: tuple[Field, ...], state: State) -> None:
    if len(argv) > 1:
        state.point.stack = None


BUILTINS: dict[str, Callable[[tuple[Field, ...], State], None]] = {
    "cd": _cd, "chdir": _cd, "dirs": _dirs, "popd": _popd, "pushd": _pushd,
}  # fmt: skip
