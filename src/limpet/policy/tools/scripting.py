"""Interpreters that a table describes: Ruby, PHP, Lua, R, Julia, Lisps, Tcl and others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import code, read, risk, runs_stdin, write
from limpet.policy.tools.interpreter import Interpreter, interpret
from limpet.policy.tools.invocation import joined, placed, read_leading, runs_file, unread_options
from limpet.policy.tools.spec import play
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.spec import Rule, Spec

_QUIT = dict.fromkeys(("-v", "--version", "-h", "--help", "-V"), "quit")
_INI = re.compile(
    r"(?:memory_limit|max_execution_time|display_errors|error_reporting|date\.timezone|short_open_tag|xdebug\.mode"
    r"|opcache\.[a-z_]+|zend\.assertions|assert\.[a-z]+|pcov\.[a-z]+|phar\.readonly)(?:=.*)?"
)


def _ruby(command: Command) -> Iterator[Effect]:
    """ruby: libraries of `-r` belong to the code; with `-i` the operands are changed."""
    leading = read_leading(
        command.arguments, values=("-e", "-I", "-r", "-C", "-E", "-K", "-X", "--encoding"), glued="iFxW0T"
    )
    yield from unread_options(leading, command.name)
    if leading.has("-v", "--version", "-h", "--help", "--copyright") and not leading.has("-e"):
        return
    for field in leading.values("-I"):
        yield from play("program", placed(field), command)
    if leading.has("-C", "-X"):
        yield risk("ruby.folder", Risk.OPAQUE, "runs in another folder")
    libraries = [known(f"require '{field.text}'") for field in leading.values("-r") if field.text is not None]
    if leading.has("-e"):
        yield code(joined([*libraries, *leading.values("-e")]), "ruby")
        for field in leading.rest:
            yield write(field) if leading.has("-i") else read(field)
        return
    for field in libraries:
        yield code(field, "ruby")
    if leading.has("-S") and leading.rest:
        yield from play("program", leading.rest[0], command)
    elif leading.rest:
        yield from runs_file(leading.rest[0], "ruby", "ruby")
    else:
        yield runs_stdin("ruby")


def _php_settings(command: Command) -> Iterator[Effect]:
    """php: a setting of `-d` may name a file to run first."""
    leading = read_leading(command.arguments, values=_PHP.options)
    for field in leading.values("-d", "--define"):
        if field.text is None or not _INI.fullmatch(field.text):
            yield risk("php.setting", Risk.OPAQUE, "changes a setting that could run other code")
    yield from interpret(_PHP)(command)


_PHP = Interpreter(
    language="php",
    options={
        "-r": "code", "--run": "code", "-B": "code", "--process-begin": "code", "-R": "code", "--process-code": "code",
        "-E": "code", "--process-end": "code", "-f": "file", "--file": "file", "-F": "file", "--process-file": "file",
        "-S": "network", "--server": "network", "-t": "read", "--docroot": "read", "-d": "text", "--define": "text",
        "-c": "module", "--php-ini": "module", "-z": "file", "--zend-extension": "file", "--rf": "text", "--rc": "text",
        "--re": "text", "--ri": "text",
    },
    flags={
        **_QUIT, "-i": "quit", "--info": "quit", "-m": "quit", "--modules": "quit", "--ini": "quit", "-l": "reads",
        "--syntax-check": "reads", "-w": "reads", "--strip": "reads", "-s": "reads", "-a": "stdin",
        "--interactive": "stdin",
        "--rf": "quit", "--ri": "quit", "-S": "quit",
    },
)  # fmt: skip


def _r(command: Command) -> Iterator[Effect]:
    """R: `R CMD …` runs its tools, otherwise it runs code."""
    texts = command.texts
    if texts[:1] == ("CMD",):
        harmless = texts[1:2] in (("check",), ("build",), ("config",), ("Rd2txt",), ("SHLIB",))
        if not harmless:
            yield risk("R.CMD", Risk.ESCAPES, "installs or removes packages, or runs a program of R")
        return
    yield from interpret(_R)(command)


_R = Interpreter(
    language="r",
    options={"-e": "code", "-f": "file", "--file": "file", "-g": "text", "-d": "program", "--debugger": "program",
             "--encoding": "text"},
    flags=_QUIT, clusters=False,
)  # fmt: skip


def _table(language: str, options: dict[str, str], flags: dict[str, str] | None = None, **more: object) -> Rule:
    spec = Interpreter(language=language, options=options, flags={**_QUIT, **(flags or {})})
    return interpret(msgspec.structs.replace(spec, **more))


_LUA = _table("lua", {"-e": "code", "-l": "module", "-j": "text", "-O": "text"}, {"-i": "stdin", "-b": "reads"})
_TCL = _table("tcl", {"-c": "code", "-f": "file", "-encoding": "text", "-b": "file"}, {"-i": "stdin", "-d": "text"})
_ELIXIR = _table("elixir", {
    "-e": "code", "--eval": "code", "-r": "file", "-pr": "file", "-pa": "file", "-pz": "file", "--erl": "ask:gives "
    "options to erl",
    "--rpc-eval": "ask:runs code on another node", "--cookie": "text", "--name": "text", "--sname": "text",
}, clusters=False)  # fmt: skip
_ERL = _table("erlang", {
    "-eval": "code", "-s": "ask:runs a function", "-run": "ask:runs a function", "-pa": "file", "-pz": "file",
    "-config": "file", "-args_file": "file", "-name": "text", "-sname": "text", "-setcookie": "text",
}, clusters=False)  # fmt: skip
_PROLOG = _table(
    "prolog", {"-g": "code", "-t": "code", "-s": "file", "-l": "file", "-f": "file", "-x": "file", "-o": "write"}
)
_POWERSHELL = _table("powershell", {
    "-Command": "code", "-c": "code", "-command": "code", "-File": "file", "-f": "file", "-file": "file",
    "-EncodedCommand": "code", "-e": "code", "-ec": "code", "-enc": "code", "-ExecutionPolicy": "text", "-wd": "text",
    "-WorkingDirectory": "text", "-InputFormat": "text", "-OutputFormat": "text",
}, clusters=False)  # fmt: skip
_SBCL = _table("sbcl", {"--eval": "code", "--load": "file", "--script": "file", "--core": "file", "--userinit": "file",
                        "--sysinit": "file", "--dynamic-space-size": "text"}, clusters=False)  # fmt: skip
_CLOJURE = _table("clojure", {
    "-e": "code", "--eval": "code", "-i": "file", "--init": "file", "-m": "text", "--main": "text",
    "-Sdeps": "ask:adds libraries",
}, {"-Sdescribe": "quit", "-Spath": "quit", "-r": "stdin"}, clusters=False)  # fmt: skip

TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(("ruby", "jruby", "mruby", "truffleruby"), _ruby),
    **dict.fromkeys(("irb", "pry"), _table("ruby", {"-r": "module", "-I": "file"})),
    **dict.fromkeys(("php", "php7", "php8", "php-cgi", "hhvm", *(f"php8.{minor}" for minor in range(6))),
    _php_settings),
    **dict.fromkeys(("lua", "luajit", "lua5.1", "lua5.2", "lua5.3", "lua5.4", "luau"), _LUA),
    **dict.fromkeys(("Rscript", "littler"), _table("r", {"-e": "code"}, clusters=False)),
    "R": _r,
    "julia": _table("julia", {
        "-e": "code", "--eval": "code", "-E": "code", "--print": "code", "-L": "file", "--load": "file", "-p": "text",
        "-t": "text", "--threads": "text", "-J": "file", "--sysimage": "file", "--machine-file": "file", "-C": "text",
        "--project": "text", "-O": "text",
    }, {"-i": "stdin"}),
    "elixir": _ELIXIR, "iex": _ELIXIR, "erl": _ERL, "escript": _table("erlang", {}),
    **dict.fromkeys(("swipl", "gprolog", "yap"), _PROLOG),
    "guile": _table("guile", {"-c": "code", "-s": "file", "-l": "file", "-e": "text", "-L": "file", "-C": "file"}),
    "racket": _table("racket", {
        "-e": "code", "--eval": "code", "-f": "file", "--load": "file", "-t": "file", "--require": "file", "-r": "file",
        "-u": "file", "-l": "text", "--lib": "text", "-p": "text",
    }, {"-i": "stdin"}),
    "sbcl": _SBCL, "clojure": _CLOJURE, "bb": _CLOJURE, "clisp": _table("sbcl", {"-x": "code", "-i": "file"}),
    **dict.fromkeys(("tclsh", "tclsh8.6", "wish", "expect"), _TCL),
    "jshell": _table("java", {"--class-path": "text", "-R": "text", "--startup": "file"}, clusters=False),
    "osascript": _table("applescript", {"-e": "code", "-l": "text", "-s": "text"}),
    **dict.fromkeys(("pwsh", "powershell", "powershell.exe"), _POWERSHELL),
    "ocaml": _table("ocaml", {"-e": "code", "-I": "file", "-init": "file"}, clusters=False),
    "fennel": _table("fennel", {"-e": "code", "--eval": "code", "-l": "file"}, clusters=False),
    "raku": _table("raku", {"-e": "code", "-M": "text", "-I": "file"}),
    "gst": _table("smalltalk", {"-e": "code"}), "io": _table("io", {"-e": "code"}),
}  # fmt: skip
