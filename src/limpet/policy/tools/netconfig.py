"""Tools that show or change how this machine is connected -> whether they change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk
from limpet.policy.tools.showing import Shows, always, shows
from limpet.policy.tools.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_IP_SHOWS = ("s", "sh", "sho", "show", "l", "ls", "li", "lis", "list", "g", "ge", "get", "help", "monitor", "mon")


def _ip(command: Command) -> Iterator[Effect]:
    """`ip [options] object [verb …]`: words may be cut short, and without a verb it shows."""
    texts = list(command.texts)
    change = False
    while texts and (texts[0] or "").startswith("-"):
        option = (texts.pop(0) or "").lstrip("-")
        change |= bool(option) and ("batch".startswith(option) or "netns".startswith(option))
        if option in ("f", "family", "l", "loops", "rc", "rcvbuf"):
            del texts[:1]
    verb = texts[1] if len(texts) > 1 else "show"
    if change or (verb not in _IP_SHOWS and texts[0] not in ("monitor", "help")):
        yield risk("ip.change", Risk.PRIVILEGE, "changes how this machine is connected (ip)")


def _ifconfig(command: Command) -> Iterator[Effect]:
    """`ifconfig`, `ifconfig eth0` and `ifconfig -a` show."""
    operands = [text for text in command.texts if not (text or "").startswith("-")]
    if len(operands) > 1 or None in operands:
        yield risk("ifconfig.change", Risk.PRIVILEGE, "changes how this machine is connected (ifconfig)")


def _changes(name: str, **table: object) -> Rule:
    detail = f"changes how this machine is connected or protected ({name})"
    return shows(Shows(rule=f"{name}.change", risk=Risk.PRIVILEGE, detail=detail, **table))  # type: ignore[arg-type]  # fields of Shows


_IPTABLES = _changes(
    "iptables",
    options="-L -S -V --list --list-rules",
    values="tcpsdijm",
    changing="-F -X -Z -P -A -D -I -R -N -E",
    bare=False,
)

TOOLS: dict[str, Spec | Rule] = {
    "ip": _ip,
    "ifconfig": _ifconfig,
    "iwconfig": _ifconfig,
    **dict.fromkeys(("iptables", "ip6tables", "iptables-legacy", "iptables-nft", "ebtables", "arptables"), _IPTABLES),
    **dict.fromkeys(("iptables-save", "ip6tables-save"), Spec(operands="text*", options={"-f": "write", "-t": "text"})),
    **dict.fromkeys(
        ("iptables-restore", "ip6tables-restore"),
        always("iptables.change", Risk.PRIVILEGE, "changes what the firewall lets through"),
    ),
    "nft": _changes("nft", verbs="list describe", values="fIDo", changing="-f -i --file --interactive", bare=False),
    "ufw": _changes("ufw", verbs="status show version app/list app/info"),
    "firewall-cmd": _changes(
        "firewall-cmd",
        options="--state --list-all --list-ports --list-services --get-zones "
        "--get-active-zones --get-default-zone --list-all-zones --version",
        bare=False,
    ),
    "pfctl": _changes("pfctl", changing="-e -d -f -F -k", values="asfFkt"),
    "route": _changes("route", verbs="get show"),
    "tc": _changes("tc", verbs="qdisc/show qdisc/ls qdisc/ filter/show filter/ls class/show class/ls monitor"),
    "bridge": _changes("bridge", verbs="link/show fdb/show vlan/show mdb/show link/ fdb/ vlan/ monitor"),
    "brctl": _changes("brctl", verbs="show showmacs showstp"),
    "arp": _changes("arp", changing="-s -d -f --set --delete --file", operands=True, values="HAi"),
    "ethtool": _changes("ethtool", changing="-s -K -A -C -G -L -E -f -p -t --change --offload --flash", operands=True),
    "iw": _changes("iw", verbs="list dev/ phy/ reg/get event", values=""),
    "rfkill": _changes("rfkill", verbs="list event"),
    "nmcli": _changes(
        "nmcli",
        verbs="general/ general/status general/permissions device/ device/status device/show dev/ "
        "dev/status dev/show connection/ connection/show con/ con/show c/ c/show d/ d/show d/status g/ radio/ "
        "networking/ monitor",
        values="fmgecw",
        long_values=("--fields", "--mode", "--get-values", "--escape", "--colors", "--wait"),
    ),
    "resolvectl": _changes(
        "resolvectl", verbs="status statistics show-cache show-server-state dns/ domain/ default-route/"
    ),
    "networkctl": _changes("networkctl", verbs="list status lldp label cat"),
    "networksetup": _changes(
        "networksetup", options="-listallnetworkservices -listallhardwareports -getinfo", bare=False
    ),
    "scutil": _changes("scutil", options="--dns --proxy --get --nwi", bare=False),
    "wg": _changes("wg", verbs="genkey pubkey genpsk help"),
    "conntrack": _changes("conntrack", options="-L -S -C --dump --stats --count", bare=False),
    "ipset": _changes("ipset", verbs="list save test version help", options="-L --list"),
    **{
        name: always(f"{name}.change", Risk.PRIVILEGE, f"changes how this machine is connected ({name})")
        for name in (
            "dhclient",
            "dhcpcd",
            "udhcpc",
            "wpa_cli",
            "wpa_supplicant",
            "ifup",
            "ifdown",
            "netplan",
            "hostapd",
            "pppd",
            "vpnc",
            "openconnect",
            "mmcli",
            "tunctl",
            "bluetoothctl",
            "hciconfig",
        )
    },
    "ss": _changes("ss", changing="-K --kill", operands=True),
    **dict.fromkeys(
        ("netstat", "lsof", "nstat", "ifstat", "iftop", "nethogs", "vnstat", "bmon"), Spec(operands="text*")
    ),
}
