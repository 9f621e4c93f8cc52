"""The addresses that a tool fetches from or sends to -> effects."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk
from limpet.policy.tools.hosts import all_loopback, local_file, written
from limpet.syntax.values.field import UNKNOWN, Field, known

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from limpet.policy.command import Command


def reach(
    command: Command, addresses: Iterable[Field], *, elsewhere: bool = False, short: bool = False
) -> Iterator[Effect]:
    """Files that are addressed are read, this machine is free, anything else is the network."""
    rest = []
    for address in addresses:
        path = local_file(address)
        if path is None:
            rest.append(address)
        else:
            yield read(path)
    if rest and (elsewhere or not all_loopback(rest, short=short)):
        yield risk(f"{command.name}.network", Risk.NETWORK, f"talks to the network ({command.name})")


def file_after(field: Field, mark: str, *, until: str = "") -> Iterator[Effect]:
    """The file that is named behind a mark; `-` is the standard input."""
    if not field.prefix.startswith(mark):
        return
    start = field.prefix[len(mark) :].strip('"')
    cut = re.split(f"[{until}]", start)[0] if until else start
    pieces = (cut,) if cut != start else (start, *field.pieces[1:])
    if pieces not in (("-",), (".",), ("",)):
        yield read(Field(pieces, field.many))


def within(folders: list[Field], file: Field) -> Field:
    """The file in the last of the folders that an option names."""
    return Field((*folders[-1].pieces, "/", *file.pieces)) if folders else file


def last_name(address: Field) -> Field:
    """The file that an address is saved to by default."""
    text, whole = written(address)
    if not whole:
        return Field(("./", UNKNOWN))
    path = re.split(r"[?#]", text.partition("://")[2] or text)[0]
    return known("./" + (path.rpartition("/")[2] if "/" in path else "index.html"))
