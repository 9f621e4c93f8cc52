"""Tools that log in to other machines, or copy to and from them -> what they read, write, run and reach."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, program, read, risk, runs, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.fieldpaths import begin
from limpet.policy.tools.own_code import explained
from limpet.policy.tools.showing import explains

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule, Spec
    from limpet.syntax.values.field import Field

_SSH_VALUES = "BbcDEeFIiJLlmOopPQRSWw"
_RUNS = ("proxycommand", "localcommand", "knownhostscommand", "remotecommand")
_LOADS = ("pkcs11provider", "securitykeyprovider", "smartcarddevice", "xauthlocation", "include")
_TUNNELS = ("localforward", "remoteforward", "dynamicforward", "tunnel")
_SETTING = re.compile(r"\s*([A-Za-z0-9]+)(?:\s*=\s*|\s+)?")
_REMOTE = re.compile(r"[^/]*:|[a-z]+://")


def _ssh(command: Command) -> Iterator[Effect]:
    """`ssh [options] host [options] [command]`: the command runs elsewhere."""
    if explains(command) or command.texts in (("-V",), ("-Q",)):
        return
    first = parse_options(command.arguments, values=_SSH_VALUES, stop_early=True)
    later = parse_options(first.operands[1:], values=_SSH_VALUES, stop_early=True)
    for parsed in (first, later):
        yield from ssh_options(command, parsed)
    if first.has("-G", "-Q") or not first.operands:
        return
    yield risk(f"{command.name}.network", Risk.NETWORK, f"logs in to another machine ({command.name})")


def ssh_options(command: Command, parsed: Parsed) -> Iterator[Effect]:
    """What the options that ssh, scp and sftp share bring about."""
    for field in parsed.values("-o"):
        yield from _setting(command, field)
    for field in parsed.values("-E"):
        yield write(field)
    for field in parsed.values("-F"):
        if field.text not in ("none", "/dev/null"):
            yield risk(f"{command.name}.settings", Risk.UNKNOWN, "uses settings that can make ssh run programs")
    if parsed.has("-L", "-R", "-D", "-w", "-W", "-A", "-X", "-Y") and command.name in ("ssh", "autossh"):
        yield risk("ssh.tunnel", Risk.ESCAPES, "opens a way between this machine and another")
    if parsed.has("-I"):
        yield risk(f"{command.name}.library", Risk.UNKNOWN, "loads code into ssh")


def _setting(command: Command, field: Field) -> Iterator[Effect]:
    found = _SETTING.match(field.prefix)
    name = found[1].lower() if found is not None else ""
    rest = begin(field, field.prefix[found.end() :] if found is not None else "")
    if name in _RUNS and rest.text != "none":
        yield script(rest, f"{command.name} -o {name}")
    elif name in _LOADS:
        yield risk(f"{command.name}.library", Risk.UNKNOWN, "loads code into ssh")
    elif name in _TUNNELS:
        yield risk("ssh.tunnel", Risk.ESCAPES, "opens a way between this machine and another")
    elif not name:
        yield risk(f"{command.name}.settings", Risk.UNKNOWN, "uses settings that are not known")


def _scp(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    parsed = parse_options(command.arguments, values="cDFiJloPSX" if command.name == "scp" else "BbcDFiJloPRSsX")
    yield from ssh_options(command, parsed)
    for field in parsed.values("-S", "-D"):
        yield program(field, f"{command.name} -S")
    for field in parsed.values("-b"):
        yield read(field)
    if command.name == "scp" and len(parsed.operands) > 1:
        yield from (read(field) for field in parsed.operands[:-1] if not _is_remote(field))
        if not _is_remote(parsed.operands[-1]):
            yield write(parsed.operands[-1])
    yield risk(f"{command.name}.network", Risk.NETWORK, f"copies files between machines ({command.name})")


def _is_remote(field: Field) -> bool:
    return _REMOTE.match(field.prefix) is not None


def _ssh_copy_id(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="iopFt")
    yield from ssh_options(command, parsed)
    yield risk("ssh-copy-id.key", Risk.PERSISTS, "lets a key log in to another machine")
    yield risk("ssh-copy-id.network", Risk.NETWORK, "logs in to another machine (ssh-copy-id)")


def _ssh_add(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="tTESHhe")
    if parsed.has("-l", "-L") or explains(command):
        return
    if parsed.has("-s", "-S"):
        yield risk("ssh-add.library", Risk.UNKNOWN, "loads code into the agent that holds keys")
    yield risk("ssh-add.keys", Risk.SECRETS, "changes which keys programs may use")


def _ssh_agent(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="atEPO", stop_early=True)
    if parsed.has("-P"):
        yield risk("ssh-agent.library", Risk.UNKNOWN, "loads code into the agent that holds keys")
    if parsed.operands:
        yield runs(command, parsed.operands, "ssh-agent")


def _ssh_keygen(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="abCDEFfGgIJjKmMNnOPRrSsTtVWwYZz")
    files = list(parsed.values("-f"))
    if parsed.has("-D", "-w"):
        yield risk("ssh-keygen.library", Risk.UNKNOWN, "loads code into ssh-keygen")
    if parsed.has("-l", "-y", "-B", "-F", "-e", "-L", "-H") and not parsed.has("-R"):
        yield from (read(field) for field in files)
        return
    yield from (write(field) for field in files)
    if not files:
        yield risk(
            "ssh-keygen.key", Risk.ESCAPES, "writes a key into the home folder", suggestion="Give a file with -f."
        )


def _mosh(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="ap", long_values=("--ssh", "--client", "--server", "--port"))
    for field in parsed.values("--ssh"):
        yield script(field, "mosh --ssh")
    for field in parsed.values("--client"):
        yield program(field, "mosh --client")
    yield risk("mosh.network", Risk.NETWORK, "logs in to another machine (mosh)")


def _sshpass(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="fdpP", stop_early=True)
    yield from (read(field) for field in parsed.values("-f"))
    if parsed.operands:
        yield runs(command, parsed.operands, "sshpass")


def _through(command: Command) -> Iterator[Effect]:
    """`proxychains`, `torsocks`: a command whose connections go another way."""
    parsed = parse_options(command.arguments, values="fuaPp", stop_early=True)
    yield risk(f"{command.name}.network", Risk.NETWORK, f"sends connections through another machine ({command.name})")
    if parsed.operands:
        yield runs(command, parsed.operands, command.name or "")


def _lftp(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="efcup")
    if parsed.has("-e", "-c", "-f"):
        yield risk("lftp.script", Risk.OPAQUE, "runs commands of lftp, which can run programs")
    yield risk("lftp.network", Risk.NETWORK, "talks to the network (lftp)")


TOOLS: dict[str, Spec | Rule] = explained(
    {
        "ssh": _ssh,
        "autossh": _ssh,
        "slogin": _ssh,
        "scp": _scp,
        "sftp": _scp,
        "ssh-copy-id": _ssh_copy_id,
        "ssh-add": _ssh_add,
        "ssh-agent": _ssh_agent,
        "ssh-keygen": _ssh_keygen,
        "mosh": _mosh,
        "sshpass": _sshpass,
        "lftp": _lftp,
        **dict.fromkeys(("proxychains", "proxychains4", "torsocks", "torify", "tsocks"), _through),
    }
)
