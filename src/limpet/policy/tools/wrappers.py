"""Commands that run another command -> that command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk, runs, runs_stdin, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.assigning import assignment_risks, split_assignments
from limpet.policy.tools.env import TOOLS as ENV
from limpet.policy.tools.launchers import TOOLS as LAUNCHERS
from limpet.policy.tools.own_code import explained
from limpet.policy.tools.xargs import TOOLS as XARGS
from limpet.syntax.values.field import Field
from limpet.syntax.walk.folders import join_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule, Spec


class Wrapper(msgspec.Struct, frozen=True, kw_only=True):
    """A command that takes options, then some operands of its own, then the command that it runs."""

    values: str = ""
    long_values: tuple[str, ...] = ()
    skip: int = 0
    """How many operands stand before the command."""
    privilege: str = ""
    """Why it is more than a wrapper."""
    assigns: bool = False
    """`NAME=value` may stand before the command."""
    writes: tuple[str, ...] = ()
    """Options whose value is a file that it writes."""
    folder: tuple[str, ...] = ()
    """Options whose value is the folder that the command runs in."""


def wrap(wrapper: Wrapper) -> Callable[[Command], Iterator[Effect]]:
    """The rule for a wrapper that a table describes."""

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_options(
            command.arguments, values=wrapper.values, long_values=wrapper.long_values, stop_early=True
        )
        if wrapper.privilege:
            yield risk(f"{command.name}", Risk.PRIVILEGE, wrapper.privilege)
        for field in parsed.values(*wrapper.writes):
            yield write(field)
        rest = parsed.operands[wrapper.skip :]
        environment = command.environment
        if wrapper.assigns:
            assigned, rest = split_assignments(rest)
            environment = (*environment, *assigned)
            yield from assignment_risks(assigned)
        if rest:
            cwd = _folder(command, parsed, wrapper)
            yield runs(command, rest, command.name or "", environment=environment, cwd=cwd)

    return rule


def _folder(command: Command, parsed: Parsed, wrapper: Wrapper) -> str | None:
    folder = command.cwd
    for field in parsed.values(*wrapper.folder):
        folder = join_path(folder, field.text) if field.text is not None else None
    return folder


def _joined(fields: tuple[Field, ...]) -> Field:
    pieces: list[object] = []
    for field in fields:
        pieces.extend((" ", *field.pieces) if pieces else field.pieces)
    return Field(tuple(pieces))  # type: ignore[arg-type]  # pieces of fields, and blanks


def _sudo(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="ugpChrtTUDRa",
        long_values=(
            "--user", "--group", "--prompt", "--close-from", "--host", "--role", "--type", "--command-timeout",
            "--other-user", "--chdir", "--chroot",
        ),
        long_flags=("--shell", "--login", "--edit", "--list", "--non-interactive", "--preserve-env", "--validate"),
        stop_early=True,
    )  # fmt: skip
    yield risk("sudo", Risk.PRIVILEGE, f"runs with the rights of another user ({command.name})")
    assigned, rest = split_assignments(parsed.operands)
    yield from assignment_risks(assigned)
    if parsed.has("-e", "--edit") or command.name == "sudoedit":
        yield from (write(field) for field in rest)
    elif rest and parsed.has("-s", "-i", "--shell", "--login"):
        yield script(_joined(rest), "sudo -s")
    elif rest:
        cwd = _folder(command, parsed, Wrapper(folder=("-D", "--chdir")))
        yield runs(command, rest, "sudo", environment=(*command.environment, *assigned), cwd=cwd)
    elif parsed.has("-s", "-i", "--shell", "--login"):
        yield runs_stdin()


def _su(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="cgGswu",
        long_values=("--command", "--session-command", "--group", "--supp-group", "--shell", "--user"),
    )
    yield risk(command.name or "su", Risk.PRIVILEGE, f"runs with the rights of another user ({command.name})")
    if command.name == "runuser" and parsed.has("-u", "--user"):
        inner = parse_options(
            command.arguments, values="ugGw", long_values=("--user", "--group", "--supp-group"), stop_early=True
        )
        if inner.operands:
            yield runs(command, inner.operands, "runuser")
        return
    texts = list(parsed.values("-c", "--command", "--session-command"))
    for field in texts:
        yield script(field, f"{command.name} -c")
    if not texts:
        yield runs_stdin()


def _exec(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="a", stop_early=True)
    if parsed.operands:
        yield runs(command, parsed.operands, "exec")


def _command(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, stop_early=True)
    if parsed.operands and not parsed.has("-v", "-V"):
        yield runs(command, parsed.operands, command.name or "")


def _shell_words(command: Command) -> Iterator[Effect]:
    """`watch`, which has a shell run its arguments."""
    parsed = parse_options(
        command.arguments, values="nq", long_values=("--interval", "--equexit", "--shotsdir"), stop_early=True
    )
    if parsed.operands and parsed.has("-x", "--exec"):
        yield runs(command, parsed.operands, "watch")
    elif parsed.operands:
        yield script(_joined(parsed.operands), "watch")


def _script(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="cEIOBToT",
        long_values=("--command", "--log-in", "--log-out", "--log-io", "--log-timing", "--output-limit", "--echo"),
    )
    texts = list(parsed.values("-c", "--command"))
    for field in texts:
        yield script(field, "script -c")
    for field in (*parsed.values("-I", "-O", "-B", "--log-in", "--log-out", "--log-io"), *parsed.operands[:1]):
        yield write(field)
    if not texts:
        yield runs_stdin()


def _flock(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="wEc", long_values=("--timeout", "--wait", "--conflict-exit-code", "--command")
    ) if any(field.text in ("-c", "--command") for field in command.arguments) else parse_options(
        command.arguments, values="wE", long_values=("--timeout", "--wait", "--conflict-exit-code"), stop_early=True
    )  # fmt: skip
    for field in parsed.values("-c", "--command"):
        yield script(field, "flock -c")
    if parsed.operands and not (parsed.operands[0].text or "x").isdigit():
        yield write(parsed.operands[0])
    if len(parsed.operands) > 1 and not parsed.has("-c", "--command"):
        yield runs(command, parsed.operands[1:], "flock")


def _applet(command: Command) -> Iterator[Effect]:
    """`busybox rm …`."""
    rest = command.argv[1:]
    if rest and not rest[0].prefix.startswith("--"):
        yield runs(command, rest, command.name or "")


_TIME = Wrapper(values="of", long_values=("--output", "--format"), writes=("-o", "--output"))

TOOLS: dict[str, Spec | Rule] = explained({
    **ENV, **LAUNCHERS, **XARGS, "sudo": _sudo, "sudoedit": _sudo, "su": _su, "runuser": _su, "exec": _exec,
    "command": _command, "builtin": _command, "watch": _shell_words, "script": _script, "flock": _flock,
    "busybox": _applet, "toybox": _applet,
    "doas": wrap(Wrapper(values="uCa", privilege="runs with the rights of another user (doas)")),
    "pkexec": wrap(Wrapper(long_values=("--user",), privilege="runs with the rights of another user (pkexec)")),
    "gosu": wrap(Wrapper(skip=1, privilege="runs with the rights of another user (gosu)")),
    "su-exec": wrap(Wrapper(skip=1, privilege="runs with the rights of another user (su-exec)")),
    "setpriv": wrap(Wrapper(
        long_values=("--reuid", "--regid", "--groups", "--inh-caps", "--ambient-caps", "--bounding-set"),
        privilege="changes the rights of a command (setpriv)",
    )),
    "nice": wrap(Wrapper(values="n", long_values=("--adjustment",))),
    "ionice": wrap(Wrapper(values="cnpPu", long_values=("--class", "--classdata"))),
    "nohup": wrap(Wrapper()), "setsid": wrap(Wrapper()), "time": wrap(_TIME), "gtime": wrap(_TIME),
    "timeout": wrap(Wrapper(values="ks", long_values=("--kill-after", "--signal"), skip=1)),
    "gtimeout": wrap(Wrapper(values="ks", long_values=("--kill-after", "--signal"), skip=1)),
    "stdbuf": wrap(Wrapper(values="ioe", long_values=("--input", "--output", "--error"))),
    "unbuffer": wrap(Wrapper()), "eatmydata": wrap(Wrapper()), "fakeroot": wrap(Wrapper(values="lsib")),
    "caffeinate": wrap(Wrapper(values="tw")), "rlwrap": wrap(Wrapper(values="bCDefgHlMOPqsStwz")),
    "chrt": wrap(Wrapper(values="TPD", skip=1)), "taskset": wrap(Wrapper(skip=1)),
    "numactl": wrap(Wrapper(
        values="iCNmpSfo",
        long_values=("--cpunodebind", "--membind", "--physcpubind", "--interleave", "--preferred", "--shm", "--file"),
    )), "cpulimit": wrap(Wrapper(values="lpeP")),
    "prlimit": wrap(Wrapper(values="po")), "faketime": wrap(Wrapper(values="p", skip=1)),
    "xvfb-run": wrap(Wrapper(values="enfsp")), "dbus-run-session": wrap(Wrapper()),
    "linux64": wrap(Wrapper()), "i386": wrap(Wrapper()), "linux32": wrap(Wrapper()),

    "tini": wrap(Wrapper(values="p")),
    "dumb-init": wrap(Wrapper(values="r")), "ts": wrap(Wrapper(skip=99)),
    "chroot": wrap(Wrapper(
        long_values=("--userspec", "--groups"), skip=1, privilege="runs in another root folder (chroot)",
    )),
    "unshare": wrap(Wrapper(values="SGRw", privilege="runs in namespaces of its own (unshare)", folder=("-w",))),
    "nsenter": wrap(Wrapper(
        values="tSGW", long_values=("--target", "--setuid", "--setgid", "--wdns"),
        privilege="enters the namespaces of another process (nsenter)",
    )),
    "systemd-run": wrap(Wrapper(
        values="uEpHM", long_values=("--unit", "--property", "--setenv", "--uid", "--gid", "--machine"),
        privilege="has the service manager run a command (systemd-run)", assigns=False,
    )),
    "run0": wrap(Wrapper(values="ugDM", long_values=("--user", "--group", "--chdir", "--machine"),
        privilege="runs with the rights of another user (run0)")),
    "rr": wrap(Wrapper(skip=1)),
    "firejail": wrap(Wrapper()), "proot": wrap(Wrapper(values="rbwqvk")),
    "logsave": wrap(Wrapper(skip=1)),
})  # fmt: skip
