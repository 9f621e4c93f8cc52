"""Commands that run another command -> that command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, runs, runs_stdin, script, write
from limpet.policy.options import parse_options
from limpet.policy.variables import assigned_risk
from limpet.syntax.values.field import ANYTHING, Field, known
from limpet.syntax.walk.folders import join_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule, Spec

_MOST_ITEMS = 16
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


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


def split_assignments(
    fields: tuple[Field, ...],
) -> tuple[tuple[tuple[str, Field], ...], tuple[Field, ...]]:
    """`A=1 B=2 cmd …` -> what is assigned, and the rest."""
    assigned: list[tuple[str, Field]] = []
    for index, field in enumerate(fields):
        if not _ASSIGNMENT.match(field.prefix):
            return tuple(assigned), fields[index:]
        name, _, value = field.prefix.partition("=")
        assigned.append((name, Field((value, *field.pieces[1:]))))
    return tuple(assigned), ()


def assignment_risks(assigned: tuple[tuple[str, Field], ...]) -> Iterator[Effect]:
    """What the variables do that are set for a command."""
    for name, value in assigned:
        effect = assigned_risk(name, value)
        if effect is not None:
            yield effect


def _env(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="uCSPa",
        long_values=(
            "--argv0",
            "--unset",
            "--chdir",
            "--split-string",
            "--block-signal",
            "--default-signal",
            "--ignore-signal",
        ),
        long_flags=("--ignore-environment", "--null", "--debug", "--list-signal-handling"),
        stop_early=True,
    )
    for field in parsed.values("-S", "--split-string"):
        yield script(_joined((field, *parsed.operands)), "env -S")
        return
    operands = parsed.operands[1:] if parsed.operands and parsed.operands[0].text == "-" else parsed.operands
    assigned, rest = split_assignments(operands)
    yield from assignment_risks(assigned)
    folder = command.cwd
    for field in parsed.values("-C", "--chdir"):
        folder = join_path(folder, field.text) if field.text is not None else None
    if rest:
        yield runs(command, rest, "env", environment=(*command.environment, *assigned), cwd=folder)


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
        yield runs(command, rest, "sudo", environment=(*command.environment, *assigned))
    elif parsed.has("-s", "-i", "--shell", "--login"):
        yield runs_stdin()


def _su(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="cgGswu",
        long_values=("--command", "--session-command", "--group", "--supp-group", "--shell", "--user"),
    )
    yield risk(command.name or "su", Risk.PRIVILEGE, f"runs with the rights of another user ({command.name})")
    texts = list(parsed.values("-c", "--command", "--session-command"))
    for field in texts:
        yield script(field, f"{command.name} -c")
    if parsed.has("-u", "--user") and command.name == "runuser" and parsed.operands:
        yield runs(command, parsed.operands, "runuser")
    elif not texts:
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


def _xargs(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="adEILnPs",
        long_values=(
            "--arg-file", "--delimiter", "--eof", "--replace", "--max-lines", "--max-args", "--max-procs",
            "--max-chars", "--process-slot-var",
        ),
        long_flags=("--null", "--interactive", "--no-run-if-empty", "--verbose", "--exit", "--open-tty"),
        stop_early=True,
    )  # fmt: skip
    for field in parsed.values("-a", "--arg-file"):
        yield read(field)
    inner = parsed.operands or (known("echo"),)
    marks = [field.text for field in parsed.values("-I", "--replace") if field.text]
    if parsed.has("-i", "--replace") and not marks:
        marks = ["{}"]
    items = command.items or ANYTHING
    if marks:
        yield runs(command, tuple(_replaced(field, marks[-1], items) for field in inner), "xargs")
    else:
        yield runs(command, (*inner, items), "xargs")


def _replaced(field: Field, mark: str, items: Field) -> Field:
    if mark not in field.prefix and not any(isinstance(piece, str) and mark in piece for piece in field.pieces):
        return field
    pieces: list[object] = []
    for piece in field.pieces:
        if not isinstance(piece, str):
            pieces.append(piece)
            continue
        for index, part in enumerate(piece.split(mark)):
            pieces.extend((*items.pieces, part) if index else (part,))
    return Field(tuple(pieces))  # type: ignore[arg-type]  # pieces of fields


def _parallel(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments,
        values="ajSnNLdIkPC",
        long_values=("--jobs", "--arg-file", "--colsep", "--delay", "--timeout", "--joblog", "--results", "--tmpdir"),
        stop_early=True,
    )
    if parsed.has("-S", "--sshlogin", "--sshloginfile"):
        yield risk("parallel.remote", Risk.NETWORK, "runs commands on other machines")
    words = list(parsed.operands)
    marks = [index for index, field in enumerate(words) if (field.text or "").startswith(":::")]
    inner = tuple(words[: marks[0]] if marks else words)
    given = tuple(words[marks[0] + 1 :])[:_MOST_ITEMS] if len(marks) == 1 else ()
    if inner:
        for item in given or (ANYTHING,):
            yield runs(command, (*(_replaced(field, "{}", item) for field in inner), item), "parallel")
    else:
        yield runs_stdin()


_TIME = Wrapper(values="of", long_values=("--output", "--format"), writes=("-o", "--output"))

TOOLS: dict[str, Spec | Rule] = {
    "env": _env, "sudo": _sudo, "sudoedit": _sudo, "su": _su, "runuser": _su, "exec": _exec,
    "command": _command, "builtin": _command, "watch": _shell_words, "script": _script, "flock": _flock,
    "busybox": _applet, "toybox": _applet, "xargs": _xargs, "gxargs": _xargs, "parallel": _parallel,
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
    "numactl": wrap(Wrapper(values="iCNmpSfo")), "cpulimit": wrap(Wrapper(values="lpeP")),
    "prlimit": wrap(Wrapper(values="po")), "faketime": wrap(Wrapper(values="fp", skip=1)),
    "xvfb-run": wrap(Wrapper(values="enfsp")), "dbus-run-session": wrap(Wrapper()), "entr": wrap(Wrapper()),
    "setarch": wrap(Wrapper()), "linux64": wrap(Wrapper()), "i386": wrap(Wrapper()), "linux32": wrap(Wrapper()),
    "direnv": wrap(Wrapper(skip=2)), "dotenv": wrap(Wrapper(values="fv", skip=0)), "tini": wrap(Wrapper(values="p")),
    "dumb-init": wrap(Wrapper(values="r")), "ts": wrap(Wrapper(skip=99)),
    "chroot": wrap(Wrapper(
        long_values=("--userspec", "--groups"), skip=1, privilege="runs in another root folder (chroot)",
    )),
    "unshare": wrap(Wrapper(values="SGRw", privilege="runs in namespaces of its own (unshare)", folder=("-w",))),
    "nsenter": wrap(Wrapper(values="tSGW", privilege="enters the namespaces of another process (nsenter)")),
    "systemd-run": wrap(Wrapper(
        values="uEpGHMt", long_values=("--unit", "--property", "--setenv", "--uid", "--gid", "--machine"),
        privilege="has the service manager run a command (systemd-run)", assigns=False,
    )),
    "bwrap": wrap(Wrapper(privilege="sets up a sandbox of its own (bwrap)", skip=99)),
    "firejail": wrap(Wrapper()), "proot": wrap(Wrapper(values="rbwqvk")),
    "logsave": wrap(Wrapper(skip=1)),
}  # fmt: skip
