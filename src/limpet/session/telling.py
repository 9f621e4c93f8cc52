"""A live bash's state: how it is asked for, and what it tells -> a value."""

from __future__ import annotations

import functools
import os
import re

from limpet.model.session import SessionState, ShellFacts
from limpet.session.words import CHANNEL, report

_OURS = "_limpet"
"""Variables whose names begin so are of the telling itself."""
_SECTIONS = 8

# In a process of its own, so that nothing of this changes the shell. In posix mode a special builtin such as `unset`
# comes before any function of that name: with its help the others are the builtins that they seem, too. What is taken
# apart by the mode itself (`$SHELLOPTS`, `$BASHOPTS`) is kept first. What a DEBUG trap prints there (`set -T`) is not
# among what is told: the trap runs before the redirection of a command.
_TELL = (
    f'{{ ({_OURS}_o=$SHELLOPTS {_OURS}_b=$BASHOPTS {_OURS}_a=("$@") {_OURS}_d=("${{DIRSTACK[@]}}") {_OURS}=%s;'
    "POSIXLY_CORRECT=1;\\set +euxv;\\unset -f builtin;\\unset POSIXLY_CORRECT;"
    + "".join(
        f"\\builtin {words} >&3;\\builtin declare -p {_OURS} >&3;"
        for words in ("declare -p", "declare -f", "alias -p", "trap -p", "enable -n", "umask -p")
    )
    + f');}} >/dev/null 2>&1 3>&"$((LINENO=0,{CHANNEL}))"'
)
_LAST_WORDS = f'! {{ {{ 3</;}} 2>&{CHANNEL} 3<"/!!/$?/";}};'

_DECLARED = re.compile(r"declare -(\S+) ([A-Za-z_][A-Za-z0-9_]*)(?:=(.*))?\Z", re.DOTALL)
_OWN = frozenset({
    "BASH", "BASHOPTS", "BASHPID", "BASH_ALIASES", "BASH_ARGC", "BASH_ARGV", "BASH_ARGV0", "BASH_CMDS", "BASH_COMMAND",
    "BASH_EXECUTION_STRING", "BASH_LINENO", "BASH_LOADABLES_PATH", "BASH_SOURCE", "BASH_SUBSHELL", "BASH_VERSINFO",
    "BASH_VERSION", "COMP_WORDBREAKS", "DIRSTACK", "EPOCHREALTIME", "EPOCHSECONDS", "EUID", "FUNCNAME", "GROUPS",
    "HISTCMD", "HOSTTYPE", "LINENO", "MACHTYPE", "OSTYPE", "PIPESTATUS", "PPID", "PWD", "RANDOM", "SECONDS",
    "SHELLOPTS", "SHLVL", "SRANDOM", "UID", "_",
})  # fmt: skip
"""Variables that bash sets by itself."""


def request(nonce: str) -> bytes:
    """The line that has bash tell its state."""
    return (_TELL % nonce).encode() + b"||3</\n" + report(nonce)


def last_words(nonce: str) -> str:
    """What bash is to do when it ends: say so, and tell its state."""
    return _LAST_WORDS + _TELL % nonce


def _mark(nonce: str) -> bytes:
    return f'declare -- {_OURS}="{nonce}"\n'.encode()


def read(data: bytes, nonce: str) -> SessionState | None:
    """What it told; None where that is not all of it."""
    parts = [os.fsdecode(part) for part in data.split(_mark(nonce))]
    # The mark is a variable, too, and so stands once among the others.
    if len(parts) < _SECTIONS:
        return None
    declared = [*_lines(parts[0]), *_lines(parts[1])]
    functions, aliases, traps, disabled, umask = parts[2:7]
    known = {match[2]: match for line in declared if (match := _DECLARED.match(line))}
    return SessionState(
        cwd=_value(known, "PWD"),
        variables=tuple(match[0] for name, match in known.items() if name not in _OWN and not name.startswith(_OURS)),
        functions=functions,
        aliases=aliases,
        traps=_without_ours(traps),
        disabled=disabled,
        umask=umask.strip(),
        options=tuple(_value(known, f"{_OURS}_o").split(":")),
        shopts=tuple(_value(known, f"{_OURS}_b").split(":")),
        positional=_written(known, f"{_OURS}_a"),
        folders=tuple(elements(_written(known, f"{_OURS}_d"))[1:]),
    )


def _lines(text: str) -> list[str]:
    """The declarations in it. Older shells write a newline in a value as it is: such a value goes on."""
    found: list[str] = []
    for line in text.split("\n"):
        if line.startswith("declare -") or not found:
            found.append(line)
        else:
            found[-1] += "\n" + line
    return [line.rstrip("\n") for line in found]


def _written(known: dict[str, re.Match[str]], name: str) -> str:
    return known[name][3] or "()" if name in known else "()"


def _value(known: dict[str, re.Match[str]], name: str) -> str:
    return value_of(known[name][3]) or "" if name in known and known[name][3] else ""


def _without_ours(traps: str) -> str:
    return "".join(part for part in re.split(r"(?m)^(?=trap -- )", traps) if "/!!/" not in part)


def value_of(written: str | None) -> str | None:
    """A value as `declare -p` writes it, read; None where it is no plain text."""
    if written is None or written.startswith("("):
        return None
    if written.startswith("$'"):
        return _from_ansi(written[2:-1])
    return re.sub(r'\\([\\"$`\n])', r"\1", written[1:-1]) if written.startswith('"') else None


_ANSI = re.compile(
    r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.)|(.))", re.DOTALL
)
_LETTERS = {"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def _from_ansi(text: str) -> str:
    raw = bytearray()
    at = 0
    for match in _ANSI.finditer(text):
        raw += os.fsencode(text[at : match.start()])
        raw += _meant(match)
        at = match.end()
    raw += os.fsencode(text[at:])
    return os.fsdecode(bytes(raw))


def _meant(match: re.Match[str]) -> bytes:
    octal, two, four, eight, control, letter = match.groups()
    if octal or two:
        return bytes([int(octal, 8) & 255 if octal else int(two, 16)])
    if four or eight:
        return chr(int(four or eight, 16)).encode("utf-8", "replace")
    return bytes([ord(control) & 31]) if control else os.fsencode(_LETTERS.get(letter, letter))


_ELEMENT = re.compile(r"""\[\d+\]=(\$'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""", re.DOTALL)


def elements(written: str) -> list[str]:
    """The values of an array as `declare -p` writes it."""
    return [value_of(text) or "" for text in _ELEMENT.findall(written)]


def scalars(state: SessionState) -> dict[str, tuple[str, str | None]]:
    """Each variable's attributes, and its value where that is plain text."""
    found = (_DECLARED.match(line) for line in state.variables)
    return {match[2]: (match[1], value_of(match[3])) for match in found if match}


_FUNCTION = re.compile(r"(?m)^(\S+) \(\) $")
_ALIAS = re.compile(r"(?m)^alias (?:-- )?([^=\s]+)=")


def names_of(state: SessionState) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Of its variables, functions and aliases."""
    functions, aliases = _FUNCTION.findall(state.functions), _ALIAS.findall(state.aliases)
    return tuple(scalars(state)), tuple(functions), tuple(aliases)


@functools.lru_cache(maxsize=8)
def names(state: SessionState) -> frozenset[str]:
    """Of its functions and aliases."""
    return frozenset(_FUNCTION.findall(state.functions)) | frozenset(_ALIAS.findall(state.aliases))


def _traps(written: str) -> list[tuple[str, str]]:
    """What is run, and when."""
    found = (_TRAP.match(part) for part in re.split(r"(?m)^(?=trap -- )", written))
    return [(_unquoted(match[1]), match[2]) for match in found if match]


@functools.lru_cache(maxsize=8)
def debug_trap(state: SessionState) -> bytes | None:
    """What runs before each command, where anything does."""
    found = [code for code, name in _traps(state.traps) if name == "DEBUG"]
    return os.fsencode(found[0]) if found else None


_TRAP = re.compile(r"trap -- (.*) (\S+)\n?\Z", re.DOTALL)


def _unquoted(written: str) -> str:
    return _from_ansi(written[2:-1]) if written.startswith("$'") else written[1:-1].replace("'\\''", "'")


@functools.lru_cache(maxsize=8)
def facts(state: SessionState) -> ShellFacts:
    """What the judge has to know of a shell in that state."""
    on = "expand_aliases" in state.shopts or "posix" in state.options
    return ShellFacts(
        variables=tuple((name, attributes, value) for name, (attributes, value) in scalars(state).items()),
        functions=state.functions,
        aliases=tuple(_ALIAS.findall(state.aliases)) if on else (),
        options=tuple(name for name in (*state.options, *state.shopts) if name),
        traps=tuple(_traps(state.traps)),
        disabled=bool(state.disabled.strip()),
    )
