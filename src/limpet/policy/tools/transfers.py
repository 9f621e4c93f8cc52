"""Tools that fetch and send by address (`curl`, `wget` and their kin) -> what they read, write and reach."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, program, read, risk, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.addresses import file_after, last_name, reach, within
from limpet.policy.tools.curl import curl
from limpet.policy.tools.hosts import is_loopback
from limpet.policy.tools.own_code import explained
from limpet.policy.tools.showing import explains
from limpet.syntax.values.field import UNKNOWN, Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule, Spec

_WGET_LONG = (
    "--output-document", "--output-file", "--append-output", "--directory-prefix", "--input-file", "--post-file",
    "--body-file",
    "--post-data", "--body-data", "--load-cookies", "--save-cookies", "--config", "--execute", "--use-askpass",
    "--warc-file",
    "--header", "--user-agent", "--referer", "--user", "--password", "--http-user", "--http-password", "--ftp-user",
    "--ftp-password", "--proxy-user", "--proxy-password", "--tries", "--timeout", "--wait", "--waitretry",
    "--quota", "--level",
    "--accept", "--reject", "--domains", "--exclude-domains", "--include-directories", "--exclude-directories",
    "--cut-dirs",
    "--base", "--limit-rate", "--method", "--certificate", "--private-key", "--ca-certificate", "--ca-directory",
    "--accept-regex", "--reject-regex", "--default-page", "--max-redirect", "--bind-address", "--rejected-log",
    "--hsts-file",
    "--progress", "--secure-protocol", "--ciphers", "--warc-header", "--warc-cdx", "--start-pos",
    "--preferred-location",
    "--read-timeout", "--connect-timeout", "--dns-timeout", "--local-encoding", "--remote-encoding", "--regex-type",
    "--restrict-file-names", "--prefer-family", "--report-speed", "--compression",
)  # fmt: skip
_WGET_FLAGS = ("--spider", "--quiet", "--no-verbose", "--continue", "--recursive", "--mirror", "--no-check-certificate",
               "--content-disposition", "--server-response", "--timestamping", "--background",
               "--show-progress")  # fmt: skip


def _wget(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    # `-n` begins options of two letters, such as -nc.
    parsed = parse_options(
        command.arguments, values="aABDeiIlnoOPQRtTUwX", long_values=_WGET_LONG, long_flags=_WGET_FLAGS
    )
    yield from (read(field) for field in parsed.values("--post-file", "--body-file", "--load-cookies"))
    for field in parsed.values(
        "-o", "-a", "--output-file", "--append-output", "--save-cookies", "--warc-file", "--rejected-log"
    ):
        yield write(field)
    yield from _wget_target(parsed)
    yield from _wget_oddities(parsed)
    lists = tuple(parsed.values("-i", "--input-file"))
    yield from (read(field) for field in lists)
    yield from reach(
        command, (*parsed.operands, *(Field((UNKNOWN,)) for _ in lists)), elsewhere=parsed.has("-e", "--execute")
    )


def _wget_target(parsed: Parsed) -> Iterator[Effect]:
    documents = list(parsed.values("-O", "--output-document"))
    folders = list(parsed.values("-P", "--directory-prefix"))
    yield from (write(field) for field in documents if field.text != "-")
    if documents or parsed.has("--spider"):
        return
    if parsed.has("-r", "-m", "-x", "--recursive", "--mirror", "--force-directories", "--content-disposition"):
        yield write(folders[-1] if folders else known("."))
        return
    for address in parsed.operands:
        yield write(within(folders, last_name(address)))


def _wget_oddities(parsed: Parsed) -> Iterator[Effect]:
    for field in parsed.values("--use-askpass"):
        yield program(field, "wget --use-askpass")
    for field in parsed.values("--config"):
        yield read(field)
    if parsed.has("-e", "--execute", "--config"):
        yield risk("wget.settings", Risk.UNKNOWN, "gives wget settings, which can make it run programs")


_HTTPIE_ITEM = re.compile(r"[^@=:]*(?::=@|=@|@)")


def _httpie(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    parsed = parse_options(
        command.arguments,
        values="opsaA",
        long_values=(
            "--output", "--print", "--style", "--auth", "--auth-type", "--session", "--session-read-only", "--proxy",
            "--timeout", "--verify", "--cert", "--cert-key", "--max-redirects", "--pretty", "--format-options",
            "--default-scheme", "--raw", "--ssl", "--response-charset", "--response-mime", "--unix-socket",
        ),
    )  # fmt: skip
    rest = list(parsed.operands)
    if len(rest) > 1 and re.fullmatch(r"[A-Za-z]+", rest[0].text or "") and not is_loopback(rest[0]):
        rest = rest[1:]
    for field in rest[1:]:
        mark = _HTTPIE_ITEM.match(field.prefix)
        if mark is not None:
            yield from file_after(field, mark[0], until=";")
    yield from (write(field) for field in parsed.values("-o", "--output"))
    if parsed.has("-d", "--download") and not parsed.has("-o", "--output"):
        yield write(last_name(rest[0]) if rest else known("."))
    if not parsed.has("--offline"):
        yield from reach(command, rest[:1], elsewhere=parsed.has("--proxy", "--unix-socket"), short=True)


def _aria(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    parsed = parse_options(
        command.arguments,
        values="doijxskmtlT",
        long_values=(
            "--dir",
            "--out",
            "--input-file",
            "--log",
            "--conf-path",
            "--split",
            "--load-cookies",
            "--save-session",
        ),
    )
    folders = list(parsed.values("-d", "--dir"))
    for field in parsed.values("-o", "--out"):
        yield write(within(folders, field))
    yield write(folders[-1] if folders else known("."))
    yield from (read(field) for field in parsed.values("-i", "--input-file", "--load-cookies", "-T"))
    yield from (write(field) for field in parsed.values("-l", "--log", "--save-session"))
    for option in parsed.options:
        if option.name.startswith("--on-") and option.value is not None:
            yield program(option.value, f"aria2c {option.name}")
    yield risk("aria2c.network", Risk.NETWORK, "talks to the network (aria2c)")


def _yt_dlp(command: Command) -> Iterator[Effect]:
    if explains(command):
        return
    parsed = parse_options(
        command.arguments,
        values="foPaSIupr",
        long_values=(
            "--exec", "--exec-before-download", "--output", "--paths", "--batch-file", "--cookies",
            "--cookies-from-browser",
            "--netrc-cmd", "--downloader", "--external-downloader", "--config-locations", "--plugin-dirs", "--format",
            "--use-postprocessor", "--ffmpeg-location", "--print-to-file", "--load-info-json", "--cache-dir",
        ),
    )  # fmt: skip
    for field in parsed.values("--exec", "--exec-before-download", "--netrc-cmd"):
        yield script(field, f"{command.name} --exec")
    for field in parsed.values("--downloader", "--external-downloader", "--ffmpeg-location"):
        yield program(field, f"{command.name} --downloader")
    if parsed.has("--cookies-from-browser"):
        yield risk(f"{command.name}.cookies", Risk.SECRETS, "reads the cookies of a browser")
    if parsed.has("--config-locations", "--plugin-dirs", "--use-postprocessor"):
        yield risk(f"{command.name}.settings", Risk.UNKNOWN, f"has {command.name} load settings or code")
    yield from (write(field) for field in parsed.values("-P", "--paths", "-o", "--output") if field.text != "-")
    yield from (read(field) for field in parsed.values("-a", "--batch-file", "--cookies"))
    yield risk(f"{command.name}.network", Risk.NETWORK, f"talks to the network ({command.name})")


TOOLS: dict[str, Spec | Rule] = explained(
    {
        "curl": curl,
        "curlie": curl,
        "wget": _wget,
        "wget2": _wget,
        "wcurl": _wget,
        "aria2c": _aria,
        "axel": _aria,
        **dict.fromkeys(("http", "https", "xh", "xhs", "httpie"), _httpie),
        **dict.fromkeys(("yt-dlp", "youtube-dl", "yt-dlc", "gallery-dl"), _yt_dlp),
    }
)
