"""Editors and pagers -> the files they are given, and the commands that come with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import code, read, risk, runs_stdin, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.invocation import joined, read_leading, runs_file
from limpet.policy.tools.spec import Spec
from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.options import Option
    from limpet.policy.tools.spec import Rule

_VIM_VALUES = ("-c", "--cmd", "-S", "-s", "-u", "-U", "-i", "-w", "-W", "-T", "-t", "-l", "--listen", "--server",
"--startuptime",
               "--servername", "--remote-expr", "--remote-send")  # fmt: skip
_NOTHING = ("NONE", "NORC", "DEFAULTS", "/dev/null")


def _vim(*, ex: bool = False, view: bool = False) -> Rule:
    def rule(command: Command) -> Iterator[Effect]:
        texts, files, options = _split_vim(command.arguments, ex=ex)
        names = {option.name for option in options}
        if names & {"--version", "--help", "-h"}:
            return
        if texts:
            yield code(joined(texts), "vim")
        for option in options:
            yield from _vim_option(option, command)
        in_ex = ex or "-e" in names or "-E" in names
        if in_ex and not (names & {"-s"} and texts and _quits(texts)):
            yield runs_stdin("vim")
        for field in files:
            if field.text != "-":
                yield read(field) if view or "-R" in names else write(field)

    return rule


def _split_vim(arguments: tuple[Field, ...], *, ex: bool) -> tuple[list[Field], list[Field], list[Option]]:
    """Commands, files and the other options: they may come in any order, and `+cmd` is a command."""
    texts: list[Field] = []
    files: list[Field] = []
    options: list[Option] = []
    silent = ex or any(_is_ex(field.prefix) for field in arguments)
    values = [name for name in _VIM_VALUES if name != "-s"] if silent else _VIM_VALUES
    rest = arguments
    while rest:
        first = rest[0]
        if first.prefix.startswith("+"):
            texts.extend([Field((first.prefix[1:], *first.pieces[1:]), first.many)] if first.text != "+" else [])
            rest = rest[1:]
            continue
        leading = read_leading(rest, values=values, glued="oOp", last=())
        if len(leading.rest) == len(rest):
            files.append(first)
            rest = rest[1:]
            continue
        texts.extend(leading.values("-c", "--cmd"))
        options.extend(leading.options)
        ended = any(field.text == "--" for field in rest[: len(rest) - len(leading.rest)])
        rest = leading.rest
        if ended:
            files.extend(rest)
            break
    return texts, files, options


def _is_ex(option: str) -> bool:
    return option.startswith("-") and not option.startswith("--") and bool(set("eE") & set(option[1:3]))


def _quits(texts: list[Field]) -> bool:
    last = (texts[-1].text or "").strip(": ")
    return last.split("|")[-1].strip() in (
        "q",
        "q!",
        "qa",
        "qa!",
        "wq",
        "wq!",
        "x",
        "x!",
        "wqa",
        "xa",
        "qall",
        "qall!",
        "wqall",
    )


def _vim_option(option: Option, command: Command) -> Iterator[Effect]:
    name, value = option
    settings = name in ("-u", "-U") and value is not None and value.text not in _NOTHING
    if (name in ("-S", "-s", "-l") or settings) and value is not None:
        yield from runs_file(value, command.name or "vim", "vim")
    elif name in ("-w", "-W", "--startuptime") and value is not None:
        yield write(value)
    elif name.startswith("--remote") or name in ("--listen", "--server", "--embed", "--api-info"):
        yield risk(f"{command.name}.remote", Risk.OPAQUE, "controls another editor, or lets others control it")


def _ed(command: Command) -> Iterator[Effect]:
    """ed: what it reads are commands; a file that begins with `!` is one for a shell."""
    parsed = parse_options(command.arguments, values="p", long_values=("--prompt",))
    if parsed.has("-V", "--version", "-h", "--help"):
        return
    for field in parsed.operands:
        text = field.text or ""
        yield from [_spawns(command), script(known(text[1:]), "ed")] if text.startswith("!") else [write(field)]
    yield runs_stdin("ed")


def _spawns(command: Command) -> Effect:
    return risk(f"{command.name}.spawn", Risk.OPAQUE, f"has {command.name} start another program")


def _emacs(command: Command) -> Iterator[Effect]:
    """emacs: code and files of code in any order among the files to edit."""
    values = {"-eval": "code", "-execute": "code", "-e": "code", "-l": "file", "-load": "file", "-script": "file",
              "-x": "file", "-f": "call", "-funcall": "call", "-insert": "read", "-i": "read", "-u": "text",
              "-user": "text",
              "-chdir": "text", "-L": "file", "-directory": "file", "-T": "text", "-title": "text", "-fn": "text",
              "-t": "text",
              "-d": "text", "-init-directory": "file", "-socket-name": "text", "-s": "text",
              "-a": "program"}  # fmt: skip
    if command.name != "emacsclient":
        values = {name: role for name, role in values.items() if name not in ("-e", "-a", "-s")}
    rest = tuple(_single(field) for field in command.arguments)
    while rest:
        leading = read_leading(rest, values=values, clusters=False)
        for name, value in leading.options:
            yield from _emacs_option(values.get(name, ""), value, command)
        if leading.rest and not leading.rest[0].prefix.startswith("+"):
            yield write(leading.rest[0])
        rest = leading.rest[1:]
    if any(field.text in ("--daemon", "--bg-daemon", "-daemon") for field in command.arguments):
        yield risk("emacs.daemon", Risk.PERSISTS, "goes on in the background")


def _single(field: Field) -> Field:
    if field.prefix.startswith("--") and field.text != "--":
        return Field((field.prefix[1:], *field.pieces[1:]), field.many)
    return field


def _emacs_option(role: str, value: Field | None, command: Command) -> Iterator[Effect]:
    if value is None or role in ("", "text"):
        return
    if role == "code":
        yield code(value, "emacs")
    elif role in ("file", "program"):
        yield from runs_file(value, command.name or "emacs", "emacs")
    elif role == "read":
        yield read(value)
    elif value.text not in (
        "batch-byte-compile",
        "batch-byte-recompile-directory",
        "ert-run-tests-batch-and-exit",
        "kill-emacs",
    ):
        yield risk("emacs.call", Risk.OPAQUE, "calls a function of the editor")


def _less(command: Command) -> Iterator[Effect]:
    """less: `+` has commands of its own, among them `!`."""
    parsed = parse_options(
        command.arguments, values="bDhjkKoOpPtTxyz", long_flags=("--help", "--version"),
        long_values=("--log-file", "--LOG-FILE", "--lesskey-file", "--lesskey-src", "--lesskey-content", "--pattern",
        "--prompt",
                     "--tag", "--tag-file", "--tabs", "--window", "--shift", "--jump-target", "--buffers"),
    )  # fmt: skip
    for field in parsed.values("-o", "-O", "--log-file", "--LOG-FILE"):
        yield write(field)
    if parsed.has("-k", "--lesskey-file", "--lesskey-src", "--lesskey-content"):
        yield risk(f"{command.name}.keys", Risk.OPAQUE, "gives keys other meanings, such as running programs")
    for field in parsed.operands:
        if field.prefix.startswith("+"):
            yield from _pager_command(field, command)
        else:
            yield read(field)


def _pager_command(field: Field, command: Command) -> Iterator[Effect]:
    text = (field.text or "").lstrip("+")
    if text.startswith("!"):
        yield _spawns(command)
        yield script(known(text[1:]), f"{command.name} +!")
    elif field.text is None or any(mark in text for mark in "!|#\n") or text[:1] in ("s", "v", "E", ":"):
        yield risk(f"{command.name}.command", Risk.OPAQUE, "has the pager run a command")


def _opens(command: Command) -> Iterator[Effect]:
    """An editor with windows, or whatever the desktop opens a file with."""
    if not command.arguments or command.texts[0] in ("--version", "--help", "-v", "-h"):
        return
    if any(text is not None and "install-extension" in text for text in command.texts):
        yield risk(f"{command.name}.extension", Risk.NETWORK, "installs or removes an extension")
    else:
        yield risk(f"{command.name}.open", Risk.UNKNOWN, "opens a window of another program")


_NANO = Spec(
    operands="write*",
    options={
        "-s": "program", "--speller": "program", "-C": "write", "--backupdir": "write", "-f": "program",
        "--rcfile": "program",
        "-o": "write", "--operatingdir": "write", "-Y": "text", "--syntax": "text", "-T": "text", "--tabsize": "text",
        "-r": "text", "--fill": "text", "-Q": "text", "-X": "text", "-J": "text",
    },
)  # fmt: skip
_WINDOWS = (
    "code", "code-insiders", "codium", "cursor", "windsurf", "zed", "subl", "sublime_text", "atom", "idea", "pycharm",
    "webstorm", "goland", "clion", "gedit", "kate", "kwrite", "mousepad", "xed", "pluma", "notepad", "notepad++",
    "mate",
    "bbedit", "gvim", "mvim", "nautilus", "dolphin", "thunar", "explorer", "explorer.exe", "start", "evince",
    "okular", "eog",
    "feh", "vlc", "mpv", "libreoffice", "soffice", "gimp", "inkscape", "meld", "kdiff3",
)  # fmt: skip

TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(("vi", "vim", "nvim", "rvim", "vim.basic", "vim.tiny", "nvi", "elvis", "vimdiff", "edit", "evim"),
    _vim()),
    **dict.fromkeys(("view", "rview"), _vim(view=True)),
    **dict.fromkeys(("ex",), _vim(ex=True)),
    **dict.fromkeys(("ed", "red"), _ed),
    **dict.fromkeys(("nano", "pico", "rnano"), _NANO),
    **dict.fromkeys(("joe", "jed", "mcedit", "micro", "hx", "helix", "kak", "ne", "mg", "zile", "tilde"), Spec(
        operands="write*", options={"-c": "ask:runs a command of the editor", "-e": "ask:runs a command of the editor"},
    )),
    **dict.fromkeys(("emacs", "emacsclient", "emacs-nox", "xemacs"), _emacs),
    **dict.fromkeys(("less", "zless", "more", "most", "pg", "lv"), _less),
    **dict.fromkeys(_WINDOWS, _opens),
}  # fmt: skip
