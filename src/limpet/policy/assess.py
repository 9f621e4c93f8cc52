"""Effects of one command -> what speaks against it."""

from __future__ import annotations

from fnmatch import fnmatchcase

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, Kind
from limpet.policy.finding import Finding
from limpet.policy.places import Judged, Place

_PRECIOUS = (Place.ROOT, Place.SYSTEM, Place.HOMES)
_TRUSTED = (
    "/etc",
    "/boot",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/sys",
    "/proc/sys",
)
_IN_TRUSTED = tuple(f"{folder}/" for folder in _TRUSTED)
_HARMLESS = (Place.WORKSPACE, Place.NOWHERE)


def assess_path(effect: Effect, judged: Judged, span: tuple[int, int]) -> Finding | None:
    """What speaks against reading, writing, deleting or changing that path."""
    found = _RULES[effect.kind](effect, judged)
    if found is None:
        return None
    rule, risk, message, suggestion, deny = found
    return Finding(rule, risk, message, span, suggestion, deny)


_Found = tuple[str, Risk, str, str, bool]


def _ask(rule: str, risk: Risk, message: str, suggestion: str = "") -> _Found:
    return rule, risk, message, suggestion, False


def _deny(rule: str, risk: Risk, message: str, suggestion: str = "") -> _Found:
    return rule, risk, message, suggestion, True


def _read(effect: Effect, judged: Judged) -> _Found | None:
    if effect.recursive and judged.place in (Place.ROOT, Place.HOMES):
        return _ask("read.home", Risk.SECRETS, f"reads all that is in {judged.path}, secrets and all")
    if judged.place is Place.UNKNOWN and judged.path.startswith("/proc/"):
        return _ask("read.process", Risk.SECRETS, f"reads through {judged.path}, which may lead anywhere")
    if judged.credential:
        return _ask("read.secret", Risk.SECRETS, f"reads {judged.path}, which holds secrets")
    if judged.place is Place.DEVICE:
        return _ask("read.device", Risk.ESCAPES, f"reads the device {judged.path}")
    if judged.place is Place.SOCKET:
        return _ask("network.socket", Risk.NETWORK, f"opens a network connection ({judged.path})")
    return None


def _write(effect: Effect, judged: Judged) -> _Found | None:  # noqa: ARG001 - as its siblings
    if judged.place is Place.SOCKET:
        return _ask("network.socket", Risk.NETWORK, f"opens a network connection ({judged.path})")
    if judged.place is Place.NOWHERE:
        return None
    if judged.place is Place.DEVICE:
        return _deny("floor.device", Risk.DESTROYS, f"writes to the device {judged.path}")
    if judged.account or _is_trusted(judged.path):
        return _deny("floor.system-file", Risk.ESCAPES, f"writes {judged.path}, which the whole system trusts")
    if judged.inside and _is_in_repository(judged.path):
        return _ask("write.repository", Risk.PERSISTS, f"writes {judged.path}, inside the repository's own files")
    if judged.runs_later:
        return _ask("write.runs-later", Risk.PERSISTS, f"writes {judged.path}: {judged.runs_later}")
    if judged.place in _HARMLESS or judged.inside:
        return None
    return _outside("write", "writes to", judged)


def _is_trusted(path: str) -> bool:
    return path in _TRUSTED or path.startswith(_IN_TRUSTED)


def _outside(what: str, verb: str, judged: Judged) -> _Found:
    if judged.place is Place.UNKNOWN:
        message = f"{verb} a place that is not known before it runs ({judged.path})"
        return _ask(f"{what}.unknown", Risk.ESCAPES, message, "Name the path, inside the workspace.")
    message = f"{verb} {judged.path}, which is {judged.place}" if judged.path else f"{verb} {judged.place}"
    return _ask(f"{what}.outside", Risk.ESCAPES, message, "Use a path inside the workspace.")


def _delete(effect: Effect, judged: Judged) -> _Found | None:
    if judged.place in _PRECIOUS and (effect.recursive or judged.path.endswith(("*", "/."))):
        message = f"deletes {judged.path} and all that is in it: {judged.place}"
        return _deny("floor.delete", Risk.DESTROYS, message, "Delete a path inside the workspace.")
    if judged.place is Place.DEVICE or judged.account:
        return _deny("floor.system-file", Risk.DESTROYS, f"deletes {judged.path}")
    if judged.place is Place.WORKSPACE_ITSELF:
        return _ask("delete.workspace", Risk.DESTROYS, f"deletes the whole workspace ({judged.path})")
    if judged.place is Place.WORKSPACE:
        return _delete_inside(judged)
    if judged.place is Place.NOWHERE:
        return None
    return _outside("delete", "deletes", judged)


def _is_in_repository(path: str) -> bool:
    """Whether it is `.git`, or in it; or a glob that may be."""
    return any(name == ".git" or (name.startswith(".") and fnmatchcase(".git", name)) for name in path.split("/"))


def _delete_inside(judged: Judged) -> _Found | None:
    if _is_in_repository(judged.path):
        return _ask("delete.repository", Risk.DESTROYS, f"deletes {judged.path}, the history of the repository")
    if judged.runs_later:
        return _ask("delete.runs-later", Risk.PERSISTS, f"deletes {judged.path}: {judged.runs_later}")
    return None


def _change(effect: Effect, judged: Judged) -> _Found | None:
    if judged.place in _PRECIOUS and effect.recursive:
        message = f"changes mode or owner of {judged.path} and all that is in it: {judged.place}"
        return _deny("floor.change", Risk.DESTROYS, message, "Change a path inside the workspace.")
    if judged.account or judged.place is Place.DEVICE:
        return _deny("floor.system-file", Risk.ESCAPES, f"changes mode or owner of {judged.path}")
    if judged.runs_later:
        return _ask("change.runs-later", Risk.PERSISTS, f"changes {judged.path}: {judged.runs_later}")
    if judged.place in _HARMLESS or judged.place is Place.WORKSPACE_ITSELF:
        return None
    return _outside("change", "changes mode or owner of", judged)


_RULES = {Kind.READ: _read, Kind.WRITE: _write, Kind.DELETE: _delete, Kind.CHANGE: _change}
