"""Tools that open connections of any kind (`nc`, `socat` and their kin) -> what is put at their ends."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.hosts import is_this_host
from limpet.policy.tools.showing import explains
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule, Spec

_SHELL_AT_THE_END = "puts a program at the end of a network connection"
_NC_LONG = (
    "--exec", "--sh-exec", "--lua-exec", "--output", "--hex-dump", "--append-output", "--source", "--source-port",
    "--proxy",
    "--proxy-type", "--proxy-auth", "--wait", "--idle-timeout", "--delay", "--max-conns", "--allow", "--allowfile",
    "--deny",
    "--denyfile", "--ssl-cert", "--ssl-key", "--ssl-trustfile", "--ssl-ciphers", "--interval",
)  # fmt: skip


def _nc(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    parsed = parse_options(
        command.arguments, values="ceGgIiMmOoPpqsTVWwXxd" if command.name == "ncat" else "ceGgIiMmOoPpqsTVWwXx",
        long_values=_NC_LONG, long_flags=("--listen", "--keep-open", "--verbose", "--udp", "--ssl", "--broker"),
    )  # fmt: skip
    if parsed.has("-e", "--exec", "--sh-exec", "--lua-exec") or any(map(_is_program, parsed.values("-c"))):
        yield risk("floor.reverse-shell", Risk.NETWORK, _SHELL_AT_THE_END, deny=True)
        return
    yield from (write(field) for field in parsed.values("-o", "--output", "--hex-dump"))
    if parsed.has("-z") and parsed.operands and is_this_host(parsed.operands[0]):
        return
    if parsed.has("-h"):
        return
    yield risk(f"{command.name}.network", Risk.NETWORK, f"opens a network connection ({command.name})")


def _is_program(field: Field) -> bool:
    """Some have `-c COMMAND`, for others `-c` stands before the host."""
    return field.text is None or re.search(r"[/ ]|sh$|python|perl|cmd", field.text) is not None


_RUNS = re.compile(r"(exec|system|shell)(?::|$)", re.IGNORECASE)
_FILES = re.compile(r"(open|file|create|creat|gopen|pipe):", re.IGNORECASE)
_LOCAL = re.compile(
    r"(stdio|stdin|stdout|stderr|fd|pty|open|file|create|creat|gopen|pipe|exec|system|shell)(?![A-Za-z0-9])|-|[0-9]+$",
    re.IGNORECASE,
)


def _socat(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    parsed = parse_options(command.arguments, values="btTLWlrR")
    yield from (write(field) for field in parsed.values("-r", "-R", "-L", "-W"))
    halves = [half for field in parsed.operands for half in _halves(field)]
    networked = any(not _LOCAL.match(half.prefix) for half in halves)
    for half in halves:
        yield from _end(half, networked=networked)
    if parsed.has("-V", "-h"):
        return
    if networked or not halves:
        yield risk("socat.network", Risk.NETWORK, "opens a network connection (socat)")


def _halves(field: Field) -> list[Field]:
    """`in!!out` is an address for each direction."""
    first, mark, second = field.prefix.partition("!!")
    return [Field((first,)), Field((second, *field.pieces[1:]))] if mark else [field]


def _end(half: Field, *, networked: bool) -> Iterator[Effect]:
    """What stands at one end."""
    if _RUNS.match(half.prefix):
        if networked:
            yield risk("floor.reverse-shell", Risk.NETWORK, _SHELL_AT_THE_END, deny=True)
        else:
            yield script(Field((half.prefix.partition(":")[2].partition(",")[0], *half.pieces[1:])), "socat")
    elif _FILES.match(half.prefix):
        file = Field((half.prefix.partition(":")[2].partition(",")[0], *half.pieces[1:]))
        yield read(file)
        yield write(file)


def _telnet(command: Command) -> Iterator[Effect]:
    if not explains(command):
        yield risk(f"{command.name}.network", Risk.NETWORK, f"opens a network connection ({command.name})")


def _websocat(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    texts = [field.prefix.lower() for field in command.arguments]
    if any(text.startswith(("exec:", "sh-c:", "cmd:", "--exec-args")) or text == "-e" for text in texts):
        yield risk("floor.reverse-shell", Risk.NETWORK, _SHELL_AT_THE_END, deny=True)
    yield risk("websocat.network", Risk.NETWORK, "opens a network connection (websocat)")


TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(("nc", "ncat", "netcat", "nc.openbsd", "nc.traditional", "cryptcat", "pwncat", "rustcat"), _nc),
    "socat": _socat,
    "telnet": _telnet,
    "websocat": _websocat,
    "wscat": _telnet,
}
