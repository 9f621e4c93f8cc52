"""A setting of git and its value -> what it makes git run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk, script
from limpet.syntax.late import late
from limpet.syntax.values.field import ANYTHING, Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

_RUNS = late(
    r"""
    core\.(pager|editor|sshcommand|fsmonitor|askpass|gitproxy|alternaterefscommand)
    | diff\.external
    | (diff|difftool|merge|mergetool|guitool|tar|trailer|browser|man)\..*\.(cmd|command|textconv|driver|path)
    | sequence\.editor | interactive\.difffilter | uploadpack\.packobjectshook
    | gpg\.(.*\.)?program | gpg\.ssh\.defaultkeycommand | pager\..* | filter\..*\.(clean|smudge|process)
    | remote\..*\.(uploadpack|receivepack|vcs) | sendemail\.(.*\.)?(sendmailcmd|smtpserver|tocmd|cccmd|headercmd)
    | instaweb\.(httpd|browser) | imap\.tunnel | web\.browser
    | .*\.(cmd|command|helper|program|editor|driver|process|pager|textconv|hook|sendmailcmd|sshcommand|askpass)
    """,
    re.VERBOSE | re.DOTALL,
)
"""Settings whose value is a command, and any that look like one."""
_HELPERS = late(r"credential\.(.*\.)?helper", re.DOTALL)
_LEADS = {
    late(r"core\.hookspath"): "makes git run the hooks of another folder",
    late(r"include\.path|includeif\..*\.path", re.DOTALL): "makes git obey the settings in another file",
    late(r"protocol\.(.*\.)?allow", re.DOTALL): "lets git use transports that run commands",
    late(r"url\..*\.(push)?insteadof", re.DOTALL): "makes git talk to another server than the one it names",
    late(r"(http|remote|core|https)\.(.*\.)?(proxy|gitproxy)", re.DOTALL): "sends git's traffic through a proxy",
    late(r"remote\..*\.(push)?url", re.DOTALL): "changes which server git talks to",
    late(r"init\.templatedir"): "puts hooks into every new repository",
    late(r"http\.(.*\.)?(sslverify|sslbackend|sslcainfo|sslcapath)", re.DOTALL): "changes which servers git trusts",
    late(r"http\.(.*\.)?(extraheader|cookiefile|savecookies)", re.DOTALL): "changes what git sends to servers",
    late(r"core\.worktree"): "makes git write in another folder",
    late(r"safe\.(directory|barerepository)"): "makes git trust a folder of somebody else",
    late(r"receive\..*|transfer\..*|uploadarchive\..*|daemon\..*|gitweb\..*"): "changes what git serves",
}
"""Settings that lead git to something that could run or be trusted."""
_SWITCH = frozenset({"", "true", "false", "yes", "no", "on", "off", "0", "1"})
"""A setting that may be a command may also be switched on or off."""


def split_setting(field: Field) -> tuple[str | None, Field]:
    """`name=value` -> the name, None when it is not known, and the value."""
    name, equals, value = field.prefix.partition("=")
    if equals:
        return plain_key(name), Field((value, *field.pieces[1:]))
    return (None if field.text is None else plain_key(name)), known("true")


def plain_key(name: str) -> str:
    """A key as git compares it; subsections keep their case, which does not matter here."""
    return name.lower()


def setting_effects(key: str | None, value: Field) -> Iterator[Effect]:
    """What a setting brings about when git runs with it."""
    if key is None:
        yield risk("git.config", Risk.OPAQUE, "sets something in git that is not known")
    elif key.startswith("alias."):
        yield from _alias(value)
    elif key.startswith("submodule.") and key.endswith(".update"):
        yield from _marked(value)
    elif _HELPERS.fullmatch(key):
        yield from _helper(value)
    elif _RUNS.fullmatch(key):
        if value.text is None or value.text.lower() not in _SWITCH:
            yield script(value, f"git {key}")
    else:
        yield from _leads(key, value)


def is_harmless(key: str | None, value: Field) -> bool:
    """Whether a setting makes git neither run nor trust anything."""
    return not any(True for _ in setting_effects(key, value)) and not (key or "").startswith("alias.")


def _leads(key: str, value: Field) -> Iterator[Effect]:
    why = next((why for pattern, why in _LEADS.items() if pattern.fullmatch(key)), "")
    if why and not (key == "core.hookspath" and value.text in ("", "/dev/null")):
        yield risk("git.config", Risk.UNKNOWN, why)


def _alias(value: Field) -> Iterator[Effect]:
    """A value that begins with `!` is a script; others are judged when they are used."""
    yield from _marked(value)


def _marked(value: Field) -> Iterator[Effect]:
    if value.prefix.startswith("!"):
        yield script(Field((value.prefix[1:], *value.pieces[1:])), "git")
    elif not value.prefix and value.text is None:
        yield script(ANYTHING, "git")


def _helper(value: Field) -> Iterator[Effect]:
    """`!script`, a path, or the name of a helper of git, which hands out passwords."""
    if value.text == "":
        return
    if value.prefix.startswith("!"):
        yield from _marked(value)
    elif value.prefix.startswith("/") or value.text is None:
        yield script(value, "git credential.helper")
    else:
        yield risk("git.credential", Risk.SECRETS, "has git use a helper that knows passwords")
