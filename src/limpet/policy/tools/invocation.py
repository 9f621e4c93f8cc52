"""Arguments of an interpreter -> its own options, and what is meant for the code that it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, program, risk, runs_stdin
from limpet.policy.options import Option
from limpet.syntax.values.field import UNKNOWN, Field, Pattern, Piece, known

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_STDIN = ("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/proc/fd/0")


class Leading(NamedTuple):
    """The options before the first operand, and everything from there on."""

    options: tuple[Option, ...]
    rest: tuple[Field, ...]
    unread: tuple[Field, ...] = ()
    """Options that are not known, since a part of them is computed."""

    def has(self, *names: str) -> bool:
        """Whether any of these options is given."""
        return any(option.name in names for option in self.options)

    def values(self, *names: str) -> list[Field]:
        """The values of these options, in order."""
        return [option.value for option in self.options if option.name in names and option.value is not None]


def read_leading(
    arguments: Sequence[Field], *, values: Collection[str] = (), glued: str = "", last: Collection[str] = (),
    clusters: bool = True, plus: bool = False,
) -> Leading:  # fmt: skip
    """Read options up to the first operand.

    `values`: options with a value, as `-c` or `--eval`; `glued`: letters whose value, if any, is glued to them, as in
    `-i.bak`; `last`: options behind which everything belongs to the code; `clusters`: one dash may have several
    letters; `plus`: options may begin with a plus sign.
    """
    options: list[Option] = []
    unread: list[Field] = []
    at = 0
    while at < len(arguments):
        field = arguments[at]
        if field.text == "--":
            at += 1
            break
        if field.text == "-" or not field.prefix.startswith(("-", "+") if plus else "-"):
            break
        at += 1
        found, used, sure = _read(field, arguments[at : at + 1], values, glued, clusters=clusters)
        options.extend(found)
        unread.extend([] if sure else [field])
        at += used
        if found and found[-1].name in last:
            break
    return Leading(tuple(options), tuple(arguments[at:]), tuple(unread))


def _read(
    field: Field, following: Sequence[Field], values: Collection[str], glued: str, *, clusters: bool
) -> tuple[list[Option], int, bool]:
    """The options of one word, how many words more they take, and whether all of that is known."""
    start, rest = field.prefix, field.pieces[1:]
    name, equals, value = start.partition("=")
    if start.startswith("--") or not clusters:
        if equals:
            return [Option(name, Field((value, *rest), field.many))], 0, True
        if name in values and not rest:
            return [Option(name, following[0] if following else known(""))], min(len(following), 1), True
        return [Option(name)], 0, not rest
    return _cluster(field, following, values, glued)


def _cluster(
    field: Field, following: Sequence[Field], values: Collection[str], glued: str
) -> tuple[list[Option], int, bool]:
    found: list[Option] = []
    sign, letters = field.prefix[:1], field.prefix[1:]
    for index, letter in enumerate(letters):
        name, behind = sign + letter, letters[index + 1 :]
        if letter in glued:
            found.append(Option(name, Field((behind, *field.pieces[1:]), field.many)))
            return found, 0, True
        if name in values:
            if behind or len(field.pieces) > 1:
                return [*found, Option(name, Field((behind, *field.pieces[1:]), field.many))], 0, True
            return [*found, Option(name, following[0] if following else known(""))], min(len(following), 1), True
        found.append(Option(name))
    return found, 0, len(field.pieces) == 1


def unread_options(leading: Leading, name: str | None) -> Iterator[Effect]:
    """A question for each option that nobody can read."""
    for _ in leading.unread:
        yield risk(f"{name}.option", Risk.OPAQUE, f"an option of {name} is not known before it runs")


def runs_file(field: Field, by: str, language: str, main: str = "") -> Iterator[Effect]:
    """Runs the code of a file, which is as good as its place; `main` is the file that is run in a folder."""
    text = field.text
    if text in _STDIN:
        yield runs_stdin(language)
        return
    if field.pieces in ((UNKNOWN,), ("/dev/fd/", UNKNOWN)):
        # It is, or may be, a process substitution: then what another command writes is run.
        yield runs_stdin(language)
    yield program(placed(field, main), by)


def matched(field: Field) -> Field:
    """A glob as a path: the files that it matches lie where it says."""
    if not any(isinstance(piece, Pattern) for piece in field.pieces) or UNKNOWN in field.pieces:
        return field
    texts = (piece.text.replace("\\", "") if isinstance(piece, Pattern) else piece for piece in field.pieces)
    return known("".join(text for text in texts if isinstance(text, str)))


def placed(field: Field, main: str = "") -> Field:
    """A file as a path that no search for programs takes for a name; a glob stands for whatever it matches."""
    field = matched(field)
    text = field.text
    if text is not None and text.rstrip("/") in (".", "..", "") and main:
        return known(f"{text.rstrip('/') or '.'}/{main}")
    if isinstance(field.pieces[0] if field.pieces else "", Pattern) or (field.prefix and "/" not in field.prefix):
        return Field(("./", *field.pieces), field.many)
    return field


def joined(fields: Sequence[Field], between: str = "\n") -> Field:
    """Several texts as one."""
    pieces: list[Piece] = []
    for index, field in enumerate(fields):
        pieces.extend([between] if index else [])
        pieces.extend(field.pieces)
    return Field(tuple(pieces), any(field.many for field in fields))
