"""`limpet run`: run a command, live for people or as one JSON object for programs."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import termios
from typing import TYPE_CHECKING, Any

import click

from limpet import CancelToken
from limpet.errors import InvalidRequestError, limpetError
from limpet.model.codec import to_json
from limpet.model.result import Outcome, Result
from limpet.opening import open as open_shell
from limpet.surfaces.cli.exits import exit_status
from limpet.surfaces.cli.interactive import converse
from limpet.surfaces.cli.live import watch
from limpet.surfaces.cli.options import approver, command_text, options_from, run_options, workspace
from limpet.surfaces.cli.seat import at_the_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.model.options import RunOptions
    from limpet.shell import Shell
    from limpet.transaction import Transaction

ONCE = {"run.ready": 0}
"""No second command will come: a shell started ahead for it would be started for nothing."""
_ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


@click.command("run", context_settings={"allow_interspersed_args": False})
@run_options
def command(**given: Any) -> int:
    """Run COMMAND with bash and keep its exit status.

    One argument is shell text; several are taken word by word. 124 timed out, 125 limpet failed, 126 denied,
    127 not found, 128+n ended by signal n, 130 interrupted, 2 wrong usage.
    """
    text = command_text(given["command"], given["file"])
    options = options_from(given)
    try:
        with _same_terminal():
            return asyncio.run(_run(text, options, given))
    except limpetError as error:
        if not given["as_json"]:
            raise
        click.echo(to_json(Result(command=text, outcome=Outcome.NOT_STARTED, ok=False, error=str(error))))
        return 2 if isinstance(error, InvalidRequestError) else 125
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the answer is given; one more Ctrl-C must not garble it


@contextlib.contextmanager
def _same_terminal() -> Iterator[None]:
    """Whatever a command that reads from it does to the settings of the terminal, they are as before afterwards."""
    try:
        before = termios.tcgetattr(0)
    except (termios.error, ValueError):
        yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(0, termios.TCSANOW, before)


async def _run(text: str, options: RunOptions, given: dict[str, Any]) -> int:
    interrupt = Interrupt()
    shell = open_shell(workspace(given), surface="cli", approver=approver(given), settings=ONCE)
    if given["cwd"] is not None and given["workspace"] is not None:
        options["cwd"] = given["cwd"]
    try:
        async with shell:
            result = await _answered(shell, text, interrupt.token, options, given)
    except OSError:
        if not interrupt.status:
            raise
        return interrupt.status  # the terminal is gone, which is why we were told to end
    finally:
        interrupt.close()
    return interrupt.status or exit_status(result)


async def _answered(shell: Shell, text: str, cancel: CancelToken, options: RunOptions, given: dict[str, Any]) -> Result:
    if not given["as_json"]:
        return await show(shell, text, cancel, options, given)
    if given["terminal"] and given["pass_stdin"]:
        options["stdin"] = sys.stdin.buffer.read()
    result = await shell.run(text, cancel=cancel, **options)
    click.echo(to_json(result))
    return result


async def show(
    where: Shell | Transaction, text: str, cancel: CancelToken, options: RunOptions, given: dict[str, Any]
) -> Result:
    """Run it and show it as it comes; one with a terminal of its own is talked to by whoever is at ours."""
    if given["terminal"] and at_the_terminal():
        if given["timeout"] is None:
            options["timeout"] = None  # a person takes the time they need
        follow = given["rows"] is None and given["columns"] is None
        return await converse(where, text, cancel, options, follow_size=follow)
    passed = given["terminal"] and given["pass_stdin"]
    return await watch(where, text, cancel, options, pass_stdin=passed)


class Interrupt:
    """Ctrl-C and its relatives -> the run is ended and answered; a second one ends it without grace."""

    def __init__(self) -> None:
        self.token = CancelToken()
        self.status = 0
        self._loop = loop = asyncio.get_running_loop()
        for number in _ENDING_SIGNALS:
            if signal.getsignal(number) is signal.SIG_IGN:  # switched off by whoever started us, such as nohup
                continue
            loop.add_signal_handler(number, self._cancel, number)

    def close(self) -> None:
        """Hear nothing more. Not left to the loop: it closes its pipe first, and a signal in between is a traceback."""
        for number in _ENDING_SIGNALS:
            self._loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_IGN)

    def _cancel(self, number: int) -> None:
        self.status = 128 + number
        self.token.cancel()
