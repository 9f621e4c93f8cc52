"""Strings -> text that bash reads back as exactly those words."""

from __future__ import annotations

from limpet.syntax.late import late

_PLAIN = late(r"[A-Za-z0-9_@%+=:,./-]+")
_IMPOSSIBLE = late("[\0\ud800-\udc7f\udd00-\udfff]")
_RESERVED = late(
    "case|coproc|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while"  # those that look plain
)
_ESCAPES = {
    "\\": "\\\\",
    "'": "\\'",
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
}


def quote(arg: str) -> str:
    """One argument, bare when it is a plain word and quoted when it is not.

    Bytes that are not UTF-8 may be given as `os.fsdecode` spells them. Raises ValueError for what no argument can
    hold: NUL, and surrogates that stand for no byte.
    """
    _refuse_impossible(arg)
    if _PLAIN.fullmatch(arg):
        return arg
    if all(_is_readable(char) for char in arg):
        return "'" + arg.replace("'", "'\\''") + "'"
    return "$'" + "".join(_escape(char) for char in arg) + "'"


def join(program: str, *args: str) -> str:
    """A command line that runs `program` with `args`: a program called `if`, `time` or `A=1` is still a program."""
    return " ".join([_quote_program(program), *map(quote, args)])


def _quote_program(program: str) -> str:
    quoted = quote(program)
    if quoted == program and ("=" in program or _RESERVED.fullmatch(program)):
        return f"'{program}'"
    return quoted


def _refuse_impossible(arg: str) -> None:
    found = _IMPOSSIBLE.search(arg)
    if found is None:
        return
    what = "NUL" if found[0] == "\0" else f"a lone surrogate (U+{ord(found[0]):04X})"
    raise ValueError(f"an argument cannot hold {what}, found at position {found.start()}; leave it out")


def _is_readable(char: str) -> bool:
    return char.isprintable() or char in "\n\t"


def _escape(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    # Bytes, never \u: bash turns \u into a character only where the locale has it.
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))
