"""`cd`, `pushd`, `popd` -> the folder that the commands behind them run in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.syntax.walk.state import State


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


def _target(argv: tuple[Field, ...], state: State) -> str | None:
    """Where `cd` goes; None when that is not known."""
    words = list(argv[1:])
    while words and (words[0].text or "").startswith("-") and len(words[0].text or "") > 1:
        if words.pop(0).text == "--":
            break
    if not words:
        return state.scope.home
    text = words[0].text
    if text is None or text == "-":
        return _previous(state) if text == "-" else None
    if not text.startswith(("/", "./", "../")) and text not in (".", "..") and _searched(state):
        return None
    return join_path(state.scope.cwd, text) if text else state.scope.cwd


def _previous(state: State) -> str | None:
    value = state.scope.get("OLDPWD")
    return value.text if isinstance(value, Field) else None


def _searched(state: State) -> bool:
    """Whether the script sets CDPATH, so that a folder may be found elsewhere."""
    value = state.scope.get("CDPATH")
    return isinstance(value, Field) and value.text != ""


def _cd(argv: tuple[Field, ...], state: State) -> None:
    before = state.scope.cwd
    state.scope.move(_target(argv, state))
    if before is not None:
        state.scope.assign("OLDPWD", Field((before,)))


def _pushd(argv: tuple[Field, ...], state: State) -> None:
    if len(argv) == 1 or (argv[1].text or "")[:1] in ("+", "-"):
        state.folders.clear()
        state.scope.move(None)
        return
    state.folders.append(state.scope.cwd)
    _cd(argv, state)


def _popd(argv: tuple[Field, ...], state: State) -> None:
    folder = state.folders.pop() if state.folders and len(argv) == 1 else None
    state.scope.move(folder)


BUILTINS: dict[str, Callable[[tuple[Field, ...], State], None]] = {
    "cd": _cd, "chdir": _cd, "popd": _popd, "pushd": _pushd,
}  # fmt: skip
