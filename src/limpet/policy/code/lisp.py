"""Lisps (Emacs, Guile, Racket, Clojure, Common Lisp) and Tcl, whose commands stand first -> what they would do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.policy.code.finding import Finding, connects, deletes, evaluates, opaque, spawns, spawns_argv
from limpet.policy.code.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_HEAD = re.compile(r"[(\[][ \t\n'#]*([^ \t\n()\[\]\"';]+)?")
_LISP_SAFE = words("""
    message princ print prin1 format format-time-string current-time concat list cons car cdr + - * / = < > <= >= 1+ 1-
    mod if when unless cond progn begin let let* and or not display newline displayln printf println str map reduce
    filter inc dec length number-to-string string-to-number emacs-version version lambda fn range apply-str max min abs
    even? odd? null? x y n write write-line terpri kill-emacs exit string-append number->string symbol-name upcase
    downcase first rest nth quote *clojure-version* clojure-version
""")
_LISP_SHELL = words("shell-command shell-command-to-string system system* shell sh async-shell-command compile")
_LISP_ARGV = words("call-process start-process run-program process-file make-process execl execlp sb-ext:run-program")
_LISP_DELETE = words("delete-file delete-directory remove-file rmdir unlink delete-file! delete-directory/files")
_LISP_NET = words("url-retrieve url-retrieve-synchronously open-network-stream make-network-process tcp-connect slurp")


def scan_lisp(language: str) -> Callable[[str], list[Finding]]:
    """A reader for one of the Lisps."""
    return lambda text: list(_lisp(language, text))


def _lisp(language: str, text: str) -> Iterator[Finding]:
    code = _TEXT.sub('""', text)
    if "#." in code or "#|" in code or '"' in code.replace('""', "") or "\\" in code:
        yield opaque(language, "the code could not be read")
    if re.search(r"#?'[ \t]*[A-Za-z(]", code):
        yield opaque(language, "hands on a name")
    for match in _HEAD.finditer(text):
        head = match[1] or ""
        if head and head not in _LISP_SAFE and not re.fullmatch(r"[0-9.]+", head):
            yield _lisp_call(language, head, text[match.end() :])


def _lisp_call(language: str, head: str, rest: str) -> Finding:
    first = re.compile(rf"[ \t\n]*{_TEXT.pattern}[ \t\n]*[)\"]", re.DOTALL).match(rest)
    argument = first[1].replace("\\", "") if first is not None else None
    if head in _LISP_SHELL:
        return spawns(language, argument)
    if head in _LISP_ARGV:
        return spawns_argv(language, [text for text in _TEXT.findall(rest.partition(")")[0]) if text])
    if head in _LISP_DELETE:
        return deletes(language, argument or _first(rest), recursive="directory" in head or head == "rmdir")
    return connects(language) if head in _LISP_NET else opaque(language, f"calls {head}")


def _first(rest: str) -> str | None:
    """The first argument, when it is a text and something follows."""
    found = re.compile(rf"[ \t\n]*{_TEXT.pattern}[ \t\n]", re.DOTALL).match(rest)
    return found[1].replace("\\", "") if found is not None else None


_TCL_SAFE = words("""
    puts set expr if else elseif while for foreach proc return incr append list lindex llength lappend lrange lsort
    lsearch lreplace linsert lassign lreverse lmap join split string format scan regexp regsub dict array info clock
    after break continue global variable upvar gets eof close switch error catch unset concat exit pwd range sleep
    send_user expect_user
""")
_TCL_COMMAND = re.compile(r"(?:^|[\n;\[{])[ \t\n]*(\$?[A-Za-z_:$][^ \t\n;\]}]*)?")
_LINES = re.compile(r" ?\n[ \n]*")
_TCL_MADE = re.compile(r"(?:^|[\n;{\[])[ \t\n]*(?:\[|\{\*\}|\"|\\)")


def scan_tcl(text: str) -> list[Finding]:
    """Tcl and Expect: the first word of each command says what it does."""
    found: list[Finding] = []
    text = _LINES.sub("\n", re.sub(r"[ \t]+", " ", text))
    if _TCL_MADE.search(text):
        found.append(opaque("tcl", "runs a command whose name is made while it runs"))
    for match in _TCL_COMMAND.finditer(text):
        name = match[1] or ""
        if name and name not in _TCL_SAFE and not _is_variable(match, text):
            found.extend(_tcl_call(name, text[match.end() :]))
    return found


def _is_variable(match: re.Match[str], text: str) -> bool:
    """`{$i < 3}`, `{a b c}` are lists and conditions, which nobody runs; a name that stands alone in braces, too."""
    inside = text[match.start() : match.start() + 1] == "{"
    return inside and (match[1].startswith("$") or text[match.end() : match.end() + 1] == "}")


def _tcl_call(name: str, rest: str) -> Iterator[Finding]:
    line = re.split(r"[\n;\]}]", rest, maxsplit=1)[0].strip()
    known = None if re.search(r"[$\[\\]", line) else line
    if name in ("exec", "spawn", "system"):
        yield spawns("tcl", known or None)
    elif name == "socket":
        yield connects("tcl")
    elif name in ("eval", "source", "uplevel", "load", "package", "interp", "subst", "namespace", "apply", "rename"):
        yield evaluates("tcl")
    else:
        yield opaque("tcl", f"runs {name}, which is not known to be harmless")
