"""`limpet init`: connect limpet to an agent program, after showing what changes; or take it out again."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from limpet.config import state_dir
from limpet.surfaces.cli.colors import wants_color
from limpet.surfaces.install.agents import AGENTS, HOOK, MCP, WRAP, Wish, entries
from limpet.surfaces.install.doing import Step, install, planned, undo, undoing
from limpet.surfaces.install.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable

    from limpet.surfaces.install.entry import Entry

_NEXT = {
    "claude": "It counts from the next session of Claude Code on.",
    "codex": "Codex asks once whether to trust the hook, and does not run it before that.",
    "gemini": "It counts from the next start of Gemini CLI on.",
    "qwen": "It counts from the next start of Qwen Code on.",
    "copilot": "It counts from the next start of Copilot CLI on.",
    "cursor": "Cursor reads it when it is saved; its settings show the hook.",
    "opencode": "It counts from the next start of opencode on.",
}


@click.command("init")
@click.argument("agent", type=click.Choice(AGENTS))
@click.option("--hook", is_flag=True, help="Have every shell command judged before it runs (the default).")
@click.option("--wrap", is_flag=True, help="Have shell commands run contained, by limpet.")
@click.option("--mcp", is_flag=True, help="Offer limpet's own tools to the model.")
@click.option(
    "--user/--project", "for_user", default=True, help="For all that you do (the default), or for this folder."
)
@click.option("--on-allow", type=click.Choice(["approve", "pass"]), help="Whether an allowed command is asked about.")
@click.option("--on-ask", type=click.Choice(["ask", "deny"]), help="Whether a person is asked, or the command refused.")
@click.option("--undo", "undone", is_flag=True, help="Take out what limpet put there.")
@click.option("--dry-run", is_flag=True, help="Only show what would change.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def command(**given: Any) -> int:
    """Connect limpet to an agent program.

    Shows what would change in which file, asks, and changes nothing else. Done twice it changes nothing.
    """
    ledger = Ledger(state_dir(os.environ))
    if given["undone"]:
        wish = _wish(given, frozenset({HOOK, MCP, WRAP}))
        steps = undoing(_all_entries(given["agent"], wish), ledger)
        return _done(steps, given, lambda: undo(steps, ledger), "limpet has put nothing there", "taken out of")
    parts = frozenset(part for part in (HOOK, MCP, WRAP) if given[part]) or frozenset({HOOK})
    steps = planned(entries(given["agent"], _wish(given, parts)))
    done = _done(steps, given, lambda: install(steps, ledger), "everything is there already", "written to")
    if steps and not given["dry_run"] and done == 0:
        click.echo(_NEXT[given["agent"]])
    return done


def _wish(given: dict[str, Any], parts: frozenset[str]) -> Wish:
    options = [f"--{name.replace('_', '-')}={given[name]}" for name in ("on_allow", "on_ask") if given[name]]
    project = None if given["for_user"] else os.path.realpath(".")
    return Wish(parts=parts, project=project, environ=dict(os.environ), options=tuple(options))


def _all_entries(agent: str, wish: Wish) -> list[Entry]:
    """Everything that limpet may have put somewhere."""
    found: list[Entry] = []
    for part in sorted(wish.parts):
        with contextlib.suppress(ValueError):  # what it cannot do was not done
            found += entries(agent, Wish(parts=frozenset({part}), project=wish.project, environ=wish.environ))
    return found


def _done(steps: list[Step], given: dict[str, Any], act: Callable[[], None], nothing: str, words: str) -> int:
    if not steps:
        click.echo(f"limpet: {nothing}; nothing to do", err=True)
        return 0
    for step in steps:
        click.echo(_colored(step.diff()), nl=False)
    if given["dry_run"]:
        return 0
    if not given["yes"]:
        if not sys.stdin.isatty():
            raise click.UsageError("there is nobody to ask; look at it with --dry-run, then pass --yes")
        click.confirm("Do that?", abort=True, err=True)
    act()
    for step in steps:
        click.echo(f"limpet: {words} {step.path}", err=True)
    return 0


def _colored(diff: str) -> str:
    if not wants_color(1):
        return diff
    styles = {"+": "green", "-": "red", "@": "cyan"}
    return "".join(click.style(line, fg=styles.get(line[:1])) for line in diff.splitlines(keepends=True))
