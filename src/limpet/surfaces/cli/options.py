"""The options of `run` and its relatives -> keyword arguments of the front door."""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from limpet import join
from limpet.config import parse_size
from limpet.model.guarantees import GUARANTEE_NAMES
from limpet.model.limits import Limits
from limpet.model.options import INHERIT, RunOptions
from limpet.model.terminal import MOST, Terminal
from limpet.model.window import PRESETS, Truncate

if TYPE_CHECKING:
    from collections.abc import Callable

_OPTIONS = [
    click.option("--timeout", metavar="SECONDS", help="End it after this long; `none` for no limit."),
    click.option("--cwd", metavar="DIR", help="Folder to run in, inside the workspace."),
    click.option("--env", "env", multiple=True, metavar="K=V", help="Add an environment variable (repeatable)."),
    click.option("--empty-env", is_flag=True, help="Start from an empty environment."),
    click.option("--workspace", metavar="DIR", help="The workspace; else --cwd, else the current folder."),
    click.option("--profile", metavar="NAME", help="How it is judged: workspace, read-only, ci, strict or open."),
    click.option("--sandbox", metavar="auto|none|NAME", help="How to contain it: native, landlock, bubblewrap, none."),
    click.option(
        "--require", multiple=True, metavar="GUARANTEE", help=f"Refuse without: {', '.join(GUARANTEE_NAMES)}."
    ),
    click.option(
        "--network", type=click.Choice(["off", "on"]), help="Whether it may use the network (off); bare, it always can."
    ),
    click.option("--file", "file", metavar="PATH", help="Read the command from a file; `-` is stdin."),
    click.option("--stdin", "pass_stdin", is_flag=True, help="Let the command read limpet's stdin."),
    click.option("--terminal", is_flag=True, help="Give it a terminal of its own; at yours, keys and screen are its."),
    click.option("--rows", type=click.IntRange(1, MOST), help="With --terminal: its height (yours, else 24)."),
    click.option("--columns", type=click.IntRange(1, MOST), help="With --terminal: its width (yours, else 80)."),
    click.option("--description", default="", help="What the command is for."),
    click.option(
        "--max-output", type=click.IntRange(0), metavar="N", help="With --json: characters shown of each stream."
    ),
    click.option(
        "--truncate", metavar="HOW", help=f"With --json: which part is shown: {', '.join([*Truncate, *PRESETS])}."
    ),
    click.option(
        "--transaction", is_flag=True, help="Drop what it changed where it fails; `limpet undo` takes it back."
    ),
    click.option(
        "--rollback-on", metavar="nonzero|CODES", help="Exit codes that count as failing, such as 1,5 (2-255)."
    ),
    click.option("--effects", is_flag=True, help="What would be asked runs apart first; what it changed is judged."),
    click.option("--yes", is_flag=True, help="Approve what would be asked; never what is denied."),
    click.option(
        "--inbox", is_flag=True, help="Wait for `limpet approve` in another terminal with what would be asked."
    ),
    click.option("--memory", metavar="SIZE", help="Memory limit, such as 512M."),
    click.option("--processes", type=click.IntRange(1), metavar="N", help="Process limit."),
    click.option("--cpu", type=click.FloatRange(0, min_open=True), metavar="SECONDS", help="CPU time limit."),
    click.option("--file-size", metavar="SIZE", help="Limit for any one file it writes."),
    click.option("--open-files", type=click.IntRange(3), metavar="N", help="Descriptor limit."),
    click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout, nothing else."),
    click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND"),
]


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a subcommand all of them."""
    return functools.reduce(lambda wrapped, option: option(wrapped), reversed(_OPTIONS), function)


def command_text(words: tuple[str, ...], file: str | None) -> str:
    """The command: from a file, one argument as it stands, or several words, each taken literally."""
    if file is not None:
        if words:
            raise click.UsageError("give the command after -- or with --file, not both")
        return os.fsdecode(_contents(file))
    if not words:
        raise click.UsageError("no command: put it after --, as in: limpet run -- 'make test'")
    return words[0] if len(words) == 1 else join(*words)


def _contents(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read()
        with open(file, "rb") as opened:
            return opened.read()
    except OSError as error:
        raise click.UsageError(f"--file {file if file.isprintable() else ascii(file)}: {error.strerror}") from error


def options_from(given: dict[str, Any]) -> RunOptions:
    """What was said on the command line; what was not said is left to the settings."""
    if given["pass_stdin"] and given["file"] == "-":
        raise click.UsageError("--stdin and --file - both want to read stdin")
    options: RunOptions = {
        "env": dict(_variable(text) for text in given["env"]),
        "description": given["description"],
        "require": tuple(given["require"]),
        "limits": _limits(given),
        "stdin": INHERIT if given["pass_stdin"] and not given["terminal"] else None,
    }
    if given["terminal"]:
        options["terminal"] = _terminal(given)
    elif given["rows"] is not None or given["columns"] is not None:
        raise click.UsageError("--rows and --columns are for a command with --terminal")
    if given["timeout"] is not None:
        options["timeout"] = _timeout(given["timeout"])
    if given["transaction"] or given["rollback_on"] is not None:
        options |= {"transaction": True, "rollback_on": given["rollback_on"]}
    if given["empty_env"]:
        options["empty_env"] = True
    if given["network"] is not None:
        options["network"] = given["network"] == "on"
    for name in ("profile", "sandbox", "max_output", "truncate"):
        if given[name] is not None:
            options[name] = given[name]
    return options


def _terminal(given: dict[str, Any]) -> Terminal:
    """As large as was said, or as the one that we are on."""
    here = screen_size()
    rows, columns = given["rows"] or here.rows, given["columns"] or here.columns
    return Terminal(rows=rows, columns=columns)


def screen_size() -> Terminal:
    """Of the terminal that our output goes to; the usual one where it goes elsewhere."""
    try:
        columns, rows = os.get_terminal_size(1)
    except OSError:
        return Terminal()
    usual = Terminal()
    return Terminal(rows=min(rows, MOST) or usual.rows, columns=min(columns, MOST) or usual.columns)


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--env wants NAME=VALUE, not {text!r}")
    return name, value


def _timeout(text: str) -> float | None:
    if text.lower() == "none":
        return None
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"--timeout wants seconds or `none`, not {text!r}") from None


def _limits(given: dict[str, Any]) -> Limits:
    return Limits(
        cpu=given["cpu"],
        memory=_size("--memory", given["memory"]),
        processes=given["processes"],
        file_size=_size("--file-size", given["file_size"]),
        open_files=given["open_files"],
    )


def _size(option: str, text: str | None) -> int | None:
    try:
        return None if text is None else parse_size(text)
    except ValueError as error:
        raise click.UsageError(f"{option}: {error}") from error


def approver(given: dict[str, Any]) -> str:
    """A person is asked where one reads along: a program that runs us may own the terminal, and would be disturbed."""
    if given["yes"]:
        return "yes"
    return f"effects+{_somebody(given)}" if given["effects"] else _somebody(given)


def _somebody(given: dict[str, Any]) -> str:
    if not given["as_json"] and all(os.isatty(fd) for fd in range(3)):
        return "terminal+inbox"
    return "inbox+announce" if given["inbox"] else "deny"


def workspace(given: dict[str, Any]) -> str | None:
    """The folder that was named as the workspace, if any was."""
    chosen: str | None = given["workspace"] if given["workspace"] is not None else given["cwd"]
    return chosen
