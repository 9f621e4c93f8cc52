"""make, cmake, ninja, meson -> what their calls run and write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, delete, program, read, risk, runs, runs_stdin, script, write
from limpet.policy.tools.own_code import loads, runs_file, runs_place, runs_settings
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import CHANGES, HERE, READS, Verb, Verbs, asks, each, elsewhere, parse_spec, with_verbs
from limpet.syntax.late import late
from limpet.syntax.values.field import Field, known
from limpet.syntax.walk.folders import join_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_MAKE = Spec(
    operands="text*",
    options={
        "-C": "text", "--directory": "text", "-f": "text", "--file": "text", "--makefile": "text", "-W": "text",
        "-o": "text", "--old-file": "text", "--assume-old": "text", "--what-if": "text", "--new-file": "text",
        "--assume-new": "text", "-E": "code:make", "--eval": "code:make",
        "-I": "ask:takes makefiles from another folder", "--include-dir": "ask:takes makefiles from another folder",
    },
    flags="--jobs --keep-going --dry-run --just-print --recon --silent --quiet --always-make --environment-overrides "
    "--ignore-errors --load-average --max-load --output-sync --print-data-base --question --no-builtin-rules "
    "--no-builtin-variables --no-silent --touch --trace --version --print-directory --no-print-directory "
    "--warn-undefined-variables --debug --stop --no-keep-going --check-symlink-times --shuffle --help",
)  # fmt: skip
_ASSIGNMENT = late(r"([^=:!?+ \t]+)(!=|:::=|::=|:=|\?=|\+=|=)(.*)", re.DOTALL)
_SETTINGS = frozenset({".SHELLFLAGS", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES", "MAKE", "MFLAGS", ".RECIPEPREFIX"})
_PROGRAMS = late(
    "CC|CXX|CPP|LD|AR|AS|NM|RM|CP|MV|MKDIR|INSTALL|FC|LEX|YACC|M4|TEX|PYTHON[0-9.]*|PY|PIP|NODE|NPM|NPX|YARN|GO|CARGO|RUSTC|"
    "JAVA|JAVAC|MVN|DOCKER|SUDO|SED|AWK|GREP|FIND|TAR|CURL|WGET|GIT|EDITOR|PAGER|LINKER|COMPILER|STRIP|OBJCOPY|RANLIB|"
    "[A-Za-z_]*(CMD|COMMAND|PROG|PROGRAM|BIN|EXE|EXEC|RUNNER|LAUNCHER|WRAPPER|TOOL)"
)
_USUAL = late(
    r"((ccache|sccache|distcc)( |$))?([a-z0-9_]+-)*"
    r"(gcc|g\+\+|cc|c\+\+|clang|clang\+\+|tcc|icc|python|node|go|cargo|ar|ld|nm|as|"
    r"rustc|javac|java|npm|yarn|pip|strip|ranlib|gfortran)?[0-9.-]*"
)
_SHELLS = frozenset(
    f"{folder}{shell}" for folder in ("", "/bin/", "/usr/bin/") for shell in ("sh", "bash", "dash", "zsh")
)
_SHELL_TEXT = late(r"[;|&`\n]|\$[({]")


def make(command: Command) -> Iterator[Effect]:
    """Runs the makefile of its folder; variables and options can bring in other code."""
    parsed = parse_spec(_MAKE, command)
    if parsed.has("-C", "--directory"):
        yield elsewhere(command, parsed, ("-C", "--directory"))
        return
    yield HERE
    for field in parsed.values("-f", "--file", "--makefile"):
        yield runs_stdin("make") if field.text == "-" else runs_file(field, "make -f")
    yield from describe(_MAKE, command)
    for field in parsed.operands:
        yield from _variable(field)


def _variable(field: Field) -> Iterator[Effect]:
    """`NAME=value` on the command line of make is makefile code, and ends up in recipes."""
    found = _ASSIGNMENT.fullmatch(field.prefix)
    if found is None:
        return
    name, operator, start = found.groups()
    value = Field((start, *field.pieces[1:]), field.many)
    if operator == "!=" or (name == "SHELL" and value.text not in _SHELLS):
        yield script(value, f"make {name}")
        yield risk("make.variable", Risk.UNKNOWN, f"has make run another program through {name}")
    elif name in _SETTINGS:
        yield risk("make.variable", Risk.UNKNOWN, f"changes how make works through {name}")
    elif _PROGRAMS.fullmatch(name) and not (value.text is not None and _USUAL.fullmatch(value.text)):
        yield script(value, f"make {name}")
    elif _SHELL_TEXT.search("".join(piece for piece in value.pieces if isinstance(piece, str))):
        yield risk("make.variable", Risk.OPAQUE, f"puts shell text into recipes through {name}")


_CMAKE = Spec(
    operands="read*",
    options={
        "-B": "write", "-S": "text", "-G": "text", "-T": "text", "-A": "text", "-D": "text", "-U": "text", "-C": "text",
        "-P": "text", "--build": "write", "--preset": "text", "--graphviz": "write", "--trace-redirect": "write",
        "--target": "text", "--config": "text", "--toolchain": "text", "--install-prefix": "text", "--workflow": "text",
        "--profiling-output": "write", "-t": "text", "--install": "write",
        "--prefix": "write", "--debugger-pipe": "ask:opens a debugger", "--component": "text",
    },
    flags="--fresh --version --help --system-information --trace --trace-expand --verbose --clean-first --parallel "
    "--list-presets --open --find-package",
)  # fmt: skip
_CMAKE_PROGRAM = late(r".*(_COMPILER|_LAUNCHER|_COMMAND|_EXECUTABLE|_PROGRAM|_LINKER|_EMULATOR|_AR|_RULE)", re.DOTALL)
_CMAKE_FILE = late(r"CMAKE_(TOOLCHAIN_FILE|MODULE_PATH|PROJECT_.*INCLUDE.*|USER_MAKE_RULES_.*)")
"""Variables that name files of cmake code."""


def cmake(command: Command) -> Iterator[Effect]:
    """Configures, builds, installs, runs scripts, or works as a small shell."""
    first = command.texts[0] if command.texts else None
    if first == "-E":
        yield from _cmake_shell(command)
        return
    parsed = parse_spec(_CMAKE, command)
    yield HERE
    if parsed.has("--install") and not parsed.has("--prefix"):
        yield risk("cmake.install", Risk.ESCAPES, "installs files outside the build folder")
    if any(field.text == "install" for field in (*parsed.values("--target", "-t"), *parsed.operands)):
        yield risk("cmake.install", Risk.ESCAPES, "installs files outside the build folder")
    if parsed.has("--open"):
        yield risk("cmake.open", Risk.UNKNOWN, "opens another program")
    yield from describe(_CMAKE, command)
    for field in parsed.values("-P", "-C", "--toolchain"):
        yield runs_file(field, "cmake")
    for field in (*parsed.operands, *parsed.values("-S")):
        yield from runs_place(field, "cmake")
    for field in parsed.values("-D"):
        yield from _cmake_variable(field)


def _cmake_variable(field: Field) -> Iterator[Effect]:
    name, _, start = field.prefix.partition("=")
    value = Field((start, *field.pieces[1:]), field.many)
    if _CMAKE_PROGRAM.fullmatch(name.partition(":")[0]) and not (
        value.text is not None and _USUAL.fullmatch(value.text)
    ):
        yield program(value, f"cmake -D{name}")
        yield risk("cmake.program", Risk.UNKNOWN, f"has the build run another program ({name})")
    elif _CMAKE_FILE.fullmatch(name.partition(":")[0]):
        yield from runs_settings(value, f"cmake -D{name}")


def _cmake_shell(command: Command) -> Iterator[Effect]:
    """`cmake -E`: a few commands of a shell."""
    verb, rest = (command.texts[1] if len(command.texts) > 1 else "help"), command.arguments[2:]
    paths = [field for field in rest if not field.prefix.startswith("-")]
    if verb in _CMAKE_RUNS:
        yield runs(command, (known(verb), *rest), f"cmake -E {verb}")
    elif verb == "chdir" and rest:
        folder = rest[0].text
        cwd = None if folder is None else join_path(command.cwd, folder)
        yield runs(command, rest[1:], "cmake -E chdir", cwd=cwd)
    elif verb in _CMAKE_DELETES:
        yield from (delete(field, recursive=True) for field in paths)
    elif verb in _CMAKE_WRITES:
        yield from map(write, paths)
    elif verb in _CMAKE_READS:
        yield from map(read, paths)
    else:
        yield risk("cmake.unknown", Risk.UNKNOWN, "does something with cmake -E that is not known")


_CMAKE_RUNS = ("env", "time", "tar")
"""What is run by another tool of the same name, or as that would run it."""
_CMAKE_DELETES = ("rm", "remove", "remove_directory")
_CMAKE_WRITES = (
    "copy", "copy_directory", "copy_directory_if_different", "copy_if_different", "copy_if_newer", "make_directory",
    "rename", "touch", "touch_nocreate", "create_symlink", "create_hardlink",
)  # fmt: skip
_CMAKE_READS = (
    "help", "echo", "echo_append", "true", "false", "sleep", "cat", "capabilities", "compare_files", "environment",
    "md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum",
)  # fmt: skip


_NINJA = Spec(operands="text*", options={"-C": "text", "-f": "text", "-j": "text", "-k": "text", "-l": "text",
                                         "-t": "text", "-d": "text", "-w": "text"})  # fmt: skip


def ninja(command: Command) -> Iterator[Effect]:
    """Runs the build file of its folder."""
    parsed = parse_spec(_NINJA, command)
    if parsed.has("-C"):
        yield elsewhere(command, parsed, ("-C",))
        return
    yield HERE
    for field in parsed.values("-f"):
        yield runs_file(field, "ninja -f")


_MESON = Verbs(
    table={
        "setup": Verb(CHANGES.does, Spec(operands="write*", options={
            "--native-file": "read", "--cross-file": "read", "--prefix": "text", "--buildtype": "text", "-D": "text",
        })),
        **each("compile configure dist format fmt rewrite", Verb(CHANGES.does, Spec(operands="text*",
            options={"-C": "write"}))),
        "test": Verb(CHANGES.does, Spec(operands="text*", options={
            "-C": "write", "--wrapper": "script", "--wrap": "script", "--gdb-path": "program", "--suite": "text"})),
        **each("introspect help env2mfile", READS),
        **each("install", asks("meson.install", Risk.ESCAPES, "installs files outside the build folder")),
        **each("init", CHANGES),
        **each("devenv", asks("meson.devenv", Risk.UNKNOWN, "runs a command in the build environment")),
        **each("wrap subprojects", asks("meson.network", Risk.NETWORK, "downloads subprojects")),
    },
    other=Verb(CHANGES.does, Spec(operands="write*")),
)  # fmt: skip

MAKES: dict[str, Spec | Rule] = {
    **dict.fromkeys(("make", "gmake", "bmake", "remake"), make),
    "cmake": cmake,
    **dict.fromkeys(("ninja", "ninja-build", "samu"), ninja),
    "meson": loads(with_verbs(_MESON), "--native-file --cross-file"),
}
