"""Command and options -> an admitted Request; whatever is wrong is said here, before anything is spawned."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import msgspec

from limpet.engine.ids import new_id
from limpet.engine.terms import encoded, refuse, terms

if TYPE_CHECKING:
    from limpet.config import Settings
    from limpet.model.options import Options
    from limpet.model.request import Origin, Request

_MOST_KNOWN = 64
_encode = msgspec.msgpack.Encoder().encode


def admit(command: str, options: Options, *, settings: Settings, workspace: str, origin: Origin) -> Request:
    """The request, complete and checked. Raises InvalidRequestError."""
    return Admission(settings, workspace, origin)(command, options)


class Admission:
    """Requests of one shell. What was asked for before, beside the command, is not looked at again."""

    def __init__(self, settings: Settings, workspace: str, origin: Origin) -> None:
        self._settings = settings
        self._workspace = workspace
        self._origin = origin
        self._known: dict[bytes, Request] = {}
        self._latest: tuple[Options, Request] | None = None
        """Options in which nobody can change anything, and what came of them."""

    def __call__(self, command: str, options: Options) -> Request:
        """The request, complete and checked. Raises InvalidRequestError."""
        command = _command(command, self._settings)
        return msgspec.structs.replace(
            self._terms(options),
            id=new_id(),
            command=command,
            cwd=_cwd(options.cwd, self._workspace),
            description=_description(options.description, self._settings),
        )

    def _terms(self, options: Options) -> Request:
        """All but what is each command's own."""
        if self._latest is not None and self._latest[0] is options:
            return self._latest[1]
        found = self._looked_up(options)
        if _is_fixed(options):
            self._latest = options, found
        return found

    def _looked_up(self, options: Options) -> Request:
        key = _spelt(options)
        found = self._known.get(key) if key else None
        if found is None:
            found = terms(options, self._settings, self._workspace, self._origin)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            if key:
                self._known[key] = found
        return found


def _is_fixed(options: Options) -> bool:
    """Whether they will be the same for as long as they are there: nothing in them is a list or dictionary."""
    given = options.require, options.block
    return options.env is None and options.rollback_on is None and all(type(one) is tuple for one in given)


def _spelt(options: Options) -> bytes:
    """The same for the same options, and a different one where `1` is asked for instead of `True`; nothing for a few.

    INHERIT and OPEN would be spelt like a text.
    """
    if options.stdin is not None:
        return b""
    if options.cwd is not None or options.description:
        options = msgspec.structs.replace(options, cwd=None, description="")
    try:
        return _encode(options)
    except (TypeError, ValueError, OverflowError):
        return b""


def _command(command: object, settings: Settings) -> str:
    if not isinstance(command, str):
        refuse("command", f"the command must be a string, not {type(command).__name__}")
    if not command.strip():
        refuse("command", "the command is empty: nothing to run")
    if "\0" in command:
        refuse("command", f"the command has a NUL character at position {command.index(chr(0))}: no shell can take it")
    if (len(command) if command.isascii() else len(encoded("command", command))) > settings.run.max_command:
        most = settings.run.max_command
        refuse("command", f"the command is longer than {most:,} bytes (run.max_command): put it in a file and run that")
    return command


def _cwd(cwd: object, workspace: str) -> str:
    if cwd is None:
        return _folder(workspace, workspace)
    try:
        wanted = os.path.join(workspace, os.fsdecode(os.fspath(cwd)))  # type: ignore[call-overload]  # checked by fspath
    except TypeError:
        refuse("cwd", f"cwd must be a path, not {type(cwd).__name__}")
    if "\0" in wanted:
        refuse("cwd", "cwd has a NUL character in it")
    real = os.path.realpath(wanted)
    if not _inside(real, workspace):
        refuse("cwd", f"cwd {shown(wanted)} is outside the workspace {shown(workspace)}")
    return _folder(real, wanted)


def _folder(real: str, wanted: str) -> str:
    if os.access(f"{real}/.", os.F_OK):  # it is a folder, and may be entered: one look for both
        return real
    if not os.path.isdir(real):
        what = "is not a directory" if os.path.lexists(real) else "does not exist"
        refuse("cwd", f"cwd {shown(wanted)} {what}")
    if not os.access(real, os.X_OK):
        refuse("cwd", f"cwd {shown(wanted)} may not be entered: permission denied")
    return real  # its name is so long that nothing more could be added


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def shown(path: str) -> str:
    """A path as it can stand in a message, whatever is in its name."""
    plain = path.isprintable() and not any("\ud800" <= char <= "\udfff" for char in path)
    return path if plain else ascii(path)


def _description(description: object, settings: Settings) -> str:
    if not isinstance(description, str):
        refuse("description", f"the description must be a string, not {type(description).__name__}")
    if settings.run.require_description and not description.strip():
        refuse("description", "a description is required here (run.require_description): say what the command is for")
    return description
