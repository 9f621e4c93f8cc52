"""A state -> the script that makes a fresh bash go on from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.session.telling import scalars
from limpet.syntax.quote import quote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.model.session import SessionState

_NOT_AGAIN = frozenset({"noexec", "onecmd", "xtrace", "verbose", "interactive", "monitor", "history", "privileged"})
"""Options that would end the shell, or that are switched on around each command."""

_OF_POSIX = frozenset({"expand_aliases", "inherit_errexit", "shift_verbose"})


def restoring(state: SessionState, given: Iterable[str]) -> str:
    """The script. `given` are the names of the variables that the shell was started with.

    What cannot be brought back is skipped: a read-only variable of bash's own, a folder that is gone.
    """
    if not state.whole:
        return _on_top(state, frozenset(given))
    gone = [name for name in given if name not in scalars(state)]
    lines = [
        *_shopts(state),
        *(f"unset -v {name}" for name in gone if name.isidentifier()),
        f"cd -- {quote(state.cwd)}" if state.cwd else "",
        *_folders(state),
        *state.variables,
        state.functions,
        state.aliases,
        state.umask,
        f'_limpet={state.positional}; set -- "${{_limpet[@]}}"; unset -v _limpet',
        state.disabled,
        state.traps,
        *_options(state),
    ]
    return "\n".join(line for line in lines if line)


def _on_top(state: SessionState, given: frozenset[str]) -> str:
    """A set-up: what the shell was given for itself stays, save where programs are found."""
    names = zip(scalars(state), state.variables, strict=True)
    lines = [line for name, line in names if name == "PATH" or name not in given]
    return "\n".join([*lines, state.functions, state.aliases])


def _shopts(state: SessionState) -> list[str]:
    """First: they say how what follows is read."""
    if not state.shopts:
        return []
    # Posix mode switches these on by itself, and later back to what they were before.
    wanted = [name for name in state.shopts if "posix" not in state.options or name not in _OF_POSIX]
    return ["shopt -u ${BASHOPTS//:/ }", f"shopt -s {' '.join(wanted)}"]


def _options(state: SessionState) -> list[str]:
    """Last: they say when a shell gives up."""
    if not state.options:
        return []
    wanted = [name for name in state.options if name not in _NOT_AGAIN]
    on = " ".join(f"-o {name}" for name in wanted)
    return ["for _limpet in ${SHELLOPTS//:/ }; do set +o $_limpet; done; unset -v _limpet; set " + on]


def _folders(state: SessionState) -> list[str]:
    return [f"pushd -n -- {quote(folder)} >/dev/null" for folder in reversed(state.folders)]
