"""Tools that show processes or send them signals -> whom they would stop."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk
from limpet.policy.options import parse_options
from limpet.policy.tools.showing import always, explains
from limpet.policy.tools.spec import Spec
from limpet.syntax.values.field import CHILD, OWN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule

_NUMBER = re.compile(r"[ \t\n]*([-+]?)0*([0-9]+)[ \t\n]*")
_EVERYTHING = re.compile(r"[.^$*+\s]*|\[\^?.*\][*+]?|\.\*.*")
_OURS = ((CHILD,), (OWN,))
"""`$!` and `$$`: like a job, the shell and what it has started end with the command anyway."""
_LARGEST_PID = 1 << 31


def _deny(rule: str, detail: str) -> Effect:
    return risk(rule, Risk.DESTROYS, detail, deny=True, suggestion="Stop one process by its number.")


def _kill(command: Command) -> Iterator[Effect]:
    """`kill [-s SIG | -n NUM | -SIG] target …`; a job of this shell is free, any other process is worth a question."""
    texts = ["%" if field.pieces in _OURS else field.text for field in command.arguments]
    signal = ""
    if (texts and (texts[0] or "")[:2] in ("-l", "-L")) or texts[:1] in (
        ["--list"],
        ["--table"],
        ["--help"],
        ["--version"],
    ):
        return
    if texts and (texts[0] or "").startswith("-") and texts[0] != "--":
        option = texts.pop(0) or ""
        glued = option[2:] if option[:2] in ("-s", "-n") and not option[1:].isupper() else ""
        signal = glued or (texts.pop(0) or "" if option in ("-s", "-n", "--signal") and texts else option[1:])
        if not texts and signal == "1":
            yield _deny("kill.everything", "stops every process of this user")
    if texts[:1] == ["--"]:
        del texts[0]
    if signal in ("0", "EXIT"):
        return  # only asks whether it is there
    for effect in dict.fromkeys(map(_kill_one, texts)):
        if effect is not None:
            yield effect


def _kill_one(target: str | None) -> Effect | None:
    if target is None:
        return risk("kill.unknown", Risk.DESTROYS, "stops a process that is not known before it runs")
    if target.startswith("%"):
        return None
    found = _NUMBER.fullmatch(target)
    number = int(f"{found[1]}{found[2][:12]}") if found is not None else None  # Python refuses very long ones
    if number is not None and (number in (1, -1) or abs(number) >= _LARGEST_PID):
        what = "the first process, and so the whole system" if number == 1 else "every process of this user"
        return _deny("kill.everything", f"stops {what}")
    return risk("kill.process", Risk.DESTROYS, "stops a process")


def _by_name(command: Command) -> Iterator[Effect]:
    """`pkill` and `killall`: by a name, or by who runs them."""
    if explains(command) or command.texts[:1] in (("-l",), ("--list",), ("-V",)):
        return
    parsed = parse_options(
        command.arguments,
        values="FgGPstuU" if command.name == "pkill" else "sunyoZ",
        long_values=("--user", "--signal", "--pidfile", "--pgroup", "--group", "--parent", "--session", "--terminal",
                     "--euid", "--uid", "--ns", "--older-than", "--younger-than", "--context"),
    )  # fmt: skip
    if _is_everything(parsed, by_pattern=command.name == "pkill" or parsed.has("-r", "--regexp")):
        yield _deny(f"{command.name}.everything", "stops every process of a user, or all that there are")
    elif parsed.has("-0"):
        return
    else:
        yield risk(f"{command.name}.name", Risk.DESTROYS, "stops all processes of a name")


def _is_everything(parsed: Parsed, *, by_pattern: bool) -> bool:
    if not parsed.operands:
        return parsed.has("-u", "-U", "-G", "-t", "--user", "--euid", "--uid", "--group", "--terminal")
    if parsed.has("-v", "--inverse"):
        return True
    return by_pattern and any(field.text is not None and _EVERYTHING.fullmatch(field.text) for field in parsed.operands)


def _fuser(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="n")
    if not parsed.has("-k", "--kill"):
        return
    if parsed.has("-m", "-c") and any(field.text in ("/", "/home", "/usr") for field in parsed.operands):
        yield _deny("fuser.everything", "stops every process that uses the file system")
    else:
        yield risk("fuser.kill", Risk.DESTROYS, "stops the processes that use something")


_SHOWS = (
    "ps pgrep pidof pstree pmap pwdx top htop btop atop btm glances uptime free vmstat iostat mpstat pidstat sar "
    "slabtop nproc lscpu lsmem lspci lsusb lshw hwinfo inxi dmidecode lsblk blkid lsmod lsns lsipc lslocks lslogins "
    "lsirq ipcs sensors acpi upower nvidia-smi rocm-smi who w whoami id groups users logname last lastb lastlog "
    "uname arch getconf tty locale runlevel sw_vers system_profiler vm_stat procs "
    "tload numastat lsinitramfs modinfo getcap getenforce sestatus aa-status pidwait"
)

_RENICE = always("renice.change", Risk.PRIVILEGE, "changes how much time other processes get")

TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(_SHOWS.split(), Spec(operands="text*")),
    "kill": _kill,
    "pkill": _by_name,
    "killall": _by_name,
    "fuser": _fuser,
    "renice": _RENICE,
    "skill": _by_name,
    "snice": _RENICE,
    "killall5": always("killall5.everything", Risk.DESTROYS, "stops every process", deny=True),
    "xkill": always("xkill.window", Risk.DESTROYS, "stops the program of a window"),
    "ipcrm": always("ipcrm.remove", Risk.DESTROYS, "removes memory that programs share"),
}
