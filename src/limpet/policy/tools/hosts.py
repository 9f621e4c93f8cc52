"""The address that a tool is told to reach -> whether it is this machine, a file, or somewhere in the network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from limpet.syntax.values.field import Field, Pattern, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

_ADDRESS = re.compile(r"(?:(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://)?(?P<host>[^/?#]*)(?P<rest>.*)", re.DOTALL)
_THIS_MACHINE = re.compile(
    r"(?:[A-Za-z0-9_.%:-]*@)?(?:localhost|127(?:\.[0-9]{1,3}){3}|0\.0\.0\.0|\[::1\])(?::[0-9]*)?", re.IGNORECASE
)
_PORT_ONLY = re.compile(r":[0-9]*(?:/.*)?", re.DOTALL)
_SCHEMES = (None, "http", "https", "ws", "wss", "grpc")


def is_loopback(field: Field, *, short: bool = False) -> bool:
    """Whether an address is on this machine for certain; with `short`, `:3000/x` is an address as well."""
    start, whole = written(field)
    if field.many and not whole:
        return False
    if short and whole and _PORT_ONLY.fullmatch(start):
        return True
    found = _ADDRESS.fullmatch(start)
    if found is None or found["scheme"] not in _SCHEMES or not (whole or found["rest"]):
        return False
    return _THIS_MACHINE.fullmatch(found["host"]) is not None


def written(field: Field) -> tuple[str, bool]:
    """The known beginning of an address, and whether that is all. No path begins so, hence a `?` is no glob."""
    texts: list[str] = []
    for piece in field.pieces:
        if isinstance(piece, Unknown):
            return "".join(texts), False
        texts.append(piece.text.replace("\\", "") if isinstance(piece, Pattern) else piece)
    return "".join(texts), True


def all_loopback(fields: Iterable[Field], *, short: bool = False) -> bool:
    """Whether all of them are on this machine; there has to be one."""
    listed = list(fields)
    return bool(listed) and all(is_loopback(field, short=short) for field in listed)


def is_this_host(field: Field) -> bool:
    """Whether a name or number of a host is that of this machine."""
    return _THIS_MACHINE.fullmatch(field.text or "") is not None or field.text == "::1"


def local_file(field: Field) -> Field | None:
    """The path of a `file:` address."""
    start = field.prefix
    if start[:5].lower() != "file:":
        return None
    rest = start[5:]
    if rest.startswith("//"):
        rest = "/" + rest[2:].partition("/")[2]
    return Field((unquote(rest), *field.pieces[1:]), field.many)
