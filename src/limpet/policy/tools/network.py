"""Tools of the network -> what they reach, send and open."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, program, read, risk, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools import netconfig, remote, sockets, transfers
from limpet.policy.tools.hosts import all_loopback, is_this_host, local_file
from limpet.policy.tools.showing import Shows, always, explains, shows, unless_function

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule, Spec


def _network(name: str, detail: str = "") -> Rule:
    return always(f"{name}.network", Risk.NETWORK, detail or f"talks to the network ({name})")


def _asks_hosts(values: str) -> Rule:
    """`ping` and the like: free when all hosts are this machine."""

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_options(command.arguments, values=values)
        hosts = parsed.operands
        if explains(command) or parsed.has("-V") or (hosts and all(is_this_host(host) for host in hosts)):
            return
        yield risk(f"{command.name}.network", Risk.NETWORK, f"talks to the network ({command.name})")

    return rule


def _loads(values: str) -> Rule:
    """Load tests and clients that are told an address: free when it is on this machine."""

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_options(command.arguments, values=values, long_values=_LOAD_LONG)
        if explains(command) or all_loopback(field for field in parsed.operands if not (field.text or "").isdigit()):
            return
        yield risk(f"{command.name}.network", Risk.NETWORK, f"talks to the network ({command.name})")

    return rule


_LOAD_LONG = ("--connections", "--threads", "--duration", "--latency", "--script", "--header", "--rate", "--requests")


def _nmap(command: Command) -> Iterator[Effect]:
    if explains(command) or command.texts == ("-V",):
        return
    parsed = parse_options(
        command.arguments, values="pgeSDTiomM", long_values=("--script", "--script-args", "--datadir", "--excludefile")
    )
    for field in parsed.values("-i"):
        yield (
            risk("nmap.list", Risk.OPAQUE, "takes its targets from a list") if field.prefix[:1] != "L" else read(field)
        )
    if any(field.prefix[:1] in ("N", "X", "G", "A", "S") for field in parsed.values("-o")):
        yield risk("nmap.output", Risk.ESCAPES, "writes its results into files")
    if parsed.has("--script", "--datadir"):
        yield risk("nmap.script", Risk.UNKNOWN, "runs scripts of nmap")
    yield risk("nmap.network", Risk.NETWORK, "looks for machines and services in the network (nmap)")


def _tcpdump(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    parsed = parse_options(command.arguments, values="BcCEFGijmMrsTVwWyz", long_values=("--interface",))
    if parsed.has("-D", "-h"):
        return
    yield from (read(field) for field in parsed.values("-r", "-F", "-V"))
    yield from (write(field) for field in parsed.values("-w") if field.text != "-")
    if command.name == "tcpdump":
        yield from (program(field, "tcpdump -z") for field in parsed.values("-z"))
    elif parsed.has("-X"):
        yield risk(f"{command.name}.script", Risk.UNKNOWN, "loads code that its options name")
    if not parsed.has("-r", "-V"):
        yield risk(f"{command.name}.capture", Risk.PRIVILEGE, f"records what goes over the network ({command.name})")


def _mail(command: Command) -> Iterator[Effect]:
    """Mail that is written is sent, together with the files that are attached."""
    if explains(command):
        return
    parsed = parse_options(
        command.arguments,
        values="aAbcDeFfHimQs" if command.name in ("mutt", "neomutt") else "abcsrSuAqfCX",
        long_values=("--attach", "--file", "--account"),
    )
    yield from (
        read(field) for field in parsed.values("-a", "-A", "-q", "--attach", "-i") if field.text not in ("", "--")
    )
    if parsed.has("-e", "-C", "-X", "-F") and command.name in ("mutt", "neomutt", "sendmail", "exim", "exim4"):
        yield risk(f"{command.name}.settings", Risk.UNKNOWN, "uses settings that can run programs")
    yield risk(f"{command.name}.send", Risk.NETWORK, f"sends mail ({command.name})")


def _rclone(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="",
        long_values=("--config", "--password-command", "--include", "--exclude", "--transfers"),
    )
    for field in parsed.values("--password-command"):
        yield script(field, "rclone --password-command")
    verb = parsed.operands[0].text if parsed.operands else "help"
    if verb in ("help", "version", "listremotes", "completion") or explains(command):
        return
    if verb == "config":
        yield risk("rclone.config", Risk.SECRETS, "shows or changes how rclone logs in")
    yield from (read(field) for field in parsed.operands[1:] if not re.match(r"[^/]+:", field.prefix))
    yield risk("rclone.network", Risk.NETWORK, "copies files between this machine and others (rclone)")


def _backup(command: Command) -> Iterator[Effect]:
    """`restic`, `borg` and the like: wherever the repository is, files are copied there or taken from it."""
    if explains(command) or command.texts[:1] in (("version",), ("help",)):
        return
    parsed = parse_options(
        command.arguments, values="rop", long_values=("--repo", "--password-command", "--rsh", "--target")
    )
    yield from (
        script(field, f"{command.name} --password-command") for field in parsed.values("--password-command", "--rsh")
    )
    yield from (write(field) for field in parsed.values("--target"))
    yield from (read(field) for field in parsed.operands[1:])
    yield risk(f"{command.name}.network", Risk.NETWORK, f"copies files into a backup, or changes it ({command.name})")


def _publishes(command: Command) -> Iterator[Effect]:
    """Tools that hand files to anybody."""
    if explains(command):
        return
    parsed = parse_options(command.arguments)
    yield from (read(field) for field in parsed.operands if field.text not in ("send", "receive"))
    yield risk(f"{command.name}.publish", Risk.NETWORK, f"hands files to others over the network ({command.name})")


def _opens(command: Command) -> Iterator[Effect]:
    """`xdg-open` and the like: an address, or a file whose type says which program runs."""
    if explains(command):
        return
    yield risk(f"{command.name}.open", Risk.ESCAPES, f"has another program open something ({command.name})")


def _text_browser(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="ITO" if command.name == "w3m" else "", single_dash=command.name == "lynx"
    )
    for field in parsed.operands:
        path = local_file(field) or (field if _PAGE.search(field.text or "") else None)
        if path is not None:
            yield read(path)
        else:
            yield risk(f"{command.name}.network", Risk.NETWORK, f"talks to the network ({command.name})")


_PAGE = re.compile(r"^(?![a-z]+:).*\.(?:x?html?|txt|md|xml)$")


def _tunnel(name: str) -> Rule:
    detail = f"opens a way into this machine from outside ({name})"
    return shows(
        Shows(rule=f"{name}.tunnel", risk=Risk.ESCAPES, detail=detail, verbs="version help status ip", bare=False)
    )


_NETWORK = (
    "dig drill nslookup host whois traceroute traceroute6 tracepath mtr masscan zmap arping hping3 nping rustscan "
    "fping ftp tftp ncftp rsh rlogin rexec rcp finger gopher irssi weechat ssh-keyscan iperf iperf3 speedtest "
    "speedtest-cli fast ntpdate snmpwalk snmpget ldapsearch ldapmodify smbclient rpcclient nmblookup showmount "
    "rpcinfo vncviewer xfreerdp rdesktop pssh pscp sshfs curlftpfs mosquitto_pub mosquitto_sub s3cmd s5cmd nikto "
    "sqlmap hydra gobuster ffuf dirb wfuzz amass subfinder nuclei httpx getmail fetchmail offlineimap mbsync "
    "transmission-cli lwp-request lwp-download lwp-mirror xterm"
)
_TUNNELS = (
    "ngrok cloudflared localtunnel lt bore frpc frps chisel gost zrok inlets pagekite localxpose loclx tailscale "
    "zerotier-cli openvpn wg-quick sshuttle iodine dnscat dnscat2 stunnel tor"
)
_SENDS = [
    "croc",
    "wormhole",
    "magic-wormhole",
    "transfer",
    "ffsend",
    "termbin",
    "pastebinit",
    "wgetpaste",
    "gist",
    "sprunge",
    "qrcp",
    "onionshare",
]
_OPENS = (
    "xdg-open open sensible-browser x-www-browser www-browser gnome-open kde-open firefox chromium chromium-browser "
    "google-chrome google-chrome-stable brave-browser microsoft-edge xdg-email"
)

TOOLS: dict[str, Spec | Rule] = {
    **{name: _network(name) for name in _NETWORK.split()},
    **{name: _tunnel(name) for name in _TUNNELS.split()},
    **dict.fromkeys(_SENDS, _publishes),
    **dict.fromkeys(_OPENS.split(), _opens),
    **{name: unless_function(_network(name)) for name in ("fetch", "fast")},
    "open": unless_function(_opens),
    **dict.fromkeys(("ping", "ping6"), _asks_hosts("ciIlmMNpQsStTwW")),
    **dict.fromkeys(
        ("ab", "wrk", "wrk2", "hey", "oha", "siege", "bombardier", "vegeta", "grpcurl"), _loads("cndtsHTpmDAXqz")
    ),
    **dict.fromkeys(
        ("mail", "mailx", "s-nail", "mutt", "neomutt", "sendmail", "exim", "exim4", "msmtp", "ssmtp", "swaks"),
        _mail,
    ),
    **dict.fromkeys(("restic", "borg", "duplicity", "kopia", "duplicacy", "rdiff-backup", "bup"), _backup),
    **dict.fromkeys(("lynx", "w3m", "links", "elinks", "links2"), _text_browser),
    **dict.fromkeys(("tcpdump", "tshark", "dumpcap", "ngrep", "termshark", "wireshark"), _tcpdump),
    "nmap": _nmap,
    "rclone": _rclone,
    **netconfig.TOOLS,
    **remote.TOOLS,
    **sockets.TOOLS,
    **transfers.TOOLS,
}
