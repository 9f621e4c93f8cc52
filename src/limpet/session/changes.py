"""A command's text -> whether the shell that runs it may be another one afterwards.

Asked after every command, so it looks at letters, not at the grammar: a yes costs a look at the shell's state, and is
the answer wherever there is any doubt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

_DOUBT = re.compile(r"[$`=({\\]")
_QUOTES = re.compile(r"[\"']")
_WORD = re.compile(r"[^\s;&|<>)}!]+")
_EXIT = re.compile(r"(?<![\w.-])(?:exit|logout)(?![\w.-])")
_CHANGING = frozenset({
    ".", "alias", "bind", "builtin", "cd", "chdir", "command", "complete", "compopt", "coproc", "declare", "dirs",
    "disown", "enable", "eval", "exec", "exit", "export", "fc", "for", "function", "getopts", "hash", "history", "let",
    "local", "logout", "mapfile", "popd", "printf", "pushd", "read", "readarray", "readonly", "return", "select", "set",
    "shift", "shopt", "source", "suspend", "time", "trap", "typeset", "ulimit", "umask", "unalias", "unset", "wait",
})  # fmt: skip


def may_change(text: str, names: Container[str] = ()) -> bool:
    """Whether anything in it may change the shell; `names` are those of functions and aliases that it knows."""
    return _DOUBT.search(text) is not None or any(word in _CHANGING or word in names for word in _words(text))


def says_exit(text: str, functions: str, names: Container[str]) -> bool:
    """Whether `exit` stands in it, or in a function that it names."""
    return _EXIT.search(text) is not None or (
        _EXIT.search(functions) is not None and any(word in names for word in _words(text))
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(_QUOTES.sub("", text))
