"""Stand-ins for parts of the road, for tests of programs that use limpet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Decision, Reason, Verdict
from limpet.model.ended import Ended, Ending
from limpet.model.limits import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.model.plan import Plan
    from limpet.model.request import Request
    from limpet.protocols import Sink


class FakeLauncher:
    """Starts nothing: every command prints what it is told to, and exits."""

    def __init__(self, output: Iterable[tuple[int, bytes]] = (), *, exit_code: int = 0) -> None:
        self.plans: list[Plan] = []
        """What would have been executed."""
        self._output = tuple(output)
        self._exit_code = exit_code

    async def launch(self, plan: Plan) -> FakeRun:
        """Take note of the plan."""
        self.plans.append(plan)
        return FakeRun(self._output, self._exit_code)


class FakeRun:
    """A run that is over as soon as it begins."""

    def __init__(self, output: tuple[tuple[int, bytes], ...], exit_code: int) -> None:
        self._output = output
        self._exit_code = exit_code

    async def finish(self, sink: Sink) -> Ended:
        """Print, and exit."""
        sink.started(0)
        for stream, data in self._output:
            sink.write(stream, data)
        return Ended(ending=Ending.ITSELF, exit_code=self._exit_code, usage=Usage())

    def stop(self, *, now: bool = False) -> None:
        """Nothing runs."""

    def send(self, data: bytes) -> None:
        """Nobody reads."""

    def close_input(self) -> None:
        """Nobody reads."""

    def resize(self, rows: int, columns: int) -> None:
        """There is no terminal."""

    def close(self) -> None:
        """Nothing is held."""


class FixedJudge:
    """Gives every command the same verdict."""

    def __init__(
        self, verdict: Verdict, *, rule: str = "fixed", message: str = "as told", suggestion: str = ""
    ) -> None:
        self.requests: list[Request] = []
        """What was judged."""
        reason = Reason(rule=rule, verdict=verdict, message=message, suggestion=suggestion)
        self._decision = Decision(verdict=verdict, reasons=(reason,))

    def __call__(self, request: Request) -> Decision:
        """The verdict."""
        self.requests.append(request)
        return self._decision


class ScriptedApprover:
    """Answers questions in order; asked once more than expected, it says no."""

    def __init__(self, *answers: bool) -> None:
        self.asked: list[Request] = []
        """What was asked about."""
        self._answers = list(answers)

    async def __call__(self, request: Request, decision: Decision) -> bool:  # noqa: ARG002 - the shape of an approver
        """The next answer."""
        self.asked.append(request)
        return self._answers.pop(0) if self._answers else False
