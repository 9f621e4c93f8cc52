"""`limpet check`: judge a command without running it, for a person, as one JSON object, or line by line."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any, TypedDict

import click
import msgspec

from limpet.config import resolve, settings_files
from limpet.config.rules import load_rules
from limpet.deciding import check, containment
from limpet.model.codec import to_json
from limpet.model.decision import Decision, Verdict
from limpet.render.decision import explain
from limpet.surfaces.cli.colors import wants_color, width
from limpet.surfaces.cli.options import command_text

if TYPE_CHECKING:
    from limpet.policy.rules import Rules

_STATUS = {Verdict.ALLOW: 0, Verdict.ASK: 10, Verdict.DENY: 11}
_WRONG = 2


class _Line(msgspec.Struct):
    """What a program asks about."""

    command: str
    cwd: str | None = None


@click.command("check", context_settings={"allow_interspersed_args": False})
@click.option("--profile", metavar="NAME", help="How it is judged; else as the settings say.")
@click.option("--cwd", metavar="DIR", help="Folder it would run in, inside the workspace.")
@click.option("--workspace", metavar="DIR", help="The workspace; else --cwd, else the current folder.")
@click.option(
    "--sandbox", type=click.Choice(["none", "auto"]), help="Judge as if nothing held it, or as `run` would contain it."
)
@click.option("--file", "file", metavar="PATH", help="Read the command from a file; `-` is stdin.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout, nothing else.")
@click.option("--jsonl", "as_jsonl", is_flag=True, help='Judge each {"command", "cwd"?} on stdin, a line each.')
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND")
def command(**given: Any) -> int:
    """Judge COMMAND and never run it.

    Shows what decided, why, and what to do instead. No folder has to exist. Exit status: 0 allow, 10 ask, 11 deny,
    2 wrong usage; with --jsonl 0, or 2 if a line could not be understood.
    """
    if given["as_jsonl"]:
        return _each_line(given)
    if not given["command"] and given["file"] is None:
        raise click.UsageError("no command: put it after --, as in: limpet check -- 'git push'")
    text = command_text(given["command"], given["file"])
    workspace, cwd = _folders(given["workspace"], given["cwd"])
    if os.path.commonpath([workspace, cwd]) != workspace:
        raise click.UsageError(f"--cwd {cwd!a} lies outside the workspace {workspace!a}")
    decision = check(text, workspace=workspace, cwd=cwd, **_policy(given))
    click.echo(to_json(decision) if given["as_json"] else _shown(text, decision), nl=given["as_json"])
    return _STATUS[decision.verdict]


def _shown(text: str, decision: Decision) -> str:
    return explain(text, decision, width=width(1), color=wants_color(1))


def _folders(workspace: str | None, cwd: str | None) -> tuple[str, str]:
    """Workspace and folder to judge against: without a workspace the folder is one, as it is for `run`."""
    real = os.path.realpath(workspace if workspace is not None else cwd or ".")
    return real, os.path.realpath(os.path.join(real, cwd or "")) if workspace is not None else real


class _Policy(TypedDict):
    """What a command is judged by."""

    profile: str
    containment: str
    rules: Rules


def _policy(given: dict[str, Any]) -> _Policy:
    """The profile, the rules and the containment that would hold."""
    workspace, _ = _folders(given["workspace"], given["cwd"])
    settings = resolve(workspace=workspace, environ=os.environ).settings
    profile = str(given["profile"] if given["profile"] is not None else settings.policy.profile)
    return {
        "profile": profile,
        "containment": containment(workspace, sandbox=given["sandbox"], profile=profile),
        "rules": load_rules(settings, settings_files(workspace, os.environ)),
    }


def _each_line(given: dict[str, Any]) -> int:
    """An answer a line, as soon as the line is there; a line that makes no sense is answered with an error."""
    if given["command"] or given["file"] is not None or given["as_json"]:
        raise click.UsageError("--jsonl reads commands from stdin: give no command, --file or --json with it")
    policy, status = _policy(given), 0
    for line in iter(sys.stdin.buffer.readline, b""):
        answer = _answer(line, policy, given)
        status = status if isinstance(answer, Decision) else _WRONG
        click.echo(to_json(answer))
    return status


def _answer(line: bytes, policy: _Policy, given: dict[str, Any]) -> Decision | dict[str, str]:
    try:
        asked = msgspec.json.decode(line, type=_Line)
        workspace, cwd = _folders(given["workspace"], asked.cwd if asked.cwd is not None else given["cwd"])
    except RecursionError:
        return {"error": "the line is nested too deep"}
    except UnicodeDecodeError:
        return {"error": "the line is not UTF-8"}
    except msgspec.MsgspecError as error:
        return {"error": str(error)}
    except ValueError as error:
        return {"error": f"cwd: {error}"}
    return check(asked.command, workspace=workspace, cwd=cwd, **policy)
