"""Text, and names of keys -> the bytes that a command reads when they are typed."""

from __future__ import annotations

from limpet.errors import InvalidRequestError

_CODES = {
    "enter": "\r", "return": "\r", "tab": "\t", "shift-tab": "\x1b[Z", "escape": "\x1b", "esc": "\x1b", "space": " ",
    "backspace": "\x7f", "delete": "\x1b[3~", "insert": "\x1b[2~", "up": "\x1b[A", "down": "\x1b[B",
    "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H", "end": "\x1b[F", "page-up": "\x1b[5~",
    "page-down": "\x1b[6~", "f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~",
    "f6": "\x1b[17~", "f7": "\x1b[18~", "f8": "\x1b[19~", "f9": "\x1b[20~", "f10": "\x1b[21~", "f11": "\x1b[23~",
    "f12": "\x1b[24~", "ctrl-space": "\0", "ctrl-[": "\x1b", "ctrl-\\": "\x1c", "ctrl-]": "\x1d", "ctrl-^": "\x1e",
    "ctrl-_": "\x1f",
}  # fmt: skip


def typed(*keys: str) -> str:
    """What pressing these keys one after the other sends. A single character stands for itself."""
    return "".join(map(_code, keys))


def sent(text: object) -> bytes:
    """Text or bytes as they are. Raises InvalidRequestError for anything else."""
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(text)
    if not isinstance(text, str):
        raise InvalidRequestError(f"what is sent must be text or bytes, not {type(text).__name__}", field="text")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        what = f"what is sent has a character that is none, U+{ord(text[error.start]):04X} at {error.start}"
        raise InvalidRequestError(what, field="text") from None


def _code(key: str) -> str:
    if not isinstance(key, str):
        raise InvalidRequestError(f"a key is named by a string, not {type(key).__name__}", field="keys")
    if len(key) == 1:
        return key
    name = key.lower()
    if name in _CODES:
        return _CODES[name]
    if name.startswith("ctrl-") and len(name) == len("ctrl-x") and "a" <= name[-1] <= "z":
        return chr(ord(name[-1]) & 0x1F)
    if name.startswith("alt-"):
        return "\x1b" + _code(key[len("alt-") :])
    raise InvalidRequestError(
        f"{key!r} is no key; there are single characters, ctrl-a to ctrl-z, alt-KEY, {', '.join(_CODES)}", field="keys"
    )
