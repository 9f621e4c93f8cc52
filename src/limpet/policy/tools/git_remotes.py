"""Verbs of git that talk to other repositories -> what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, script, write
from limpet.policy.tools.git_config import setting_effects, split_setting
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import CHANGES, HERE, READS, Verbs, asks, each, parse_spec, reaches, runs_rest
from limpet.syntax.late import late
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.verbs import Meaning

_HELPER = late(r"([A-Za-z0-9][A-Za-z0-9+.-]*)::")
_RUNS = {"--upload-pack": "script", "--receive-pack": "script", "--exec": "script"}
_FETCH = Spec(
    operands="text*",
    options={
        **_RUNS, "--depth": "text", "--deepen": "text", "--shallow-since": "text", "--shallow-exclude": "text",
        "-j": "text", "--jobs": "text", "--refmap": "text", "-o": "text", "--server-option": "text", "--filter": "text",
        "--negotiation-tip": "text", "-s": "text", "--strategy": "text", "-X": "text", "--strategy-option": "text",
    },
    flags="--all --append --atomic --prune --prune-tags --tags --no-tags --force --keep --multiple --dry-run --quiet "
    "--verbose --update-shallow --unshallow --recurse-submodules --rebase --ff-only --no-rebase --autostash --upstream "
    "--update-head-ok --refetch --set-upstream --show-forced-updates",
)  # fmt: skip
_CLONE = Spec(
    operands="text*",
    options={
        "--upload-pack": "script", "-u": "script", "-o": "text", "--origin": "text", "-b": "text", "--branch": "text",
        "--depth": "text", "-j": "text", "--jobs": "text", "--filter": "text", "--reference": "read",
        "--reference-if-able": "read", "--separate-git-dir": "write", "--template": "ask:copies hooks into the clone",
        "-c": "text", "--config": "text", "--shallow-since": "text", "--shallow-exclude": "text",
        "--bundle-uri": "text",
        "--server-option": "text", "--ref-format": "text", "--revision": "text",
    },
    flags="--bare --mirror --local --no-local --no-hardlinks --shared --no-checkout --quiet --verbose --progress "
    "--recurse-submodules --recursive --single-branch --no-single-branch --no-tags --shallow-submodules --sparse "
    "--dissociate --remote-submodules --also-filter-submodules --reject-shallow",
)  # fmt: skip
_PUSH = Spec(
    operands="text*",
    options={
        "--receive-pack": "script", "--exec": "script", "--repo": "text", "-o": "text", "--push-option": "text",
    },
    flags="--force-with-lease --all --branches --prune --mirror --dry-run --porcelain --delete --tags --follow-tags "
        "--signed --atomic "
    "--force --force-if-includes --set-upstream --thin --quiet --verbose --progress --verify --no-verify",
)  # fmt: skip
_FORCED = ("-f", "--force", "--force-with-lease", "--mirror", "--prune", "--force-if-includes")


def transport(field: Field) -> Iterator[Effect]:
    """What an address runs on this machine: `ext::COMMAND` does."""
    found = _HELPER.match(field.prefix)
    if found is None:
        return
    if found[1] == "ext":
        yield script(Field((field.prefix[found.end() :], *field.pieces[1:])), "git ext::")
    else:
        yield risk("git.transport", Risk.UNKNOWN, f"runs git's helper for {found[1]}:: addresses")


def is_local(field: Field) -> bool:
    """Whether an address is surely a folder of this machine."""
    text = field.text
    return (text is not None and text.startswith(("/", "./", "../", "file://"))) or text in (".", "..")


def _fetches(rule: str, detail: str) -> Meaning:
    def verb(command: Command) -> Iterator[Effect]:
        parsed = parse_spec(_FETCH, command)
        if not (parsed.operands and is_local(parsed.operands[0])):
            yield risk(rule, Risk.NETWORK, detail)
        yield HERE
        yield from describe(_FETCH, command)
        for field in parsed.operands[:1]:
            yield from transport(field)

    return verb


def _clone(command: Command) -> Iterator[Effect]:
    parsed = parse_spec(_CLONE, command)
    source = parsed.operands[:1]
    if (
        source
        and (is_local(source[0]) or _is_path(source[0]))
        and not parsed.has("--recurse-submodules", "--recursive")
    ):
        yield read(source[0])
    else:
        yield risk("git.clone", Risk.NETWORK, "downloads a repository")
    for field in source:
        yield from transport(field)
    yield write(parsed.operands[1]) if len(parsed.operands) > 1 else HERE
    yield from describe(_CLONE, command)
    for field in parsed.values("-c", "--config"):
        yield from setting_effects(*split_setting(field))


def _is_path(field: Field) -> bool:
    return field.text is not None and ":" not in field.text


def _push(command: Command) -> Iterator[Effect]:
    parsed = parse_spec(_PUSH, command)
    yield _pushed(parsed)
    yield from describe(_PUSH, command)
    for field in (*parsed.operands[:1], *parsed.values("--repo")):
        yield from transport(field)


def _pushed(parsed: Parsed) -> Effect:
    refs = [field.prefix for field in parsed.operands[1:]]
    if parsed.has("--delete", "-d") or any(ref.startswith(":") for ref in refs):
        return risk("git.push-delete", Risk.DESTROYS, "deletes branches or tags on the remote")
    if parsed.has(*_FORCED) or any(ref.startswith("+") for ref in refs):
        return risk(
            "git.push-force", Risk.DESTROYS, "overwrites the history of the remote",
            suggestion="push without forcing",
        )  # fmt: skip
    if parsed.has("-n", "--dry-run"):
        return risk("git.push-dry-run", Risk.NETWORK, "asks the remote what a push would change")
    return risk("git.push", Risk.PUBLISHES, "sends commits to a remote")


def _foreach(command: Command) -> Iterator[Effect]:
    """One argument is a script, several are a command."""
    arguments = [field for field in command.arguments if field.text not in ("--recursive", "--quiet", "-q")]
    if len(arguments) == 1:
        yield script(arguments[0], "git submodule foreach")
    else:
        yield from runs_rest("git submodule foreach", flags="--recursive --quiet q")(command)


def _show(command: Command) -> Iterator[Effect]:
    """Without a name, or with `-n`, it tells only what is known here."""
    parsed = parse_spec(Spec(operands="text*"), command)
    if parsed.operands and not parsed.has("-n"):
        yield risk("git.remote-update", Risk.NETWORK, "asks the remote")


_REMOTE = Verbs(
    flags="-v --verbose",
    table={
        **each("get-url", READS),
        **each("rename set-head set-branches", asks("git.remote", Risk.PERSISTS, "changes the remotes", here=True)),
        **each("remove rm", asks("git.remote", Risk.DESTROYS, "forgets a remote and its branches", here=True)),
        **each("add set-url", asks("git.remote", Risk.PERSISTS, "changes which server git talks to", here=True)),
        "show": _show,
        **each("update prune", reaches("git.remote-update", "asks the remote")),
    },
)
_SUBMODULE = Verbs(
    flags="-q --quiet --cached",
    table={
        **each("status summary", READS),
        "init": CHANGES,
        **each("absorbgitdirs sync", asks("git.submodule", Risk.PERSISTS, "changes submodule settings", here=True)),
        **each("update", reaches("git.submodule", "downloads submodules")),
        **each(
            "add set-url set-branch", asks("git.submodule", Risk.NETWORK, "adds or redirects a submodule", here=True)
        ),
        **each("deinit", asks("git.submodule", Risk.DESTROYS, "removes a submodule's files")),
        "foreach": _foreach,
    },
)
_LFS = Verbs(
    table={
        **each("ls-files status env version logs pointer help", READS),
        **each("track untrack checkout", READS),
        **each("install uninstall update", asks("git.lfs", Risk.PERSISTS, "installs or removes hooks of git")),
        **each("push lock unlock", asks("git.lfs", Risk.PUBLISHES, "sends large files or locks to the remote")),
        **each("migrate prune", asks("git.lfs", Risk.DESTROYS, "rewrites history or drops files")),
        **each("fetch pull clone locks fsck dedup smudge", reaches("git.lfs", "downloads large files")),
    },
)
_SERVES = asks("git.serve", Risk.NETWORK, "serves the repository to others")

REMOTES: dict[str, Meaning] = {
    "fetch": _fetches("git.fetch", "downloads from a remote"),
    "pull": _fetches("git.pull", "downloads and merges from a remote"),
    "ls-remote": _fetches("git.ls-remote", "asks a remote for its branches"),
    "fetch-pack": _fetches("git.fetch", "downloads from a remote"),
    "clone": _clone,
    "push": _push,
    "send-pack": _push,
    "remote": _REMOTE,
    "submodule": _SUBMODULE,
    "lfs": _LFS,
    **each("daemon instaweb http-backend cvsserver upload-pack receive-pack upload-archive shell", _SERVES),
    **each("send-email imap-send", asks("git.mail", Risk.PUBLISHES, "sends mail")),
    **each("request-pull backfill svn p4 archimport cvsimport http-fetch", reaches("git.network")),
    **each("http-push", asks("git.push", Risk.PUBLISHES, "sends commits to a remote")),
    **each("remote-ext remote-fd remote-http remote-https remote-ftp", reaches("git.transport",
        "runs a transport of git")),
    **each(
        "credential credential-store credential-cache credential-osxkeychain credential-libsecret credential-manager",
        asks("git.credential", Risk.SECRETS, "reads or stores passwords"),
    ),
}  # fmt: skip
