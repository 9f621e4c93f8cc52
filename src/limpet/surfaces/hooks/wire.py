"""Questions and answers between a hook, the process that stays and the child that judges; and who may answer whom."""

import binascii
import os
import sys

BLOCKED = 2
"""The status that every agent takes as a no."""
_FIELDS = 4

Answer = tuple[int, bytes, bytes]
"""Exit status, stdout, stderr."""


class Blocked(Exception):  # noqa: N818 - it is an answer
    """Why there is no judgement."""


def blocked(error: BaseException) -> Answer:
    """The answer that every agent takes as a no."""
    why = str(error) if isinstance(error, Blocked) else f"{type(error).__name__}: {error}".removesuffix(": ")
    text = f"limpet could not judge this command, so it was not run: {why}.\n"
    return BLOCKED, b"", text.encode("utf-8", "backslashreplace")


def pack(*fields: bytes) -> bytes:
    """Fields with their lengths."""
    return b"".join(b"%d:%b" % (len(field), field) for field in fields) + b"."


def unpack(data: bytes) -> list[bytes]:
    """The fields again. Raises ValueError for what is not whole."""
    fields, place = [], 0
    while data[place : place + 1] != b".":
        colon = data.index(b":", place)
        length = int(data[place:colon])
        place = colon + 1 + length
        if length < 0 or place >= len(data):
            raise ValueError("cut short")
        fields.append(data[colon + 1 : place])
    if place != len(data) - 1:
        raise ValueError("something follows")
    return fields


def packed_answer(answer: Answer) -> bytes:
    """An answer on its way, with who gave it."""
    status, out, err = answer
    return pack(identity(), b"%d" % status, out, err)


def unpacked_answer(data: bytes) -> Answer:
    """The answer. Raises ValueError for anything else."""
    fields = unpack(data)
    if len(fields) != _FIELDS or fields[0] != identity() or fields[1] not in (b"0", b"2"):
        raise ValueError("not an answer")
    return int(fields[1]), fields[2], fields[3]


def identity() -> bytes:
    """Which limpet this is: another one must not answer for it."""
    return os.fsencode(f"{os.path.abspath(__file__)} {sys.hexversion:x}")


def helper_name() -> str:
    """The name of the helper's socket; each limpet has its own."""
    return f"{binascii.crc32(identity()):08x}"


def helper_folder(environ: dict[bytes, bytes]) -> bytes | None:
    """Where helpers listen; None for a user without a home."""
    state = environ.get(b"LIMPET_STATE_DIR")
    if not state:
        base, home = environ.get(b"XDG_STATE_HOME", b""), environ.get(b"HOME", b"")
        if base[:1] != b"/":
            base = home + b"/.local/state" if home[:1] == b"/" else b""
        state = base and base + b"/limpet"
    return os.path.join(os.path.abspath(state), b"helper") if state else None
