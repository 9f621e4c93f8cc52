"""The verbs of git -> what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import risk
from limpet.policy.tools.git_changes import (
    bisect,
    branch,
    changing,
    checkout,
    clean,
    filter_branch,
    filter_repo,
    grep,
    remove,
    restore,
)
from limpet.policy.tools.git_merging import COMMIT, MERGE, PICK, REBASE, merging
from limpet.policy.tools.git_remotes import REMOTES
from limpet.policy.tools.git_settings import config
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import CHANGES, HERE, READS, TEXT, Verb, Verbs, asks, each, parse_spec, reaches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.tools.verbs import Meaning

_SHOW = Spec(
    operands="text*",
    options={"--output": "write", "-O": "read"},
    flags="--oneline --output-indicator-new --output-indicator-old --output-indicator-context --no-ext-diff "
    "--no-textconv --exit-code",
    ask={
        "--ext-diff": "runs the diff program that the settings name",
        "--textconv": "runs the converters that the settings name",
    },
)
"""Operands are harmless here, so options that take a harmless value need no mention."""
_NO_INDEX = Spec(operands="read*", options=_SHOW.options, flags=_SHOW.flags + " --no-index", ask=_SHOW.ask)


def _diff(command: Command) -> Iterator[Effect]:
    """Outside a repository, or when told so, it compares any two files."""
    spec = _NO_INDEX if parse_spec(_NO_INDEX, command).has("--no-index") else _SHOW
    yield from describe(spec, command)


_APPLY = Spec(
    operands="read*",
    options={
        "-p": "text", "-C": "text", "--directory": "write", "--exclude": "text", "--include": "text",
        "--whitespace": "text", "--build-fake-ancestor": "write", "--patch-format": "text", "--quoted-cr": "text",
        "--empty": "text",
    },
    flags="--stat --numstat --summary --check --index --cached --3way --apply --reverse --reject --verbose --quiet "
    "--recount --abort --continue --skip --quit --keep --signoff --unidiff-zero --allow-empty",
    ask={"--unsafe-paths": "may write outside the repository"},
)  # fmt: skip
_ARCHIVE = Spec(
    operands="text*",
    options={
        "-o": "write", "--output": "write", "--format": "text", "--prefix": "text", "--add-file": "read",
        "--remote": "network", "--exec": "script", "--add-virtual-file": "text", "--mtime": "text",
    },
    flags="--list --verbose --worktree-attributes",
)  # fmt: skip
_FORMAT_PATCH = Verb((HERE,), Spec(
    operands="text*",
    options={**_SHOW.options, "-o": "write", "--output-directory": "write", "-v": "text", "--reroll-count": "text",
             "--to": "text", "--cc": "text", "--from": "text", "--base": "text", "--subject-prefix": "text",
             "--cover-from-description": "text", "--description-file": "read", "--signature-file": "read",
             "--signature": "text", "--in-reply-to": "text", "--suffix": "text", "--start-number": "text"},
    flags=_SHOW.flags + " --stdout --numbered --no-numbered --cover-letter",
))  # fmt: skip
_GREP_TEXT = Spec(operands="text*", options={"-f": "read", "-e": "text", "-A": "text", "-B": "text", "-C": "text"})

_GREP_FILES = Spec(
    operands="text read*", options=_GREP_TEXT.options, flags="--no-index", first_is_option=("-e", "-f"),
)  # fmt: skip


def _grep(command: Command) -> Iterator[Effect]:
    yield from grep(command)
    spec = _GREP_FILES if parse_spec(_GREP_FILES, command).has("--no-index") else _GREP_TEXT
    yield from describe(spec, command)


_DELETES = "deletes something that git cannot bring back"
_STASH = Verbs(
    flags="-u --include-untracked -a --all -k --keep-index -p --patch -q --quiet -S --staged --no-keep-index",
    options={"-m": "text", "--message": "text", "--pathspec-from-file": "read"},
    bare=CHANGES,
    table={
        **each("list show", Verb(spec=_SHOW)),
        **each("push save pop apply branch create store export", CHANGES),
        **each("drop clear", asks("git.stash-drop", Risk.DESTROYS, "throws stashed changes away", here=True)),
    },
)
_WORKTREE = Verbs(
    table={
        **each("list lock unlock repair prune", READS),
        "add": Verb((HERE,), Spec(operands="write text*", options={
            "-b": "text", "-B": "text", "--reason": "text",
        }, flags="--orphan --detach --force --checkout --no-checkout --lock --track --guess-remote --quiet")),
        "move": Verb((HERE,), Spec(operands="delete-tree write")),
        "remove": changing(
            Spec(operands="delete-tree*"), dict.fromkeys(("-f", "--force"), "throws away changes in the worktree"),
            "git.worktree-remove", "commit the changes in the worktree first",
        ),
    },
)  # fmt: skip
_REFLOG = Verbs(
    options={"--output": "write", "-n": "text"},
    flags=_SHOW.flags + " -p --stat --all --no-abbrev-commit --abbrev-commit -0 -1 -2 -3 -4 -5 -6 -7 -8 -9",
    bare=READS,
    other=Verb(spec=_SHOW),
    table={
        **each("show exists list", Verb(spec=_SHOW)),
        **each("expire delete drop", asks("git.reflog", Risk.DESTROYS, "forgets where branches were", here=True)),
    },
)
_BUNDLE = Verbs(
    table={
        "create": Verb(spec=Spec(operands="write text*")),
        **each("verify list-heads unbundle", Verb(spec=Spec(operands="read text*"))),
    },
)
_NOTES = Verbs(options={"--ref": "text"}, table={
    **each("list show get-ref", READS),
    **each("add append edit copy merge remove prune", CHANGES),
})  # fmt: skip
_MAINTENANCE = Verbs(table={
    "run": CHANGES,
    **each("start stop register unregister", asks("git.maintenance", Risk.PERSISTS, "schedules work of git")),
})  # fmt: skip
_INIT = Verb((HERE,), Spec(
    operands="write",
    options={"--separate-git-dir": "write", "-b": "text", "--initial-branch": "text", "--object-format": "text",
             "--template": "ask:copies hooks into the repository", "--ref-format": "text"},
    flags="--bare --quiet --shared",
))  # fmt: skip
_TOOL = Verb(
    (risk("git.tool", Risk.UNKNOWN, "opens the configured tool"),),
    Spec(operands="text*", options={"-x": "script", "--extcmd": "script", "-t": "text", "--tool": "text"},
         flags="--tool-help --no-prompt --prompt --gui --dir-diff --symlinks --trust-exit-code"),
)  # fmt: skip
_HELP = Spec(operands="text*", ask={"-w": "opens a browser", "--web": "opens a browser", "-i": "opens a reader",
                                    "--info": "opens a reader"})  # fmt: skip
_SUBTREE = Verbs(
    options={"-P": "text", "--prefix": "text", "-m": "text", "--message": "text"},
    flags="--squash -q -d",
    table={
        **each("split merge", CHANGES),
        **each("add pull", reaches("git.subtree", "downloads from a remote")),
        **each("push", asks("git.subtree", Risk.PUBLISHES, "sends commits to a remote")),
    },
)

VERBS: dict[str, Meaning] = {
    **each(
        "status ls-files ls-tree rev-parse describe shortlog cat-file check-ignore check-attr "
        "check-mailmap check-ref-format cherry column count-objects diff-pairs for-each-ref fsck fsck-objects "
        "get-tar-commit-id last-modified merge-base merge-tree name-rev patch-id rev-list repo show-index show-ref "
        "stripspace var verify-commit verify-pack verify-tag version show-branch fmt-merge-msg",
        READS,
    ),
    **each("log show whatchanged diff-tree diff-index diff-files range-diff", Verb(spec=_SHOW)),
    **each("blame annotate", Verb(spec=Spec(operands="text*", options={
        "--contents": "read", "-S": "read", "--ignore-revs-file": "read", "-L": "text", "--ignore-rev": "text",
        "--date": "text"}))),
    "diff": _diff,
    "grep": _grep,
    "help": Verb(spec=_HELP),
    "hash-object": Verb(spec=Spec(operands="read*", options={"-t": "text", "--path": "text"})),
    **each(
        "add stage repack pack-refs mktree mktag write-tree commit-tree commit-graph multi-pack-index update-index "
        "sparse-checkout rerere update-server-info prune-packed unpack-objects unpack-file pack-redundant replay "
        "merge-one-file history",
        CHANGES,
    ),
    "merge-index": Verb((HERE,), Spec(operands="program text*")),
    "commit": Verb((HERE,), COMMIT),
    **each("merge merge-recursive merge-ours", merging(MERGE)),
    "rebase": merging(REBASE),
    **each("cherry-pick revert", merging(PICK)),
    **each("apply am", Verb((HERE,), _APPLY)),
    "mv": Verb((HERE,), Spec(operands="write*")),
    "rm": remove,
    "checkout": checkout,
    "restore": restore,
    "clean": clean,
    "branch": branch,
    "bisect": bisect,
    "config": config,
    "stash": _STASH,
    "worktree": _WORKTREE,
    "reflog": _REFLOG,
    "bundle": _BUNDLE,
    "notes": _NOTES,
    "maintenance": _MAINTENANCE,
    "subtree": _SUBTREE,
    **each("init init-db", _INIT),
    "archive": Verb(spec=_ARCHIVE),
    "format-patch": _FORMAT_PATCH,
    "switch": changing(
        Spec(operands="text*", options={"-c": "text", "-C": "text", "--create": "text", "--force-create": "text",
                                        "--orphan": "text", "--conflict": "text"},
             flags="--detach --guess --no-guess --track --no-track --merge --quiet --progress --recurse-submodules"),
        {"--discard-changes": "throws away local changes", "-f": "throws away local changes",
         "--force": "throws away local changes"},
        "git.switch-force", "commit or stash the changes first",
    ),
    "reset": changing(
        Spec(operands="text*", options={"--pathspec-from-file": "read"},
             flags="--soft --mixed --keep --patch --quiet --no-refresh --refresh --intent-to-add --recurse-submodules"),
        {"--hard": "throws away local changes", "--merge": "throws away local changes"},
        "git.reset-hard", "use `git reset --soft`, or commit or stash the changes first",
    ),
    "tag": changing(
        Spec(operands="text*", options={"-m": "text", "--message": "text", "-F": "read", "--file": "read", "-u": "text",
                                        "--local-user": "text", "--sort": "text", "--format": "text",
                                        "--cleanup": "text",
                                        "--trailer": "text", "--points-at": "text"},
             flags="--annotate --sign --list --verify --contains --no-contains --merged --no-merged --column --color "
             "--create-reflog --edit --omit-empty --ignore-case"),
        {"--delete": "deletes a tag", "-d": "deletes a tag", "--force": "moves a tag", "-f": "moves a tag"},
        "git.tag-delete", lists=("-l", "--list", "-v", "--verify", "-n", "--contains", "--merged"),
    ),
    "update-ref": changing(
        TEXT, {"-d": "deletes a branch or tag", "--stdin": "changes refs as its input says", "--delete": _DELETES},
        "git.update-ref",
    ),
    "symbolic-ref": changing(TEXT, {"-d": _DELETES, "--delete": _DELETES}, "git.symbolic-ref"),
    "replace": changing(TEXT, {"-d": _DELETES, "--delete": _DELETES}, "git.replace"),
    "read-tree": changing(TEXT, {"--reset": "throws away local changes", "-u": "overwrites files"}, "git.read-tree"),
    "checkout-index": changing(
        Spec(operands="text*", options={"--prefix": "write"}), {"-f": "overwrites files",
            "--force": "overwrites files"},
        "git.checkout-index",
    ),
    "gc": changing(TEXT, {"--prune": "deletes commits that nothing names any more"}, "git.prune"),
    "prune": asks("git.prune", Risk.DESTROYS, "deletes commits that nothing names any more"),
    "filter-branch": filter_branch,
    "filter-repo": filter_repo,
    "merge-file": Verb(spec=Spec(operands="write read read")),
    "interpret-trailers": Verb((HERE,), Spec(operands="text*")),
    "fast-export": Verb(spec=Spec(operands="text*", options={"--export-marks": "write", "--import-marks": "read"})),
    "fast-import": Verb((HERE,), Spec(operands="text*", options={"--export-marks": "write", "--import-marks": "read"})),
    "mailinfo": Verb(spec=Spec(operands="write write")),
    "mailsplit": Verb(spec=Spec(operands="read*", options={"-o": "write"})),
    "pack-objects": Verb(spec=Spec(operands="write")),
    "index-pack": Verb((HERE,), Spec(operands="read*", options={"-o": "write"})),
    **each("bugreport diagnose", Verb((HERE,), Spec(operands="text*", options={
        "-o": "write", "--output-directory": "write", "-s": "text", "--suffix": "text"}))),
    **each("difftool mergetool", _TOOL),
    "hook": asks("git.hook", Risk.UNKNOWN, "runs a hook"),
    "for-each-repo": asks("git.for-each-repo", Risk.UNKNOWN, "runs git in other repositories"),
    **REMOTES,
}  # fmt: skip
