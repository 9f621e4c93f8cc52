"""`limpet hook`: answer an agent program that asks before it runs a command. `__main__` takes the quick way there."""

from __future__ import annotations

import click

from limpet.surfaces.hooks.arguments import AGENTS
from limpet.surfaces.hooks.client import main


@click.command(
    "hook",
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
    epilog="`limpet-hook AGENT` is the same, and starts sooner.",
)
@click.argument("agent", metavar=f"[{'|'.join(AGENTS)}]")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def command(agent: str, options: tuple[str, ...]) -> int:
    r"""Judge the tool call that an agent program sends on stdin, and answer in its own words.

    `limpet init AGENT` installs it. Exit status: 0 answered, 2 the command must not run.

    \b
    --wrap               have what may run run through `limpet run`, contained
    --workspace DIR      what counts as inside; else the agent's project
    --on-allow approve   an allowed command is not asked about again (the default)
               pass      the agent goes on as if there were no hook
    --on-ask ask         a person is asked, where the agent can do that (the default)
             deny        it is refused, and the model is told why
    """
    return main([agent, *options])
