"""Tools that act on the system as a whole -> what they change, if anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, change, read, risk, runs, write
from limpet.policy.options import parse_options
from limpet.policy.tools import accounts, disks, power, processes
from limpet.policy.tools.showing import Shows, always, explains, shows, unless_function
from limpet.policy.tools.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule


def _changes(name: str, detail: str = "", **table: object) -> Rule:
    """A tool that shows settings of the system unless it is told to change them."""
    text = detail or f"changes settings of the system ({name})"
    return shows(Shows(rule=f"{name}.change", risk=Risk.PRIVILEGE, detail=text, **table))  # type: ignore[arg-type]  # its fields


def _boot(name: str) -> Rule:
    return always(f"{name}.boot", Risk.DESTROYS, f"changes how the machine starts ({name})", deny=True)


def _efibootmgr(command: Command) -> Iterator[Effect]:
    if any(text not in ("-v", "-V", "--verbose", "--version", "--help") for text in command.texts):
        yield risk("efibootmgr.boot", Risk.DESTROYS, "changes how the machine starts (efibootmgr)", deny=True)


def _sysctl(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="r", long_values=("--pattern",))
    assigns = any("=" in field.prefix for field in parsed.operands)
    unknown = any(field.text is None for field in parsed.operands)
    if assigns or unknown or parsed.has("-w", "-p", "-f", "--write", "--load", "--system"):
        yield risk("sysctl.change", Risk.PRIVILEGE, "changes how the kernel works")


def _modprobe(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="CdS")
    if parsed.has("-n", "-c", "-D", "--dry-run", "--show", "--showconfig", "--show-depends", "-V") or explains(command):
        return
    yield risk(f"{command.name}.module", Risk.PRIVILEGE, f"changes what code the kernel runs ({command.name})")


def _dmesg(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="FflnsK", long_values=("--file", "--facility", "--level", "--console-level")
    )
    yield from (read(field) for field in parsed.values("-F", "--file", "-K"))
    if parsed.has(
        "-C", "-c", "-D", "-E", "-n", "--clear", "--read-clear", "--console-off", "--console-on", "--console-level"
    ):
        yield risk("dmesg.change", Risk.PRIVILEGE, "removes or redirects messages of the kernel")


def _journalctl(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="uptSUDMogc",
        long_values=(
            "--unit", "--user-unit", "--priority", "--identifier", "--since", "--until", "--directory",
            "--file",
            "--machine", "--output", "--grep", "--cursor", "--cursor-file", "--root", "--output-fields",
            "--namespace",
            "--vacuum-size", "--vacuum-time", "--vacuum-files", "--field", "--facility", "--after-cursor",
            "--update-catalog",
        ),
        long_flags=("--rotate", "--flush", "--sync", "--relinquish-var", "--setup-keys", "--no-pager", "--follow"),
    )  # fmt: skip
    yield from (write(field) for field in parsed.values("--cursor-file"))
    if parsed.has("--vacuum-size", "--vacuum-time", "--vacuum-files"):
        yield risk("journalctl.vacuum", Risk.DESTROYS, "removes logs of the system")
    if parsed.has("--rotate", "--flush", "--sync", "--relinquish-var", "--setup-keys", "--update-catalog"):
        yield risk("journalctl.change", Risk.PRIVILEGE, "changes how logs are kept")


def _hostname(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="F")
    if parsed.operands or parsed.has("-F", "-b", "--file"):
        yield risk(f"{command.name}.change", Risk.PRIVILEGE, f"gives the machine another name ({command.name})")


def _chcon(command: Command) -> Iterator[Effect]:
    names = ("--user", "--role", "--type", "--range", "--reference")
    parsed = parse_options(command.arguments, values="urtl", long_values=names)
    labelled = parsed.has("-u", "-r", "-t", "-l", *names)
    for field in parsed.operands[0 if labelled else 1 :]:
        yield change(field, recursive=parsed.has("-R", "--recursive"))


def _restorecon(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="efo")
    for field in parsed.operands:
        yield change(field, recursive=parsed.has("-R", "-r"))


def _openvt(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="c", stop_early=True)
    yield risk("openvt.terminal", Risk.PRIVILEGE, "uses another terminal of the machine")
    if parsed.operands:
        yield runs(command, parsed.operands, "openvt")


def _getent(command: Command) -> Iterator[Effect]:
    """Names of hosts are asked for in the network; passwords are not for everybody."""
    parsed = parse_options(command.arguments, values="s")
    database = parsed.operands[0].text if parsed.operands else ""
    if database in ("hosts", "ahosts", "ahostsv4", "ahostsv6", "networks", "netgroup") and len(parsed.operands) > 1:
        if any(field.text not in ("localhost", "127.0.0.1") for field in parsed.operands[1:]):
            yield risk("getent.network", Risk.NETWORK, "asks the network for a name (getent)")
    elif database in ("shadow", "gshadow", None):
        yield risk("getent.secrets", Risk.SECRETS, "reads hashes of passwords")


def _desktop(name: str, verbs: str) -> Rule:
    detail = f"changes settings of this user ({name})"
    return shows(Shows(rule=f"{name}.settings", risk=Risk.PERSISTS, detail=detail, verbs=verbs))


def _bus(name: str, verbs: str = "", *, bare: bool = False) -> Rule:
    detail = f"tells other programs to do something ({name})"
    tool = shows(Shows(rule=f"{name}.call", risk=Risk.ESCAPES, detail=detail, verbs=verbs, bare=bare))

    def rule(command: Command) -> Iterator[Effect]:
        yield from tool(command)
        if any(_POWER.search(field.prefix) for field in command.arguments):
            yield risk("floor.power", Risk.DESTROYS, f"switches the machine off ({name})", deny=True)

    return rule


_POWER = re.compile(r"(^|\.)(Reboot|PowerOff|Halt|KExec|Suspend|Hibernate)(WithFlags)?$")


_BOOT = (
    "grub-install grub2-install grub-mkconfig grub2-mkconfig update-grub grub-set-default grub-reboot lilo extlinux "
    "efivar flashrom grubby installkernel kernel-install"
)
_QUIET = "notify-send tput reset clear setterm stty mesg getopt tset resize systemd-analyze systemd-detect-virt"

TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(_QUIET.split(), Spec(operands="text*")),
    **{name: _boot(name) for name in _BOOT.split()},
    "efibootmgr": _efibootmgr,
    "bootctl": _changes("bootctl", "changes how the machine starts", verbs="status list is-installed"),
    "update-initramfs": always("update-initramfs.boot", Risk.PRIVILEGE, "changes how the machine starts"),
    "dracut": always("dracut.boot", Risk.PRIVILEGE, "changes how the machine starts"),
    "mkinitcpio": always("mkinitcpio.boot", Risk.PRIVILEGE, "changes how the machine starts"),
    "insmod": _modprobe,
    "modprobe": _modprobe,
    "rmmod": _modprobe,
    "depmod": _modprobe,
    "kmod": _changes("kmod", verbs="list static-nodes"),
    "dkms": _changes("dkms", verbs="status"),
    "sysctl": _sysctl,
    "dmesg": _dmesg,
    "journalctl": _journalctl,
    "hostname": _hostname,
    "domainname": _hostname,
    "coredumpctl": _changes("coredumpctl", "opens what a program left behind", verbs="list info"),
    "timedatectl": _changes("timedatectl", verbs="status show list-timezones show-timesync timesync-status"),
    "hostnamectl": _changes("hostnamectl", verbs="status show hostname/"),
    "localectl": _changes("localectl", verbs="status list-locales list-keymaps list-x11-keymap-layouts"),
    "hwclock": _changes("hwclock", changing="-s -w -a --set --hctosys --systohc --adjust --systz"),
    "ldconfig": _changes("ldconfig", options="-p -V --print-cache", bare=False),
    "update-alternatives": _changes(
        "update-alternatives",
        options="--list --display --query --get-selections --version",
        changing="--set --install --config --remove --auto --all --remove-all",
        bare=False,
    ),
    "alternatives": _changes(
        "alternatives", options="--list --display", changing="--set --install --config --remove", bare=False
    ),
    "tuned-adm": _changes("tuned-adm", verbs="active list"),
    "cpupower": _changes("cpupower", verbs="frequency-info idle-info info"),
    **{
        name: always(f"{name}.change", Risk.PRIVILEGE, f"changes settings of the system ({name})")
        for name in (
            "dpkg-reconfigure",
            "update-locale",
            "locale-gen",
            "update-ca-certificates",
            "update-ca-trust",
            "trust",
            "update-mime-database",
            "update-desktop-database",
            "chvt",
            "setfont",
            "loadkeys",
            "setleds",
            "adjtimex",
            "raspi-config",
            "debconf-set-selections",
            "ntpd",
            "chronyc",
            "powertop",
            "softwareupdate",
            "tmutil",
            "systemd-hwdb",
            "setupcon",
            "authconfig",
            "mkhomedir_helper",
            "rngd",
            "zramctl",
            "ipmitool",
            "setpci",
            "wrmsr",
            "rdmsr",
            "chronyd",
            "acpid",
        )
    },
    "udevadm": _changes("udevadm", verbs="info monitor verify"),
    "logger": Spec(
        operands="text*",
        options={
            "-n": "network",
            "--server": "network",
            "-f": "read",
            "--file": "read",
            "-t": "text",
            "--tag": "text",
            "-p": "text",
            "--priority": "text",
        },
    ),
    "chcon": _chcon,
    "restorecon": _restorecon,
    "openvt": _openvt,
    "getent": _getent,
    "wall": always("wall.message", Risk.ESCAPES, "writes to the terminals of everybody"),
    "write": unless_function(always("write.message", Risk.ESCAPES, "writes to the terminal of somebody")),
    "xhost": shows(Shows(rule="xhost.change", risk=Risk.ESCAPES, detail="lets others use this screen")),
    "xauth": always("xauth.secrets", Risk.SECRETS, "shows or changes who may use this screen"),
    "gsettings": _desktop(
        "gsettings", "get list-schemas list-keys list-recursively list-children range describe writable monitor"
    ),
    "dconf": _desktop("dconf", "read list dump watch"),
    "defaults": _desktop("defaults", "read read-type domains find help"),
    "plutil": Spec(
        options={"-o": "write", "-convert": "text"}, ask={"-replace": "changes a file", "-insert": "changes a file"}
    ),
    "xdg-settings": _desktop("xdg-settings", "get check"),
    "xdg-mime": _desktop("xdg-mime", "query"),
    "xfconf-query": _desktop("xfconf-query", ""),
    "kwriteconfig5": _desktop("kwriteconfig5", ""),
    "kreadconfig5": Spec(operands="text*"),
    "dbus-send": _bus("dbus-send"),
    "gdbus": _bus("gdbus", "introspect monitor help"),
    "qdbus": _bus("qdbus", bare=True),
    "busctl": _bus("busctl", "list status tree introspect monitor get-property", bare=True),
    "dbus-monitor": Spec(operands="text*"),
    "xdotool": _bus("xdotool"),
    "ydotool": _bus("ydotool"),
    "wmctrl": _bus("wmctrl"),
    "xte": _bus("xte"),
    "screencapture": _bus("screencapture", bare=False),
    "scrot": _bus("scrot", bare=False),
    "gnome-screenshot": _bus("gnome-screenshot"),
    "crash": _changes("crash", bare=False),
    "gcore": always("gcore.secrets", Risk.SECRETS, "reads the memory of a program"),
    **dict.fromkeys(("xclip", "xsel", "pbcopy", "pbpaste", "wl-copy", "wl-paste"), Spec(operands="read*")),
    **accounts.TOOLS,
    **disks.TOOLS,
    **power.TOOLS,
    **processes.TOOLS,
}
