"""`gzip` and its kin -> which files they replace."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from limpet.policy.effect import Effect, delete, read, write
from limpet.policy.options import Parsed, parse_options
from limpet.policy.tools.fieldpaths import below, beside
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.tables import texts
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule


class _Kind(NamedTuple):
    """How one of these tools differs from the others."""

    suffix: str
    values: str = ""
    """Letters that take a value."""
    long_values: tuple[str, ...] = ()
    unpacks: bool = False
    keeps: bool = False
    """It leaves the files it was given, unless an option of `removes` says otherwise."""
    removes: tuple[str, ...] = ()
    second_is_output: bool = False
    outputs: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    """Options that name a folder for what it writes."""
    reads: tuple[str, ...] = ()


_FLAGS = (
    "--stdout", "--to-stdout", "--decompress", "--uncompress", "--compress", "--keep", "--test", "--list",
    "--recursive", "--force", "--quiet", "--verbose", "--name", "--no-name", "--fast", "--best", "--rm",
    "--license",
)  # fmt: skip
_PRINTS = ("-c", "--stdout", "--to-stdout", "-t", "--test", "-l", "--list")


def _compresses(kind: _Kind) -> Rule:
    def describe(command: Command) -> Iterator[Effect]:
        parsed = parse_options(
            command.arguments, values=kind.values, long_values=kind.long_values, long_flags=_FLAGS
        )  # fmt: skip
        operands = parsed.operands
        given = tuple(parsed.values(*kind.outputs))
        if kind.second_is_output and not parsed.has("-m", "--multiple") and len(operands) > 1:
            operands, given = operands[:1], (*given, *operands[1:])
        yield from map(read, parsed.values(*kind.reads))
        yield from map(write, given)
        files = tuple(operand for operand in operands if operand.text != "-")
        yield from map(read, files)
        if not parsed.has(*_PRINTS):
            yield from _written(kind, parsed, files, named=bool(given))
            yield from _taken(kind, parsed, files)

    return describe


def _written(kind: _Kind, parsed: Parsed, files: tuple[Field, ...], *, named: bool) -> Iterator[Effect]:
    folder = next(parsed.values(*kind.folders), None)
    if folder is not None:
        yield write(below(folder))
    elif parsed.has("-r", "--recursive"):
        yield from (write(below(file)) for file in files)
    elif not named:
        unpacks = kind.unpacks or parsed.has("-d", "--decompress", "--uncompress")
        yield from (write(_unpacked(file) if unpacks else beside(file, kind.suffix)) for file in files)


def _taken(kind: _Kind, parsed: Parsed, files: tuple[Field, ...]) -> Iterator[Effect]:
    """The files it was given are gone afterwards."""
    if parsed.has(*kind.removes) if kind.keeps else not parsed.has("-k", "--keep"):
        tree = parsed.has("-r", "--recursive")
        yield from (delete(below(file) if tree else file) for file in files)


def _unpacked(file: Field) -> Field:
    """The name without what packing put behind it."""
    cut = next((end for end in _ENDS if file.suffix.endswith(end) and file.suffix != end), "")
    if not cut:
        return file
    return Field((*file.pieces[:-1], file.suffix[: -len(cut)]), file.many)


_ENDS = (".gz", ".bz2", ".xz", ".lzma", ".zst", ".lz4", ".Z", ".br", ".lzo", ".lz", ".z")

_GZIP = _Kind(".gz", "bS", ("--suffix", "--bits"))
_PIGZ = _Kind(".gz", "bSpAIJ", ("--suffix", "--processes", "--blocksize", "--alias", "--comment", "--iterations"))
_BZIP2 = _Kind(".bz2")
_PBZIP2 = _Kind(".bz2", "bmpS")
_XZ = _Kind(
    ".xz", "TFCMS",
    ("--threads", "--format", "--check", "--memory", "--memlimit", "--suffix", "--block-size", "--block-list",
     "--flush-timeout", "--memlimit-compress", "--memlimit-decompress", "--memlimit-mt-decompress"),
)  # fmt: skip
_ZSTD = _Kind(
    ".zst", "oDTMB",
    ("--output-dir-flat", "--output-dir-mirror", "--filelist", "--patch-from", "--memory", "--stream-size",
     "--size-hint", "--trace", "--maxdict", "--dictID", "--threads", "--format"),
    keeps=True, removes=("--rm",), outputs=("-o", "--trace"), folders=("--output-dir-flat", "--output-dir-mirror"),
    reads=("-D", "--filelist", "--patch-from"),
)  # fmt: skip
_LZ4 = _Kind(".lz4", "D", keeps=True, removes=("--rm",), second_is_output=True, reads=("-D",))
_BROTLI = _Kind(
    ".br", "oqwSDC", ("--output", "--quality", "--lgwin", "--suffix", "--dictionary", "--comment", "--large_window"),
    keeps=True, removes=("-j", "--rm"), outputs=("-o", "--output"), reads=("-D", "--dictionary"),
)  # fmt: skip
_LZOP = _Kind(
    ".lzo", "opS", ("--output", "--path", "--suffix"), keeps=True, removes=("-U", "--unlink", "--delete"),
    outputs=("-o", "--output"), folders=("-p", "--path"),
)  # fmt: skip
_LZIP = _Kind(
    ".lz", "obmsSBn",
    ("--output", "--member-size", "--match-length", "--dictionary-size", "--volume-size", "--threads"),
    outputs=("-o", "--output"),
)  # fmt: skip
_PRINTED = Spec(options=texts("-S --suffix -T --threads -M --memlimit"))

TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(
        ("zcat", "gzcat", "bzcat", "xzcat", "lzcat", "zstdcat", "lz4cat", "lzopcat", "zless", "zmore", "bzless",
         "bzmore", "xzless", "xzmore", "lzless", "lzmore", "zstdless", "zdiff", "zcmp", "bzdiff", "bzcmp", "xzdiff",
         "xzcmp", "bsdcat", "zstdmore"),
        _PRINTED,
    ),
    "gzip": _compresses(_GZIP),
    "gunzip": _compresses(_GZIP._replace(unpacks=True)),
    "pigz": _compresses(_PIGZ),
    "unpigz": _compresses(_PIGZ._replace(unpacks=True)),
    "bzip2": _compresses(_BZIP2),
    "bunzip2": _compresses(_BZIP2._replace(unpacks=True)),
    "pbzip2": _compresses(_PBZIP2),
    "lbzip2": _compresses(_PBZIP2._replace(values="bmnSu")),
    "xz": _compresses(_XZ),
    "unxz": _compresses(_XZ._replace(unpacks=True)),
    "pixz": _compresses(_XZ._replace(second_is_output=True)),
    "lzma": _compresses(_XZ._replace(suffix=".lzma")),
    "unlzma": _compresses(_XZ._replace(suffix=".lzma", unpacks=True)),
    "zstd": _compresses(_ZSTD),
    "zstdmt": _compresses(_ZSTD),
    "pzstd": _compresses(_ZSTD),
    "unzstd": _compresses(_ZSTD._replace(unpacks=True)),
    "lz4": _compresses(_LZ4),
    "unlz4": _compresses(_LZ4._replace(unpacks=True)),
    "brotli": _compresses(_BROTLI),
    "unbrotli": _compresses(_BROTLI._replace(unpacks=True)),
    "lzop": _compresses(_LZOP),
    "lzip": _compresses(_LZIP),
    "lunzip": _compresses(_LZIP._replace(unpacks=True)),
    "plzip": _compresses(_LZIP),
    "compress": _compresses(_Kind(".Z", "b")),
    "uncompress": _compresses(_Kind(".Z", "b", unpacks=True)),
    "gzexe": Spec(operands="write*"),
    "zforce": Spec(operands="write*"),
    "znew": Spec(operands="write*"),
}  # fmt: skip
