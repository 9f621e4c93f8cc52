"""Inline code -> one thing that it would do."""

from __future__ import annotations

import msgspec

from limpet.model.decision import Risk
from limpet.syntax.quote import join


class Finding(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One thing that inline code does.

    With a `rule` it is worth a question whatever else it says; without one it is only as good or bad as the place of
    its path. Paths are as the code has them, so relative ones are relative to the folder that it runs in; `~` at the
    beginning is the home folder, and `*` stands for any name.
    """

    rule: str
    risk: Risk
    message: str
    deny: bool = False
    script: str | None = None
    """What it gives to a shell, or a command that it starts, as bash would read it."""
    read: str | None = None
    write: str | None = None
    delete: str | None = None
    change: str | None = None
    """A path whose mode, owner or times it changes."""
    recursive: bool = False
    """For `delete` and `change`: with all that is below it."""


def opaque(language: str, why: str) -> Finding:
    """Nobody can tell what it does."""
    return Finding(rule=f"{language}.opaque", risk=Risk.OPAQUE, message=why)


def spawns(language: str, command: str | None = None) -> Finding:
    """Starts another program; `command` is the text for a shell when it is known."""
    return Finding(rule=f"{language}.spawn", risk=Risk.OPAQUE, message="starts another program", script=command)


def spawns_argv(language: str, argv: list[str]) -> Finding:
    """Starts another program with these arguments."""
    try:
        return spawns(language, join(argv[0], *argv[1:]) if argv else None)
    except ValueError:
        return spawns(language)


def connects(language: str) -> Finding:
    """Reaches the network."""
    return Finding(rule=f"{language}.network", risk=Risk.NETWORK, message="reaches the network")


def evaluates(language: str) -> Finding:
    """Runs code that it makes or loads."""
    return Finding(rule=f"{language}.eval", risk=Risk.OPAQUE, message="runs code that it makes or loads while it runs")


def reads(language: str, path: str) -> Finding:
    """Reads a file whose name is known."""
    return Finding(rule="", risk=Risk.SECRETS, message=f"{language} code reads a file", read=path)


def writes(language: str, path: str | None) -> Finding:
    """Creates or changes a file, which may be an unknown one."""
    if path is None:
        return Finding(rule=f"{language}.write", risk=Risk.ESCAPES, message="writes a file whose name is not known")
    return Finding(rule="", risk=Risk.ESCAPES, message=f"{language} code writes a file", write=path)


def deletes(language: str, path: str | None, *, recursive: bool = False) -> Finding:
    """Removes files."""
    return Finding(
        rule=f"{language}.delete", risk=Risk.DESTROYS, message="deletes files", delete=path, recursive=recursive
    )


def changes(language: str, path: str | None, *, recursive: bool = False) -> Finding:
    """Changes mode, owner or times."""
    rule = "" if path is not None else f"{language}.change"
    message = "changes the mode or the owner of a file"
    return Finding(rule=rule, risk=Risk.ESCAPES, message=message, change=path, recursive=recursive)


def signals(language: str, *, everyone: bool = False) -> Finding:
    """Sends signals to processes."""
    message = "kills every process it may" if everyone else "sends a signal to a process"
    return Finding(rule=f"{language}.kill", risk=Risk.DESTROYS, message=message, deny=everyone)


def fork_bomb(language: str) -> Finding:
    """Starts copies of itself without end."""
    message = "starts copies of itself without end"
    return Finding(rule=f"{language}.fork-bomb", risk=Risk.DESTROYS, message=message, deny=True)


def reverse_shell(language: str) -> Finding:
    """Gives a shell to somebody at the other end of a connection."""
    message = "gives a shell to the other end of a network connection"
    return Finding(rule=f"{language}.reverse-shell", risk=Risk.NETWORK, message=message, deny=True)


def remote_code(language: str) -> Finding:
    """Runs what it fetches."""
    message = "runs what it fetches from the network"
    return Finding(rule=f"{language}.remote-code", risk=Risk.NETWORK, message=message, deny=True)
