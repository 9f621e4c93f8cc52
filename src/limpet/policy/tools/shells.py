"""Shells -> the text of `-c`, the file, or what they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.effect import runs_stdin, script
from limpet.policy.tools.invocation import read_leading, runs_file, unread_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.invocation import Leading
    from limpet.policy.tools.spec import Rule, Spec

_VALUES = ("-o", "+o", "-O", "+O", "--rcfile", "--init-file")
_FISH_VALUES = ("-C", "--init-command", "-d", "--debug", "-o", "--debug-output", "-D", "--debug-stack-frames", "-p",
                "--profile", "--profile-startup", "-f", "--features")  # fmt: skip


def _shell(command: Command) -> Iterator[Effect]:
    """A Bourne shell: options may be bundled, and the text of `-c` is the first word behind all of them."""
    leading = read_leading(command.arguments, values=_VALUES, plus=True)
    yield from unread_options(leading, command.name)
    for field in leading.values("--rcfile", "--init-file"):
        yield from runs_file(field, command.name or "sh", "sh")
    if leading.has("--version", "--help"):
        return
    if leading.has("-c", "--command"):
        yield from _text(leading, command)
    elif leading.has("-s") or not leading.rest:
        yield runs_stdin()
    else:
        yield from _file(leading, command)


def _text(leading: Leading, command: Command) -> Iterator[Effect]:
    rest = leading.rest[1:] if leading.rest and leading.rest[0].text == "-" else leading.rest
    if rest:
        yield script(rest[0], f"{command.name} -c")


def _file(leading: Leading, command: Command) -> Iterator[Effect]:
    """A lone `-` ends the options, like `--`."""
    rest = leading.rest[1:] if leading.rest[0].text == "-" else leading.rest
    if not rest:
        yield runs_stdin()
        return
    yield from runs_file(rest[0], command.name or "sh", "sh")
    if leading.has("-i"):
        yield runs_stdin()


def _fish(command: Command) -> Iterator[Effect]:
    """fish: `-c` and `-C` have their text right behind them."""
    leading = read_leading(command.arguments, values=("-c", "--command", *_FISH_VALUES))
    yield from unread_options(leading, command.name)
    for field in leading.values("-c", "--command", "-C", "--init-command"):
        yield script(field, "fish -c")
    if leading.has("-v", "--version", "-h", "--help") or leading.has("-c", "--command"):
        return
    if leading.rest and not leading.has("-n", "--no-execute"):
        yield from runs_file(leading.rest[0], "fish", "sh")
    elif not leading.rest:
        yield runs_stdin()


def _csh(command: Command) -> Iterator[Effect]:
    """Of csh and tcsh: the text follows `-c`."""
    leading = read_leading(command.arguments, values=("-c",))
    yield from unread_options(leading, command.name)
    for field in leading.values("-c"):
        yield script(field, f"{command.name} -c")
    if leading.has("-c", "--version", "--help"):
        return
    if leading.rest and not leading.has("-s", "-t"):
        yield from runs_file(leading.rest[0], command.name or "csh", "sh")
    else:
        yield runs_stdin()


_BOURNE = (
    "sh", "bash", "dash", "ash", "ksh", "ksh93", "mksh", "pdksh", "zsh", "rbash", "rksh", "rzsh", "yash", "posh",
    "oksh",
    "loksh", "hush", "bash5", "osh", "bosh", "-bash", "-sh", "-zsh",
)  # fmt: skip
TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(_BOURNE, _shell),
    **dict.fromkeys(("fish", "rfish"), _fish),
    **dict.fromkeys(("csh", "tcsh"), _csh),
    **dict.fromkeys(("nu", "xonsh", "elvish", "rc", "es", "ion"), _fish),
}
