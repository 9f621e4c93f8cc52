"""`limpet session`: shells that stay, by name."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import TYPE_CHECKING, Any

import click
import msgspec

from limpet.errors import InvalidRequestError
from limpet.model.codec import to_json
from limpet.named.client import Named, Visitor
from limpet.named.talk import Run
from limpet.opening import open as open_shell
from limpet.surfaces.cli.exits import exit_status
from limpet.surfaces.cli.live import Screen
from limpet.surfaces.cli.options import approver, command_text, options_from, run_options
from limpet.surfaces.cli.run import Interrupt
from limpet.surfaces.cli.seat import at_the_terminal
from limpet.surfaces.cli.session_seat import converse
from limpet.surfaces.cli.session_terminal import screen, send
from limpet.wiring.approvers import Approvers

if TYPE_CHECKING:
    from limpet.model.event import Output
    from limpet.model.result import Result
    from limpet.named.talk import Piece, Standing

_FOR_THE_COMMAND = ("timeout", "description", "max_output", "truncate")
_HERE = "ask"
"""Whoever sits at the terminal of this call answers, not somebody where the session lives."""
_SHORT, _HOUR = 60, 3600


@click.group("session")
def command() -> None:
    """Run commands in a bash that stays: folder, variables and functions are there for the next one."""


command.add_command(send)
command.add_command(screen)


@command.command("run")
@click.argument("name")
@click.option(
    "--attended", is_flag=True, help="Somebody answers what it asks: limpet session send. Else a question ends it."
)
@run_options
def run(name: str, **given: Any) -> int:
    """Run COMMAND in the session NAME, which is started if there is none, and keep its exit status.

    What is not for one command (--cwd, --env, --sandbox, limits ...) is settled when the session is started; with
    --terminal its commands have one, and at yours every key goes to them.
    """
    text = command_text(given["command"], given["file"])
    how = approver(given)
    if given["effects"]:
        raise click.UsageError(
            "what a command of a session changes cannot be looked at before it is kept; use limpet run"
        )
    asked = options_from(given)
    options = {key: value for key, value in asked.items() if key == "terminal" or _is_said(value)}
    options.pop("stdin", None)
    wanted = Run(
        command=os.fsencode(text),
        options={key: options.pop(key) for key in _FOR_THE_COMMAND if key in options},
        stdin=sys.stdin.buffer.read() if given["pass_stdin"] else None,
        approver=_HERE if "terminal" in how else how,
        attended=given["attended"],
    )
    if wanted.attended:
        wanted = _without_hurry(name, wanted, given)
    if given["cwd"] is not None:
        options["cwd"] = os.path.abspath(given["cwd"])
    return asyncio.run(_run(name, wanted, options, given))


def _without_hurry(name: str, wanted: Run, given: dict[str, Any]) -> Run:
    """Whoever answers takes the time they need."""
    if given["pass_stdin"]:
        raise click.UsageError("--stdin types all there is to read, so that nobody has to answer: leave out --attended")
    if not given["terminal"] and not Named(os.environ).has_terminal(name):
        raise InvalidRequestError(f"the session {name} has no terminal to answer at: start it with --terminal")
    return msgspec.structs.replace(wanted, attended=True, options={"timeout": None, **wanted.options})


def _is_said(value: object) -> bool:
    return value not in (None, "", (), {}) and (not hasattr(value, "__struct_fields__") or value != type(value)())


async def _run(name: str, wanted: Run, options: dict[str, Any], given: dict[str, Any]) -> int:
    interrupt = Interrupt()
    named = Named(os.environ)
    chosen = given["workspace"] if given["workspace"] is not None else given["cwd"]
    try:
        await named.ensure(name, workspace=chosen, options=options)
        result = await _answered(named, name, wanted, interrupt, given)
    finally:
        interrupt.close()
    return interrupt.status or exit_status(result)


async def _answered(named: Named, name: str, wanted: Run, interrupt: Interrupt, given: dict[str, Any]) -> Result:
    if given["as_json"]:
        result = await named.run(name, wanted, cancel=interrupt.token)
        click.echo(to_json(result))
        return result
    ask = Approvers(os.environ, None, None)("terminal+inbox") if wanted.approver == _HERE else None
    if at_the_terminal() and not given["pass_stdin"] and named.has_terminal(name):
        wanted = _without_hurry(name, wanted, given)
        follow = given["rows"] is None and given["columns"] is None
        return await converse(named, name, wanted, interrupt.token, ask, follow_size=follow)
    shown = Screen(interrupt.token)

    async def printed(piece: Piece) -> None:
        await shown.print(_as_output(piece))

    visitor = Visitor(ask=ask, opened=lambda request, _: shown.open(request), printed=printed)
    result = await named.run(name, wanted, cancel=interrupt.token, visitor=visitor)
    await shown.close(result)
    return result


def _as_output(piece: Piece) -> Output:
    from limpet.model.event import Output  # noqa: PLC0415 - not needed with --json

    return Output(stream=piece.stream, data=piece.data, text=piece.text)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="A JSON list of objects.")
def show_all(*, as_json: bool) -> int:
    """List the sessions that run."""
    found = asyncio.run(Named(os.environ).all())
    if as_json:
        click.echo(to_json(found))
    elif not found:
        click.echo("limpet: no sessions; `limpet session run NAME -- COMMAND` starts one", err=True)
    for each in found if not as_json else ():
        click.echo(f"{each.name:16}  {_doing(each):24}  {each.cwd}")
    return 0


@command.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def show(name: str, *, as_json: bool) -> int:
    """Show how one session stands."""
    standing = asyncio.run(Named(os.environ).look(name))
    if as_json:
        click.echo(to_json(standing))
        return 0
    started = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(standing.started_at))
    lines = {
        "session": standing.name, "workspace": standing.workspace, "folder": standing.cwd, "started": started,
        "commands": str(standing.commands), "terminal": "yes" if standing.terminal else "no",
        "now": _doing(standing), "bash": str(standing.pid or "not started"),
    }  # fmt: skip
    click.echo("\n".join(f"{key:10} {value}" for key, value in lines.items()))
    return 0


@command.command("close")
@click.argument("name")
def close(name: str) -> int:
    """End a session, with everything that it has started."""
    asyncio.run(Named(os.environ).close(name))
    return 0


@command.command("capture")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def capture(*, as_json: bool) -> int:
    """Run your interactive bash once, with its start-up files, and store what it sets up: PATH, functions, aliases.

    Sessions and commands begin with it when the setting run.setup is on. The start-up files are not judged, and run
    with all your rights; variables that look like secrets are left out.
    """
    found = asyncio.run(open_shell(surface="cli").capture())
    if as_json:
        click.echo(to_json(found))
        return 0
    click.echo(f"stored in {found.path}; `limpet config show` says whether run.setup is on")
    for what in ("variables", "functions", "aliases", "withheld"):
        if names := getattr(found, what):
            click.echo(f"{what:10} {' '.join(names)}")
    return 0


def _doing(standing: Standing) -> str:
    if standing.waiting:
        return f"waits for input: {standing.prompt}".rstrip(": ")
    if standing.busy:
        first = standing.busy.splitlines()[0]
        return f"runs {first[:40]}"
    minutes, hours = standing.idle / _SHORT, standing.idle / _HOUR
    if standing.idle < _SHORT:
        return f"idle for {standing.idle:.0f} s"
    return f"idle for {minutes:.0f} min" if standing.idle < _HOUR else f"idle for {hours:.1f} h"
