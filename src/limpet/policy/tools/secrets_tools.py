"""Keys, certificates and password stores -> what their calls read and write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, write
from limpet.policy.tools.own_code import asking, parse_exact, play_options, telling
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import READS, Verbs, asks, each, exactly, parse_spec, with_verbs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule
    from limpet.syntax.values.field import Field

_OPENSSL_NETWORK = frozenset({"s_client", "s_server", "s_time", "ocsp", "ts", "cmp", "http"})
_OPENSSL = {
    **dict.fromkeys(("-out", "-keyout", "-writerand", "-CAserial", "-sess_out", "-keylogfile", "-outdir"), "write"),
    **dict.fromkeys(("-in", "-inkey", "-key", "-cert", "-CAfile", "-CA", "-CAkey", "-signkey", "-certfile", "-config",
                     "-extfile", "-data", "-sigfile", "-signature", "-verify", "-sign", "-prverify", "-rand"), "read"),
    **dict.fromkeys(("-engine", "-provider", "-provider-path", "-engine_impl"), "ask:makes openssl load other code"),
    **dict.fromkeys(("-pass", "-passin", "-passout", "-k", "-K", "-iv", "-S", "-subj", "-days", "-newkey", "-name",
        "-nameopt", "-connect",
                     "-servername", "-port", "-host", "-hmac", "-mac", "-macopt", "-pkeyopt", "-algorithm", "-iter",
                     "-md", "-addext",
                     "-set_serial", "-checkend", "-checkhost", "-inform", "-outform", "-keyform", "-accept"), "text"),
}  # fmt: skip


def openssl(command: Command) -> Iterator[Effect]:
    """Most of it computes; some of it talks to servers, some loads libraries."""
    verb = command.texts[0] if command.texts else ""
    parsed = parse_exact(command.arguments[1:], _OPENSSL)
    if verb is None or verb == "":
        yield risk("openssl.commands", Risk.OPAQUE, "takes its commands from its input")
    elif verb in _OPENSSL_NETWORK:
        yield risk("openssl.network", Risk.NETWORK, "talks to the network")
    elif verb == "engine":
        yield risk("openssl.engine", Risk.UNKNOWN, "makes openssl load other code")
    elif verb == "ca":
        yield risk("openssl.ca", Risk.UNKNOWN, "issues or revokes certificates")
    yield from play_options(parsed, _OPENSSL, command)
    if verb in ("dgst", "x509", "rsa", "verify", "sha256", "md5", "sha1", "sha512"):
        yield from describe(Spec(operands="read*"), _files_only(command, parsed.operands))


def _files_only(command: Command, operands: tuple[Field, ...]) -> Command:
    return msgspec.structs.replace(command, argv=(command.argv[0], *operands))


_KEYGEN = Spec(
    operands="text*",
    options={"-f": "text", "-t": "text", "-b": "text", "-C": "text", "-N": "text", "-P": "text", "-m": "text",
        "-a": "text",
             "-O": "text", "-I": "text", "-n": "text", "-V": "text", "-s": "read", "-D": "program", "-w": "program",
             "-Y": "text",
             "-R": "text", "-F": "text", "-E": "text", "-z": "text", "-r": "text", "-M": "text"},
)  # fmt: skip
_KEYGEN_READS = ("-l", "-F", "-B", "-y", "-e", "-L", "-Q")


def ssh_keygen(command: Command) -> Iterator[Effect]:
    """Makes keys, or looks at them."""
    parsed = parse_spec(_KEYGEN, command)
    yield from describe(_KEYGEN, command)
    files = [*parsed.values("-f")]
    if parsed.has(*_KEYGEN_READS):
        yield from map(read, files)
    elif files:
        yield from map(write, files)
    else:
        yield risk(
            "ssh-keygen.key", Risk.SECRETS, "makes or changes keys in the home folder", suggestion="name a file with -f"
        )


_GPG_VALUES = {
    "-o": "write", "--output": "write", "--export-options": "text", "-r": "text", "--recipient": "text", "-u": "text",
    "--local-user": "text", "--homedir": "text", "--keyserver": "text", "--photo-viewer": "script",
    "--agent-program": "program",
    "--pinentry-program": "program", "--gpg-agent-program": "program", "--passphrase": "text",
    "--passphrase-fd": "text",
    "--passphrase-file": "read", "--options": "ask:takes its settings from a file",
    "--exec-path": "ask:runs programs of another folder",
    "--log-file": "write", "--status-file": "write", "--logger-file": "write", "--trust-model": "text",
    "--status-fd": "text",
    "--cipher-algo": "text", "--digest-algo": "text", "--keyring": "text", "--dirmngr-program": "program",
}  # fmt: skip
_GPG_NETWORK = ("--recv-keys", "--receive-keys", "--send-keys", "--search-keys", "--refresh-keys", "--fetch-keys",
    "--locate-keys",
                "--locate-external-keys", "--auto-key-retrieve")  # fmt: skip
_GPG_READS = ("--verify", "--list-keys", "-k", "--list-public-keys", "--version", "--fingerprint", "--list-packets",
    "--print-md",
              "--show-keys", "--list-sigs", "--check-sigs", "--list-config", "--help", "--list-secret-keys", "-K",
              "--dearmor", "--enarmor")  # fmt: skip
_GPG = Spec(
    operands="read*", options=_GPG_VALUES, flags=" ".join([*_GPG_NETWORK, *_GPG_READS, "--batch", "--yes", "--armor"])
)


def gpg(command: Command) -> Iterator[Effect]:
    """Looking and verifying is free; keys and decrypted text are secrets."""
    parsed = parse_spec(_GPG, command)
    if parsed.has(*_GPG_NETWORK):
        yield risk("gpg.network", Risk.NETWORK, "talks to key servers")
    elif not parsed.has(*_GPG_READS):
        yield risk("gpg.keys", Risk.SECRETS, "uses or changes keys")
    yield from describe(_GPG, command)


def _store(tool: str, reads: str = "") -> Rule:
    return with_verbs(Verbs(
        table=each(f"{reads} help version", READS),
        bare=asks(f"{tool}.secrets", Risk.SECRETS, "reads or changes passwords"),
        other=asks(f"{tool}.secrets", Risk.SECRETS, "reads or changes passwords"),
        anywhere=False,
    ))  # fmt: skip


SECRETS: dict[str, Spec | Rule] = {
    "openssl": openssl,
    "ssh-keygen": ssh_keygen,
    **dict.fromkeys(("gpg", "gpg2"), gpg),
    "gpgv": Spec(operands="read*", options={"-o": "write", "--output": "write", "--keyring": "read",
    "--homedir": "text"}),
    **dict.fromkeys(("gpg-agent", "gpg-connect-agent", "gpgconf", "dirmngr"),
        asking("works with the key agent")),
    "gpgsm": asking("uses or changes keys"),
    **{tool: telling(_store(tool), "--", words=True) for tool in (
        "vault", "bao", "op", "pass", "keyring", "doppler", "infisical", "chamber", "aws-vault", "teller", "envchain",
        "dotenvx",
    )},
    "sops": asking("reads or changes secrets"),
    **dict.fromkeys(("age", "rage"), Spec(operands="read", options={"-o": "write", "--output": "write", "-i": "read",
        "--identity": "read",
                                                                    "-r": "text", "--recipient": "text",
                                                                    "-R": "read"})),
    "age-keygen": Spec(operands="read", options={"-o": "write", "--output": "write"}),
    "keytool": exactly(
        {"-keystore": "write", "-file": "write", "-alias": "text", "-storepass": "text", "-keypass": "text",
            "-dname": "text",
                 "-providerpath": "ask:loads other code", "-providerclass": "ask:loads other code", "-J": "text"},
        operands="text",
    ),
    **dict.fromkeys(("certbot", "acme.sh", "lego", "step"), Spec(operands="text*", network="asks for certificates")),
    **dict.fromkeys(("mkcert",), asking("makes certificates that this machine trusts")),
    "minisign": asking("uses or changes keys"),
    "cosign": Spec(operands="text*", network="signs or verifies with a registry"),
}  # fmt: skip
