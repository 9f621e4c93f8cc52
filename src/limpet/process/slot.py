"""A job -> its shell, behind walls of its own, started by a thread that ends when the shell has.

Namespaces, Landlock, the filter and capabilities belong to a thread, and what it starts inherits them. A thread that
has put them on can never take them off, so each shell has one for itself; a process would be the dearer way to the
same end, since it begins with a copy of this one.
"""

from __future__ import annotations

import _thread
import contextlib
import errno
import os
import signal
import time
from typing import TYPE_CHECKING

from limpet.kernel import namespaces
from limpet.kernel.mounts import View, carry_out
from limpet.process import bound
from limpet.process.first import restrict

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.process.wire import Message

Actions = list[tuple[int, int, int]]
Bind = dict[str, tuple[int, int, int]]
_Places = tuple[int, int, tuple[tuple[object, ...], ...]]
_Restrictions = tuple["Message", "Callable[[], None]"]
_OWN = namespaces.FILES | namespaces.IPC | namespaces.UTS | namespaces.CGROUP
_CONSOLE = "/dev/console"
_PATIENCE = 1.0
_SETTABLE = sorted(set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33})


def put_in(
    job: Message, actions: Actions, bind: Bind, places: _Places, restrictions: _Restrictions
) -> tuple[int, Callable[[], None]]:
    """The shell's number, and what lets go of its walls, to be called once. Raises OSError when it could not start.

    `places`: its pid namespace, the view it gets a copy of, and what is its own in that copy. Whoever lets go of
    mounts, names or filter last waits until they are gone: that is not to be the shell, but the thread.
    """
    outcome: list[int | BaseException] = []
    done, needed = _thread.allocate_lock(), _thread.allocate_lock()
    done.acquire()
    needed.acquire()

    def work() -> None:
        try:
            outcome.append(_start(job, actions, bind, places, restrictions))
        except BaseException as error:  # noqa: BLE001 - it is raised where it was asked for
            outcome.append(error)
            needed.release()
        done.release()
        needed.acquire()

    try:
        _thread.start_new_thread(work, ())
        done.acquire()
    except RuntimeError as error:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
    (result,) = outcome
    if isinstance(result, BaseException):
        raise result
    return result, needed.release


def wait_until_single() -> None:
    """Until the last thread has ended: what it holds while it does, a copy of this process would never get."""
    deadline = time.monotonic() + _PATIENCE
    while len(os.listdir("/proc/self/task")) > 1 and time.monotonic() < deadline:
        time.sleep(0.0005)


def _start(job: Message, actions: Actions, bind: Bind, places: _Places, restrictions: _Restrictions) -> int:
    pids, view, steps = places
    namespaces.unshare(_OWN)
    console = _terminal(actions[1][1]) if job["terminal"] else None
    namespaces.enter(pids, namespaces.PID)
    namespaces.enter(view, namespaces.MOUNT)
    namespaces.unshare(namespaces.MOUNT)
    carry_out(steps)
    if console is not None:
        job = {**job, "console": _shown(console)}
    os.chdir(job["cwd"])
    restrict(*restrictions)
    return _spawn(job, actions, bind)


def _terminal(fd: int) -> View | None:
    """The device of the command's own terminal, taken out of the view that has those of everybody."""
    view = View()
    with contextlib.suppress(OSError):
        namespaces.unshare(namespaces.MOUNT)
        view.take(_CONSOLE, os.ttyname(fd))
        view.lock_device(_CONSOLE)
        return view
    view.close()
    return None


def _shown(console: View) -> str | None:
    """Where it can be found; where there is no place for it, the command does without a name for its terminal."""
    try:
        console.put(_CONSOLE, _CONSOLE)
    except OSError:
        return None
    finally:
        console.close()
    return _CONSOLE


def _spawn(job: Message, actions: Actions, bind: Bind) -> int:
    if bind or job["terminal"]:  # what is for the shell alone
        return bound.start({**job, "confinement": None}, actions, bind, b"")
    return os.posix_spawn(
        job["executable"], job["argv"], job["env"], file_actions=actions, setsid=True, setsigdef=_SETTABLE,
        setsigmask=(),
    )  # fmt: skip
