"""A command -> the lines that a live bash reads, and its answer -> a status.

The shell reads these lines from a socket as if it were a script on its standard input (`bash -s`). So there is no loop
that `break` could leave, no function that `return` could leave and no builtin that a function could stand in for: what
reports the status is a redirection that cannot work, and bash's own complaint about it is the message. The report is
read only when the command is over, and with it the token that makes it count: nobody could have written it before.
"""

from __future__ import annotations

import re
from typing import NamedTuple

CHANNEL = 58
"""The descriptor that answers go to: closed in every program that a command starts."""
INPUT = 57
"""The descriptor of the anonymous file that holds a command's input, or a long command itself."""
TERMINAL = 59
"""The descriptor of the terminal, where there is one: closed in programs like the others."""
_SAVED = 10
"""Where bash keeps what a redirection hides for a while; it is the first one, so this is its number."""
_FIRST = 9
"""Where the anonymous file is when bash starts."""
LONGEST = 8192
"""Bash reads these lines byte by byte: a longer command is read from the file."""

_ANSWER = re.compile(rb"/!/([0-9a-f]+)/(\d+)/([A-Za-z]*): ")
_FAREWELL = re.compile(rb"/!!/(\d+)/")


class Answer(NamedTuple):
    """What bash said when a command was over."""

    status: int
    flags: str
    """What `$-` was."""


def opening(*, terminal: bool) -> bytes:
    """The first lines: the descriptors are moved to where they stay, and closed in what bash starts.

    Bash marks what a redirection hides as its own, to be closed in programs, and so is a copy of that.
    """
    own = f"{{ exec {TERMINAL}<&{_SAVED}; }} >/dev/null\n" if terminal else ""
    return (
        f"{own}{{ exec {CHANNEL}<&{_SAVED}; }} </dev/null\n"
        f"{{ exec {INPUT}<&{_SAVED}; }} {_FIRST}</dev/null\n"
        f"exec {_FIRST}<&-\n"
    ).encode()


def source(*, terminal: bool, stdin: bool) -> bytes:
    """Where a command reads from."""
    if terminal:
        return b"&%d" % TERMINAL
    return b"/dev/fd/%d" % INPUT if stdin else b"/dev/null"


def asking(text: bytes, token: str, *, source: bytes, status: int, traced: bool, shadowed: bool) -> bytes:
    """The lines that run a command and have its status told.

    `shadowed`: a function is called `eval`. In posix mode it is not found before the builtin.
    """
    before = b"\\. /dev/stdin <<<'return %d';" % status if status else b""
    if shadowed:
        text = b"\\unset POSIXLY_CORRECT\n" + text
        before = b"{ POSIXLY_CORRECT=1; } <<<$((LINENO=-1))\n"
    elif traced:  # switched off for these lines, and on again in the command's own
        text = b"set -x\n" + text
        before = b"{ \\set +x; } 2>/dev/null <<<$((LINENO=-1))\n" + before
    return before + b"\\eval -- %s<%s\n" % (quoted(text), source) + report(token)


def asking_for_long(token: str, *, source: bytes, status: int) -> bytes:
    """The same, for a command that is in the file."""
    before = b"\\. /dev/stdin <<<'return %d';" % status if status else b""
    return before + b'\\eval -- "$(</dev/fd/%d)"<%s\n' % (INPUT, source) + report(token)


def report(token: str) -> bytes:
    """The lines that have the status told."""
    # Not standard input, for which bash would fork, since it reads its script there. The empty line: after an
    # unterminated quote bash does not see a reserved word in the first place of the next line. The number of the line
    # is set to 0 in passing, so that the next command begins in line 1 as it would anywhere.
    return b'\n{ 3<"/!/%s/$?/$-";} 2>&"$((LINENO=0,%d))"||3</\n' % (token.encode(), CHANNEL)


def quoted(text: bytes) -> bytes:
    """One word, on one line, in any locale, that no alias can stand for."""
    return b"$'" + _ODD.sub(_escaped, text) + b"'"


_ODD = re.compile(rb"[^ -&(-\[\]-~]")


def _escaped(match: re.Match[bytes]) -> bytes:
    return b"\\%03o" % match[0][0]


def answer_in(data: bytes | bytearray, token: str) -> Answer | None:
    """The answer in it, if it is there whole."""
    wanted = token.encode()
    for found in _ANSWER.finditer(data):
        if found[1] == wanted:
            return Answer(int(found[2]), found[3].decode())
    return None


def farewell_in(data: bytes | bytearray) -> int | None:
    """The status that bash said it ends with, if it has said so."""
    found = _FAREWELL.search(data)
    return int(found[1]) if found else None
