"""`zip`, `7z`, `rar` -> what they read, write, delete and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, delete, read, risk, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.fieldpaths import HERE, begin, below, beside, read_tree
from limpet.policy.tools.running import wary
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.tables import texts, writes
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_ABSOLUTE = "writes wherever the archive says, also outside the folder"


def _glued(field: Field, start: str) -> Field:
    """The value that is glued to an option."""
    return Field((field.prefix[len(start) :], *field.pieces[1:]), field.many)


def _zip(command: Command) -> Iterator[Effect]:
    """Its short options have one letter or two, so no cluster is taken apart further than needed."""
    operands: list[Field] = []
    moves = False
    words = iter(command.arguments)
    for field in words:
        start = field.prefix
        if not start.startswith("-") or field.text == "-":
            operands.append(field)
        elif start.startswith("--"):
            yield from _zip_long(field, words)
            moves = moves or start == "--move"
        else:
            yield from _zip_short(field, words)
            moves = moves or "m" in start.partition("=")[0] or field.text is None
    yield from _zip_operands(operands, moves=moves)


def _zip_long(field: Field, words: Iterator[Field]) -> Iterator[Effect]:
    name, equals, _ = field.prefix.partition("=")
    roles = {"--unzip-command": "run", "--out": "write", "--output-file": "write", "--logfile-path": "write",
             "--temp-path": "write", "--password": "", "--suffixes": "", "--split-size": "", "--from-date": "",
             "--before-date": "", "--compression-method": ""}  # fmt: skip
    full = next((each for each in roles if len(name) > 4 and each.startswith(name)), None)
    if full is None:
        return
    value = _glued(field, f"{name}=") if equals else next(words, None)
    if value is not None and roles[full]:
        yield script(value, "zip -TT") if roles[full] == "run" else write(value)


def _zip_short(field: Field, words: Iterator[Field]) -> Iterator[Effect]:
    letters = field.prefix[1:]
    if "TT" in letters:
        glued = _glued(field, field.prefix[: field.prefix.index("TT") + 2])
        value = begin(glued, glued.prefix.removeprefix("=")) if glued.pieces else next(words, None)
        if value is not None:
            yield script(value, "zip -TT")
    elif letters.endswith(("O", "lf", "b")):
        yield from (write(value) for value in (next(words, None),) if value is not None)
    elif letters.endswith(("P", "n", "t", "tt", "s", "Z")):
        next(words, None)


def _zip_operands(operands: list[Field], *, moves: bool) -> Iterator[Effect]:
    for index, field in enumerate(operands):
        if index == 0:
            plain = field.text is not None and "." not in field.text.rpartition("/")[2] and field.text != "-"
            yield write(beside(field, ".zip") if plain else field)
            continue
        yield read_tree(field)
        if moves:
            yield delete(field, recursive=True)


def _unzip(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="dPOI")
    yield from map(read, parsed.operands[:1])
    if parsed.has("-:"):
        yield risk("unzip.absolute", Risk.ESCAPES, _ABSOLUTE)
    if not parsed.has("-l", "-t", "-p", "-c", "-v", "-z", "-Z", "-h", "--help", "--version") and parsed.operands:
        yield write(below(next(parsed.values("-d"), HERE)))


def _seven(command: Command) -> Iterator[Effect]:
    """`7z`: a letter says what to do, values are glued to their options."""
    parsed = parse_options(command.arguments, single_dash=True)
    verb, files = (parsed.operands[0].text, parsed.operands[1:]) if parsed.operands else ("", ())
    options = [field for field in command.arguments if field.prefix.startswith("-")]
    if any(field.prefix.startswith("-spf") for field in options):
        yield risk("7z.absolute", Risk.ESCAPES, _ABSOLUTE)
    if verb is None:
        yield risk("7z.unknown", Risk.UNKNOWN, "what it does is not known before it runs")
    yield from (write(_glued(field, "-w")) for field in options if field.prefix.startswith("-w") and field.text != "-w")
    writes_archive = verb in ("a", "u", "d", "rn")
    yield from map(write if writes_archive else read, files[:1])
    if verb in ("x", "e") and not any(field.text == "-so" for field in options):
        folders = [_glued(field, "-o") for field in options if field.prefix.startswith("-o")]
        yield write(below(folders[-1] if folders else HERE))
    for file in files[1:] if verb in ("a", "u") else ():
        yield read_tree(_glued(file, "@") if file.prefix.startswith("@") else file)
        if any(field.text == "-sdel" for field in options):
            yield delete(file, recursive=True)


def _rar(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, single_dash=True)
    verb, files = (parsed.operands[0].text, parsed.operands[1:]) if parsed.operands else ("", ())
    options = [field for field in command.arguments if field.prefix.startswith("-")]
    if verb is None:
        yield risk("rar.unknown", Risk.UNKNOWN, "what it does is not known before it runs")
    yield from (write(_glued(field, "-ilog")) for field in options if field.prefix.startswith("-ilog"))
    unpacks = verb in ("x", "e")
    yield from map(read if unpacks or (verb or "")[:1] in ("l", "v", "t", "p") else write, files[:1])
    if unpacks:
        folders = [_glued(field, "-op") for field in options if field.prefix.startswith("-op")]
        folders += [field for field in files[-1:] if len(files) > 1 and field.suffix.endswith("/")]
        yield write(below(folders[-1] if folders else HERE))
    for file in files[1:] if verb in ("a", "m", "u", "f", "mf") else ():
        yield read_tree(file)
        if verb in ("m", "mf") or any(field.text in ("-df", "-dr", "-dw") for field in options):
            yield delete(file, recursive=True)


TOOLS: dict[str, Spec | Rule] = {
    "zip": wary(_zip),
    "unzip": _unzip,
    "zipinfo": Spec(operands="read text*"),
    "zipgrep": Spec(operands="text read text*"),
    "zipdetails": Spec(),
    "zipnote": Spec(operands="write*"),
    "zipcloak": Spec(operands="write*"),
    "zipsplit": Spec(options=texts("-n -r") | writes("-b"), operands="read*"),
    "funzip": Spec(),
    "7z": _seven,
    "7za": _seven,
    "7zr": _seven,
    "7zz": _seven,
    "p7zip": Spec(operands="write*"),
    "rar": _rar,
    "unrar": _rar,
}  # fmt: skip
