"""Tools that make, empty, delete and change files -> what they do to which."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, change, code, delete, read, risk, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.copying import gives_rights, setuid_risk
from limpet.policy.tools.fieldpaths import ALL, child, has_unclear_option
from limpet.policy.tools.running import wary
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.tables import texts, writes
from limpet.syntax.values.field import Field, Pattern, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule


def _remove(command: Command) -> Iterator[Effect]:
    flags = (
        "--dir", "--force", "--help", "--interactive", "--no-preserve-root", "--one-file-system", "--preserve-root",
        "--recursive", "--verbose", "--version",
    )  # fmt: skip
    parsed = parse_options(command.arguments, long_flags=flags)
    recursive = parsed.has("-r", "-R", "--recursive") or has_unclear_option(command.arguments)
    if parsed.has("--no-preserve-root"):
        yield risk("rm.no-preserve-root", Risk.DESTROYS, "takes away the guard of the root folder")
    for operand in parsed.operands:
        yield delete(operand, recursive=recursive)


def _shred(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="ns", long_values=("--iterations", "--size", "--random-source"),
        long_flags=("--exact", "--force", "--remove", "--verbose", "--zero", "--help", "--version"),
    )  # fmt: skip
    yield from map(read, parsed.values("--random-source"))
    yield from map(write, parsed.operands)
    if parsed.has("-u", "--remove") or has_unclear_option(command.arguments, "ns"):
        yield from map(delete, parsed.operands)


_CHANGE_FLAGS = (
    "--changes", "--dereference", "--no-dereference", "--no-preserve-root", "--preserve-root", "--quiet", "--recursive",
    "--silent", "--verbose", "--help", "--version",
)  # fmt: skip


def _chmod(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, long_values=("--reference",), long_flags=_CHANGE_FLAGS)
    dashed = "".join(option.name[1:] for option in parsed.options if re.fullmatch("-[rwxXstugoa0-7,+=]", option.name))
    files = parsed.operands
    mode = f"-{dashed}"
    if not dashed and not parsed.has("--reference"):
        mode, files = (files[0].text or "" if files else ""), files[1:]
    if gives_rights(mode):
        yield setuid_risk("chmod")
    yield from _changes(parsed, files, unclear=has_unclear_option(command.arguments))


def _changes(parsed: Parsed, files: tuple[Field, ...], *, unclear: bool) -> Iterator[Effect]:
    recursive = unclear or parsed.has("-R", "--recursive")
    for file in files:
        yield change(file, recursive=recursive)


def _changer(*, first: bool, values: str = "", long_values: str = "", instead: str = "") -> Rule:
    """A tool whose first operand is what to change, unless an option of `instead` says that, and the rest are files."""

    def describe(command: Command) -> Iterator[Effect]:
        longs = long_values.split()
        parsed = parse_options(command.arguments, values=values, long_values=longs, long_flags=_CHANGE_FLAGS)
        yield from map(read, parsed.values("--reference", "--set-file", "--modify-file", "--remove-file", "-M", "-X"))
        if parsed.has("--restore"):
            yield risk(f"{command.name}.restore", Risk.ESCAPES, "changes whichever files a list names")
        files = parsed.operands[1:] if first and not parsed.has(*instead.split()) else parsed.operands
        yield from _changes(parsed, files, unclear=has_unclear_option(command.arguments, values))

    return describe


def _chattr(command: Command) -> Iterator[Effect]:
    """Attributes begin with a sign, and a minus is one of the signs."""
    parsed = parse_options(command.arguments, values="vp")
    files = tuple(field for field in parsed.operands if not re.match("[+=][A-Za-z]*$", field.prefix))
    yield from _changes(parsed, files, unclear=has_unclear_option(command.arguments, "vp"))


_DD_HARMLESS = frozenset({
    "bs", "cbs", "conv", "count", "files", "fillchar", "ibs", "iflag", "iseek", "msgfmt", "obs", "oflag", "oseek",
    "progress", "seek", "skip", "speed", "status",
})  # fmt: skip


def _dd(command: Command) -> Iterator[Effect]:
    for field in command.arguments:
        key, equals, value = field.prefix.partition("=")
        path = Field((value, *field.pieces[1:]), field.many)
        if equals and key == "if":
            yield read(path)
        elif equals and key == "of":
            yield write(path)
        elif not (equals and key in _DD_HARMLESS) and key not in ("--", "--help", "--version"):
            yield risk("dd.operand", Risk.UNKNOWN, "part of what dd reads or writes is not known")


def _mktemp(command: Command) -> Iterator[Effect]:
    """Without a folder of its own choice it makes a file in the system's temporary folder, as everybody does."""
    flags = ("--directory", "--dry-run", "--quiet", "--tmpdir", "--help", "--version")
    parsed = parse_options(command.arguments, values="p", long_values=("--suffix",), long_flags=flags)
    folders = tuple(parsed.values("-p", "--tmpdir"))
    if parsed.has("-u", "--dry-run") or (parsed.has("-t", "--tmpdir", "-p") and not folders):
        return
    templates = parsed.operands or (known("tmp.XXXXXXXXXX"),) if folders else parsed.operands
    for template in templates:
        yield write(child(folders[-1], template) if folders else template)


def _split(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="abClnt",
        long_values=(
            "--additional-suffix", "--bytes", "--filter", "--line-bytes", "--lines", "--number", "--separator",
            "--suffix-length",
        ),
        long_flags=("--elide-empty-files", "--hex-suffixes", "--numeric-suffixes", "--unbuffered", "--verbose"),
    )  # fmt: skip
    yield from map(read, parsed.operands[:1])
    filters = tuple(parsed.values("--filter"))
    for text in filters:
        yield script(text, "split")
    for prefix in parsed.operands[1:] or (known("x"),):
        if not filters:
            yield write(_starting_with(prefix))


def _csplit(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="bfn", long_values=("--digits", "--prefix", "--suffix-format"),
        long_flags=("--elide-empty-files", "--keep-files", "--quiet", "--silent", "--suppress-matched"),
    )  # fmt: skip
    yield from map(read, parsed.operands[:1])
    prefixes = tuple(parsed.values("-f", "--prefix")) or (known("xx"),)
    suffixes = tuple(parsed.values("-b", "--suffix-format"))
    yield write(Field((*prefixes[-1].pieces, *suffixes[-1].pieces)) if suffixes else _starting_with(prefixes[-1]))


def _starting_with(prefix: Field) -> Field:
    return Field((*prefix.pieces, Pattern(ALL)), prefix.many)


def _mknod(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="m", long_values=("--mode",), long_flags=("--context",))
    yield from map(write, parsed.operands[:1])
    if len(parsed.operands) < 2 or parsed.operands[1].text != "p":
        yield risk("mknod.device", Risk.PRIVILEGE, "makes a file that stands for a device")


def _rename(command: Command) -> Iterator[Effect]:
    """Two tools share the name: one takes two plain texts, the other Perl code that is run for each name."""
    parsed = parse_options(
        command.arguments, values="eE", long_values=("--expr",),
        long_flags=(
            "--verbose", "--no-act", "--force", "--symlink", "--no-overwrite", "--all", "--last", "--interactive",
        ),
    )  # fmt: skip
    expressions = tuple(parsed.values("-e", "-E", "--expr"))
    files = parsed.operands
    if not expressions and files:
        plain = re.fullmatch("[A-Za-z0-9._ -]*", files[0].text or "*") is not None and len(files) > 2
        expressions, files = ((), files[2:]) if plain else (files[:1], files[1:])
    for text in expressions:
        if not _only_replaces(text.text or ""):
            yield code(text, "perl")
        if _moves(text.text or ""):
            yield risk("rename.moves", Risk.ESCAPES, "moves files to other folders")
    for file in files:
        yield write(file)


def _only_replaces(text: str) -> bool:
    """Whether it is one plain substitution, in which nothing is evaluated."""
    plain = re.fullmatch("(s/[^/]+/[^/]*/[gimsx]*|(y|tr)/[^/]+/[^/]*/[cdsr]*);?", text) is not None
    return plain and not any(mark in text for mark in ("@", "`", "${", "$$", "(?", "\n"))


def _moves(text: str) -> bool:
    """Whether a slash stands in what is put in, not only around it."""
    return "\\/" in text or (re.match("(s|y|tr)/", text) is None and "/" in text)


TOOLS: dict[str, Spec | Rule] = {
    "rm": _remove,
    "grm": _remove,
    "rmdir": Spec(operands="delete*", flags="--ignore-fail-on-non-empty --parents --verbose"),
    "unlink": Spec(operands="delete*"),
    "trash": Spec(operands="delete-tree*"),
    "trash-put": Spec(operands="delete-tree*", options={"--trash-dir": "write"}),
    **dict.fromkeys(("shred", "wipe"), _shred),
    "mkdir": Spec(operands="write*", options={"-m": "text", "--mode": "text"}, flags="--parents --verbose --context"),
    "mktemp": _mktemp,
    "tempfile": Spec(operands="text*", options=texts("-m -p -s") | writes("-d -n")),
    "touch": Spec(
        operands="write*",
        options={
            "-d": "text", "--date": "text", "-r": "read", "--reference": "read", "-t": "text", "--time": "text",
            "-A": "text",
        },
        flags="--no-create --no-dereference",
    ),
    "truncate": Spec(
        operands="write*", options={"-r": "read", "--reference": "read", "-s": "text", "--size": "text"},
        flags="--no-create --io-blocks",
    ),
    "fallocate": Spec(
        operands="write*", options={"-l": "text", "--length": "text", "-o": "text", "--offset": "text"},
        flags="--collapse-range --dig-holes --insert-range --keep-size --punch-hole --posix --zero-range --verbose",
    ),
    "mkfifo": Spec(operands="write*", options={"-m": "text", "--mode": "text"}, flags="--context"),
    "mknod": _mknod,
    "tee": Spec(operands="write*", flags="--append --ignore-interrupts --output-error"),
    "sponge": Spec(operands="write*"),
    "split": wary(_split),
    "csplit": _csplit,
    **dict.fromkeys(("dd", "dcfldd", "dc3dd"), _dd),
    "sync": Spec(operands="text*"),
    "chmod": _chmod,
    "chown": _changer(first=True, long_values="--from --reference", instead="--reference"),
    "chgrp": _changer(first=True, long_values="--from --reference", instead="--reference"),
    "chflags": _changer(first=True),
    "chcon": _changer(
        first=True, values="urtl", long_values="--reference --user --role --type --range",
        instead="--reference -u --user -r --role -t --type -l --range",
    ),
    "restorecon": _changer(first=False, values="ef", long_values="--restore"),
    "setfacl": _changer(
        first=False, values="mxMX",
        long_values="--modify --remove --set --set-file --modify-file --remove-file --restore",
    ),
    "setfattr": _changer(first=False, values="nvx", long_values="--name --value --remove --restore"),
    "chattr": _chattr,
    "rename": _rename,
    "prename": _rename,
    "perl-rename": _rename,
    "file-rename": _rename,
}  # fmt: skip
