"""Tools that tell about the machine, its users and its programs -> what they read, and the few calls that change it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.own_code import loads, named, runs_file, runs_settings
from limpet.policy.tools.running import wary
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.tables import reads, texts, writes
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_NOTHING = Spec(operands="text*")
_READS = Spec()

_SILENT = (
    "sleep usleep uname id whoami groups who w users last lastlog logname hostid pwd printenv tput tty nproc "
    "arch uptime free lscpu lsblk lsmem lsusb lspci lsmod lsns lslocks lsipc lslogins ps pgrep pidof pstree procs "
    "top atop vmstat iostat mpstat pidstat locale getconf which whereis apropos whatis nvidia-smi dircolors "
    "sw_vers system_profiler lsb_release errno ascii figlet toilet banner lolcat fortune "
    "units ipcs runlevel dmidecode lshw hwinfo numastat slabtop getopt stty reset mesg tabs infocmp toe"
)
_READERS = ("dwarfdump", "pdfinfo", "pdffonts")


def _cowsay(command: Command) -> Iterator[Effect]:
    """A cow is a file of Perl, which is looked for among its own unless it is a path."""
    for field in parse_options(command.arguments, values="efTW").values("-f"):
        if field.text is None or "/" in field.text:
            yield runs_file(field, command.name or "cowsay")


def _server(command: Command) -> Iterator[Effect]:
    """A server: who it is, and whether its settings can be read, is a mere question."""
    if not {"-v", "-V", "-h", "-t", "version", "validate", "--version"} & {*command.texts}:
        yield risk(f"{command.name}.start", Risk.NETWORK, "starts or stops a server")
    for field in named(command.arguments, ("-c", "-f", "--config")):
        yield from runs_settings(field, command.name or "")


def _date(command: Command) -> Iterator[Effect]:
    arguments = [field for field in command.arguments if not re.match("-[uR]*I", field.prefix)]  # `-Iseconds`
    parsed = parse_options(
        arguments, values="dfrsvz",
        long_values=("--date", "--file", "--reference", "--set", "--rfc-3339"),
        long_flags=("--debug", "--iso-8601", "--resolution", "--rfc-email", "--utc", "--universal", "--help"),
    )  # fmt: skip
    yield from map(read, parsed.values("-f", "--file", "-r", "--reference"))
    stamps = any(re.fullmatch(r"[0-9]{8,}(\.[0-9]+)?", field.text or "") for field in parsed.operands)
    if parsed.has("-s", "--set") or (stamps and not parsed.has("-j")):
        yield risk("date.set", Risk.PRIVILEGE, "sets the clock of the machine")


def _hostname(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="F", long_values=("--file",))
    if parsed.operands or parsed.has("-F", "--file", "-b", "--boot"):
        yield risk("hostname.set", Risk.PRIVILEGE, "gives the machine another name")


def _man(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="CLmMsSePprRE",
        long_values=(
            "--config-file", "--locale", "--systems", "--manpath", "--sections", "--extension", "--pager",
            "--preprocessor", "--prompt", "--recode", "--encoding",
        ),
        long_flags=(
            "--all", "--apropos", "--whatis", "--where", "--location", "--path", "--local-file", "--global-apropos",
            "--html", "--gxditview", "--troff", "--troff-device", "--ditroff", "--regex", "--wildcard", "--names-only",
            "--default", "--debug", "--warnings", "--update", "--no-subpages", "--no-hyphenation", "--help",
        ),
    )  # fmt: skip
    for text in parsed.values("-P", "--pager"):
        yield script(text, "man")
    if parsed.has("-H", "--html", "-X", "--gxditview"):
        yield risk("man.viewer", Risk.UNKNOWN, "has another program show the page")
    yield from map(read, parsed.values("-C", "--config-file"))
    if parsed.has("-l", "--local-file"):
        yield from map(read, parsed.operands)


def _getent(command: Command) -> Iterator[Effect]:
    operands = parse_options(command.arguments, values="s", long_values=("--service",)).operands
    database = operands[0].text or "" if operands else ""
    if database in ("shadow", "gshadow"):
        yield read(known(f"/etc/{database}"))
    if database in ("hosts", "ahosts", "ahostsv4", "ahostsv6", "networks", "netgroup") and len(operands) > 1:
        yield risk("getent.network", Risk.NETWORK, "asks the network for a name")


def _info(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="kdfnox",
        long_values=(
            "--apropos", "--directory", "--file", "--index-search", "--node", "--output", "--dribble", "--restore",
            "--init-file", "--variable",
        ),
    )  # fmt: skip
    yield from map(write, parsed.values("-o", "--output", "--dribble"))
    yield from map(read, parsed.values("--restore", "--init-file"))


def _tldr(command: Command) -> Iterator[Effect]:
    if parse_options(command.arguments).has("-u", "--update", "--update_cache"):
        yield risk("tldr.update", Risk.NETWORK, "fetches pages from the network")


TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(_SILENT.split(), _NOTHING),
    **dict.fromkeys(_READERS, _READS),
    "pmap": Spec(
        operands="text*", options=texts("-A --range") | reads("-C --read-rc-from") | writes("-N --create-rc-to"),
        ask={"-n": "writes a file of settings", "--create-rc": "writes a file of settings"},
    ),
    **dict.fromkeys(("cowsay", "cowthink"), _cowsay),
    **dict.fromkeys(("neofetch", "fastfetch", "screenfetch"), loads(_NOTHING, "--config -c")),
    "uuidgen": _NOTHING,
    **dict.fromkeys(("nginx", "httpd", "apache2", "caddy"), _server),
    "date": _date,
    "gdate": _date,
    "hostname": _hostname,
    "domainname": _hostname,
    "dnsdomainname": _NOTHING,
    "man": wary(_man),
    "info": _info,
    "getent": _getent,
    "tldr": _tldr,
    "htop": _NOTHING,
    "btop": _NOTHING,
    "dmesg": Spec(operands="text*", options=texts("-l --level -f --facility -s --buffer-size -n --console-level")
                  | reads("-F --file"), ask={
                      "-C": "clears the messages of the kernel", "--clear": "clears the messages of the kernel",
                      "-c": "clears the messages of the kernel", "--read-clear": "clears the messages of the kernel",
                  }),
}  # fmt: skip
