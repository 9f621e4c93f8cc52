"""Names of keys -> what a terminal sends when they are pressed."""

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


def _code(key: str) -> str:
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
