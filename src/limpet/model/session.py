"""What a shell session has become: enough to start another one that goes on from there."""

from __future__ import annotations

import msgspec


class SessionState(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """The state of a shell between two commands, in bash's own words.

    A value: it can be stored as JSON and given to `shell.session(state=…)`.
    """

    cwd: str
    """The folder, as `$PWD` had it."""
    variables: tuple[str, ...] = ()
    """One `declare -x NAME="value"` for each variable that is not bash's own."""
    functions: str = ""
    """As `declare -f` prints them."""
    aliases: str = ""
    """As `alias -p` prints them."""
    traps: str = ""
    """As `trap -p` prints them."""
    disabled: str = ""
    """Builtins that are switched off, as `enable -n` prints them."""
    umask: str = ""
    """As `umask -p` prints it."""
    options: tuple[str, ...] = ()
    """What `set -o` has switched on."""
    shopts: tuple[str, ...] = ()
    """What `shopt` has switched on."""
    positional: str = "()"
    """`$1` and on, written as an array."""
    folders: tuple[str, ...] = ()
    """What `pushd` remembers, the newest first, without the folder itself."""
    whole: bool = True
    """False for a set-up: it comes on top of what a shell has anyway."""


class SetUp(msgspec.Struct, frozen=True, kw_only=True):
    """What was captured of a person's interactive shell, by name."""

    variables: tuple[str, ...]
    functions: tuple[str, ...]
    aliases: tuple[str, ...]
    withheld: tuple[str, ...]
    """Variables that look like secrets, and were left out."""
    path: str
    """Where it is stored."""


class ShellFacts(msgspec.Struct, frozen=True, kw_only=True, cache_hash=True):
    """What the judge has to know of a shell that is not a fresh one."""

    variables: tuple[tuple[str, str, str | None], ...] = ()
    """Name, attributes as `declare` has them, and the value where that is plain text."""
    functions: str = ""
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """What `set -o` and `shopt` have switched on."""
    traps: tuple[tuple[str, str], ...] = ()
    """What is run, and when: the name of a signal, `EXIT`, `DEBUG` …"""
    disabled: bool = False
    """Whether some builtins are switched off."""
