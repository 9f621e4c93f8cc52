"""Arguments -> one subcommand, loaded when it is called; and the one place where exceptions become exit codes."""

from __future__ import annotations

import importlib
import os
import sys

import click

from limpet import __version__
from limpet.errors import InvalidRequestError, limpetError

_COMMANDS = {
    "run": "Run a command and keep its exit status.",
    "logs": "Show what a run printed: all, the end, or what matches.",
    "log": "Show the audit trail, or verify it.",
    "doctor": "Say what this host can enforce, and what is missing.",
    "config": "Show the settings in force.",
    "completion": "Print the completion script of a shell.",
}

_EXAMPLES = """\
limpet runs the shell commands of AI agents: judged, contained, reversible, observed.

  limpet run -- 'make test'                   run it; live output, its own exit status
  limpet run --json --timeout 60 -- 'npm ci'  the same for programs: one JSON object
  limpet doctor                               what this host can enforce

limpet --help lists everything."""

USAGE = 2
FAILED = 125


class Lazy(click.Group):
    """Imports a subcommand's module only when that subcommand is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of use, not of the alphabet."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The subcommand of this name."""
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"limpet.surfaces.cli.{cmd_name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.command(
    "limpet", cls=Lazy, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="limpet")
@click.pass_context
def cli(context: click.Context) -> None:
    """Run the shell commands of AI agents: judged, contained, reversible, observed."""
    if context.invoked_subcommand is None:
        click.echo(_EXAMPLES)


def run_cli(arguments: list[str]) -> int:
    """The exit status. limpet's own words go to stderr; a traceback only with LIMPET_DEBUG=1."""
    try:
        status = cli.main(arguments, prog_name="limpet", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.Abort:
        return 130
    except click.ClickException as error:
        error.show(file=sys.stderr)
        return USAGE
    except BrokenPipeError:
        return _reader_is_gone()
    except Exception as error:  # noqa: BLE001 - the one place where everything ends up
        return _failed(error)
    return status if isinstance(status, int) else 0


def _failed(error: Exception) -> int:
    if os.environ.get("LIMPET_DEBUG") == "1":
        raise error
    known = isinstance(error, (limpetError, OSError))
    what = (
        str(error)
        if known
        else f"this is a bug in limpet: {type(error).__name__}: {error} (LIMPET_DEBUG=1 shows where)"
    )
    click.echo(f"limpet: {what}", err=True)
    return USAGE if isinstance(error, InvalidRequestError) else FAILED


def _reader_is_gone() -> int:
    """Whoever read our output has left: nothing more can be said, as with any program in a pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 141
