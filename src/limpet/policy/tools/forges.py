"""Code forges and other version control -> what their calls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.tools.git_remotes import REMOTES
from limpet.policy.tools.own_code import asking, sending
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.verbs import CHANGES, READS, Verb, Verbs, asks, each, reaches, with_verbs

if TYPE_CHECKING:
    from limpet.policy.tools.spec import Rule
    from limpet.policy.tools.verbs import Meaning


def _forge(tool: str) -> Rule:
    """`gh` and `glab`: everything asks the server, most of it changes something there."""
    looks = reaches(f"{tool}.read", "asks the server")
    makes = asks(f"{tool}.publish", Risk.PUBLISHES, "changes something on the server, where others see it")
    removes = asks(f"{tool}.delete", Risk.DESTROYS, "deletes something on the server")
    checks_out = asks(f"{tool}.checkout", Risk.NETWORK, "downloads a branch and switches to it", here=True)
    downloads = reaches(f"{tool}.download", "downloads files", spec=_DOWNLOAD)
    things: dict[str, Meaning] = {
        **each("view list ls show diff status checks watch verify search trusted-root get trace issues", looks),
        **each(
            "create edit comment close reopen merge review ready lock unlock pin unpin transfer develop note", makes
        ),
        **each("update update-branch revert approve revoke rebase rerun retry cancel run enable disable upload", makes),
        **each("sync fork rename archive unarchive set add link unlink copy import subscribe unsubscribe todo", makes),
        **each("field-create item-add item-create item-edit item-archive mark-template trigger play deploy-key", makes),
        **each("delete remove rm delete-asset field-delete item-delete purge", removes),
        **each("checkout co", checks_out),
        **each("clone download", downloads),
        "set-default": asks(f"{tool}.settings", Risk.PERSISTS, f"changes the settings of {tool}"),
    }
    about = Verbs(table=things, options={"-R": "text", "--repo": "text", "-H": "text", "--hostname": "text"})
    secrets = asks(f"{tool}.secrets", Risk.SECRETS, "reads or changes secrets or log-ins")
    persists = asks(f"{tool}.settings", Risk.PERSISTS, f"changes the settings of {tool}")
    return with_verbs(Verbs(
        options={"-R": "text", "--repo": "text"},
        table={
            **each("pr issue repo release run workflow label gist project cache ruleset mr ci pipeline job snippet",
                about),
            **each("milestone iteration incident schedule org attestation variable", about),
            **each("status search browse duo", looks),
            **each("auth secret ssh-key gpg-key token securefile", secrets),
            **each("codespace cs ssh cluster", asks(f"{tool}.remote", Risk.NETWORK, "works on another machine")),
            "api": asks(f"{tool}.api", Risk.PUBLISHES, "calls any part of the server's interface"),
            **each("extension ext extensions copilot", asks(f"{tool}.extension", Risk.UNKNOWN,
                "runs or installs an extension")),
            **each("alias", Verbs(table={"list": READS}, other=persists)),
            **each("config", Verbs(table=each("get list", READS), other=persists)),
            **each("completion version help licenses", READS),
        },
    ))  # fmt: skip


_DOWNLOAD = Spec(
    operands="text*",
    options={"-D": "write", "--dir": "write", "-O": "write", "--output": "write", "-p": "text", "--pattern": "text"},
)
_LOST_HG = asks("hg.destroy", Risk.DESTROYS, "throws changes away")
_HG = Verbs(
    options={"-R": "write", "--repository": "write", "--encoding": "text", "--color": "text", "--pager": "text",
             "--config": "ask:changes the settings, which may run programs"},
    folder=("--cwd",),
    flags="-q --quiet -v --verbose -y --noninteractive --time --hidden",
    ask={"--debugger": "opens a debugger", "--profile": "writes a profile"},
    table={
        **each("status st log history diff annotate blame cat grep heads id identify manifest parents paths root show "
               "summary sum tags branches bookmarks bookmark tip version help files locate resolve phase verify",
               READS),
        **each("add addremove branch commit ci copy cp mv move rename graft init merge backout tag update up co "
            "checkout "
               "import unbundle bundle export archive rebase shelve unshelve amend", CHANGES),
        **each("remove rm", Verb(CHANGES.does, Spec(operands="delete*"))),
        **each("forget", CHANGES),
        **each("revert strip rollback purge clean histedit prune evolve", _LOST_HG),
        **each("push email patchbomb", asks("hg.push", Risk.PUBLISHES, "sends commits to a remote")),
        **each("pull clone incoming in outgoing out fetch", reaches("hg.network", "talks to a remote")),
        **each("serve", asks("hg.serve", Risk.NETWORK, "serves the repository to others")),
        **each("bisect", asks("hg.bisect", Risk.UNKNOWN, "may run a command for each commit")),
        **each("config showconfig", Verb(spec=Spec(operands="text*", ask={"--edit": "opens an editor",
            "-e": "opens an editor"}))),
    },
)  # fmt: skip
_SVN = Verbs(
    options={
        "--username": "text", "--password": "text", "--config-dir": "read", "--diff-cmd": "script",
        "--editor-cmd": "script",
        "--diff3-cmd": "script", "--config-option": "ask:changes the settings, which may run programs", "-r": "text",
        "--revision": "text", "-m": "text", "--message": "text", "-F": "read", "--file": "read", "--targets": "read",
    },
    flags="-q --quiet -v --verbose --non-interactive --no-auth-cache --trust-server-cert",
    table={
        **each("status stat st info diff di help", READS),
        **each("add changelist cl cleanup move mv rename ren copy cp resolve resolved patch upgrade", CHANGES),
        **each("delete del remove rm", Verb(CHANGES.does, Spec(operands="delete-tree*"))),
        **each("revert", asks("svn.revert", Risk.DESTROYS, "throws local changes away")),
        **each("propset pset ps propdel pd propedit pe", asks("svn.property", Risk.UNKNOWN, "changes properties",
            here=True)),
        **each("commit ci import mkdir lock unlock", asks("svn.commit", Risk.PUBLISHES, "sends changes to the server")),
        **each("checkout co update up switch sw export log list ls cat blame praise annotate ann merge mergeinfo "
            "propget "
               "pget pg proplist plist pl relocate", reaches("svn.network", "talks to the server")),
    },
)  # fmt: skip
_JJ_GIT = Verbs(table={
    **each("init export import root colocation", CHANGES),
    "push": REMOTES["push"],
    **each("fetch clone", reaches("jj.network", "talks to a remote")),
    "remote": Verbs(table=each("list", READS), other=asks("jj.remote", Risk.PERSISTS,
    "changes which server jj talks to")),
})  # fmt: skip
_JJ = Verbs(
    options={"-R": "write", "--repository": "write", "--at-operation": "text", "--at-op": "text", "--color": "text",
             "--config": "ask:changes the settings, which may run programs",
             "--config-file": "ask:changes the settings, which may run programs"},
    flags="--no-pager --quiet --debug --ignore-working-copy --ignore-immutable",
    table={
        **each("st status log show diff evolog obslog interdiff root version help tag", READS),
        **each("new commit ci describe desc edit squash split rebase absorb duplicate undo redo bookmark b file "
            "parallelize "
               "next prev simplify-parents sparse workspace metaedit revert", CHANGES),
        **each("abandon restore", asks("jj.restore", Risk.DESTROYS, "throws changes away", here=True)),
        **each("op operation", Verbs(table=each("log show diff", READS),
                                     other=asks("jj.operation", Risk.DESTROYS, "goes back, or forgets how to"))),
        **each("fix diffedit resolve run util", asks("jj.tool", Risk.UNKNOWN, "runs a configured tool")),
        **each("config", Verbs(table=each("get list path", READS),
                               other=asks("jj.config", Risk.PERSISTS, "changes the settings of jj"))),
        "git": _JJ_GIT,
    },
    bare=READS,
)  # fmt: skip
_OTHER_HOOKS = "ask:takes its hooks from another file"
_PRE_COMMIT = Verbs(
    options={"--color": "text"},
    table={
        "run": Verb(CHANGES.does, Spec(operands="text*", options={"-c": _OTHER_HOOKS, "--config": _OTHER_HOOKS})),
        **each("validate-config validate-manifest sample-config help", READS),
        **each("install uninstall init-templatedir migrate-config", asks(
            "pre-commit.install", Risk.PERSISTS, "changes the hooks of git")),
        **each("autoupdate install-hooks try-repo", reaches("pre-commit.network", "downloads hooks")),
        **each("clean gc", asks("pre-commit.clean", Risk.DESTROYS, "clears the cache of hooks")),
        **each("hook-impl", READS),
    },
)  # fmt: skip

FORGES: dict[str, Spec | Rule] = {
    "gh": sending(_forge("gh")),
    "glab": sending(_forge("glab")),
    "hg": with_verbs(_HG),
    "svn": with_verbs(_SVN),
    "jj": with_verbs(_JJ),
    "pre-commit": with_verbs(_PRE_COMMIT),
    **dict.fromkeys(("tig", "gitk"), Spec(operands="text*")),
    "svnadmin": asking("administers a repository"),
    "bzr": asking("may talk to a server"),
}
