"""Command and options -> an admitted Request; whatever is wrong is said here, before anything is spawned."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn

import msgspec

from limpet.config.rules import blocked
from limpet.engine.ids import new_id
from limpet.engine.rollback import transacted
from limpet.errors import ConfigError, InvalidRequestError
from limpet.model.guarantees import GUARANTEE_NAMES
from limpet.model.limits import Limits
from limpet.model.options import Inherit, Open, Options
from limpet.model.request import Origin, Request
from limpet.model.terminal import Terminal, checked
from limpet.model.window import PRESETS, Truncate, Window, window_for
from limpet.policy.profiles import PROFILES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from limpet.config import Settings

_MOST = 1 << 62  # what the kernel counts in, with room to double it
_MOST_KNOWN = 64
_encode = msgspec.msgpack.Encoder().encode
_MAX_STRING = 131_071  # the kernel's limit for one NAME=value, NUL included


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
        key = _spelt(options)
        found = self._known.get(key) if key else None
        if found is None:
            found = _terms(options, self._settings, self._workspace, self._origin)
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            if key:
                self._known[key] = found
        return found


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


def _terms(options: Options, settings: Settings, workspace: str, origin: Origin) -> Request:
    return Request(
        id="",
        command="",
        workspace=workspace,
        cwd="",
        env=_env(options.env),
        empty_env=_switch("empty_env", options.empty_env, usual=settings.environment.empty),
        stdin=_stdin(options.stdin),
        inherit_stdin=options.stdin is Inherit.STDIN,
        open_stdin=options.stdin is Open.STDIN,
        terminal=_terminal(options),
        timeout=_timeout(options.timeout, settings),
        limits=_limits(options.limits, settings),
        sandbox=_text("sandbox", options.sandbox, settings.sandbox.mode),
        network=_switch("network", _word(options.network), usual=settings.sandbox.network),
        require=_require((*settings.sandbox.require, *_wanted(options.require))),
        profile=_profile(options.profile, settings),
        transaction=transacted(options),
        block=_block(options.block),
        window=_window(options, settings),
        capture_output=_switch("capture_output", options.capture_output, usual=True),
        origin=_origin(origin, options),
    )


def _refuse(field: str, message: str) -> NoReturn:
    raise InvalidRequestError(message, field=field)


def _command(command: object, settings: Settings) -> str:
    if not isinstance(command, str):
        _refuse("command", f"the command must be a string, not {type(command).__name__}")
    if not command.strip():
        _refuse("command", "the command is empty: nothing to run")
    if "\0" in command:
        _refuse("command", f"the command has a NUL character at position {command.index(chr(0))}: no shell can take it")
    if (len(command) if command.isascii() else len(_encoded("command", command))) > settings.run.max_command:
        most = settings.run.max_command
        _refuse(
            "command", f"the command is longer than {most:,} bytes (run.max_command): put it in a file and run that"
        )
    return command


def _encoded(field: str, text: str) -> bytes:
    try:
        return os.fsencode(text)
    except UnicodeEncodeError as error:
        _refuse(field, f"the {field} holds a lone surrogate at position {error.start}, which is no character")


def _block(patterns: object) -> tuple[str, ...]:
    if isinstance(patterns, str) or not isinstance(patterns, (tuple, Sequence)):  # first what it usually is: quicker
        _refuse("block", f"block must be a list of patterns such as 'git push *', not {type(patterns).__name__}")
    found = tuple(patterns)
    if not all(isinstance(pattern, str) for pattern in found):
        _refuse("block", "block must be a list of patterns, each of them a text")
    try:
        blocked(found)
    except ConfigError as error:
        _refuse("block", str(error))
    return found


def _cwd(cwd: object, workspace: str) -> str:
    if cwd is None:
        return _folder(workspace, workspace)
    try:
        wanted = os.path.join(workspace, os.fsdecode(os.fspath(cwd)))  # type: ignore[call-overload]  # checked by fspath
    except TypeError:
        _refuse("cwd", f"cwd must be a path, not {type(cwd).__name__}")
    if "\0" in wanted:
        _refuse("cwd", "cwd has a NUL character in it")
    real = os.path.realpath(wanted)
    if not _inside(real, workspace):
        _refuse("cwd", f"cwd {shown(wanted)} is outside the workspace {shown(workspace)}")
    return _folder(real, wanted)


def _folder(real: str, wanted: str) -> str:
    if os.access(f"{real}/.", os.F_OK):  # it is a folder, and may be entered: one look for both
        return real
    if not os.path.isdir(real):
        what = "is not a directory" if os.path.lexists(real) else "does not exist"
        _refuse("cwd", f"cwd {shown(wanted)} {what}")
    if not os.access(real, os.X_OK):
        _refuse("cwd", f"cwd {shown(wanted)} may not be entered: permission denied")
    return real  # its name is so long that nothing more could be added


def _inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def shown(path: str) -> str:
    """A path as it can stand in a message, whatever is in its name."""
    plain = path.isprintable() and not any("\ud800" <= char <= "\udfff" for char in path)
    return path if plain else ascii(path)


def _env(env: Mapping[str, str] | None) -> dict[str, str]:
    if env is None:
        return {}
    try:
        items = dict(env).items()
    except (TypeError, ValueError):
        _refuse("env", f"env must map names to values, not be {type(env).__name__}")
    for name, value in items:
        _check_variable(name, value)
    return dict(items)


def _check_variable(name: object, value: object) -> None:
    if not isinstance(name, str) or not name or "=" in name or "\0" in name:
        _refuse("env", f"{name!r} is no name for an environment variable (a string without '=' and NUL)")
    if not isinstance(value, str):
        _refuse("env", f"the value of environment variable {name} must be a string, not {type(value).__name__}")
    if "\0" in value:
        _refuse("env", f"the value of environment variable {name} has a NUL character in it")
    size = len(_encoded("env", name)) + len(_encoded("env", value)) + 1
    if size > _MAX_STRING:
        _refuse("env", f"environment variable {name} is {size:,} bytes long; the kernel takes {_MAX_STRING:,} at most")


def _stdin(stdin: object) -> bytes | None:
    if stdin is None or isinstance(stdin, (Inherit, Open)):
        return None
    if isinstance(stdin, str):
        return _encoded("stdin", stdin)
    if isinstance(stdin, (bytes, bytearray, memoryview)):
        return bytes(stdin)
    _refuse("stdin", f"stdin must be text, bytes, INHERIT, OPEN or None, not {type(stdin).__name__}")


def _terminal(options: Options) -> Terminal | None:
    wanted = options.terminal
    if wanted is None or wanted is False:
        return None
    if wanted is not True and not isinstance(wanted, Terminal):
        _refuse("terminal", f"terminal must be a Terminal, True or False, not {wanted!r}")
    if options.stdin is Inherit.STDIN or options.capture_output is False:
        _refuse("terminal", "a command with a terminal of its own cannot use the caller's stdin, stdout or stderr")
    return checked(Terminal() if wanted is True else wanted)


def _timeout(timeout: object, settings: Settings) -> float | None:
    if timeout is msgspec.UNSET:
        return settings.run.timeout
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        _refuse("timeout", f"timeout must be a number of seconds or None, not {timeout!r}")
    least, most = settings.run.min_timeout, settings.run.max_timeout
    if not least <= timeout <= most:  # nor is NaN
        _refuse(
            "timeout",
            f"timeout must be between {least:g} and {most:g} seconds, not {_told(timeout)}; None switches it off",
        )
    return float(timeout)


def _limits(asked: Limits | None, settings: Settings) -> Limits:
    asked = asked or Limits()
    if not isinstance(asked, Limits):
        _refuse("limits", f"limits must be a Limits, not {type(asked).__name__}")
    usual = settings.limits
    return Limits(
        cpu=usual.cpu if asked.cpu is None else _number("cpu", asked.cpu),
        memory=usual.memory if asked.memory is None else _whole("memory", asked.memory),
        processes=usual.processes if asked.processes is None else _whole("processes", asked.processes),
        file_size=usual.file_size if asked.file_size is None else _whole("file_size", asked.file_size),
        open_files=usual.open_files if asked.open_files is None else _whole("open_files", asked.open_files),
        output_disk=settings.output.disk if asked.output_disk is None else _whole("output_disk", asked.output_disk),
    )


def _told(value: object) -> str:
    """Python refuses to spell numbers of thousands of digits."""
    return "a number beyond all bounds" if isinstance(value, int) and abs(value) > _MOST else repr(value)


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= _MOST:
        _refuse("limits", f"the limit {name} must be a number above zero, not {_told(value)}")
    return value


def _whole(name: str, value: object) -> int:
    least = 0 if name == "output_disk" else 1
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MOST:
        _refuse("limits", f"the limit {name} must be a whole number, {least} or more, not {_told(value)}")
    return value


def _wanted(names: object) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, (tuple, Iterable)):
        _refuse("require", f"require must be a list of guarantees, not {type(names).__name__}")
    return tuple(names)


def _text(field: str, value: object, usual: str) -> str:
    if value is None:
        return usual
    if not isinstance(value, str):
        _refuse(field, f"{field} must be a string, not {type(value).__name__}")
    return value


def _profile(name: object, settings: Settings) -> str:
    profile = _text("profile", name, settings.policy.profile)
    if profile not in PROFILES:
        _refuse("profile", f"there is no profile called {profile!r}; there are: {', '.join(PROFILES)}")
    return profile


def _switch(field: str, value: object, *, usual: bool) -> bool:
    """A string such as "off" would count as true."""
    if value is None:
        return usual
    if not isinstance(value, bool):
        _refuse(field, f"{field} must be True or False, not {value!r}")
    return value


def _word(value: object) -> object:
    """`on` and `off`, as the command line says it."""
    return value == "on" if value in ("on", "off") else value


def _require(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in GUARANTEE_NAMES:
            _refuse("require", f"{name!r} is no guarantee; there are: {', '.join(GUARANTEE_NAMES)}")
    return tuple(dict.fromkeys(names))


def _window(options: Options, settings: Settings) -> Window:
    most = settings.output.max_chars if options.max_output is None else options.max_output
    if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 0):
        _refuse("max_output", f"max_output must be a number of characters, not {most!r}")
    name = settings.output.truncate if options.truncate is None else options.truncate
    try:
        return window_for(name, most)
    except (KeyError, TypeError):
        known = ", ".join([*Truncate, *PRESETS])
        _refuse("truncate", f"{name!r} is no way to shorten output; there are: {known}")


def _description(description: object, settings: Settings) -> str:
    if not isinstance(description, str):
        _refuse("description", f"the description must be a string, not {type(description).__name__}")
    if settings.run.require_description and not description.strip():
        _refuse("description", "a description is required here (run.require_description): say what the command is for")
    return description


def _origin(origin: Origin, options: Options) -> Origin:
    if options.agent is None and options.caller is None:
        return origin
    return Origin(
        surface=origin.surface,
        agent=_text("agent", options.agent, origin.agent),
        caller=_text("caller", options.caller, origin.caller),
    )
