"""The path of a file that people write -> its text, or a ConfigError that says what to do about it."""

from __future__ import annotations

import os
import stat

from limpet.config.source import Layer
from limpet.errors import ConfigError
from limpet.model.codec import printable

MAX_BYTES = 1024 * 1024


def read_file(path: str, layer: Layer, *, kind: str = "settings file") -> bytes | None:
    """What stands in it; None if there is no such file. `kind` is for error messages."""
    try:
        # Opening a FIFO for reading would wait for a writer that may never come.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    try:
        _check_status(os.fstat(descriptor), layer, path, kind)
        return _contents(descriptor, path, kind)
    except OSError as error:
        raise _unreadable(path, error) from error
    finally:
        os.close(descriptor)


def decoded(data: bytes, path: str) -> str:
    """The text of a file; `path` is for error messages only."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"is not UTF-8 (byte {error.start + 1} of the file); save it in that encoding"
        raise ConfigError(message, source=path, line=line) from None


def _unreadable(path: str, error: Exception) -> ConfigError:
    why = getattr(error, "strerror", None) or str(error)
    return ConfigError(f"cannot be read: {why}; make it readable or move it away", source=printable(path))


def _check_status(status: os.stat_result, layer: Layer, path: str, kind: str) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise ConfigError(f"is a directory where a {kind} is expected; move it away", source=printable(path))
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError("is not a regular file; move it away", source=printable(path))
    # A project may only tighten, so it does not matter who can write there.
    if layer is not Layer.PROJECT and status.st_mode & stat.S_IWOTH:
        raise ConfigError("anybody may write to it, so it cannot be trusted; run: chmod o-w", source=printable(path))


def _contents(descriptor: int, path: str, kind: str) -> bytes:
    """Counted while reading: a size that was asked for beforehand may be out of date, and is 0 under /proc."""
    data = b""
    while block := os.read(descriptor, MAX_BYTES + 1 - len(data)):
        data += block
        if len(data) > MAX_BYTES:
            raise ConfigError(f"is larger than 1 MiB, too large for a {kind}; shorten it", source=printable(path))
    return data
