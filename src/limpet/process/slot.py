"""A job -> its shell, behind walls of its own, started by a thread that ends with it.

Namespaces, Landlock, the filter and capabilities belong to a thread, and what it starts inherits them. A thread that
has put them on can never take them off, so each shell has one for itself; a process would be the dearer way to the
same end, since it begins with a copy of this one.
"""

from __future__ import annotations

import _thread
import errno
import os
import signal
from typing import TYPE_CHECKING

from limpet.kernel import namespaces
from limpet.kernel.mounts import carry_out
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
_SETTABLE = sorted(set(range(1, 65)) - {signal.SIGKILL, signal.SIGSTOP, 32, 33})


def put_in(job: Message, actions: Actions, bind: Bind, places: _Places, restrictions: _Restrictions) -> tuple[int, int]:
    """The shell's number, and a descriptor that holds its mounts. Raises OSError when it could not be started.

    `places`: its pid namespace, the view it gets a copy of, and what is its own in that copy. Whoever lets go of the
    mounts last waits until they are gone: that is not to be the shell.
    """
    outcome: list[tuple[int, int] | BaseException] = []
    done = _thread.allocate_lock()
    done.acquire()
    outside = os.open("/proc/", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)

    def work() -> None:
        try:
            outcome.append(_start(job, actions, bind, places, restrictions, outside))
        except BaseException as error:  # noqa: BLE001 - it is raised where it was asked for
            outcome.append(error)
        finally:
            done.release()

    try:
        _thread.start_new_thread(work, ())
        done.acquire()
    except RuntimeError as error:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
    finally:
        os.close(outside)
    (result,) = outcome
    if isinstance(result, BaseException):
        raise result
    return result


def _start(
    job: Message, actions: Actions, bind: Bind, places: _Places, restrictions: _Restrictions, outside: int
) -> tuple[int, int]:
    pids, view, steps = places
    namespaces.unshare(_OWN)
    namespaces.enter(pids, namespaces.PID)
    namespaces.enter(view, namespaces.MOUNT)
    namespaces.unshare(namespaces.MOUNT)
    mounts = os.open("thread-self/ns/mnt", os.O_RDONLY | os.O_CLOEXEC, dir_fd=outside)
    try:
        carry_out(steps)
        os.chdir(job["cwd"])
        restrict(*restrictions)
        return _spawn(job, actions, bind), mounts
    except BaseException:
        os.close(mounts)
        raise


def _spawn(job: Message, actions: Actions, bind: Bind) -> int:
    if bind or job["terminal"]:  # what is for the shell alone
        return bound.start({**job, "confinement": None}, actions, bind, b"")
    return os.posix_spawn(
        job["executable"], job["argv"], job["env"], file_actions=actions, setsid=True, setsigdef=_SETTABLE,
        setsigmask=(),
    )  # fmt: skip
