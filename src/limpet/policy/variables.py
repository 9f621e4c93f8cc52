"""A variable that a command or a script sets -> what setting it brings about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy import variable_names as names
from limpet.policy.effect import Effect, program, risk, script, write
from limpet.syntax.values.field import ANYTHING, Field, Unknown, known

if TYPE_CHECKING:
    from collections.abc import Callable

_COMPILER = re.compile(
    r"([A-Za-z0-9_.]+-)*(gcc|g\+\+|clang|clang\+\+|cc|c\+\+|cpp|tcc|ld|ld\.[a-z]+|lld|mold|ar|as|nm|strip|ranlib|objcopy"
    r"|objdump|ccache|sccache|gfortran|rustc|rustdoc|go|gccgo|nvcc|emcc|em\+\+|zig)(-[0-9.]+)?( [A-Za-z0-9=+._-]+)*"
)
_BY_PATH = re.compile(r"(?!(/usr)?(/local)?/bin/)[^\s/]*/")
_LOOPBACK = re.compile(r"([a-z]+://)?(localhost|127\.[0-9.]+|\[::1\])(:[0-9]+)?(/[^@\s]*)?")
_SHELL = re.compile(r"(/usr)?(/local)?(/bin/)?(ba|da|a|z|k|fi)?sh")
_USUAL_FOLDER = re.compile(
    r"/|(/usr(/local)?|/opt/(homebrew|local))?/s?bin|/usr/local/go/bin|/usr/games|/snap/bin"
    r"|(/home/[^/]+|/Users/[^/]+|/root)/(\.cargo/bin|\.local/bin|go/bin|\.bun/bin|\.deno/bin|\.pyenv/(bin|shims)"
    r"|\.rbenv/(bin|shims)|\.nvm/versions/node/[^/]+/bin|\.npm-global/bin|\.local/share/pnpm|\.dotnet/tools)"
)
_PROJECT_FOLDER = re.compile(
    r"(.*/)?(node_modules/\.bin|\.?v?env(/[^/]+)?/(bin|Scripts)|\.(tox|nox)/[^/]+/bin|(vendor/|\.)?bin|scripts|tools"
    r"|(target|build|dist|out|cmake-build-[a-z]+|_build|zig-out)(/[^/]+)*)/?"
)
"""Folders where a project keeps its programs: any other is an odd place to look for `ls`."""

_INSTALLED = ("/usr/", "/opt/", "/nix/", "/snap/", "/Library/", "/Applications/")
"""Where only those write who may change the usual programs as well."""


def assigned_risk(name: str, value: Field | None) -> Effect | None:
    """What comes of setting a variable to a value (None: an array); None when nothing does."""
    if value is not None and value.text == "" and name not in names.MATTERS_WHEN_EMPTY:
        return None
    for table, judge in _TABLES:
        if name in table:
            return judge(name, value if value is not None else ANYTHING)
    return _by_its_look(name, value if value is not None else ANYTHING)


def _by_its_look(name: str, value: Field) -> Effect | None:
    """Names of which only a part is fixed."""
    if name.startswith(names.LOADER_PREFIXES):
        return _ask(name, value)
    if names.RUN_BY_LOOK.fullmatch(name):
        return _runs(name, value)
    if names.CONFIGURES_BY_LOOK.fullmatch(name):
        return _redirect(name, value)
    if name.startswith("GIT_TRACE"):
        return write(value) if value.prefix.startswith("/") else None
    return None


def _ask(name: str, value: Field) -> Effect | None:
    if value.text in names.HARMLESS_VALUES.get(name, ()):
        return None
    detail = names.LOADS.get(name) or f"{name} makes programs load code or settings from elsewhere"
    return risk(f"variable.{name}", Risk.UNKNOWN, detail)


def _runs(name: str, value: Field) -> Effect | None:
    """The value is a command."""
    text = value.text
    if text is None:
        return script(value, name)
    if text in names.NO_PROGRAM or text in names.HARMLESS_VALUES.get(name, ()):
        return None
    text = text.lstrip("|-! ")
    if _BY_PATH.match(text):
        return risk(f"variable.{name}", Risk.UNKNOWN, f"{name} makes other programs run {text.split()[0]}")
    words = text.split()
    if not words or words[0] in _PLAIN:
        return script(known(text), name)
    why = f"{name} makes other programs run {words[0]}"
    effect = script(known(text), name)
    return msgspec.structs.replace(effect, rule=f"variable.{name}", risk=Risk.UNKNOWN, suggestion=why)


_PLAIN = frozenset({
    "bat", "cat", "ccache", "code", "delta", "diff-so-fancy", "difft", "distcc", "echo", "emacs", "fd", "gpg", "gpg2",
    "head", "less", "lesspipe", "more", "most", "nano", "nvim", "rg", "sccache", "sed", "ssh", "tail", "true", "vi",
    "vim", ":",
})  # fmt: skip
"""Pagers, editors and the like, which people name there; what their arguments do is judged all the same."""


def _compiles(name: str, value: Field) -> Effect | None:
    text = value.text
    return None if text is not None and _COMPILER.fullmatch(text) else _runs(name, value)


def _redirect(name: str, value: Field) -> Effect | None:
    """Where a tool gets things from, or sends them."""
    text = value.text or ""
    if _LOOPBACK.fullmatch(text) or text in names.HARMLESS_VALUES.get(name, ()):
        return None
    return risk(f"variable.{name}", Risk.NETWORK, f"{name} changes where programs connect to or take things from")


def _options(name: str, value: Field) -> Effect | None:
    """Options for a program: what is not known to be harmless is worth a question."""
    words = None if value.text is None else re.split("," if name == "PYTHONWARNINGS" else r"[ \t\n]+", value.text)
    if words is not None and all(not word or names.HARMLESS_OPTIONS[name].fullmatch(word) for word in words):
        return None
    return risk(f"variable.{name}", Risk.UNKNOWN, f"{name} gives options to programs that can make them run others")


def _keeps_files(_name: str, value: Field) -> Effect:
    return write(value)


def _prompt(name: str, value: Field) -> Effect | None:
    if value.text is not None and not re.search(r"[$`]", value.text):
        return None
    return risk(f"variable.{name}", Risk.OPAQUE, f"the shell evaluates {name} whenever it shows it")


def _env(name: str, value: Field) -> Effect | None:
    """`ENV=production` is common; a file is what sh reads first."""
    if value.text is not None and re.fullmatch(r"[A-Za-z0-9_.:-]*", value.text) and not value.text.endswith("sh"):
        return None
    return _ask(name, value)


def _shell(name: str, value: Field) -> Effect | None:
    return None if _SHELL.fullmatch(value.text or "") else _ask(name, value)


def _folders(name: str, value: Field) -> Effect | None:
    """A list of folders with code. Those in the workspace are as good as any code there."""
    entries = _entries(value)
    rest = [entry for entry in entries if entry.pieces != (Unknown(),) and not _is_usual(entry, name)]
    unknown = sum(entry.pieces == (Unknown(),) for entry in entries)
    if not rest and (unknown == 0 or (unknown == 1 and len(entries) > 1)):
        return None
    texts = [entry.text for entry in rest]
    if unknown > 1 or not rest or any(text is None or ".." in text for text in texts):
        return risk(f"variable.{name}", Risk.UNKNOWN, f"{name} names folders with code that are not known")
    if name == "PATH" and not all(_PROJECT_FOLDER.fullmatch(text or ".") for text in texts):
        return risk("variable.PATH", Risk.UNKNOWN, "PATH has programs found in a folder that is not a usual one")
    folder = _common([text or "." for text in texts])
    if folder is None or (name == "PATH" and folder == "."):
        return risk(f"variable.{name}", Risk.UNKNOWN, f"{name} has programs found in the folder they run in")
    return program(known(f"{folder}/*" if name == "PATH" else f"{folder}/any"), name)


def _is_usual(entry: Field, name: str) -> bool:
    """Folders of the system and of tools; for libraries also those of the folder that it runs in."""
    text = entry.text
    if text is None or ".." in text:
        return False
    if name == "PATH":
        return bool(text) and _USUAL_FOLDER.fullmatch(text.rstrip("/")) is not None
    return not text.startswith("/") or text == "/dev/null" or text.startswith(_INSTALLED)


def _entries(value: Field) -> list[Field]:
    """`a:$b:c` -> each of them."""
    entries: list[list[str | Unknown]] = [[]]
    for piece in value.pieces:
        if not isinstance(piece, str):
            entries[-1].append(Unknown())
            continue
        first, *others = piece.split(":")
        entries[-1].append(first)
        entries.extend([other] for other in others)
    return [Field(tuple(entry)) for entry in entries]


def _common(folders: list[str]) -> str | None:
    """The folder that all of them lie in; None when there is none, or it is not known."""
    if len({folder.startswith("/") for folder in folders}) > 1:
        return None
    parts = [[part for part in folder.split("/") if part not in ("", ".")] for folder in folders]
    shared = []
    for level in zip(*parts, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0])
    start = "/" if folders[0].startswith("/") else "./" if shared else "."
    return (start + "/".join(shared)).rstrip("/")


_TABLES: tuple[tuple[frozenset[str], Callable[[str, Field], Effect | None]], ...] = (
    (names.HARMLESS, lambda _name, _value: None),
    (names.FOLDERS_OF_CODE, _folders),
    (frozenset(names.LOADS), _ask),
    (names.RUN, _runs),
    (names.COMPILERS, _compiles),
    (names.REDIRECTS, _redirect),
    (frozenset(names.HARMLESS_OPTIONS), _options),
    (names.KEEPS_FILES, _keeps_files),
    (names.PROMPTS, _prompt),
    (frozenset({"ENV"}), _env),
    (frozenset({"SHELL", "MAKESHELL", "CONFIG_SHELL"}), _shell),
)
