"""curl -> what it reads, writes and reaches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, write
from limpet.policy.options import parse_options
from limpet.policy.tools.addresses import file_after, last_name, reach, within
from limpet.policy.tools.showing import explains
from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed


_CURL_DATA = (
    "-d",
    "--data",
    "--data-ascii",
    "--data-binary",
    "--json",
    "-H",
    "--header",
    "--proxy-header",
    "-w",
    "--write-out",
)
_CURL_NAMED_DATA = ("--data-urlencode", "--url-query", "--variable")
_CURL_WRITES = (
    "-D", "--dump-header", "-c", "--cookie-jar", "--trace", "--trace-ascii", "--stderr", "--libcurl",
    "--etag-save", "--hsts",
    "--alt-svc", "--ssl-sessions",
)  # fmt: skip
_CURL_ELSEWHERE = (
    "-x", "--proxy", "--preproxy", "--socks4", "--socks4a", "--socks5", "--socks5-hostname", "--connect-to",
    "--resolve",
    "--doh-url", "--proxy1.0", "--dns-servers",
)  # fmt: skip
_CURL_LONG = (
    *_CURL_DATA, *_CURL_NAMED_DATA, *_CURL_WRITES, *_CURL_ELSEWHERE, "--output", "--output-dir",
    "--upload-file", "--form",
    "--form-string", "--data-raw", "--cookie", "--config", "--url", "--user", "--proxy-user", "--user-agent",
    "--referer",
    "--request", "--request-target", "--range", "--max-time", "--connect-timeout", "--retry", "--retry-delay",
    "--retry-max-time", "--limit-rate", "--rate", "--max-filesize", "--max-redirs", "--speed-limit", "--speed-time",
    "--continue-at", "--time-cond", "--quote", "--telnet-option", "--ftp-port", "--interface", "--local-port", "--cert",
    "--cert-type", "--key", "--key-type", "--pass", "--cacert", "--capath", "--crlfile", "--pinnedpubkey", "--ciphers",
    "--tls-max", "--tls13-ciphers", "--curves", "--engine", "--unix-socket", "--abstract-unix-socket", "--netrc-file",
    "--noproxy", "--proto", "--proto-default", "--proto-redir", "--keepalive-time", "--mail-from", "--mail-rcpt",
    "--mail-auth", "--oauth2-bearer", "--aws-sigv4", "--login-options", "--sasl-authzid", "--service-name", "--pubkey",
    "--hostpubmd5", "--hostpubsha256", "--etag-compare", "--happy-eyeballs-timeout-ms", "--expect100-timeout",
    "--parallel-max", "--random-file", "--egd-file", "--create-file-mode", "--delegation", "--krb", "--stderr",
    "--ip-tos",
    "--proxy-cert", "--proxy-key", "--proxy-cacert", "--proxy-capath", "--proxy-pass", "--ech", "--trace-config",
    "--vlan-priority",
)  # fmt: skip
_CURL_FLAGS = (
    "--silent", "--show-error", "--fail", "--fail-with-body", "--location", "--location-trusted", "--include", "--head",
    "--insecure", "--remote-name", "--remote-name-all", "--remote-header-name", "--netrc", "--netrc-optional", "--get",
    "--verbose", "--compressed", "--create-dirs", "--globoff", "--parallel", "--progress-bar", "--no-progress-meter",
    "--no-buffer", "--http1.1", "--http2", "--http3", "--ipv4", "--ipv6", "--append", "--basic", "--digest",
    "--negotiate",
    "--ntlm", "--anyauth", "--next", "--path-as-is", "--raw", "--tcp-nodelay", "--tlsv1.2", "--tlsv1.3", "--use-ascii",
    "--version", "--help", "--manual", "--list-only", "--crlf", "--disable", "--junk-session-cookies",
    "--retry-all-errors",
    "--retry-connrefused", "--remote-time", "--ssl-reqd", "--ssl", "--styled-output", "--skip-existing", "--no-clobber",
)  # fmt: skip


def curl(command: Command) -> Iterator[Effect]:
    """Files that are sent are read; this machine and files are free to reach."""
    if explains(command):
        return
    parsed = parse_options(
        command.arguments, values="AbcCdDeEFHKmoPQrtTuUwxXyYz", long_values=_CURL_LONG, long_flags=_CURL_FLAGS
    )
    addresses = (*parsed.operands, *parsed.values("--url"))
    yield from _curl_sends(parsed)
    yield from _curl_writes(parsed, addresses)
    yield from _curl_oddities(parsed)
    yield from reach(command, addresses, elsewhere=parsed.has(*_CURL_ELSEWHERE))


def _curl_sends(parsed: Parsed) -> Iterator[Effect]:
    """Files whose content is sent."""
    for field in parsed.values(*_CURL_DATA):
        yield from file_after(field, "@")
    for field in parsed.values(*_CURL_NAMED_DATA):
        name = re.match(r"[^@=]*@", field.prefix)
        if name is not None:
            yield from file_after(field, name[0])
    for field in parsed.values("-F", "--form"):
        name = re.match(r"[^=]*=[@<]", field.prefix)
        if name is not None:
            yield from file_after(field, name[0], until=";,")
    for field in parsed.values("-T", "--upload-file"):
        yield from file_after(field, "")
    for field in parsed.values("-b", "--cookie"):
        if "=" not in field.prefix:
            yield from file_after(field, "")


def _curl_writes(parsed: Parsed, addresses: tuple[Field, ...]) -> Iterator[Effect]:
    folders = list(parsed.values("--output-dir"))
    for field in parsed.values("-o", "--output"):
        if field.text != "-":
            yield write(within(folders, field))
    if parsed.has("-O", "--remote-name", "--remote-name-all"):
        for address in addresses:
            yield write(
                within(folders, known("./") if parsed.has("-J", "--remote-header-name") else last_name(address))
            )
    for field in parsed.values(*_CURL_WRITES):
        if field.text not in ("-", "%"):
            yield write(field)


def _curl_oddities(parsed: Parsed) -> Iterator[Effect]:
    for field in parsed.values("-K", "--config"):
        yield read(field)
        yield risk("curl.config", Risk.OPAQUE, "takes its options from a file")
    if parsed.has("-n", "--netrc", "--netrc-optional", "--netrc-file"):
        yield risk("curl.netrc", Risk.SECRETS, "sends passwords that are kept in a file")
    if parsed.has("--unix-socket", "--abstract-unix-socket"):
        yield risk("curl.socket", Risk.ESCAPES, "talks to a service on this machine through its socket")
    if parsed.has("--engine"):
        yield risk("curl.engine", Risk.UNKNOWN, "loads code into curl")
    if any("%output{" in "".join(piece for piece in field.pieces if isinstance(piece, str))
           for field in parsed.values("-w", "--write-out")):  # fmt: skip
        yield risk("curl.write-out", Risk.ESCAPES, "writes a file that its format names")
