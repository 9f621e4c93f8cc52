"""Verbs of git that change the repository or its files -> what would be lost."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, delete, risk, runs, script
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import HERE, parse_spec
from limpet.syntax.late import late
from limpet.syntax.values.field import Field, Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_LOOKS_LIKE_A_FILE = late(
    r"\.|\.\.|\./.*|\.\./.*|/.*|:.*|.*/|.*[*?\[].*|(.*/)?[^/]*\.(?!x$)[A-Za-z][A-Za-z0-9]*", re.DOTALL
)
_KEEP = "commit or stash the changes first"


def _lost(rule: str, detail: str, suggestion: str = "") -> Effect:
    return risk(rule, Risk.DESTROYS, detail, suggestion=suggestion)


def changing(spec: Spec, lost: dict[str, str], rule: str, suggestion: str = "", lists: tuple[str, ...] = ()) -> Rule:
    """A verb that is harmless but for some options, each with what they throw away.

    With `lists` it only shows something when one of those is given, or no operand is.
    """
    flags = " ".join([spec.flags, *(name for name in lost if name.startswith("--"))])
    listed = Spec(operands=spec.operands, options=spec.options, flags=flags, ask=spec.ask)

    def verb(command: Command) -> Iterator[Effect]:
        parsed = parse_spec(listed, command)
        if not lists or (parsed.operands and not parsed.has(*lists)):
            yield HERE
        losses = [detail for name, detail in lost.items() if parsed.has(name)]
        if losses:
            yield _lost(rule, losses[0], suggestion)
        yield from describe(listed, command)

    return verb


_CHECKOUT = Spec(
    operands="text*",
    options={
        "-b": "text", "-B": "text", "--orphan": "text", "--conflict": "text", "--pathspec-from-file": "text",
        "-U": "text", "--unified": "text", "--inter-hunk-context": "text",
    },
    flags="--patch --force --ours --theirs --detach --track --no-track --guess --no-guess --merge --quiet --progress "
    "--no-progress --recurse-submodules --overlay --no-overlay --ignore-skip-worktree-bits --pathspec-file-nul "
    "--ignore-other-worktrees --overwrite-ignore --no-overwrite-ignore",
)  # fmt: skip
_PATHS = ("--pathspec-from-file", "-p", "--patch", "--ours", "--theirs", "-2", "-3")


def checkout(command: Command) -> Iterator[Effect]:
    """To a branch it keeps local changes; of paths, or forced, it throws them away."""
    parsed = parse_spec(_CHECKOUT, command)
    yield HERE
    if parsed.has("-f", "--force"):
        yield _lost("git.checkout-force", "throws away local changes", _KEEP)
    elif parsed.has(*_PATHS) or _names_paths(command, parsed.operands, new=parsed.has("-b", "-B", "--orphan")):
        yield _lost("git.checkout-paths", "overwrites files with older versions, local changes are lost", _KEEP)


def _names_paths(command: Command, operands: tuple[Field, ...], *, new: bool) -> bool:
    """Whether files are named, rather than a branch."""
    texts = command.texts
    if "--" in texts:
        return texts[-1] != "--"
    if new:
        return False
    return len(operands) > 1 or any(_is_file(field) for field in operands)


def _is_file(field: Field) -> bool:
    if any(isinstance(piece, Pattern) for piece in field.pieces):
        return True
    return field.text is not None and _LOOKS_LIKE_A_FILE.fullmatch(field.text) is not None


_RESTORE = Spec(
    operands="text*",
    options={"-s": "text", "--source": "text", "--conflict": "text", "--pathspec-from-file": "read", "-U": "text"},
    flags="--staged --worktree --patch --quiet --progress --ours --theirs --merge --ignore-unmerged --overlay "
    "--no-overlay --recurse-submodules --ignore-skip-worktree-bits --pathspec-file-nul",
)


def restore(command: Command) -> Iterator[Effect]:
    """Of the index only it loses nothing that is not in the files."""
    parsed = parse_spec(_RESTORE, command)
    yield HERE
    if not parsed.has("--staged", "-S") or parsed.has("--worktree", "-W"):
        yield _lost("git.restore", "overwrites files with older versions, local changes are lost", _KEEP)


_CLEAN = Spec(
    operands="text*",
    options={"-e": "text", "--exclude": "text"},
    flags="--dry-run --force --interactive --quiet",
)


def clean(command: Command) -> Iterator[Effect]:
    """Deletes files that git does not know, for good."""
    if not parse_spec(_CLEAN, command).has("-n", "--dry-run"):
        yield _lost("git.clean", "deletes untracked files for good", "look at `git clean -n` first")


_BRANCH = Spec(
    operands="text*",
    options={
        "-u": "text", "--set-upstream-to": "text", "--sort": "text", "--points-at": "text", "--format": "text",
        "--contains": "text", "--no-contains": "text",
    },
    flags="--delete --force --move --copy --list --all --remotes --show-current --verbose --quiet --track --no-track "
    "--unset-upstream --edit-description --merged --no-merged --color --no-color --column --no-column --abbrev "
    "--ignore-case --create-reflog --recurse-submodules --omit-empty",
)  # fmt: skip


def branch(command: Command) -> Iterator[Effect]:
    """Deleting what is not merged loses its commits."""
    parsed = parse_spec(_BRANCH, command)
    removes = parsed.has("-d", "-D", "--delete")
    if not parsed.operands or (parsed.has("--list", "-l", "-a", "--all", "-r", "--remotes") and not removes):
        return
    yield HERE
    forced = parsed.has("--force", "-f") and parsed.has("--delete", "-d")
    if parsed.has("-D") or forced:
        yield _lost("git.branch-delete", "deletes a branch even if it is not merged", "use `git branch -d`")
    elif parsed.has("--force", "-f"):
        yield _lost("git.branch-move", "has a branch forget its commits", "make a new branch")


_REMOVE = Spec(
    operands="text*",
    options={"--pathspec-from-file": "read"},
    flags="--cached --force --dry-run --quiet --ignore-unmatch --sparse --pathspec-file-nul",
)


def remove(command: Command) -> Iterator[Effect]:
    """Deletes files, unless only the index is meant."""
    parsed = parse_spec(_REMOVE, command)
    yield HERE
    if parsed.has("--cached", "--dry-run", "-n"):
        return
    if parsed.has("--pathspec-from-file"):
        yield _lost("git.rm", "deletes the files that a list names")
    for field in parsed.operands:
        yield delete(field, recursive=parsed.has("-r"))


def bisect(command: Command) -> Iterator[Effect]:
    """`bisect run CMD` runs a command for each commit."""
    yield HERE
    arguments = command.arguments
    if arguments and arguments[0].text == "run" and len(arguments) > 1:
        yield runs(command, arguments[1:], "git bisect run")


_FILTERS = (
    "--setup", "--env-filter", "--tree-filter", "--index-filter", "--parent-filter", "--msg-filter", "--commit-filter",
    "--tag-name-filter",
)  # fmt: skip
_FILTER_BRANCH = Spec(
    operands="text*",
    options={**dict.fromkeys(_FILTERS, "script"), "--subdirectory-filter": "text", "--original": "text", "-d": "write",
             "--state-branch": "text"},
    flags="--force --prune-empty --remap-to-ancestor",
)  # fmt: skip
_CALLBACKS = tuple(f"--{what}-callback" for what in (
    "filename", "message", "name", "email", "refname", "blob", "commit", "tag", "reset", "file-info",
))  # fmt: skip
_FILTER_REPO = Spec(operands="text*", options=dict.fromkeys(_CALLBACKS, "code:python"), flags="--path --force")


def rewriting(spec: Spec) -> Rule:
    """Rewrites the whole history."""

    def verb(command: Command) -> Iterator[Effect]:
        yield _lost("git.rewrite", "rewrites the history of the repository")
        yield from describe(spec, command)

    return verb


filter_branch, filter_repo = rewriting(_FILTER_BRANCH), rewriting(_FILTER_REPO)


def grep(command: Command) -> Iterator[Effect]:
    """`grep -O` opens the files it finds in a pager, or in the program that is named."""
    for field in command.arguments:
        if field.text == "--":
            return
        if field.prefix.startswith("--op"):
            value = Field((field.prefix.partition("=")[2], *field.pieces[1:]))
            yield script(value, "git grep -O") if value.pieces else _pager()
        elif re.match("-[^-efmABCO]*O", field.prefix):
            yield _pager()


def _pager() -> Effect:
    return risk("git.grep-pager", Risk.UNKNOWN, "opens the files it finds in another program")
