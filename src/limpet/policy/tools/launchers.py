"""Commands that start another one in surroundings of their own -> that command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, program, risk, runs, script, write
from limpet.policy.options import parse_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule, Spec


def _setarch(command: Command) -> Iterator[Effect]:
    """The name of an architecture may stand before the options."""
    words = command.arguments[1:] if command.texts and _ARCH.fullmatch(command.texts[0] or "") else command.arguments
    inner = parse_options(words, long_values=("--show",), stop_early=True).operands
    if inner:
        yield runs(command, inner, "setarch")


_ARCH = re.compile(
    "x86_64|i[3-6]86|linux32|linux64|aarch64|armv[0-9a-z]+|arm|ppc[0-9a-z]*|s390x?|mips[0-9a-z]*|riscv64"
)


def _dotenv(command: Command) -> Iterator[Effect]:
    """`dotenv -f FILE run CMD`, or `dotenv -e FILE -- CMD`."""
    operands = parse_options(command.arguments, values="efvqc", long_values=("--file",), stop_early=True).operands
    if operands and operands[0].text == "run":
        operands = operands[2:] if [field.text for field in operands[1:2]] == ["--"] else operands[1:]
    if operands and operands[0].text not in ("list", "get", "set", "unset"):
        yield runs(command, operands, "dotenv")


_BWRAP_ONE = frozenset((
    "--chdir", "--unsetenv", "--hostname", "--dev", "--proc", "--tmpfs", "--mqueue", "--dir", "--uid", "--gid",
    "--argv0", "--lock-file", "--sync-fd", "--block-fd", "--userns-block-fd", "--info-fd", "--json-status-fd",
    "--seccomp", "--add-seccomp-fd", "--exec-label", "--file-label", "--cap-add", "--cap-drop", "--perms", "--size",
    "--args", "--userns", "--userns2", "--pidns", "--overlay-src", "--tmp-overlay",
))  # fmt: skip
_BWRAP_NONE = re.compile(
    "--(unshare-.*|share-net|die-with-parent|new-session|clearenv|as-pid-1|level-prefix|ro-overlay|disable-userns"
    "|assert-userns-disabled)"
)


def _bwrap(command: Command) -> Iterator[Effect]:
    """Its options take none, one or two words."""
    yield risk("bwrap", Risk.PRIVILEGE, "sets up a sandbox of its own (bwrap)")
    at = 0
    while at < len(command.texts) and (name := command.texts[at] or "").startswith("--") and name != "--":
        at += 1 if _BWRAP_NONE.fullmatch(name) else 2 if name in _BWRAP_ONE else 3
    rest = command.arguments[at + 1 :] if command.texts[at : at + 1] == ("--",) else command.arguments[at:]
    if rest:
        yield runs(command, rest, "bwrap")


def _direnv(command: Command) -> Iterator[Effect]:
    """`direnv exec FOLDER COMMAND`; its other verbs run, trust or show the settings of a folder."""
    verb, rest = command.texts[:1], command.arguments[2:]
    if verb == ("exec",) and rest:
        yield write(command.arguments[1])
        yield runs(command, rest, "direnv exec")
    elif verb not in ((), ("status",), ("version",), ("help",), ("show_dump",)):
        yield risk("direnv.trust", Risk.PERSISTS, "runs the settings of a folder, or has them run later")


def _entr(command: Command) -> Iterator[Effect]:
    """With `-s` a shell runs its argument."""
    parsed = parse_options(command.arguments, stop_early=True)
    if parsed.has("-s") and parsed.operands:
        yield script(parsed.operands[0], "entr -s")
    elif parsed.operands:
        yield runs(command, parsed.operands, "entr")


_LOADERS = (
    "ld.so", "ld-linux.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-linux-armhf.so.3",
    "ld-linux-riscv64-lp64d.so.1", "ld64.so.1", "ld64.so.2", "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1",
)  # fmt: skip


def _loader(command: Command) -> Iterator[Effect]:
    """What loads every program also runs the one that it is given."""
    parsed = parse_options(
        command.arguments,
        long_values=("--library-path", "--inhibit-rpath", "--audit", "--preload", "--argv0", "--glibc-hwcaps-prepend"),
        long_flags=("--list", "--verify", "--help", "--version", "--inhibit-cache", "--list-tunables"),
        stop_early=True,
    )
    for field in parsed.values("--library-path", "--audit", "--preload"):
        yield program(field, "ld.so")
        yield risk("ld.so.library", Risk.UNKNOWN, "loads other libraries into a program")
    if parsed.operands:
        yield runs(command, parsed.operands, "ld.so")


TOOLS: dict[str, Spec | Rule] = {
    "setarch": _setarch, "dotenv": _dotenv, "bwrap": _bwrap, "direnv": _direnv, "entr": _entr,
    **dict.fromkeys(_LOADERS, _loader),
}  # fmt: skip
