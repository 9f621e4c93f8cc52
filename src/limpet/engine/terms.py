"""What a caller asks for beside the command -> what is settled for it; whatever is wrong with it is said here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn

import msgspec

from limpet.config.rules import blocked
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
_MAX_STRING = 131_071  # the kernel's limit for one NAME=value, NUL included


def terms(options: Options, settings: Settings, workspace: str, origin: Origin) -> Request:
    """All of a request but what is each command's own. Raises InvalidRequestError."""
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


def refuse(field: str, message: str) -> NoReturn:
    """Say what is wrong with a field."""
    raise InvalidRequestError(message, field=field)


def encoded(field: str, text: str) -> bytes:
    """As the kernel takes it. Raises InvalidRequestError for what is no text."""
    try:
        return os.fsencode(text)
    except UnicodeEncodeError as error:
        refuse(field, f"the {field} holds a lone surrogate at position {error.start}, which is no character")


def _block(patterns: object) -> tuple[str, ...]:
    if isinstance(patterns, str) or not isinstance(patterns, (tuple, Sequence)):  # first what it usually is: quicker
        refuse("block", f"block must be a list of patterns such as 'git push *', not {type(patterns).__name__}")
    found = tuple(patterns)
    if not all(isinstance(pattern, str) for pattern in found):
        refuse("block", "block must be a list of patterns, each of them a text")
    try:
        blocked(found)
    except ConfigError as error:
        refuse("block", str(error))
    return found


def _env(env: Mapping[str, str] | None) -> dict[str, str]:
    if env is None:
        return {}
    try:
        items = dict(env).items()
    except (TypeError, ValueError):
        refuse("env", f"env must map names to values, not be {type(env).__name__}")
    for name, value in items:
        _check_variable(name, value)
    return dict(items)


def _check_variable(name: object, value: object) -> None:
    if not isinstance(name, str) or not name or "=" in name or "\0" in name:
        refuse("env", f"{name!r} is no name for an environment variable (a string without '=' and NUL)")
    if not isinstance(value, str):
        refuse("env", f"the value of environment variable {name} must be a string, not {type(value).__name__}")
    if "\0" in value:
        refuse("env", f"the value of environment variable {name} has a NUL character in it")
    size = len(encoded("env", name)) + len(encoded("env", value)) + 1
    if size > _MAX_STRING:
        refuse("env", f"environment variable {name} is {size:,} bytes long; the kernel takes {_MAX_STRING:,} at most")


def _stdin(stdin: object) -> bytes | None:
    if stdin is None or isinstance(stdin, (Inherit, Open)):
        return None
    if isinstance(stdin, str):
        return encoded("stdin", stdin)
    if isinstance(stdin, (bytes, bytearray, memoryview)):
        return bytes(stdin)
    refuse("stdin", f"stdin must be text, bytes, INHERIT, OPEN or None, not {type(stdin).__name__}")


def _terminal(options: Options) -> Terminal | None:
    wanted = options.terminal
    if wanted is None or wanted is False:
        return None
    if wanted is not True and not isinstance(wanted, Terminal):
        refuse("terminal", f"terminal must be a Terminal, True or False, not {wanted!r}")
    if options.stdin is Inherit.STDIN or options.capture_output is False:
        refuse("terminal", "a command with a terminal of its own cannot use the caller's stdin, stdout or stderr")
    return checked(Terminal() if wanted is True else wanted)


def _timeout(timeout: object, settings: Settings) -> float | None:
    if timeout is msgspec.UNSET:
        return settings.run.timeout
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
        refuse("timeout", f"timeout must be a number of seconds or None, not {timeout!r}")
    least, most = settings.run.min_timeout, settings.run.max_timeout
    if not least <= timeout <= most:  # nor is NaN
        refuse(
            "timeout",
            f"timeout must be between {least:g} and {most:g} seconds, not {_told(timeout)}; None switches it off",
        )
    return float(timeout)


def _limits(asked: Limits | None, settings: Settings) -> Limits:
    asked = asked or Limits()
    if not isinstance(asked, Limits):
        refuse("limits", f"limits must be a Limits, not {type(asked).__name__}")
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
        refuse("limits", f"the limit {name} must be a number above zero, not {_told(value)}")
    return value


def _whole(name: str, value: object) -> int:
    least = 0 if name == "output_disk" else 1
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= _MOST:
        refuse("limits", f"the limit {name} must be a whole number, {least} or more, not {_told(value)}")
    return value


def _wanted(names: object) -> tuple[str, ...]:
    if isinstance(names, str) or not isinstance(names, (tuple, Iterable)):
        refuse("require", f"require must be a list of guarantees, not {type(names).__name__}")
    return tuple(names)


def _text(field: str, value: object, usual: str) -> str:
    if value is None:
        return usual
    if not isinstance(value, str):
        refuse(field, f"{field} must be a string, not {type(value).__name__}")
    return value


def _profile(name: object, settings: Settings) -> str:
    profile = _text("profile", name, settings.policy.profile)
    if profile not in PROFILES:
        refuse("profile", f"there is no profile called {profile!r}; there are: {', '.join(PROFILES)}")
    return profile


def _switch(field: str, value: object, *, usual: bool) -> bool:
    """A string such as "off" would count as true."""
    if value is None:
        return usual
    if not isinstance(value, bool):
        refuse(field, f"{field} must be True or False, not {value!r}")
    return value


def _word(value: object) -> object:
    """`on` and `off`, as the command line says it."""
    return value == "on" if value in ("on", "off") else value


def _require(names: tuple[str, ...]) -> tuple[str, ...]:
    for name in names:
        if name not in GUARANTEE_NAMES:
            refuse("require", f"{name!r} is no guarantee; there are: {', '.join(GUARANTEE_NAMES)}")
    return tuple(dict.fromkeys(names))


def _window(options: Options, settings: Settings) -> Window:
    most = settings.output.max_chars if options.max_output is None else options.max_output
    if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 0):
        refuse("max_output", f"max_output must be a number of characters, not {most!r}")
    name = settings.output.truncate if options.truncate is None else options.truncate
    try:
        return window_for(name, most)
    except (KeyError, TypeError):
        known = ", ".join([*Truncate, *PRESETS])
        refuse("truncate", f"{name!r} is no way to shorten output; there are: {known}")


def _origin(origin: Origin, options: Options) -> Origin:
    if options.agent is None and options.caller is None:
        return origin
    return Origin(
        surface=origin.surface,
        agent=_text("agent", options.agent, origin.agent),
        caller=_text("caller", options.caller, origin.caller),
    )
