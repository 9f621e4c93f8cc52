"""Arguments -> options and operands, as getopt reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence


class Option(NamedTuple):
    """One option: `-o` or `--output`, with its value if it takes one."""

    name: str
    value: Field | None = None

    @property
    def written(self) -> tuple[Field, ...]:
        """The arguments that say it."""
        if self.value is None:
            return (known(self.name),)
        if self.name.startswith("--"):
            return (Field((f"{self.name}=", *self.value.pieces), self.value.many),)
        return (known(self.name), self.value)


class Parsed(NamedTuple):
    """What a command line says."""

    options: tuple[Option, ...]
    operands: tuple[Field, ...]

    def has(self, *names: str) -> bool:
        """Whether any of these options is given."""
        return any(option.name in names for option in self.options)

    def values(self, *names: str) -> Iterator[Field]:
        """The values of these options, in order."""
        for option in self.options:
            if option.name in names and option.value is not None:
                yield option.value


def parse_options(
    arguments: Sequence[Field],
    *,
    values: str = "",
    long_values: Collection[str] = (),
    long_flags: Collection[str] = (),
    stop_early: bool = False,
    single_dash: bool = False,
) -> Parsed:
    """Read options and operands.

    `values`: letters that take a value; `long_values` and `long_flags`: long options with and without one, which may be
    abbreviated. `stop_early`: the first operand ends the options (`sudo`, `env`, `xargs`). `single_dash`: long options
    have one dash (`find`, `java`). A word that is not known is an operand.
    """
    options: list[Option] = []
    operands: list[Field] = []
    index = 0
    while index < len(arguments):
        field = arguments[index]
        index += 1
        start = field.prefix
        if field.text == "--":
            operands.extend(arguments[index:])
            break
        if not start.startswith("-") or (start == "-" and field.text == "-"):
            operands.append(field)
            if stop_early:
                operands.extend(arguments[index:])
                break
            continue
        following = arguments[index] if index < len(arguments) else None
        if start.startswith("--") or single_dash:
            option, used = _read_long(field, following, long_values, long_flags)
            options.append(option)
        else:
            found, used = _read_short(field, following, values)
            options.extend(found)
        index += used
    return Parsed(tuple(options), tuple(operands))


def _read_long(
    field: Field, following: Field | None, long_values: Collection[str], long_flags: Collection[str]
) -> tuple[Option, int]:
    written, equals, value = field.prefix.partition("=")
    name = _full_name(written, long_values, long_flags)
    if equals:
        return Option(name, Field((value, *field.pieces[1:]), field.many)), 0
    if name in long_values and following is not None:
        return Option(name, following), 1
    return Option(name), 0


def _full_name(written: str, long_values: Collection[str], long_flags: Collection[str]) -> str:
    """GNU programs take any beginning of a long option that only one begins with."""
    if written in long_values or written in long_flags:
        return written
    candidates = [name for name in (*long_values, *long_flags) if name.startswith(written)]
    return candidates[0] if len(candidates) == 1 or (candidates and written != "--") else written


def _read_short(field: Field, following: Field | None, values: str) -> tuple[list[Option], int]:
    found: list[Option] = []
    letters = field.prefix[1:]
    for index, letter in enumerate(letters):
        if letter not in values:
            found.append(Option(f"-{letter}"))
            continue
        glued = letters[index + 1 :]
        if glued or len(field.pieces) > 1:
            found.append(Option(f"-{letter}", Field((glued, *field.pieces[1:]), field.many)))
            return found, 0
        found.append(Option(f"-{letter}", following if following is not None else known("")))
        return found, 1 if following is not None else 0
    return found, 0
