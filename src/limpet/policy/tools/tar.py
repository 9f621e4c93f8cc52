"""`tar` -> what it reads, writes, deletes, runs and reaches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, delete, program, read, risk, script, write
from limpet.policy.options import Option, Parsed, parse_options
from limpet.policy.tools.fieldpaths import HERE, below, has_unclear_option, is_broad, is_remote, join, read_tree
from limpet.policy.tools.running import wary
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule, Spec

_VALUES = "bfgCFHIKLNTVX"
_LONG_VALUES = (
    "--add-file", "--after-date", "--blocking-factor", "--checkpoint-action", "--directory", "--exclude",
    "--exclude-from", "--exclude-ignore", "--exclude-ignore-recursive", "--exclude-tag", "--exclude-tag-all",
    "--exclude-tag-under", "--file", "--files-from", "--format", "--group", "--group-map", "--hole-detection",
    "--index-file", "--info-script", "--label", "--level", "--listed-incremental", "--mode", "--mtime", "--newer",
    "--newer-mtime", "--new-volume-script", "--no-quote-chars", "--owner", "--owner-map", "--pax-option",
    "--quote-chars", "--quoting-style", "--record-size", "--rmt-command", "--rsh-command", "--set-mtime-command",
    "--set-mtime-format", "--sort", "--sparse-version", "--starting-file", "--strip-components", "--suffix",
    "--tape-length", "--to-command", "--transform", "--use-compress-program", "--volno-file", "--warning", "--xform",
    "--xattrs-exclude", "--xattrs-include",
)  # fmt: skip
_LONG_FLAGS = (
    "--absolute-names", "--acls", "--append", "--atime-preserve", "--auto-compress", "--backup", "--bzip2",
    "--catenate", "--check-links", "--checkpoint", "--clamp-mtime", "--compare", "--compress", "--concatenate",
    "--confirmation", "--create", "--delay-directory-restore", "--delete", "--dereference", "--diff",
    "--exclude-backups", "--exclude-caches", "--exclude-vcs", "--exclude-vcs-ignores", "--extract", "--force-local",
    "--full-time", "--get", "--gunzip", "--gzip", "--hard-dereference", "--help", "--ignore-case",
    "--ignore-command-error", "--ignore-failed-read", "--ignore-zeros", "--incremental", "--interactive",
    "--keep-directory-symlink", "--keep-newer-files", "--keep-old-files", "--list", "--lzip", "--lzma", "--lzop",
    "--multi-volume", "--no-recursion", "--no-same-owner", "--no-same-permissions", "--null", "--numeric-owner",
    "--occurrence", "--old-archive", "--one-file-system", "--one-top-level", "--overwrite", "--overwrite-dir",
    "--posix", "--preserve-order", "--preserve-permissions", "--read-full-records", "--recursion",
    "--recursive-unlink", "--remove-files", "--restrict", "--same-order", "--same-owner", "--same-permissions",
    "--seek", "--selinux", "--show-defaults", "--skip-old-files", "--sparse", "--test-label", "--to-stdout",
    "--touch", "--totals", "--uncompress", "--ungzip", "--unlink-first", "--update", "--usage", "--utc", "--verbose",
    "--verify", "--version", "--wildcards", "--xattrs", "--xz", "--zstd",
)  # fmt: skip
_SCRIPTS = (
    "-I", "--use-compress-program", "--to-command", "-F", "--info-script", "--new-volume-script", "--rsh-command",
    "--set-mtime-command",
)  # fmt: skip
_CREATES = ("-c", "--create")
_EXTRACTS = ("-x", "--extract", "--get")
_ADDS = ("-r", "-u", "-A", "--append", "--update", "--catenate", "--concatenate", "--delete")
_LOOKS = ("-t", "-d", "--list", "--diff", "--compare", "--test-label")
_HELPS = ("--help", "--version", "--usage", "--show-defaults", "-?")


def _tar(command: Command) -> Iterator[Effect]:
    arguments = command.arguments
    parsed = _read(arguments)
    known = parsed.has(*_CREATES, *_EXTRACTS, *_ADDS, *_LOOKS, *_HELPS)
    if not known or has_unclear_option(arguments, _VALUES) or any(is_broad(field) for field in arguments[:1]):
        yield risk("tar.unknown", Risk.UNKNOWN, "what it does is not known, and tar can run programs")
    yield from _programs(parsed)
    yield from map(read, parsed.values("-T", "--files-from", "-X", "--exclude-from", "--owner-map", "--group-map"))
    yield from map(write, parsed.values("-g", "--listed-incremental", "--index-file", "--volno-file"))
    yield from _archive(parsed)
    if parsed.has(*_EXTRACTS):
        yield from _extract(parsed)
    elif not parsed.has("--delete", *_LOOKS):
        yield from _add(parsed)


def _read(arguments: Sequence[Field]) -> Parsed:
    """The first word may be letters without a dash; then the values of all of them follow it."""
    first = arguments[0].text if arguments else ""
    if not first or re.fullmatch("[A-Za-z]+", first) is None:
        return parse_options(arguments, values=_VALUES, long_values=_LONG_VALUES, long_flags=_LONG_FLAGS)
    rest = iter(arguments[1:])
    options = [Option(f"-{letter}", next(rest, None) if letter in _VALUES else None) for letter in first]
    parsed = parse_options(tuple(rest), values=_VALUES, long_values=_LONG_VALUES, long_flags=_LONG_FLAGS)
    return Parsed((*options, *parsed.options), parsed.operands)


def _programs(parsed: Parsed) -> Iterator[Effect]:
    for text in parsed.values(*_SCRIPTS):
        yield script(text, "tar")
    for text in parsed.values("--rmt-command"):
        yield program(text, "tar")
    for action in parsed.values("--checkpoint-action"):
        name, equals, value = action.prefix.partition("=")
        if name == "exec" and equals:
            yield script(Field((value, *action.pieces[1:])), "tar --checkpoint-action")
        elif action.text is None and not equals:
            yield risk("tar.unknown", Risk.UNKNOWN, "runs what is not known before it runs")


def _archive(parsed: Parsed) -> Iterator[Effect]:
    """The archive itself, on this machine or another one."""
    local = parsed.has("--force-local")
    effect = write if parsed.has(*_CREATES, *_ADDS) else read
    for file in parsed.values("-f", "--file"):
        if is_remote(file) and not local:
            yield risk("tar.network", Risk.NETWORK, "keeps its archive on another machine")
        elif file.text != "-":
            yield effect(file)


def _folder(parsed: Parsed) -> Field | None:
    folder: Field | None = None
    for each in parsed.values("-C", "--directory"):
        folder = join(folder, each)
    return folder


def _extract(parsed: Parsed) -> Iterator[Effect]:
    if parsed.has("-P", "--absolute-names"):
        yield risk("tar.absolute", Risk.ESCAPES, "writes wherever the archive says, also outside the folder")
    if any(_leads_away(text.text) for text in parsed.values("--transform", "--xform")):
        yield risk("tar.transform", Risk.ESCAPES, "may write outside the folder, under other names")
    if parsed.has("-O", "--to-stdout", "--to-command"):
        return
    folder = _folder(parsed)
    tops = tuple(parsed.values("--one-top-level"))
    yield write(below(join(folder, tops[-1]) if tops else folder or HERE))


def _leads_away(expression: str | None) -> bool:
    """Whether what is put into names begins with a slash, or goes up."""
    if expression is None or ".." in expression or "flags=" in expression:
        return True
    return expression[:1] == "s" and "/" in [part[:1] for part in expression[2:].split(expression[1:2])[1:2]]


def _add(parsed: Parsed) -> Iterator[Effect]:
    folder, removes = _folder(parsed), parsed.has("--remove-files")
    for operand in (*parsed.operands, *parsed.values("--add-file")):
        path = join(folder, operand)
        yield read_tree(path)
        if removes:
            yield delete(path, recursive=True)


TOOLS: dict[str, Spec | Rule] = dict.fromkeys(("tar", "gtar", "bsdtar", "gnutar", "star"), wary(_tar))
