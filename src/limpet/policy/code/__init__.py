"""Inline code of an interpreter -> what it would do.

Two duties are kept apart: code is harmless only when every part of it is known to be; and what is dangerous is named,
with
the command or the path when those are constant, so that they can be judged like any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.code.awk import scan_awk
from limpet.policy.code.database import scan_duckdb, scan_sql
from limpet.policy.code.finding import Finding, opaque
from limpet.policy.code.javascript import JAVASCRIPT, WITH_CHILDREN
from limpet.policy.code.lines import scan_dc, scan_ed, scan_gdb, scan_gnuplot, scan_m4, scan_make, scan_vim
from limpet.policy.code.lisp import scan_lisp, scan_tcl
from limpet.policy.code.lua import LUA
from limpet.policy.code.perl import PERL, PerlLexer
from limpet.policy.code.php import PHP
from limpet.policy.code.python import scan_python
from limpet.policy.code.review import Review
from limpet.policy.code.ruby import RUBY
from limpet.policy.code.sed import scan_sed
from limpet.policy.code.statistics import JULIA, R
from limpet.policy.code.tokens import Lexer

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.policy.code.vocabulary import Vocabulary

__all__ = ["Finding", "scan"]

_ONLY_COMPUTING = ("bc", "jq")
_LONGEST = 16_000


def scan(language: str, text: str | None) -> tuple[Finding, ...]:
    """What a piece of code would do; nothing when it is known to be harmless. None is code that is not known."""
    if language in _ONLY_COMPUTING:
        return ()
    if text is None:
        return (opaque(language, "the code is not known before it runs"),)
    if len(text) > _LONGEST:
        return (opaque(language, "the code is too long to be read"),)
    reader = _READERS.get(language)
    if reader is None:
        return (opaque(language, f"code of {language} is not read here"),)
    return tuple(dict.fromkeys(reader(text)))


def _by_words(vocabulary: Vocabulary) -> Callable[[str], list[Finding]]:
    return lambda text: Review(Lexer(text, vocabulary.lexicon).read(), vocabulary).findings


def _javascript(text: str) -> list[Finding]:
    return _by_words(WITH_CHILDREN if "child_process" in text else JAVASCRIPT)(text)


def _perl(text: str) -> list[Finding]:
    return Review(PerlLexer(text).read(), PERL).findings


_READERS: dict[str, Callable[[str], list[Finding] | tuple[Finding, ...]]] = {
    "python": scan_python,
    "node": _javascript,
    "perl": _perl,
    "ruby": _by_words(RUBY),
    "php": _by_words(PHP),
    "lua": _by_words(LUA),
    "r": _by_words(R),
    "julia": _by_words(JULIA),
    "sed": scan_sed,
    "awk": scan_awk,
    "duckdb": scan_duckdb,
    "sql": scan_sql,
    "tcl": scan_tcl,
    "ed": scan_ed,
    "vim": scan_vim,
    "gdb": scan_gdb,
    "dc": scan_dc,
    "gnuplot": scan_gnuplot,
    "m4": scan_m4,
    "make": scan_make,
    **{name: scan_lisp(name) for name in ("emacs", "guile", "racket", "sbcl", "clojure")},
}
