"""`limpet try`: run a command apart from the workspace, look at what it changed, keep it or drop it."""

from __future__ import annotations

import asyncio
import fnmatch
import os
from typing import TYPE_CHECKING, Any

import click
import msgspec

from limpet.errors import ConflictError
from limpet.model.codec import to_json
from limpet.model.result import Outcome, Result
from limpet.render import changes as shown
from limpet.shell import open as open_shell
from limpet.surfaces.cli.colors import wants_color
from limpet.surfaces.cli.exits import exit_status
from limpet.surfaces.cli.live import watch
from limpet.surfaces.cli.options import approver, command_text, options_from, run_options, workspace
from limpet.surfaces.cli.run import ONCE, Interrupt
from limpet.transaction import failing

if TYPE_CHECKING:
    from limpet.model.change import Change, Committed
    from limpet.model.options import RunOptions
    from limpet.transaction import Transaction

_FAILED = 125
_QUESTION = "Keep it? [y] yes  [n] no  [PATTERN] only these paths: "


@click.command("try", context_settings={"allow_interspersed_args": False})
@click.option("--commit", "keep", flag_value="commit", default=None, help="Keep what it changed unless it fails.")
@click.option("--discard", "keep", flag_value="discard", help="Drop what it changed, whatever it was.")
@click.option(
    "--only", multiple=True, metavar="GLOB", help="Keep only these paths (repeatable); with --commit, or asked."
)
@click.option("--overwrite", is_flag=True, help="Keep it even where somebody else changed the same paths meanwhile.")
@run_options
def command(**given: Any) -> int:
    """Run COMMAND in a transaction: the workspace stays as it is until what was changed is kept.

    Without --commit or --discard a person is asked; where nobody can be asked, it is dropped.
    """
    text = command_text(given["command"], given["file"])
    options = options_from(given)
    options.pop("transaction", None)
    options.pop("rollback_on", None)
    return asyncio.run(_try(text, options, given))


async def _try(text: str, options: RunOptions, given: dict[str, Any]) -> int:
    interrupt = Interrupt()
    shell = open_shell(workspace(given), surface="cli", approver=approver(given), settings=ONCE)
    try:
        async with shell.transaction(label=text) as opened:
            result = await _ran(opened, text, options, interrupt, as_json=given["as_json"])
            result = await _settled(opened, result, given)
    finally:
        interrupt.close()
    if given["as_json"]:
        click.echo(to_json(result))
    return interrupt.status or (_FAILED if result.outcome is Outcome.NOT_STARTED else exit_status(result))


async def _ran(opened: Transaction, text: str, options: RunOptions, interrupt: Interrupt, *, as_json: bool) -> Result:
    if as_json:
        return await opened.run(text, cancel=interrupt.token, **options)
    result = await watch(opened, text, interrupt.token, options)
    if result.changes is not None:
        color = wants_color(2)
        click.echo(f"limpet: changed: {shown.counts(result.changes)}", err=True)
        click.echo(shown.tree(result.changes, color=color), err=True, nl=False)
    return result


async def _settled(opened: Transaction, result: Result, given: dict[str, Any]) -> Result:
    """Kept or dropped; what was said about that goes into the result."""
    if not result.changes:
        return result
    chosen, why = _chosen(result, given)
    if not chosen:
        return _told(result, f"dropped: {why}", given)
    try:
        committed, notes = await opened.commit(chosen, overwrite=given["overwrite"], name=result.operation_id)
    except ConflictError as error:
        if not given["as_json"]:
            click.echo(shown.conflicts(error.conflicts, color=wants_color(2)), err=True, nl=False)
        return _told(result, f"dropped: {error}; --overwrite keeps it all the same", given)
    return _kept(result, committed, notes, given)


def _kept(result: Result, committed: Committed, notes: tuple[str, ...], given: dict[str, Any]) -> Result:
    result = msgspec.structs.replace(result, commit_id=committed.id)
    words = f"kept: {shown.counts(committed.changes)}; `limpet undo {committed.id}` takes it back"
    return _told(result, "; ".join([words, *notes]), given)


def _told(result: Result, words: str, given: dict[str, Any]) -> Result:
    if not given["as_json"]:
        click.echo(f"limpet: {words}", err=True)
    error = "; ".join(part for part in (result.error, words) if part)
    return msgspec.structs.replace(result, error=error) if result.commit_id is None else result


def _chosen(result: Result, given: dict[str, Any]) -> tuple[list[str], str]:
    """The paths to keep; none, and why."""
    assert result.changes is not None
    if given["keep"] == "discard":
        return [], "as asked"
    if given["keep"] == "commit":
        return (_matching(result.changes, given["only"]), "nothing fits --only") if _went_well(result, given) else (
            [], f"{result.what_happened()}"
        )  # fmt: skip
    if given["as_json"] or not all(os.isatty(fd) for fd in (0, 2)):
        return [], "nobody was there to be asked (--commit keeps it)"
    answer = click.prompt(_QUESTION, prompt_suffix="", default="n", show_default=False, err=True).strip()
    if answer.lower() in {"y", "yes"}:
        return _matching(result.changes, given["only"]), "nothing fits --only"
    return ([], "as answered") if answer.lower() in {"", "n", "no"} else (
        _matching(result.changes, tuple(answer.split())), f"nothing fits {answer}"
    )  # fmt: skip


def _went_well(result: Result, given: dict[str, Any]) -> bool:
    if result.outcome is not Outcome.EXITED or result.exit_code is None:
        return False
    return not any(low <= result.exit_code <= high for low, high in failing(given["rollback_on"]))


def _matching(changes: tuple[Change, ...], patterns: tuple[str, ...]) -> list[str]:
    if not patterns:
        return ["."]
    return sorted({path for change in changes for path in change.paths if _fits(path, patterns)})


def _fits(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(path, pattern) or path.startswith(pattern.rstrip("/") + "/") for pattern in patterns)
