"""Shells -> the text of `-c`, the file, or what they read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.policy.effect import runs_stdin, script
from limpet.policy.tools.invocation import read_leading, runs_file, unread_options
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.invocation import Leading
    from limpet.policy.tools.spec import Rule, Spec
    from limpet.syntax.values.field import Field

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
    if not rest:
        return
    texts = [field.text for field in rest]
    if len(rest) > 1 and None not in texts and not command.evaluated:
        # Where the walk found it, it knew what `$1` is; behind a wrapper it is walked once more, as a command.
        words = (command.name or "sh", "-c", *(text for text in texts if text is not None))
        yield script(known(" ".join(map(_quoted, words))), f"{command.name} -c")
    else:
        yield script(rest[0], f"{command.name} -c")
    yield from _with_variables(rest, command)


def _with_variables(rest: Sequence[Field], command: Command) -> Iterator[Effect]:
    """The same text once more, where it uses variables that are set for it, or its name: that only adds to it."""
    text, name = rest[0].text or "", rest[1].text if len(rest) > 1 else None
    sets = [f"{name}={_quoted(value.text)}" for name, value in command.environment if value.text is not None]
    if name is not None and "'" not in text and _ZERO.search(text):
        sets.append(f"{_NAME}={_quoted(name)}")
        sets.append(" ".join(("set --", *(_quoted(field.text) for field in rest[2:] if field.text is not None))))
        text = _ZERO.sub(f"${{{_NAME}}}", text)
    if sets and "$" in text:
        yield script(known("\n".join((*sets, text))), f"{command.name} -c, with its variables")


_ZERO = re.compile(r"\$(?:0(?![0-9])|\{0\})")
_NAME = "name_of_the_text"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _file(leading: Leading, command: Command) -> Iterator[Effect]:
    """A lone `-` ends the options, like `--`."""
    rest = leading.rest[1:] if leading.rest[0].text == "-" else leading.rest
    if not rest:
        yield runs_stdin()
        return
    body = _body(rest[0].text or "", command)
    if body is not None:
        yield script(body, f"{command.name} {rest[0].text}")
        return
    yield from runs_file(rest[0], command.name or "sh", "sh")
    if leading.has("-i"):
        yield runs_stdin()


def _body(path: str, command: Command) -> Field | None:
    """What a descriptor holds that a here-string or a heredoc opens."""
    found = re.fullmatch("(?:/dev/fd|/proc/self/fd)/([1-9][0-9]*)", path)
    opened = [each for each in command.opened if found is not None and each.node.descriptor == found[1]]
    return opened[0].body if len(opened) == 1 else None


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
