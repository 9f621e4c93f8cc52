"""tmux and screen -> what they run in their windows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import risk, runs, runs_stdin, script
from limpet.policy.options import parse_options
from limpet.policy.tools.invocation import joined, read_leading, runs_file
from limpet.policy.tools.own_code import explained
from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.spec import Rule, Spec

_TMUX_STARTS = {"new": "cnstFxye", "new-session": "cnstFxye", "neww": "cntFeS", "new-window": "cntFe",
                "splitw": "cltFpe", "split-window": "cltFpe", "popup": "bcdehsSTtwxy", "display-popup": "bcdehsSTtwxy",
                "respawn-pane": "cte", "respawn-window": "cte", "respawnp": "cte"}  # fmt: skip
_TMUX_RUNS = {"run": "bdtc", "run-shell": "bdtc", "if": "bFt", "if-shell": "bFt", "pipe-pane": "t", "pipep": "t"}
_TMUX_LOOKS = (
    "ls", "list-sessions", "lsw", "list-windows", "lsp", "list-panes", "lsc", "list-clients", "lsk", "list-keys",
    "has", "has-session", "capture-pane", "capturep", "show", "show-options", "show-environment", "showenv", "showb",
    "show-buffer", "attach", "attach-session", "a", "at", "detach", "detach-client", "select-window", "selectw",
    "select-pane", "selectp", "switch-client", "switchc", "resize-pane", "resizep", "info", "start-server", "start",
    "rename-session", "rename-window", "list-commands", "lscm", "wait-for", "wait", "list-buffers", "lsb",
    "next-window", "previous-window", "last-window",
)  # fmt: skip
_FORMAT = re.compile(r"#\(([^)]*)\)")


def _tmux(command: Command) -> Iterator[Effect]:
    """tmux: some of its commands start programs, or type into those that run."""
    leading = read_leading(command.arguments, values=("-c", "-f", "-L", "-S", "-T"))
    for field in leading.values("-c"):
        yield script(field, "tmux -c")
    for field in leading.values("-f"):
        yield from runs_file(field, "tmux", "tmux")
    if leading.has("-V"):
        return
    if not leading.rest:
        yield runs_stdin()
    for words in _commands(leading.rest):
        yield from _tmux_command(words[0].text, words[1:], command)


def _commands(rest: tuple[Field, ...]) -> Iterator[tuple[Field, ...]]:
    """Commands of tmux with a semicolon between them."""
    words: list[Field] = []
    for field in rest:
        if field.text in (";", "\\;"):
            yield from [tuple(words)] if words else []
            words = []
        else:
            words.append(field)
    yield from [tuple(words)] if words else []


def _tmux_command(verb: str | None, rest: tuple[Field, ...], command: Command) -> Iterator[Effect]:
    for field in rest:
        for match in _FORMAT.finditer(field.prefix):
            yield script(known(match[1]), "tmux #()")
    if verb in _TMUX_STARTS:
        yield from _started(rest, _TMUX_STARTS[verb], command)
    elif verb in _TMUX_RUNS:
        operands = parse_options(rest, values=_TMUX_RUNS[verb]).operands
        yield risk("tmux.spawn", Risk.OPAQUE, "has tmux start another program")
        yield from (script(field, f"tmux {verb}") for field in operands)
    elif verb in ("display", "display-message") and not any(field.text is None for field in rest):
        return
    elif verb not in _TMUX_LOOKS:
        yield risk("tmux.command", Risk.OPAQUE, "types into a window of tmux, or changes what tmux does")


def _started(rest: tuple[Field, ...], values: str, command: Command) -> Iterator[Effect]:
    """One word is a text for a shell, several are a command."""
    operands = parse_options(rest, values=values, stop_early=True).operands
    if not operands:
        yield runs_stdin()
        return
    yield risk("tmux.start", Risk.OPAQUE, "starts a program that goes on in the background")
    yield script(operands[0], "tmux") if len(operands) == 1 else runs(command, operands, "tmux")


def _screen(command: Command) -> Iterator[Effect]:
    """screen: options, then a command that it starts in a window."""
    leading = read_leading(
        command.arguments, values=("-c", "-e", "-h", "-p", "-s", "-S", "-t", "-T", "-x", "-r", "-R"), last=("-X",)
    )
    for field in leading.values("-c"):
        yield from runs_file(field, "screen", "screen")
    if leading.has("-X"):
        yield risk("screen.command", Risk.OPAQUE, "types into a window of screen, or changes what screen does")
        if leading.rest[:1] and leading.rest[0].text in ("stuff", "exec", "screen"):
            yield script(joined(leading.rest[1:], " "), "screen -X")
    elif leading.has("-v", "-l", "--version", "--help") or any(
        field.text in ("-ls", "-list") for field in command.arguments
    ):
        return
    elif leading.rest:
        yield risk("screen.start", Risk.OPAQUE, "starts a program that goes on in the background")
        yield runs(command, leading.rest, "screen")
    else:
        yield runs_stdin()


TOOLS: dict[str, Spec | Rule] = explained({"tmux": _tmux, "screen": _screen, "byobu": _tmux})
