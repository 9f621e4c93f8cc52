"""Tools that start and stop services, or the machine -> whether they only tell about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk
from limpet.policy.options import parse_options
from limpet.policy.tools.showing import Shows, always, explains, shows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule, Spec

_OFF = "switches the machine off, starts it anew or puts it to sleep"
_POWER = frozenset({
    "poweroff", "reboot", "halt", "kexec", "suspend", "hibernate", "hybrid-sleep", "suspend-then-hibernate",
    "soft-reboot",
    "sleep", "rescue", "emergency", "exit", "switch-root",
})  # fmt: skip
_POWER_TARGETS = (
    "poweroff.target", "reboot.target", "halt.target", "kexec.target", "rescue.target", "emergency.target",
    "shutdown.target",
    "suspend.target", "hibernate.target", "runlevel0.target", "runlevel6.target", "ctrl-alt-del.target", "exit.target",
    "poweroff", "reboot", "systemd-poweroff.service", "systemd-reboot.service", "systemd-halt.service", "sleep.target",
)  # fmt: skip
_READS = frozenset({
    "status", "show", "cat", "help", "is-active", "is-enabled", "is-failed", "is-system-running", "get-default",
    "show-environment", "whoami", "list-units", "list-unit-files", "list-timers", "list-sockets", "list-dependencies",
    "list-jobs", "list-machines", "list-paths", "list-automounts", "log-level", "log-target", "service-log-level",
})  # fmt: skip
_LASTS = frozenset({
    "enable", "disable", "reenable", "preset", "preset-all", "mask", "unmask", "link", "revert", "add-wants",
    "add-requires",
    "edit", "set-default", "set-property", "set-environment", "unset-environment", "import-environment",
    "daemon-reload",
    "daemon-reexec",
})  # fmt: skip
_SYSTEMCTL_LONG = (
    "--type", "--state", "--property", "--host", "--machine", "--signal", "--lines", "--output", "--root", "--image",
    "--kill-who", "--kill-whom", "--what", "--job-mode", "--preset-mode", "--message", "--boot-loader-entry", "--when",
    "--timestamp", "--legend", "--check-inhibitors", "--drop-in", "--kill-value",
)  # fmt: skip


def _power(rule: str) -> Effect:
    return risk(rule, Risk.DESTROYS, _OFF, deny=True)


def _systemctl(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="tpPHMsno", long_values=_SYSTEMCTL_LONG)
    if explains(command):
        return
    if parsed.has("-H", "--host"):
        yield risk("systemctl.network", Risk.NETWORK, "talks to another machine (systemctl)")
    verb = parsed.operands[0].text if parsed.operands else "list-units"
    units = [field.text for field in parsed.operands[1:]]
    if verb in _POWER or (any(unit in _POWER_TARGETS for unit in units) and verb not in _READS):
        yield _power("systemctl.power")
    elif verb in _LASTS:
        yield risk("systemctl.settings", Risk.PERSISTS, "changes which services run from now on")
    elif verb not in _READS:
        yield risk("systemctl.service", Risk.PRIVILEGE, "starts, stops or changes a service")


def _shutdown(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    if command.name == "shutdown" and "-c" in command.texts:
        yield risk("shutdown.cancel", Risk.PRIVILEGE, "keeps the machine from switching off")
    else:
        yield _power(f"{command.name}.power")


def _init(command: Command) -> Iterator[Effect]:
    texts = [text for text in command.texts if text is None or not text.startswith("-")]
    if explains(command):
        return
    if any(text in ("0", "1", "6", "s", "S") for text in texts):
        yield _power("init.power")
    else:
        yield risk("init.level", Risk.PRIVILEGE, "changes what the whole system runs")


def _kexec(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="lt", long_values=("--load", "--initrd", "--append", "--command-line")
    )
    if parsed.has("-e", "--exec", "-f", "--force"):
        yield _power("kexec.power")
    elif not explains(command):
        yield risk("kexec.load", Risk.PRIVILEGE, "loads another kernel")


def _last_is_status(name: str) -> Rule:
    """`service NAME status`, `rc-service NAME status`, `/etc/init.d`-like."""

    def rule(command: Command) -> Iterator[Effect]:
        words = [text for text in command.texts if text is None or not text.startswith("-")]
        listed = {"--status-all", "--list", "-l", "--resolve", "-r", "--exists", "-e"}
        if explains(command) or words[-1:] == ["status"] or listed & set(command.texts):
            return
        yield risk(f"{name}.service", Risk.PRIVILEGE, f"starts, stops or changes a service ({name})")

    return rule


def _service(name: str, verbs: str, *, bare: bool = True, lasts: bool = False) -> Rule:
    which = Risk.PERSISTS if lasts else Risk.PRIVILEGE
    detail = f"starts, stops or changes services ({name})"
    return shows(Shows(rule=f"{name}.service", risk=which, detail=detail, verbs=verbs, bare=bare, denied=_DENIED))


_DENIED = "poweroff reboot halt suspend hibernate hybrid-sleep reboot-userspace"

TOOLS: dict[str, Spec | Rule] = {
    "systemctl": _systemctl,
    **dict.fromkeys(
        ("shutdown", "reboot", "halt", "poweroff", "pm-suspend", "pm-hibernate", "pm-powersave", "zzz"), _shutdown
    ),
    "init": _init,
    "telinit": _init,
    "kexec": _kexec,
    "service": _last_is_status("service"),
    "rc-service": _last_is_status("rc-service"),
    "invoke-rc.d": _last_is_status("invoke-rc.d"),
    "launchctl": _service(
        "launchctl", "list print print-cache print-disabled blame version help managername", lasts=True
    ),
    "loginctl": _service(
        "loginctl",
        "list-sessions list-users list-seats show-session show-user show-seat session-status user-status seat-status",
    ),
    "rc-update": _service("rc-update", "show", lasts=True),
    "rc-status": _service("rc-status", "", bare=True),
    "update-rc.d": always("update-rc.d.service", Risk.PERSISTS, "changes which services run from now on"),
    "chkconfig": _service("chkconfig", "--list", lasts=True),
    "sv": _service("sv", "status s", bare=False),
    "initctl": _service("initctl", "list status version show-config"),
    "openrc": _service("openrc", "", bare=False),
    "supervisorctl": _service("supervisorctl", "status avail pid version tail", bare=False),
    "machinectl": _service("machinectl", "list list-images status show image-status show-image"),
    "pmset": shows(
        Shows(
            rule="pmset.change",
            risk=Risk.PRIVILEGE,
            detail="changes how the machine saves power",
            options="-g",
            bare=False,
            denied="sleepnow",
        )
    ),
    "rtcwake": always("rtcwake.power", Risk.DESTROYS, _OFF, deny=True),
    "systemd-inhibit": always("systemd-inhibit.keep", Risk.PRIVILEGE, "keeps the machine from sleeping"),
}
