"""A path -> whether it holds secrets, makes something run later, or decides who may do what.

Each question comes in two ways: about paths as text, and about paths that were cut into names before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy import places_that_matter as known_places
from limpet.policy.overlap import ANY_FIRST, begins, is_wild
from limpet.policy.place_tables import Names

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOMES = Names("home", "Users")


def is_credential(path: str, home: str, workspace: str = "/nowhere") -> bool:
    """Whether the file, or the folder, holds keys, tokens or passwords."""
    return holds_secrets(names_of(path), names_of(home), names_of(workspace))


def is_secret_to_send(path: str, home: str, workspace: str) -> bool:
    """Whether it should not leave the machine: credentials, a folder around them, `.env`, keys anywhere."""
    names, own, work = names_of(path), names_of(home), names_of(workspace)
    return holds_secrets(names, own, work) or must_stay(names, own, work)


def runs_later(path: str, home: str, workspace: str) -> str:
    """Why writing there makes some program do something later; empty when it does not."""
    return why_later(names_of(path), names_of(home), names_of(workspace))


def is_account_file(path: str) -> bool:
    """Accounts, privileges, boot and what the whole system trusts."""
    return is_trusted(names_of(path))


def names_of(path: str) -> list[str]:
    """The names in a path; what leads to the same place by another name is left out."""
    names = [name for name in path.split("/") if name]
    while len(names) > 2 and names[0] == "proc" and names[2] == "root":
        names = names[3:]  # the whole file system once more
    return names[1:] if names[:1] == ["private"] else names


def holds_secrets(names: list[str], home: list[str], workspace: list[str]) -> bool:
    """As `is_credential`."""
    if names and known_places.PUBLIC.fit(names[-1]):
        return False
    if known_places.SECRETS_OF_THE_SYSTEM.could_hold(names):
        return True
    if len(names) == 2 and known_places.MEMORY_FILES.could_hold(names):
        return True
    if home != ["root"] and names[:1] == ["root"] and names[: len(workspace)] != workspace:
        return True
    return any(known_places.SECRETS_OF_A_HOME.why(names, start) for start in _inside_homes(names, home))


def must_stay(names: list[str], home: list[str], workspace: list[str]) -> bool:
    """Whether it should not leave the machine though it holds no credentials."""
    if known_places.NOT_TO_BE_SENT.could_hold(names):
        return True
    if names == workspace:
        return False
    if names == home[: len(names)] or (len(names) == 1 and names[0] in known_places.AROUND_SECRETS):
        return True
    return _named_like_a_secret(names[-1])


def why_later(names: list[str], home: list[str], workspace: list[str]) -> str:
    """As `runs_later`."""
    reason = known_places.LATER_IN_THE_SYSTEM.why(names)
    for start in () if reason else _inside_homes(names, home):
        reason = reason or known_places.LATER_IN_A_HOME.why(names, start)
    return reason or _anywhere(names, workspace)


def is_trusted(names: list[str]) -> bool:
    """As `is_account_file`."""
    return known_places.ACCOUNTS.could_hold(names)


def _anywhere(names: list[str], workspace: list[str]) -> str:
    """What counts in any folder, and what only outside the workspace, where nobody expects a change."""
    for start, name in enumerate(names):
        if is_wild(name) and name[0] in ANY_FIRST:
            continue  # `*` does not mean hidden names, and among all others those few are not what is meant
        reason = known_places.LATER_ANYWHERE.why(names, start)
        if reason:
            return reason
    outside = names[: len(workspace)] != workspace
    if outside and names and known_places.PYTHON_START.could_be(names[-1]):
        return "Python runs it whenever it starts"
    return ""


def _inside_homes(names: list[str], home: list[str]) -> Iterator[int]:
    """Where in the path that begins which is inside a home folder, for each that it could lie in."""
    size = len(home)
    own = home != [] and len(names) > size and (names[:size] == home or begins(names, home))
    if own:
        yield size
    if len(names) > 2 and not (own and size == 2) and _HOMES.could_be(names[0]):
        yield 2
    if len(names) > 1 and home != ["root"] and names[0] == "root":
        yield 1


def _named_like_a_secret(name: str) -> bool:
    """A glob counts when its beginning or its end says so: `.e*`, `*.key`, but not `*` or `*.json`."""
    if known_places.SAMPLES.fit(name):
        return False
    names = known_places.SECRET_NAMES
    return names.fit(name) if name[0] in "*?[…" else names.could_be(name)
