"""The facts of a failure -> one labelled guess at its cause and what to try, or nothing."""

from __future__ import annotations

import re
from signal import Signals
from typing import TYPE_CHECKING

from limpet.model.result import Outcome
from limpet.syntax.late import late

if TYPE_CHECKING:
    from limpet.model.limits import Limits

_ENOUGH = 4096
_BY_SIGNAL = 128
_MIB = 1 << 20

_NOT_FOUND = late(r"(?m)^[^\n]*?(?:: |^)([^\s:]{1,80}): (?:command )?not found$")
_NO_MEMORY = late(r"(?i)cannot allocate memory|out of memory|std::bad_alloc|^MemoryError|heap limit", re.MULTILINE)
_SAID = (
    ("No space left on device", "the disk is full", "try freeing space or writing elsewhere"),
    ("Disk quota exceeded", "the disk quota is used up", "try freeing space or writing elsewhere"),
    ("Address already in use", "another process has this port", "try another port or stop that process"),
    ("EADDRINUSE", "another process has this port", "try another port or stop that process"),
    ("Read-only file system", "this run may not write there", "try a path inside the workspace"),
    ("Too many open files", "too many files are open at once", "try fewer at a time"),
    ("Temporary failure in name resolution", "there is no network here", "try without it or ask for network access"),
    ("Could not resolve host", "there is no network here", "try without it or ask for network access"),
    ("Network is unreachable", "there is no network here", "try without it or ask for network access"),
    ("Permission denied", "a file or directory may not be used that way", "try `ls -l` on the path it names"),
    ("No such file or directory", "a path does not exist from here", "try `pwd` and `ls` to find the right one"),
)
_RENAMED = (
    "In a transaction a folder that was there before cannot be renamed in one go: use `mv`, which copies it, or run "
    "the command without a transaction."
)
_FOREIGN = (
    "In a transaction an ordinary user cannot change files and folders of another user or group: see whose they are "
    "with `ls -ln`, give them to yourself outside, or run the command without a transaction."
)
_OF_A_LAYER = (
    (re.compile(r"(?i)cross-device link|\bEXDEV\b"), _RENAMED),
    (re.compile(r"(?i)value too large for defined data type|\bEOVERFLOW\b"), _FOREIGN),
)
_SIGNALS = {
    "SIGKILL": ("it ran out of memory, or something else killed it", "try with less work at a time"),
    "SIGSEGV": ("it crashed (segmentation fault)", "try smaller input, or look for a bug in the program"),
    "SIGABRT": ("it aborted itself (failed assertion or similar)", "try reading the last lines of its output"),
    "SIGPIPE": ("the reader of a pipe closed early", "try without `head` or the like if all output is needed"),
    "SIGXCPU": ("it used up its CPU time", "try a higher CPU limit or less work"),
    "SIGXFSZ": ("it wrote too large a file", "try a higher file size limit or smaller output"),
}


def hint(
    *,
    outcome: Outcome,
    exit_code: int | None,
    signal: str | None = None,
    stderr: str = "",
    limits: Limits | None = None,
) -> str | None:
    """`guess: ...; try ...` for a failure whose cause is often the same; other failures speak for themselves."""
    if outcome not in (Outcome.EXITED, Outcome.SIGNALLED) or (outcome is Outcome.EXITED and not exit_code):
        return None
    said = stderr[-_ENOUGH:]
    name = signal or _signal_behind(exit_code)
    guess = _memory(name, said, limits) or _not_run(exit_code, said) or _printed(said) or _signalled(name)
    return f"guess: {guess[0]}; {guess[1]}" if guess else None


def layer_hint(exit_code: int | None, stderr: str) -> str | None:
    """What a layer above the workspace cannot do and a disk can, where a command failed for it."""
    said = stderr[-_ENOUGH:]
    return next((words for text, words in _OF_A_LAYER if exit_code and text.search(said)), None)


_Guess = tuple[str, str]


def _memory(name: str | None, said: str, limits: Limits | None) -> _Guess | None:
    if limits is None or limits.memory is None or not (name == "SIGKILL" or _NO_MEMORY.search(said)):
        return None
    limit = f"{limits.memory / _MIB:,.0f} MiB"
    return f"it needed more memory than its limit of {limit}", "try a higher memory limit or less work at a time"


def _not_run(exit_code: int | None, said: str) -> _Guess | None:
    if exit_code == 126:
        return "it was found but cannot be executed", "try `chmod +x` on it, or name its interpreter (`bash FILE`)"
    if exit_code != 127:
        return None
    found = _NOT_FOUND.search(said)
    what = f"`{found[1]}`" if found else "a command"
    return f"{what} is not installed or not in PATH", "try `command -v NAME`, another tool, or installing it"


def _printed(said: str) -> _Guess | None:
    return next(((cause, advice) for text, cause, advice in _SAID if text in said), None)


def _signalled(name: str | None) -> _Guess | None:
    if name is None:
        return None
    return _SIGNALS.get(name, (f"a process of it was ended by {name}", "try again if that was not intended"))


def _signal_behind(exit_code: int | None) -> str | None:
    """The signal that an exit code such as 137 tells of."""
    number = (exit_code or 0) - _BY_SIGNAL
    return Signals(number).name if number in set(Signals) else None
