"""Tools that change who may use the machine, and what runs on a schedule -> how much they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, runs_stdin, script
from limpet.policy.options import parse_options
from limpet.policy.tools.showing import Shows, always, explains, shows
from limpet.policy.tools.spec import Spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_POWERFUL_GROUPS = frozenset({"sudo", "wheel", "root", "admin", "shadow", "disk"})
_LETTERS = {"passwd": "nxwiRPr", **dict.fromkeys(("userdel", "deluser", "groupdel", "delgroup"), "R")}
_LONG = (
    "--groups",
    "--gid",
    "--uid",
    "--shell",
    "--home",
    "--password",
    "--comment",
    "--login",
    "--expiredate",
    "--ingroup",
)


def _account(command: Command) -> Iterator[Effect]:
    """Accounts are worth a question; root, and the groups that are as good as root, are out of bounds."""
    if explains(command) or (command.name == "passwd" and "-S" in command.texts):
        return
    letters = _LETTERS.get(command.name or "", "cdefgGkKpsuZ")
    parsed = parse_options(command.arguments, values=letters, long_values=_LONG)
    names = {field.text for field in parsed.operands}
    lists = parsed.values("-G", "-g", "--groups", "--gid", "--ingroup")
    groups = {name for field in lists for name in (field.text or "").split(",")}
    same_id = any(field.text == "0" for field in parsed.values("-u", "--uid"))
    root = "root" in names or same_id or bool((groups | names) & _POWERFUL_GROUPS)
    detail = "gives somebody power over the whole system, or takes it" if root else "changes accounts of this machine"
    rule = "floor.account" if root else f"{command.name}.account"
    yield risk(rule, Risk.PRIVILEGE, f"{detail} ({command.name})", deny=root)


def _chpasswd(command: Command) -> Iterator[Effect]:
    if not explains(command):
        yield risk("floor.account", Risk.PRIVILEGE, f"sets passwords of accounts ({command.name})", deny=True)


def _visudo(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="fx", long_values=("--file",))
    if parsed.has("-c", "--check") or explains(command):
        return
    yield risk("floor.account", Risk.PRIVILEGE, "changes who may do what (visudo)", deny=True)


def _crontab(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="u")
    if parsed.has("-u"):
        yield risk("crontab.user", Risk.PRIVILEGE, "uses the schedule of another user")
    if parsed.has("-l", "-V") or explains(command):
        return
    if parsed.has("-r"):
        yield risk("crontab.remove", Risk.DESTROYS, "removes everything that runs on a schedule")
        return
    yield from (read(field) for field in parsed.operands if field.text != "-")
    yield risk("crontab.change", Risk.PERSISTS, "changes what runs on a schedule")


def _at(command: Command) -> Iterator[Effect]:
    """What it reads is run later."""
    parsed = parse_options(command.arguments, values="qftdr")
    if parsed.has("-l", "-V", "-c") or explains(command):
        return
    if parsed.has("-d", "-r"):
        yield risk("at.remove", Risk.DESTROYS, "removes what was to run later")
        return
    yield risk(f"{command.name}.later", Risk.PERSISTS, "has commands run later")
    files = list(parsed.values("-f"))
    yield from (read(field) for field in files)
    if not files:
        yield runs_stdin()


def _run_parts(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="au", long_values=("--arg", "--umask", "--regex"))
    if parsed.has("--test", "--list") or explains(command):
        return
    yield risk("run-parts.run", Risk.UNKNOWN, "runs every program of a folder")


def _logrotate(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="msl", long_values=("--mail", "--state", "--log"))
    yield from (script(field, "logrotate -m") for field in parsed.values("-m", "--mail"))
    yield from (read(field) for field in parsed.operands)
    if not (parsed.has("-d", "--debug") or explains(command)):
        yield risk("logrotate.run", Risk.DESTROYS, "replaces logs, and runs what its settings say")


_ACCOUNTS = (
    "useradd adduser usermod userdel deluser groupadd addgroup groupmod groupdel delgroup gpasswd passwd chage chsh "
    "chfn newusers vipw vigr pwconv pwunconv grpconv grpunconv newgrp sg dscl sysadminctl dseditgroup pw lusermod "
    "samba-tool smbpasswd faillock pam-auth-update authselect realm"
)

TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(_ACCOUNTS.split(), _account),
    "chpasswd": _chpasswd,
    "chgpasswd": _chpasswd,
    "visudo": _visudo,
    "crontab": _crontab,
    "fcrontab": _crontab,
    "at": _at,
    "batch": _at,
    "run-parts": _run_parts,
    "logrotate": _logrotate,
    "atq": Spec(operands="text*"),
    "atrm": always("at.remove", Risk.DESTROYS, "removes what was to run later"),
    "anacron": always("anacron.run", Risk.PERSISTS, "runs what is on a schedule"),
    "systemd-tmpfiles": always("systemd-tmpfiles.change", Risk.DESTROYS, "creates and removes files of the system"),
    "setcap": always("setcap.rights", Risk.PRIVILEGE, "gives a program more rights than its user has"),
    "capsh": always("capsh.rights", Risk.PRIVILEGE, "runs a shell with other rights"),
    "setenforce": always("setenforce.protection", Risk.PRIVILEGE, "changes how the system protects itself"),
    **{
        name: always(f"{name}.protection", Risk.PRIVILEGE, f"changes how the system protects itself ({name})")
        for name in (
            "semanage",
            "setsebool",
            "semodule",
            "fixfiles",
            "aa-enforce",
            "aa-complain",
            "aa-disable",
            "aa-teardown",
            "apparmor_parser",
            "csrutil",
            "spctl",
            "mokutil",
            "fwupdmgr",
            "tpm2_clear",
        )
    },
    "auditctl": shows(
        Shows(
            rule="auditctl.protection",
            risk=Risk.PRIVILEGE,
            detail="changes what the system records",
            options="-l -s",
            bare=False,
        )
    ),
    "security": shows(
        Shows(
            rule="security.secrets",
            risk=Risk.SECRETS,
            detail="reads or changes stored passwords",
            verbs="list-keychains default-keychain help",
            bare=False,
        )
    ),
    "secret-tool": always("secret-tool.secrets", Risk.SECRETS, "reads or changes stored passwords"),
    "keyctl": always("keyctl.secrets", Risk.SECRETS, "reads or changes keys that the kernel holds"),
    "gnome-keyring-daemon": always("gnome-keyring-daemon.secrets", Risk.SECRETS, "opens stored passwords"),
    **{
        name: always(f"{name}.secrets", Risk.SECRETS, f"reads or changes stored passwords ({name})")
        for name in (
            "pass",
            "gopass",
            "op",
            "bw",
            "lpass",
            "keepassxc-cli",
            "kwallet-query",
            "unshadow",
            "john",
            "hashcat",
        )
    },
}
