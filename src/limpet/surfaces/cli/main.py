"""Arguments -> one subcommand, loaded when it is called; and the one place where exceptions become exit codes."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import sys

import click

from limpet import __version__
from limpet.errors import InvalidRequestError, limpetError
from limpet.surfaces.cli.streams import drop_unwritable_words, open_missing_streams

_COMMANDS = {
    "run": "Run a command and keep its exit status.",
    "check": "Judge a command without running it.",
    "start": "Start a command in the background.",
    "tasks": "List background tasks, or show one.",
    "wait": "Wait until tasks are over.",
    "stop": "End tasks.",
    "attach": "Sit down at the terminal of a task; ctrl-] leaves it running.",
    "send": "Send text or keys to a task.",
    "session": "Run commands in a bash that stays, by name.",
    "try": "Run a command, see what it changed, keep or drop it.",
    "undo": "Take back what a transaction changed.",
    "recover": "Finish or drop what a crash left half done.",
    "logs": "Show what a run or a task printed, or follow it.",
    "log": "Show the audit trail, or verify it.",
    "approvals": "Show the questions that wait for an answer.",
    "approve": "Let a command run that is being asked about.",
    "deny": "Refuse it, and say why.",
    "mcp": "Serve bash as tools of the Model Context Protocol.",
    "doctor": "Say what this host can enforce, and what is missing.",
    "init": "Install limpet into an agent program, or take it out again.",
    "hook": "Answer an agent program that asks before it runs a command.",
    "wrap": "Run the shell commands of Claude Code contained.",
    "config": "Show the settings in force.",
    "completion": "Print the completion script of a shell.",
}

_MODULES = {"try": "trying"}
"""Of those whose name no module can have."""

_EXAMPLES = """\
limpet runs the shell commands of AI agents: judged before they start, contained while they run, recorded.

  limpet run -- 'make test'                   run it; live output, its own exit status
  limpet run --json --timeout 60 -- 'npm ci'  the same for programs: one JSON object
  limpet check -- 'rm -rf build'              what would be said of it, and why; runs nothing
  limpet doctor                               what this host can enforce

limpet --help lists everything."""

_COMPLETING = "_LIMPET_COMPLETE"
USAGE = 2
FAILED = 125
INTERRUPTED = 130
UNREAD = 141


class Lazy(click.Group):
    """Imports a subcommand's module only when that subcommand is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of use, not of the alphabet."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The subcommand of this name."""
        if cmd_name not in _COMMANDS:
            return None
        module = _MODULES.get(cmd_name, cmd_name)
        command: click.Command = importlib.import_module(f"limpet.surfaces.cli.{module}").command
        gc.freeze()  # what is loaded stays
        gc.enable()
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A word that is no subcommand is a slip of the keys, or a shell command without `run` before it."""
        if args[0] not in _COMMANDS and not args[0].startswith("-"):
            import difflib  # noqa: PLC0415 - needed only to word an error

            near = difflib.get_close_matches(args[0], _COMMANDS, n=1, cutoff=0.7)
            meant = f"did you mean {near[0]}?" if near else "to run a shell command: limpet run -- 'COMMAND'"
            raise click.UsageError(f"there is no subcommand {args[0]!r}; {meant}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """Without importing any of them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


@click.command(
    "limpet", cls=Lazy, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, prog_name="limpet", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Run the shell commands of AI agents: judged, contained, recorded."""
    if context.invoked_subcommand is None:
        click.echo(_EXAMPLES)


def run_cli(arguments: list[str]) -> int:
    """The exit status. limpet's own words go to stderr; a traceback only with LIMPET_DEBUG=1."""
    open_missing_streams()
    try:
        return _status(arguments)
    finally:
        drop_unwritable_words()


def _status(arguments: list[str]) -> int:
    try:
        status = cli.main(arguments, prog_name="limpet", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        return done.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        return UNREAD
    except SystemExit as done:  # click's own: a completion was answered, or the reader of our output has left
        return int(done.code or 0) if _COMPLETING in os.environ else UNREAD
    except Exception as error:  # noqa: BLE001 - the one place where everything ends up
        return _failed(error, arguments)
    return status if isinstance(status, int) else 0


def _failed(error: Exception, arguments: list[str]) -> int:
    with contextlib.suppress(OSError):  # nobody there to be told: the terminal was closed
        if os.environ.get("LIMPET_DEBUG") == "1":
            import traceback  # noqa: PLC0415 - few ever look

            traceback.print_exception(error)
        _report(_words(error), arguments)
    return USAGE if isinstance(error, (click.ClickException, InvalidRequestError)) else FAILED


def _report(what: str, arguments: list[str]) -> None:
    """A failure, to whoever reads: a JSON object where one was asked for, else a line on stderr."""
    ours = arguments[: arguments.index("--")] if "--" in arguments else arguments
    if {"--json", "--jsonl"}.isdisjoint(ours):
        click.echo(f"limpet: {what}", err=True)
        return
    from limpet.model.codec import to_json  # noqa: PLC0415 - not needed to say the version
    from limpet.model.result import Outcome, Result  # noqa: PLC0415 - needed only to word an error

    no_result = Result(command="", outcome=Outcome.NOT_STARTED, ok=False, error=what)
    try:
        click.echo(to_json(no_result if ours[0] in ("run", "try") else {"ok": False, "error": what}))
    except OSError:  # it is stdout that cannot be written
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        click.echo(f"limpet: {what}", err=True)


def _words(error: Exception) -> str:
    """What went wrong, on one line."""
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx is not None else "limpet"
        return f"{_lowered(error.format_message())} (see: {path} --help)"
    if isinstance(error, click.ClickException):
        return _lowered(error.format_message())
    if isinstance(error, OSError) and error.strerror:
        return ": ".join(str(part) for part in (error.filename, error.strerror) if part)
    if isinstance(error, (limpetError, OSError)):
        return str(error)
    return f"this is a bug in limpet: {type(error).__name__}: {error} (LIMPET_DEBUG=1 shows where)"


def _lowered(message: str) -> str:
    """Sentences over several lines, as click writes them, made to follow a colon."""
    message = " ".join(message.split()).removesuffix(".")
    return message[:1].lower() + message[1:]
