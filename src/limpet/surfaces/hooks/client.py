"""A hook call -> the answer of the process that stays, or of a child of our own; whatever goes wrong is a block.

Runs before every command of an agent, so it imports next to nothing: `signal` and `socket` alone would take longer
than all of this.
"""

import _signal  # type: ignore[import-not-found]  # what `signal` is made of
import _socket
import os
import sys

from limpet.surfaces.hooks.wire import (
    BLOCKED,
    Answer,
    Blocked,
    blocked,
    helper_folder,
    helper_name,
    identity,
    pack,
    unpacked_answer,
)

SECONDS = 2.0
"""Agents let a command run when the hook is too late for them; so it never is."""
_HELPER_SECONDS = 1.0
_MOST_INPUT = 16 * 1024 * 1024
_BLOCK = 1 << 16
_OTHERS = 0o077
_CREDENTIALS = 12


def run(arguments: list[str]) -> None:
    """Answer and end, without tidying up: an agent waits. Never returns."""
    status = BLOCKED
    try:
        status = main(arguments)
    finally:
        os._exit(status)


def main(arguments: list[str]) -> int:
    """Answer the hook call on stdin; the exit status."""
    closed = _hold_streams()
    _signal.signal(_signal.SIGALRM, _too_late)
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, [_signal.SIGALRM])  # whatever the agent does with its own
    _signal.setitimer(_signal.ITIMER_REAL, SECONDS)
    try:
        answer = _answer(arguments, closed)
    except BaseException as error:  # noqa: BLE001 - whatever it is, the command must not run
        answer = blocked(error)
    _signal.setitimer(_signal.ITIMER_REAL, 0)
    return _deliver(answer)


def _answer(arguments: list[str], closed: list[int]) -> Answer:
    if closed:
        raise Blocked(f"the agent closed descriptor {closed[0]} of its hook")
    question = _stdin()
    return ask_helper(arguments, question) or _judge(arguments, question)


def _too_late(*_: object) -> None:
    raise Blocked(f"no judgement within {SECONDS:g} s")


def _hold_streams() -> list[int]:
    """Where a stream is closed the next file would get its number."""
    closed = []
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
            closed += [stream] if stream < 2 else []
    return closed


def _stdin() -> bytes:
    os.set_blocking(0, True)
    blocks, total = [], 0
    while block := os.read(0, _BLOCK):
        blocks.append(block)
        total += len(block)
        if total > _MOST_INPUT:
            raise Blocked(f"the agent sent more than {_MOST_INPUT >> 20} MiB")
    return b"".join(blocks)


def _deliver(answer: Answer) -> int:
    status, out, err = answer
    try:
        _write(1, out)
    except OSError as error:
        status, err = BLOCKED, err or blocked(error)[2]
    try:  # noqa: SIM105 - contextlib would have to be imported
        _write(2, err)
    except OSError:  # the status says it, too
        pass
    return status


def _write(stream: int, data: bytes) -> None:
    while data:
        data = data[os.write(stream, data) :]


def ask_helper(arguments: list[str], question: bytes) -> Answer | None:
    """The answer of the process that stays; None when there is none, or it answers oddly: then we judge ourselves."""
    try:
        folder = helper_folder(os.environb)  # type: ignore[arg-type]  # a mapping like any other
        return folder and _asked(folder, _request(arguments, question))  # type: ignore[return-value]  # empty is None
    except (OSError, ValueError):
        return None


def _request(arguments: list[str], question: bytes) -> bytes:
    words = pack(*map(os.fsencode, arguments))
    environ = pack(*(part for pair in os.environb.items() for part in pair))
    return pack(identity(), words, os.getcwdb(), environ, question)


def _asked(folder: bytes, request: bytes) -> Answer:
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    asked = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        status = os.fstat(held)
        if status.st_uid != os.geteuid() or status.st_mode & _OTHERS:
            raise ValueError("somebody else can put a socket there")
        asked.settimeout(_HELPER_SECONDS)
        asked.connect(f"/proc/self/fd/{held}/{helper_name()}")  # whatever the folder is called, this is short enough
        return unpacked_answer(_exchanged(asked, request))
    finally:
        asked.close()
        os.close(held)


def _exchanged(asked: _socket.socket, request: bytes) -> bytes:
    peer = asked.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, _CREDENTIALS)
    if int.from_bytes(peer[4:8], sys.byteorder) != os.geteuid():
        raise ValueError("somebody else listens there")
    asked.sendall(request)
    asked.shutdown(_socket.SHUT_WR)
    blocks = []
    while block := asked.recv(_BLOCK):
        blocks.append(block)
    return b"".join(blocks)


def _judge(arguments: list[str], question: bytes) -> Answer:
    from limpet.surfaces.hooks.here import judged_here  # noqa: PLC0415 - only without a helper

    left = _signal.getitimer(_signal.ITIMER_REAL)[0]
    return judged_here(arguments, question, seconds=left - 0.1)
