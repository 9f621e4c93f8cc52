"""Scripts that are one command a line, of editors, debuggers and calculators -> what they would do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.policy.code.finding import Finding, connects, evaluates, opaque, reads, spawns, writes
from limpet.policy.code.python import scan_python
from limpet.policy.code.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

_RANGE = r"(?:[%0-9.,$;+\- ]|'[a-z<>]|/(?:[^/\\]|\\.)*/)*"
_ED = re.compile(
    rf"(?P<range>{_RANGE})(?P<letter>!|[A-Za-z=#]?)(?P<rest>.*)",
    re.DOTALL,
)
_SEARCH = re.compile(r"s(?P<end>[^A-Za-z0-9 \t\n\\])(?:[^\\\n]|\\.)*[A-Za-z&]*")


def scan_ed(text: str) -> list[Finding]:
    """Commands of ed, with texts that end with a dot."""
    found: list[Finding] = []
    typing = False
    for line in text.split("\n"):
        if typing:
            typing = line != "."
            continue
        typing = re.fullmatch(rf"{_RANGE}[aic]", line) is not None
        found.extend(_ed_line(line))
    return found


def _ed_line(line: str) -> Iterator[Finding]:
    match = _ED.fullmatch(line)
    if match is None:
        yield opaque("ed", "a command could not be read")
        return
    letter, rest = match["letter"], match["rest"].strip()
    if letter == "!":
        yield spawns("ed", rest or None)
    elif letter and letter in "wWreEf":
        yield from _file("ed", letter, rest.removeprefix("q").strip())
    elif letter and letter in "gvGV" and re.search(r"[!wre][^/]*$", rest):
        yield opaque("ed", "runs commands on many lines")


def _file(language: str, letter: str, rest: str) -> Iterator[Finding]:
    if rest.startswith("!"):
        yield spawns(language, rest[1:].strip() or None)
    elif rest and letter in "wW":
        yield writes(language, rest)
    elif rest:
        yield reads(language, rest)


_LONGEST_LINE = 2000
_VIM_SAFE = re.compile(
    rf"""
    (?:
      {_RANGE}
      | {_RANGE}(?:d|p|y|j|m[0-9$.]+|t[0-9$.]+|>|<|sor[t]?|retab|norm[al]*![ ]*[A-Za-z0-9 ]*)!?[ \t]*[a-z0-9]*
      | (?:q|qa|qall|quit|wq|wqa|wqall|x|xa|xall|w|wa|wall|cq|up|update|exit|noh|bn|bnext|bp|n|next)!?
      | (?:set|setlocal|se)[ \t]+[a-z]+[ \t]*(?:[=:+-]+[A-Za-z0-9,]*)?!?
      | (?:syntax|filetype|colorscheme)[ \t]+[a-z]+(?:[ \t][a-z]+)*
      | {_RANGE}(?:s|sm|sno)/(?:[^/\\\n|]|\\[^=])*/(?!\\=)(?:[^/\\\n|]|\\[^=])*/?[gceiI&n]*
      | {_RANGE}(?:g|v|g!)/(?:[^/\\\n|]|\\.)*/(?:d|p|j|m0|m\$)
    )""",
    re.VERBOSE,
)
_VIM_SHELL = re.compile(rf"{_RANGE}(?:!|(?:r|read|w|write)[ \t]*!)(?P<command>.*)", re.DOTALL)
_VIM_WRITE = re.compile(r"(?:w|write|sav|saveas|wq|x)!?[ \t]+(?P<path>[^!|][^|]*)")
_VIM_CALL = re.compile(
    r"""\b(?:system|systemlist|execute|exe|termopen|jobstart|job_start|term_start)\b[ \t(]*"""
    r"""(["'])(?:silent[! ]*)?:?!?([^"'\\]+)\1"""
)
_VIM_PYTHON = re.compile(r"py(?:thon)?[3x]?[ \t]+(?P<code>.*)", re.DOTALL)


def scan_vim(text: str) -> list[Finding]:
    """Commands as vim has them behind a colon."""
    lines = [line.strip(": \t") for line in text.split("\n")]
    if any(len(line) > _LONGEST_LINE for line in lines):
        return [opaque("vim", "a command is too long to be read")]
    return [finding for line in lines for part in _bars(line) for finding in _vim_command(part.strip(": \t"))]


def _bars(line: str) -> list[str]:
    """Commands with a bar between them; one that is given to a shell goes on to the end."""
    return [line] if _VIM_SHELL.fullmatch(line) or _VIM_SAFE.fullmatch(line) else line.split("|")


def _vim_command(line: str) -> Iterator[Finding]:
    shell, write, python = (what.fullmatch(line) for what in (_VIM_SHELL, _VIM_WRITE, _VIM_PYTHON))
    if shell is not None:
        yield spawns("vim", shell["command"].strip() or None)
    elif write is not None and not write["path"].startswith(">>"):
        yield writes("vim", write["path"].strip())
    elif python is not None:
        yield evaluates("vim")
        yield from scan_python(python["code"])
    elif not _VIM_SAFE.fullmatch(line):
        yield from (spawns("vim", found[2]) for found in _VIM_CALL.finditer(line))
        yield opaque("vim", "a command of the editor that is not known to be harmless")


_GDB_SAFE = words("""
    r run start bt backtrace where full info i quit q exit b break tbreak rbreak c continue cont n next s step stepi
    nexti finish until up down frame f list l print p x display undisplay delete d disable enable set thread t watch
    rwatch awatch disassemble disas ptype whatis show help handle kill k detach tty directory file core-file exec-file
    symbol-file starti advance return ni si bt-full catch condition ignore layout focus refresh echo printf output
    inspect settings version register read frame variable memory breakpoint process target create select
""")
_GDB_VALUE = words("print p x display output inspect call set printf return condition watch break b tbreak")


def scan_gdb(text: str) -> list[Finding]:
    """Commands of gdb and lldb."""
    return [finding for line in text.split("\n") if line.strip() for finding in _gdb_command(line.strip())]


def _gdb_command(line: str) -> Iterator[Finding]:
    name, _, rest = line.partition(" ")
    name = name.partition("/")[0]
    if line.startswith("!") or name in ("shell", "she", "shel", "platform"):
        yield spawns("gdb", line[1:].strip() if line.startswith("!") else rest.removeprefix("shell").strip())
    elif name in ("python", "py", "script"):
        yield evaluates("gdb")
        yield from scan_python(rest)
    elif name in ("target", "tar") and "remote" in rest:
        yield connects("gdb")
    elif name not in _GDB_SAFE or "|" in line or "`" in line:
        yield opaque("gdb", f"the command {name} is not known to be harmless")
    elif name in _GDB_VALUE and re.search(r"[A-Za-z_0-9)]\(", rest.replace("sizeof(", "")):
        yield opaque("gdb", "calls a function of the program")
    elif name == "set" and re.search(r"exec-wrapper|logging|startup|environment|shell|auto-load", rest):
        yield opaque("gdb", "changes how programs are started, or writes a log")


def scan_dc(text: str) -> list[Finding]:
    """Of dc, which gives what stands behind `!` to a shell and runs what `?` reads."""
    found = [spawns("dc", match[1].strip()) for match in re.finditer(r"!([^<>=\n][^\n]*)", text)]
    return [*found, opaque("dc", "runs what it reads")] if "?" in text else found


def scan_gnuplot(text: str) -> list[Finding]:
    """Commands of gnuplot."""
    found = [spawns("gnuplot", match[1]) for match in re.finditer(r"(?:^|\n|;)[ \t]*!([^\n]*)", text)]
    found += [spawns("gnuplot", match[1]) for match in re.finditer(r"[\"'][ \t]*[<|]([^\"']*)", text)]
    found += [writes("gnuplot", match[1]) for match in re.finditer(r"\bou?t?p?u?t?[ \t]+[\"']([^|\"'][^\"']*)", text)]
    if re.search(r"`|@|\b(?:sys?t?e?m?|shell|load?|call?|eval?u?a?t?e?|exec|import|save?|cd|print)\b", text):
        found.append(opaque("gnuplot", "runs a program or other code"))
    return found


def scan_m4(text: str) -> list[Finding]:
    """Macros of m4: those that run commands, and those that could make the name of one."""
    found = [spawns("m4", match[1]) for match in re.finditer(r"\be?syscmd\([`\"]?([^`'\")]*)", text)]
    if re.search(r"\b(?:define|pushdef|indir|builtin|maketemp|mkstemp|debugfile|s?include|changeword|eval)\b", text):
        found.append(opaque("m4", "makes macros that are not followed here"))
    return found


def scan_make(text: str) -> list[Finding]:
    """Text that make evaluates: an assignment may well change how it runs the rules of other files."""
    lines = text.split("\n")
    if all(re.fullmatch(r"[ \t]*(?:#[^\n]*)?", line) for line in lines):
        return []
    recipes = [line[1:] if line.startswith("\t") else _RECIPE.sub("", line) for line in lines if _RECIPE.match(line)]
    commands = [line.lstrip("@-+ \t").replace("$$", "$") for line in recipes if "$(" not in line]
    return [opaque("make", "adds rules or runs commands"), *(spawns("make", line) for line in commands if line)]


_RECIPE = re.compile(r"\t|[^=#\t]*:[^=;]*;[ \t]*")
"""A line that begins with a tab, or what stands behind the semicolon of a rule."""
