"""A path -> whether it holds secrets, makes something run later, or decides who may do what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy import places_that_matter as known_places
from limpet.policy.overlap import begins, could_be, fits

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOMES = ("home", "Users")
_DEEPEST = 8  # more names than any place of the tables has


def is_credential(path: str, home: str) -> bool:
    """Whether the file, or the folder, holds keys, tokens or passwords."""
    names = _names(path)
    if names and any(fits(names[-1], public) for public in known_places.PUBLIC):
        return False
    if known_places.SECRETS_OF_THE_SYSTEM.could_hold(names):
        return True
    if len(names) == 2 and known_places.MEMORY_FILES.could_hold(names):
        return True
    if home.rstrip("/") != "/root" and names[:1] == ["root"]:
        return True
    return any(known_places.SECRETS_OF_A_HOME.could_hold(inner) for inner in _inside_homes(names, home))


def is_secret_to_send(path: str, home: str, workspace: str) -> bool:
    """Whether it should not leave the machine: credentials, a folder around them, `.env`, keys anywhere."""
    names = _names(path)
    if is_credential(path, home) or known_places.NOT_TO_BE_SENT.could_hold(names):
        return True
    if names == _names(workspace):
        return False
    if names == _names(home)[: len(names)] or "/".join(names) in known_places.AROUND_SECRETS:
        return True
    return _named_like_a_secret(names[-1])


def runs_later(path: str, home: str, workspace: str) -> str:
    """Why writing there makes some program do something later; empty when it does not."""
    names = _names(path)
    for places, reason in known_places.LATER_IN_THE_SYSTEM:
        if places.could_hold(names):
            return reason
    for inner in _inside_homes(names, home):
        for places, reason in known_places.LATER_IN_A_HOME:
            if places.could_hold(inner):
                return reason
    return _anywhere(names, _names(workspace))


def is_account_file(path: str) -> bool:
    """Accounts, privileges, boot and what the whole system trusts."""
    return known_places.ACCOUNTS.could_hold(_names(path))


def _anywhere(names: list[str], workspace: list[str]) -> str:
    """What counts in any folder, and what only outside the workspace, where nobody expects a change."""
    outside = names[: len(workspace)] != workspace
    for start in range(len(names)):
        rest = names[start : start + _DEEPEST]
        for places, reason in known_places.LATER_ANYWHERE:
            if places.could_hold(rest):
                return reason
    if outside and names and any(could_be(names[-1], pattern) for pattern in known_places.PYTHON_START):
        return "Python runs it whenever it starts"
    return ""


def _names(path: str) -> list[str]:
    names = [name for name in path.split("/") if name]
    while len(names) > 2 and names[0] == "proc" and names[2] == "root":
        names = names[3:]  # the whole file system once more
    return names[1:] if names[:1] == ["private"] else names


def _inside_homes(names: list[str], home: str) -> Iterator[list[str]]:
    """What is left of the path behind each home folder that it could lie in."""
    own = _names(home)
    if own and len(names) > len(own) and begins(names, own):
        yield names[len(own) :]
    if len(names) > 2 and any(could_be(names[0], folder) for folder in _HOMES):
        yield names[2:]


def _named_like_a_secret(name: str) -> bool:
    """A glob counts when its beginning or its end says so: `.e*`, `*.key`, but not `*` or `*.json`."""
    if any(fits(name, sample) for sample in known_places.SAMPLES):
        return False
    vague = name[0] in "*?[…"
    return any((fits if vague else could_be)(name, pattern) for pattern in known_places.SECRET_NAMES)
