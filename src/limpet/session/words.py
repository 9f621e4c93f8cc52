"""A command -> the lines that a live bash reads, and its answer -> a status.

The shell reads these lines from a socket as if it were a script on its standard input (`bash -s`). So there is no loop
that `break` could leave, no function that `return` could leave and no builtin that a function could stand in for: what
reports the status is a redirection that cannot work, and bash's own complaint about it is the message. The report is
read only when the command is over, and with it the token that makes it count: nobody could have written it before.
Nothing in it is a simple command, before which a DEBUG trap would run, see the token, and read the lines after it.
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


class Apart(NamedTuple):
    """What has to be otherwise for these lines, and is as it was in the command's own."""

    shadowed: bool = False
    """A function is called `eval`: in posix mode it is not found before the builtin."""
    traced: bool = False
    debug: bytes | None = None
    """What a DEBUG trap runs. It runs once more, when it is taken away: what it prints then nobody sees."""

    def before(self, status: int) -> bytes:
        """What comes first; `status` is the one that the command is to find."""
        words = [b"\\trap - DEBUG"] * (self.debug is not None) + [b"\\set +x"] * self.traced
        words += [b"POSIXLY_CORRECT=1"] * self.shadowed
        if words:
            return b"{ %s; } >/dev/null 2>&1 <<<$((LINENO=-1))\n" % b";".join(words)
        return _bringing(status) + b";" if status else b""

    def again(self, status: int) -> bytes:
        """The line that comes before the command's first. What was switched on sees nothing of a child."""
        words = [b"\\unset POSIXLY_CORRECT"] * self.shadowed + [b"set -x"] * self.traced
        if self.debug is not None:
            words.append(b"{ \\trap -- %s DEBUG;} 2>/dev/null" % quoted(self.debug))
        if words and status:
            words.append(b"{ (%s);} >/dev/null 2>&1" % _bringing(status))
        return b";".join(words) + b"\n" if words else b""


def _bringing(status: int) -> bytes:
    return b"\\. /dev/stdin <<<'return %d'" % status


def is_comment(text: bytes) -> bool:
    """Whether nothing in it is run: its status is 0, whatever that before it was."""
    return text.lstrip()[:1] == b"#" and all(line.lstrip()[:1] in (b"#", b"") for line in text.splitlines())


def asking(text: bytes, token: str, *, source: bytes, status: int, apart: Apart) -> bytes:
    """The lines that run a command and have its status told."""
    word = quoted(apart.again(status) + text)
    return apart.before(status) + b"\\eval -- %s<%s\n" % (word, source) + report(token)


def asking_for_long(token: str, *, source: bytes, status: int, apart: Apart) -> bytes:
    """The same, for a command that is in the file."""
    first = apart.again(status)
    word = (quoted(first) if first else b"") + b'"$(</dev/fd/%d)"' % INPUT
    return apart.before(status) + b"\\eval -- %s<%s\n" % (word, source) + report(token)


def report(token: str) -> bytes:
    """The lines that have the status told."""
    # Not standard input, for which bash would fork, since it reads its script there. The empty line: after an
    # unterminated quote bash does not see a reserved word in the first place of the next line. The number of the line
    # is set to 0 in passing, so that the next command begins in line 1 as it would anywhere. What stands between the
    # inner braces is never run. The outer ones: where a redirection fails, bash forgets the `!` before it.
    return b'\n! { { 3</;} 2>&"$((LINENO=0,%d))" 3<"/!/%s/$?/$-";}\n' % (CHANNEL, token.encode())


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
