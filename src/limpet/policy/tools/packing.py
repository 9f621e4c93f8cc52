"""`cpio`, `ar`, `jar` and other ways to put many files into one -> what they read, write and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, program, read, risk, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.fieldpaths import HERE, below, beside, is_remote, join, read_tree
from limpet.policy.tools.running import wary
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.tables import texts, writes
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_ABSOLUTE = "writes wherever the archive says, also outside the folder"


def _ar(command: Command) -> Iterator[Effect]:
    """`ar rcs lib.a a.o`; positions and counts stand before the archive."""
    parsed = parse_options(
        command.arguments, long_values=("--plugin", "--target", "--output", "--record-libdeps"),
        long_flags=("--thin", "--help", "--version"),
    )  # fmt: skip
    for plugin in parsed.values("--plugin"):
        yield program(plugin, "ar --plugin")
    dashed = "".join(option.name[1:] for option in parsed.options if len(option.name) == 2)
    operands = parsed.operands
    if not dashed and operands:
        dashed, operands = operands[0].text or "r", operands[1:]
    skipped = sum(letter in dashed for letter in "abiN")
    archive, files = operands[skipped : skipped + 1], operands[skipped + 1 :]
    if "x" in dashed:
        yield from map(read, archive)
        yield write(below(next(parsed.values("--output"), HERE)))
    elif dashed[:1] in ("t", "p"):
        yield from map(read, archive)
    else:
        yield from map(write, archive)
        yield from map(read, () if "d" in dashed or "m" in dashed else files)


_CPIO_LONG_VALUES = (
    "--file", "--format", "--directory", "--pattern-file", "--rsh-command", "--owner", "--io-size", "--block-size",
    "--message", "--warning",
)  # fmt: skip
_CPIO_LONG_FLAGS = (
    "--extract", "--create", "--pass-through", "--list", "--to-stdout", "--no-absolute-filenames", "--make-directories",
    "--absolute-filenames", "--preserve-modification-time", "--verbose", "--unconditional", "--force-local", "--null",
    "--append", "--link", "--rename", "--sparse", "--only-verify-crc",
)  # fmt: skip


def _cpio(command: Command) -> Iterator[Effect]:
    """What it packs it reads from its input by name; what it unpacks goes where the archive says."""
    parsed = parse_options(
        command.arguments, values="CDEFHIMORW", long_values=_CPIO_LONG_VALUES, long_flags=_CPIO_LONG_FLAGS
    )
    folder = next(parsed.values("-D", "--directory"), None)
    for text in parsed.values("--rsh-command"):
        yield script(text, "cpio")
    yield from map(read, parsed.values("-E", "--pattern-file"))
    creates = parsed.has("-o", "--create")
    for file in parsed.values("-F", "--file", "-I", "-O"):
        if is_remote(file) and not parsed.has("--force-local"):
            yield risk("cpio.network", Risk.NETWORK, "keeps its archive on another machine")
        else:
            yield write(file) if creates else read(file)
    if parsed.has("-p", "--pass-through"):
        yield from (write(below(join(folder, operand))) for operand in parsed.operands[-1:])
    elif parsed.has("-i", "--extract") and not parsed.has("-t", "--list", "--to-stdout", "--only-verify-crc"):
        yield write(below(folder or HERE))
        if not parsed.has("--no-absolute-filenames"):
            yield risk("cpio.absolute", Risk.ESCAPES, _ABSOLUTE, suggestion="Add --no-absolute-filenames.")


def _pax(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="bfosxBEGTU")
    reads, creates = parsed.has("-r"), parsed.has("-w")
    for file in parsed.values("-f"):
        yield write(file) if creates else read(file)
    if reads and not creates:
        yield write(below(HERE))
        yield risk("pax.absolute", Risk.ESCAPES, _ABSOLUTE)
    elif creates:
        yield from map(read_tree, parsed.operands[:-1] if reads else parsed.operands)
        yield from (write(below(folder)) for folder in parsed.operands[-1:] if reads)


_JAR_LETTERS = {"--create": "c", "--extract": "x", "--list": "t", "--update": "u", "--generate-index": "i"}


def _jar(command: Command) -> Iterator[Effect]:
    """The first word may be letters; files for `f`, `m` and `e` follow in their order."""
    words = iter(command.arguments)
    if any(field.prefix.startswith(("-J", "@")) for field in command.arguments):
        yield risk("jar.jvm", Risk.UNKNOWN, "passes options to the Java machine, which can load other code")
    first = next(words, HERE).text or ""
    if first.startswith("--"):
        yield from _jar_long(command)
        return
    values = {letter: next(words, None) for letter in first.lstrip("-") if letter in "fme"}
    yield from _jar_effects(first, values.get("f"), values.get("m"), list(words))


def _jar_long(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="fmeCp",
        long_values=("--file", "--manifest", "--main-class", "--module-version", "--dir", "--release"),
        long_flags=(*_JAR_LETTERS, "--verbose", "--no-manifest", "--no-compress", "--describe-module"),
    )  # fmt: skip
    letters = "".join(_JAR_LETTERS.get(option.name, option.name[1:2]) for option in parsed.options)
    file, manifest = (next(parsed.values(*names), None) for names in (("-f", "--file"), ("-m", "--manifest")))
    yield from _jar_effects(letters, file, manifest, list(parsed.operands))


def _jar_effects(letters: str, file: Field | None, manifest: Field | None, words: list[Field]) -> Iterator[Effect]:
    creates = any(letter in letters for letter in "cui")
    if file is not None:
        yield write(file) if creates else read(file)
    if manifest is not None:
        yield read(manifest)
    if "x" in letters:
        yield write(below(HERE))
    elif creates:
        yield from (read_tree(word) for word in words if not word.prefix.startswith("-"))


def _dpkg_deb(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="ZzS", long_values=("--showformat",),
        long_flags=(
            "--extract", "--vextract", "--raw-extract", "--control", "--build", "--contents", "--info", "--field",
            "--fsys-tarfile", "--ctrl-tarfile", "--show", "--root-owner-group", "--no-check", "--nocheck",
        ),
    )  # fmt: skip
    operands = parsed.operands
    if parsed.has("-b", "--build"):
        yield from map(read_tree, operands[:1])
        yield from map(write, operands[1:] or tuple(beside(one, ".deb") for one in operands))
        return
    yield from map(read, operands[:1])
    if parsed.has("-x", "--extract", "-X", "--vextract", "-R", "--raw-extract"):
        yield from (write(below(folder)) for folder in operands[1:2])
    elif parsed.has("-e", "--control"):
        yield from (write(below(folder)) for folder in operands[1:2] or (Field(("DEBIAN",)),))


def _unar(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="opeEi", long_values=("--one-top-level",))
    yield from map(read, parsed.operands[:1])
    yield write(below(next(parsed.values("-o"), HERE)))


def _uudecode(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="o", long_values=("--output-file",))
    yield from map(read, parsed.operands)
    outputs = tuple(parsed.values("-o", "--output-file"))
    yield from map(write, outputs)
    if not outputs and not parsed.has("-p"):
        yield risk("uudecode.absolute", Risk.ESCAPES, _ABSOLUTE, suggestion="Say -o FILE.")


def _unshar(command: Command) -> Iterator[Effect]:
    yield from map(read, parse_options(command.arguments, values="dE").operands)
    yield risk("unshar.runs", Risk.UNKNOWN, "runs its file as a shell script")


TOOLS: dict[str, Spec | Rule] = {
    "unar": _unar,
    "lsar": Spec(),
    "ar": wary(_ar),
    "gcc-ar": wary(_ar),
    "llvm-ar": wary(_ar),
    "cpio": wary(_cpio),
    "bsdcpio": wary(_cpio),
    "pax": _pax,
    "jar": _jar,
    "dpkg-deb": _dpkg_deb,
    "rpm2cpio": Spec(),
    "rpm2archive": Spec(operands="read*"),
    "shar": Spec(options=texts("-n -s -L -l -d -T -g -b") | writes("-o --output-prefix")),
    "unshar": _unshar,
    "uuencode": Spec(operands="read text"),
    "uudecode": _uudecode,
}
