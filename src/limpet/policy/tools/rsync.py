"""`rsync` -> what it copies where, deletes there, runs and reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, delete, read, risk, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.fieldpaths import below, has_unclear_option, is_broad, is_remote, read_tree
from limpet.policy.tools.running import wary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule, Spec
    from limpet.syntax.values.field import Field

_SHORT_VALUES = "efBTM@"
_READS = (
    "--exclude-from", "--include-from", "--files-from", "--compare-dest", "--copy-dest", "--link-dest",
    "--password-file", "--read-batch", "--early-input", "--config",
)  # fmt: skip
_WRITES = ("-T", "--temp-dir", "--partial-dir", "--backup-dir", "--log-file", "--write-batch", "--only-write-batch")
_RUNS = ("-e", "--rsh", "--rsync-path")
_OTHER_VALUES = (
    "--filter", "--exclude", "--include", "--log-file-format", "--out-format", "--suffix", "--chmod", "--chown",
    "--usermap", "--groupmap", "--timeout", "--contimeout", "--port", "--sockopts", "--bwlimit", "--max-size",
    "--min-size", "--max-delete", "--max-alloc", "--modify-window", "--compress-choice", "--compress-level",
    "--skip-compress", "--info", "--debug", "--stop-after", "--stop-at", "--time-limit", "--protocol", "--iconv",
    "--checksum-seed", "--checksum-choice", "--address", "--outbuf", "--block-size", "--remote-option", "--copy-as",
    "--dparam", "--zc", "--zl", "--cc",
)  # fmt: skip
_DELETES = (
    "--delete", "--del", "--delete-before", "--delete-during", "--delete-delay", "--delete-after", "--delete-excluded",
    "--delete-missing-args",
)  # fmt: skip
_FLAGS = (
    *_DELETES, "--daemon", "--dry-run", "--remove-source-files", "--remove-sent-files", "--recursive", "--archive",
    "--compress", "--verbose", "--progress", "--partial", "--backup", "--update", "--force", "--links", "--list-only",
    "--checksum", "--relative", "--ignore-existing", "--existing", "--inplace", "--stats", "--help", "--version",
    "--copy-links", "--group",
)  # fmt: skip


def _rsync(command: Command) -> Iterator[Effect]:
    longs = [name for name in (*_READS, *_WRITES, *_RUNS, *_OTHER_VALUES) if name.startswith("--")]
    parsed = parse_options(command.arguments, values=_SHORT_VALUES, long_values=longs, long_flags=_FLAGS)
    yield from _risks(command, parsed)
    for text in parsed.values(*_RUNS):
        yield script(text, "rsync")
    yield from map(read, parsed.values(*_READS))
    yield from map(write, parsed.values(*_WRITES))
    yield from _transfer(parsed)


def _risks(command: Command, parsed: Parsed) -> Iterator[Effect]:
    if parsed.has("--daemon"):
        yield risk("rsync.daemon", Risk.NETWORK, "offers files to the network")
    if has_unclear_option(command.arguments, _SHORT_VALUES):
        yield risk("rsync.option", Risk.UNKNOWN, "one of its options is not known")
    if any(_is_elsewhere(field) for field in (*parsed.operands, *parsed.values("--files-from"))):
        yield risk("rsync.network", Risk.NETWORK, "copies files to or from another machine")


def _is_elsewhere(path: Field) -> bool:
    return is_remote(path) or path.prefix.startswith("rsync://")


def _transfer(parsed: Parsed) -> Iterator[Effect]:
    several = len(parsed.operands) > 1 or any(is_broad(operand) for operand in parsed.operands)
    sources, targets = (parsed.operands[:-1], parsed.operands[-1:]) if several else (parsed.operands, ())
    dry = parsed.has("-n", "--dry-run", "--list-only")
    moves = parsed.has("--remove-source-files", "--remove-sent-files") and not dry
    for source in sources:
        if not _is_elsewhere(source):
            yield read_tree(source)
            if moves:
                yield delete(source, recursive=True)
    for target in targets:
        if not _is_elsewhere(target) and not dry:
            yield write(below(target) if target.suffix.endswith("/") or target.text in (".", "..") else target)
            if parsed.has(*_DELETES):
                yield delete(target, recursive=True)


TOOLS: dict[str, Spec | Rule] = {"rsync": wary(_rsync)}
