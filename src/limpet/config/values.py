"""What somebody wrote for a setting -> a value of its type within its range, or a sentence on what is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from limpet.config.broad import too_broad
from limpet.config.fields import Field, Kind
from limpet.config.sizes import parse_size
from limpet.policy.pattern import BadPatternError, parse_pattern
from limpet.syntax.late import late

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBER = late(r"[+-]?[0-9]+(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][+-]?[0-9]+)?", re.ASCII)
_NAME = late(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_IMAGE = late(r"([A-Za-z0-9][A-Za-z0-9._/:@-]{0,254})?", re.ASCII)
_VARIABLE = late(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_LISTS = (Kind.VARIABLES, Kind.PREFIXES, Kind.CHOICES, Kind.PATTERNS, Kind.ALLOWED, Kind.PATHS, Kind.INSIDE)
_FLAGS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


class BadValueError(ValueError):
    """A value that cannot stand; `key` names the entry of a table that is at fault."""

    def __init__(self, message: str, *, key: str = "") -> None:
        super().__init__(message)
        self.key = key


def checked(field: Field, raw: object) -> object:
    """The value that `raw`, from a file or an argument, stands for. Raises BadValueError."""
    if field.optional and (raw is None or raw == "none"):
        return None
    return _CHECKS[field.kind](field, raw)


def from_text(field: Field, text: str) -> object:
    """The value of an environment variable, which knows no types. Raises BadValueError."""
    word = text.strip().lower()
    if field.optional and word == "none":
        return None
    if field.kind is Kind.FLAG:
        return checked(field, _FLAGS.get(word, text))
    if field.kind in (Kind.SECONDS, Kind.DAYS, Kind.COUNT):
        return checked(field, _number(text))
    if field.kind in _LISTS:
        return checked(field, _items(text))
    return checked(field, _table(field, text) if field.kind is Kind.PAIRS else text)


def shown(value: object) -> str:
    """`value` for an error message: short, on one line, safe to print."""
    if value is None or isinstance(value, bool):
        return {None: '"none"', True: "true", False: "false"}[value]
    if isinstance(value, int) and value.bit_length() > 64:
        return "a number of more than 64 bits"
    if isinstance(value, int | float):
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    if isinstance(value, str):
        return _short(repr(str(value)))
    if isinstance(value, list | tuple):
        return _short("[" + ", ".join(shown(one) for one in value[:20]) + "]")
    return "a table" if isinstance(value, Mapping) else f"a {type(value).__name__}"


def _short(text: str) -> str:
    return text if len(text) <= 100 else text[:99] + "…"


def _wrong(field: Field, raw: object) -> BadValueError:
    none = ', or "none"' if field.optional else ""
    said = repr(raw) if isinstance(raw, float) else shown(raw)
    return BadValueError(f"{field.name} must be {field.kind}{none}, not {said}")


def _flag(field: Field, raw: object) -> bool:
    if isinstance(raw, bool):
        return raw
    raise _wrong(field, raw)


def _whole(field: Field, raw: object) -> int:
    # To Python true is the number 1.
    if isinstance(raw, int) and not isinstance(raw, bool):
        return int(_ranged(field, raw, raw))
    raise _wrong(field, raw)


def _decimal(field: Field, raw: object) -> float:
    if isinstance(raw, int | float) and not isinstance(raw, bool) and raw == raw:  # NaN differs from itself
        return float(_ranged(field, raw, raw))
    raise _wrong(field, raw)


def _size(field: Field, raw: object) -> int:
    if not isinstance(raw, str):
        return _whole(field, raw)
    try:
        size = parse_size(raw)
    except ValueError as error:
        raise BadValueError(f"{field.name}: {error}") from None
    return int(_ranged(field, size, raw))


def _ranged(field: Field, number: float, raw: object) -> float:
    """Compared before anything is converted: an integer may be too large for a float."""
    if number < field.low:
        raise BadValueError(f"{field.name} must be at least {field.low:.15g}, not {shown(raw)}")
    if number > field.high:
        raise BadValueError(f"{field.name} must be at most {int(field.high)}, not {shown(raw)}")
    return number


def _path(field: Field, raw: object) -> str:
    if isinstance(raw, str) and "\0" not in raw and (raw == "" or raw.startswith("/")):
        return raw
    raise _wrong(field, raw)


def _name(field: Field, raw: object) -> str:
    if isinstance(raw, str) and _NAME.fullmatch(raw):
        return str(raw)
    raise _wrong(field, raw)


def _image(field: Field, raw: object) -> str:
    if isinstance(raw, str) and _IMAGE.fullmatch(raw):
        return str(raw)
    raise _wrong(field, raw)


def _choice(field: Field, raw: object) -> str:
    if isinstance(raw, str) and raw in field.choices:
        return field.choices[raw]
    raise BadValueError(f"{field.name} must be one of {', '.join(field.choices)}, not {shown(raw)}")


def _choices(field: Field, raw: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_choice(field, one) for one in _listed(field, raw)))


def _variables(field: Field, raw: object) -> tuple[str, ...]:
    names = _listed(field, raw)
    for name in names:
        if not isinstance(name, str) or not _VARIABLE.fullmatch(name):
            raise BadValueError(
                f"{field.name} must be {field.kind}, and {shown(name)} is none; "
                "letters, digits and '_' only, patterns are not known"
            )
    return tuple(dict.fromkeys(str(name) for name in names))


def _listed(field: Field, raw: object) -> tuple[object, ...]:
    if isinstance(raw, list | tuple):
        return tuple(raw)
    raise _wrong(field, raw)


def _pairs(field: Field, raw: object) -> dict[str, str]:
    if not isinstance(raw, Mapping):
        raise _wrong(field, raw)
    return {str(name): _pair(field, name, value) for name, value in raw.items()}


def _pair(field: Field, name: object, value: object) -> str:
    """The value stays out of the message: it may be a secret."""
    if not isinstance(name, str) or not _VARIABLE.fullmatch(name):
        raise BadValueError(f"{field.name}: {shown(name)} is not the name of a variable", key=str(name))
    if not isinstance(value, str):
        raise BadValueError(f"{field.name}: {name} must be a text; put its value in quotes", key=name)
    if "\0" in value:
        raise BadValueError(f"{field.name}: the text for {name} holds a NUL, which no variable can", key=name)
    return value


def _patterns(field: Field, raw: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_pattern(field, one) for one in _listed(field, raw)))


def _pattern(field: Field, raw: object) -> str:
    if not isinstance(raw, str):
        raise BadValueError(f"{field.name} must be {field.kind}, and {shown(raw)} is none")
    try:
        pattern = parse_pattern(raw, beginning=field.kind is Kind.PATTERNS)
    except BadPatternError as error:
        raise BadValueError(f"{field.name}: {shown(raw)} {error}") from None
    broad = too_broad(pattern) if field.kind is Kind.ALLOWED else ""
    if broad:
        raise BadValueError(f"{field.name}: {shown(raw)} {broad}, or make it a rule with sure = true in policy.toml")
    return raw


def _paths(field: Field, raw: object) -> tuple[str, ...]:
    paths = _listed(field, raw)
    for path in paths:
        if not isinstance(path, str) or "\0" in path or not path.startswith("/"):
            raise BadValueError(f"{field.name} must be {field.kind}, and {shown(path)} is none")
    return tuple(dict.fromkeys(str(path) for path in paths))


def _inside(field: Field, raw: object) -> tuple[str, ...]:
    paths = _listed(field, raw)
    for path in paths:
        names = path.split("/") if isinstance(path, str) else [""]
        if not all(names) or not {".", "..", "~"}.isdisjoint(names) or "\0" in str(path):
            raise BadValueError(f"{field.name} must be {field.kind}, and {shown(path)} is none")
    return tuple(dict.fromkeys(str(path) for path in paths))


def _items(text: str) -> object:
    """`a, b`, or as JSON, for entries that have commas: `["a", "b,c"]`."""
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass"), type=list[str])
    except ValueError:
        return [item.strip() for item in text.split(",") if item.strip()]


def _number(text: str) -> object:
    match = _NUMBER.fullmatch(text.strip())
    # Python refuses to convert a number of some thousand digits.
    if match is None or len(text) > 300:
        return text
    return float(match[0]) if match["fraction"] or match["exponent"] else int(match[0])


def _table(field: Field, text: str) -> object:
    try:
        return msgspec.json.decode(text.encode("utf-8", "surrogatepass"), type=dict[str, str])
    except ValueError:
        raise BadValueError(f'{field.name} must be a JSON object of texts such as {{"CI": "1"}}') from None


_CHECKS: Mapping[Kind, Callable[[Field, object], object]] = {
    Kind.FLAG: _flag,
    Kind.SECONDS: _decimal,
    Kind.DAYS: _decimal,
    Kind.COUNT: _whole,
    Kind.SIZE: _size,
    Kind.PATH: _path,
    Kind.NAME: _name,
    Kind.IMAGE: _image,
    Kind.CHOICE: _choice,
    Kind.CHOICES: _choices,
    Kind.VARIABLES: _variables,
    Kind.PREFIXES: _variables,
    Kind.PAIRS: _pairs,
    Kind.PATTERNS: _patterns,
    Kind.ALLOWED: _patterns,
    Kind.PATHS: _paths,
    Kind.INSIDE: _inside,
}
