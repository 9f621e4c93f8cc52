"""`limpet try`: run a command apart from the workspace, look at what it changed, keep it or drop it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import click
import msgspec

from limpet.errors import ConflictError, TransactionError
from limpet.model.codec import to_json
from limpet.opening import open as open_shell
from limpet.policy.hiding import seen
from limpet.render import changes as shown
from limpet.surfaces.cli.colors import wants_color
from limpet.surfaces.cli.exits import exit_status
from limpet.surfaces.cli.keeping import choose
from limpet.surfaces.cli.options import approver, command_text, options_from, run_options, workspace
from limpet.surfaces.cli.run import ONCE, Interrupt, show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.model.change import Change, Committed
    from limpet.model.options import RunOptions
    from limpet.model.result import Result
    from limpet.transaction import Transaction

_NOT_KEPT = 125


@click.command("try", context_settings={"allow_interspersed_args": False})
@click.option("--commit", is_flag=True, help="Keep what it changed unless it fails.")
@click.option("--discard", is_flag=True, help="Drop what it changed, whatever it was.")
@click.option("--only", multiple=True, metavar="GLOB", help="Keep only these paths (repeatable).")
@click.option("--overwrite", is_flag=True, help="Keep it even where somebody else changed the same meanwhile.")
@click.option("--hide", multiple=True, metavar="GLOB", help="Only count these changes, as in .gitignore (repeatable).")
@click.option("--diff", "difference", is_flag=True, help="Show the difference line by line, too.")
@run_options
def command(**given: Any) -> int:
    """Run COMMAND in a transaction: the workspace stays as it is until what was changed is kept.

    Without --commit or --discard a person is asked; where nobody can be asked, it is dropped. The exit status is
    the command's own; 125 when what it changed could not be kept.
    """
    if given["commit"] and given["discard"]:
        raise click.UsageError("--commit keeps what was changed and --discard drops it: give one of them")
    if given["effects"]:
        raise click.UsageError("what a command changed is shown to you here; `limpet run --effects` has it judged")
    text = command_text(given["command"], given["file"])
    options = options_from(given)
    options.pop("transaction", None)
    options.pop("rollback_on", None)
    return asyncio.run(_try(text, options, given))


async def _try(text: str, options: RunOptions, given: dict[str, Any]) -> int:
    interrupt = Interrupt()
    shell = open_shell(workspace(given), surface="cli", approver=approver(given), settings=ONCE)
    async with shell, shell.transaction(label=text, **options) as opened:
        try:
            result = await _ran(opened, text, interrupt, shell.settings.transaction.hide, given)
        finally:
            interrupt.close()
        result, status = await _settled(opened, result, given)
    if given["as_json"]:
        click.echo(to_json(result))
    return interrupt.status or status or exit_status(result)


async def _ran(
    opened: Transaction, text: str, interrupt: Interrupt, hide: Sequence[str], given: dict[str, Any]
) -> Result:
    if given["as_json"]:
        return await opened.run(text, cancel=interrupt.token)
    result = await show(opened, text, interrupt.token, {}, given)
    if result.changes is not None:
        click.echo(f"limpet: changed: {shown.counts(result.changes)}", err=True)
        _show(result.changes, (*hide, *given["hide"]))
        if given["difference"]:
            click.echo(shown.difference(opened.diff(), color=wants_color(2)), err=True, nl=False)
    return result


def _show(changes: Sequence[Change], hide: Sequence[str]) -> None:
    told = seen(changes, hide) if hide else changes
    click.echo(shown.tree(told, color=wants_color(2)), err=True, nl=False)
    if len(told) < len(changes):
        click.echo(f"  not shown: {len(changes) - len(told):,} that fit {', '.join(hide)}", err=True)


async def _settled(opened: Transaction, result: Result, given: dict[str, Any]) -> tuple[Result, int]:
    """Kept or dropped, and what was said about that in the result; a status where that went wrong."""
    if not result.changes:
        return result, 0
    choice = await choose(result, given, opened.diff)
    if not choice.keep:
        return _dropped(result, choice.why, given), 0
    try:
        committed, notes = await opened.commit(choice.paths, overwrite=given["overwrite"], name=result.operation_id)
    except ConflictError as error:
        if not given["as_json"]:
            click.echo(shown.conflicts(error.conflicts, color=wants_color(2)), err=True, nl=False)
        return _dropped(result, f"{error}; --overwrite keeps it all the same", given), _NOT_KEPT
    except TransactionError as error:
        return _dropped(result, str(error), given), _NOT_KEPT
    return _kept(result, committed, notes, given), 0


def _kept(result: Result, committed: Committed, notes: tuple[str, ...], given: dict[str, Any]) -> Result:
    words = f"kept: {shown.counts(committed.changes)}; `limpet undo {committed.id}` takes it back"
    _say("; ".join([words, *notes]), given)
    return _noted(msgspec.structs.replace(result, commit_id=committed.id), *notes)


def _dropped(result: Result, why: str, given: dict[str, Any]) -> Result:
    _say(f"dropped: {why}", given)
    return _noted(result, f"dropped: {why}")


def _say(words: str, given: dict[str, Any]) -> None:
    if not given["as_json"]:
        click.echo(f"limpet: {words}", err=True)


def _noted(result: Result, *notes: str) -> Result:
    return msgspec.structs.replace(result, error="; ".join(part for part in (result.error, *notes) if part) or None)
