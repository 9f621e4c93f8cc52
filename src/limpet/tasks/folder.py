"""The folder of one task: `task.json`, `status.json`, `result.json`, `answer.json`, `output`.

`held` is locked from before the task can be seen until its holder ends, however that ends. `result.new` sets space
aside for the end, so that a full disk cannot keep it from being told. `foreground` is there as long as somebody still
waits for the command in a call of `run`; `told` when the completion was delivered.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from typing import TYPE_CHECKING

import msgspec

from limpet.engine.stored import StoredLog
from limpet.errors import StoreError
from limpet.kernel.identity import boot, is_alive
from limpet.model.result import Outcome, Result
from limpet.model.task import TaskState, TaskStatus
from limpet.tasks import record
from limpet.tasks.record import End, Facts, Standing

if TYPE_CHECKING:
    from collections.abc import Iterator

_SET_ASIDE = 8192
_LONGEST_ERROR = 2_000
_NEVER_STARTED = "it was never started: whoever was about to do so was killed"
_REBOOTED = "the machine was restarted while it ran"
_KILLED = "the process that held it was killed, and everything it had started was ended; what it had printed is kept"
_DAMAGED = "what was written down about how it ended is damaged"
_UNKNOWN = "what was written down about it is missing or damaged"


class TaskFolder:
    """Everything that is kept of one task."""

    def __init__(self, path: str, known: TaskStatus | None = None) -> None:
        """`known`: of one that is over, all there is to know."""
        self.path = path
        self.id = os.path.basename(path)
        self._known = known

    def file(self, name: str) -> str:
        """The path of a file in it."""
        return os.path.join(self.path, name)

    @property
    def output_file(self) -> str:
        """Where what it prints goes."""
        return self.file("output")

    def log(self) -> StoredLog:
        """What it printed. Raises StoreError when that is gone."""
        return StoredLog(self.id, self.output_file)

    def make(self, facts: Facts, *, foreground: bool) -> int:
        """Make the folder; the descriptor that holds the task, which the holder is to get. Raises OSError."""
        os.mkdir(self.path, 0o700)
        fd = os.open(self.file("held"), os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._set_aside()
            if foreground:
                os.close(os.open(self.file("foreground"), os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            record.replace(self.file("task.json"), facts)  # from here on others see it
        except BaseException:
            os.close(fd)
            raise
        return fd

    def _set_aside(self) -> None:
        fd = os.open(self.file("result.new"), os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.posix_fallocate(fd, 0, _SET_ASIDE)
        finally:
            os.close(fd)

    def facts(self) -> Facts | None:
        """What was asked for."""
        return record.read(self.file("task.json"), Facts)

    def end(self) -> End | None:
        """How it ended; None as long as nobody has said so."""
        end = record.read(self.file("result.json"), End)
        if end is None and os.path.lexists(self.file("result.json")):
            return End(state=TaskState.LOST, outcome=Outcome.SIGNALLED, finished_at=0.0, error=_DAMAGED)
        return end

    def standing(self) -> Standing | None:
        """Who holds it; None as long as nobody has said so."""
        return record.read(self.file("status.json"), Standing)

    def stand(self, standing: Standing) -> None:
        """For the holder: say where it stands. Raises OSError."""
        record.replace(self.file("status.json"), standing)

    def finish(self, end: End, result: Result | None = None) -> None:
        """For the holder: say how it ended, in the space that was set aside where there is no other."""
        if result is not None:
            with contextlib.suppress(OSError):  # then the end alone is told
                record.replace(self.file("answer.json"), result)
        end = msgspec.structs.replace(end, error=end.error and end.error[:_LONGEST_ERROR])
        fd = os.open(self.file("result.new"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        with open(fd, "r+b", buffering=0) as file:
            file.truncate(file.write(record.encode(end)))
            os.fdatasync(fd)
        try:
            os.link(self.file("result.new"), self.file("result.json"))
        except FileExistsError:
            pass
        except OSError:  # no room for another name
            os.rename(self.file("result.new"), self.file("result.json"))
            return
        os.unlink(self.file("result.new"))

    def is_held(self, standing: Standing | None) -> bool:
        """Whether somebody watches over it, or is about to."""
        alive = None if standing is None else is_alive(standing.holder)
        return self._locked() if alive is None else alive

    def _locked(self) -> bool:
        try:
            with open(self.file("held"), "rb", opener=record.at_once) as file:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # shared: two who look do not take it for held
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def over(self) -> tuple[End | None, Standing | None]:
        """How it ended, or where it stands. Whoever finds it without a holder writes down that it is lost."""
        end = self.end()
        if end is not None:
            return end, None
        standing = self.standing()
        if self.is_held(standing):
            return None, standing
        return self.end() or self._lose(standing), None  # it may have ended while we looked

    def _lose(self, standing: Standing | None) -> End:
        why = _NEVER_STARTED if standing is None else _REBOOTED if standing.holder.boot != boot() else _KILLED
        return self.settle(End(state=TaskState.LOST, outcome=Outcome.SIGNALLED, finished_at=time.time(), error=why))

    def settle(self, end: End) -> End:
        """For whoever knows that there is no holder any more: write down the end, once; the one that counts."""
        with contextlib.suppress(OSError):  # a full disk: it is found again by the next one who looks
            record.create_once(self.file("result.json"), end)
        return record.read(self.file("result.json"), End) or end

    @property
    def is_over(self) -> bool:
        """Whether its end was written down."""
        return self._known is not None or os.path.lexists(self.file("result.json"))

    def belongs_to(self, workspace: str | None, agent: str | None) -> bool:
        """Whether it is one of this workspace and agent, where those are named."""
        if workspace is None and agent is None:
            return True
        if self._known is not None:
            return workspace in (None, self._known.workspace) and agent in (None, self._known.agent)
        facts = self.facts()
        return facts is not None and workspace in (None, facts.workspace) and agent in (None, facts.origin.agent)

    def status(self) -> TaskStatus:
        """All there is to know of it now."""
        if self._known is not None:  # the folder may have been moved
            return msgspec.structs.replace(self._known, output_file=self.output_file)
        end, standing = self.over()
        facts = self.facts()
        state = end.state if end is not None else standing.state if standing is not None else TaskState.STARTING
        started = self._started(standing)
        status = TaskStatus(
            task_id=self.id, status=state, output_file=self.output_file, output_bytes=self._printed(),
            started_at=None if started is None else started.started_at,
            pid=None if started is None else started.pid,
            holder=None if standing is None else standing.holder.pid,
            prompt="" if standing is None else standing.prompt,
        )  # fmt: skip
        return _with_end(_with_facts(status, facts), end)

    def _started(self, standing: Standing | None) -> Standing | None:
        return standing if standing is not None else self.standing()

    def _printed(self) -> int:
        try:
            return self.log().size
        except StoreError:
            return 0

    @property
    def foreground(self) -> bool:
        """Whether it is, or was to its end, a call that somebody waited for."""
        return os.path.lexists(self.file("foreground"))

    def put_away(self) -> None:
        """It was a call that somebody waited for to its end: they have their answer, and the output is what is left."""
        for name in ("answer.json", "held"):
            with contextlib.suppress(OSError):
                os.unlink(self.file(name))

    def yield_(self) -> None:
        """Make it a task that others see."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.file("foreground"))

    @contextlib.contextmanager
    def telling(self) -> Iterator[bool]:
        """Claim its completion: True for one at a time, until the block was left in peace by one of them."""
        with contextlib.ExitStack() as stack:
            try:
                file = stack.enter_context(open(self.file("task.json"), "rb", opener=record.at_once))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                yield False
                return
            if os.path.lexists(self.file("told")):
                yield False
                return
            yield True
            self.told()

    def told(self) -> None:
        """Its completion need not be told any more. Raises OSError."""
        os.close(os.open(self.file("told"), os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))


def _with_facts(status: TaskStatus, facts: Facts | None) -> TaskStatus:
    if facts is None:
        return msgspec.structs.replace(status, error=_UNKNOWN)
    since = status.started_at or facts.created_at
    return msgspec.structs.replace(
        status, command=facts.command, description=facts.description, workspace=facts.workspace, cwd=facts.cwd,
        created_at=facts.created_at, timeout=facts.timeout, agent=facts.origin.agent, caller=facts.origin.caller,
        input=facts.input, surface=facts.origin.surface, duration_ms=max(0, round((time.time() - since) * 1000)),
    )  # fmt: skip


def _with_end(status: TaskStatus, end: End | None) -> TaskStatus:
    if end is None:
        return status
    return msgspec.structs.replace(
        status, exit_code=end.exit_code, signal=end.signal, finished_at=end.finished_at or None,
        duration_ms=end.duration_ms, error=end.error or status.error,
    )  # fmt: skip
