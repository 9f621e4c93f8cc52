"""git and the tools around it -> what their calls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import Kind, read, risk, runs, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.forges import FORGES
from limpet.policy.tools.git_config import setting_effects, split_setting
from limpet.policy.tools.git_verbs import VERBS
from limpet.policy.tools.own_code import runs_file
from limpet.policy.tools.verbs import HERE, Verbs, elsewhere, follow
from limpet.syntax.values.field import ANYTHING, Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule, Spec

_VALUES = ("--git-dir", "--work-tree", "--namespace", "--super-prefix", "--attr-source", "--config-env", "--list-cmds")
_FLAGS = frozenset(
    [
        "-p",
        "--paginate",
        "-P",
        "--no-pager",
        "--bare",
        "--no-replace-objects",
        "--literal-pathspecs",
        "--glob-pathspecs",
        "--noglob-pathspecs",
        "--icase-pathspecs",
        "--no-optional-locks",
        "--no-lazy-fetch",
        "--no-advice",
        "--html-path",
        "--man-path",
        "--info-path",
        "--exec-path",
        "-v",
        "--version",
        "-h",
        "--help",
        "-C",
        "-c",
    ]
) | {*_VALUES}


_PLAIN = frozenset({
    "bat", "cat", "code", "delta", "diff-so-fancy", "difft", "echo", "emacs", "gpg", "gpg2", "head", "less", "meld",
    "more", "most", "nano", "nvim", "sed", "ssh", "tail", "true", "vi", "vim", ":",
})  # fmt: skip
"""Pagers, editors and the like that people have git start; what their arguments do is judged all the same."""
_STARTS = ("rebase", "bisect", "submodule")
"""Verbs that are there to run commands of the user."""


def git(command: Command) -> Iterator[Effect]:
    """What a call does, with a question about each program that its options have git start."""
    operands = _parse(command).operands
    verb = operands[0].text if operands else None
    for effect in _git(command):
        yield effect
        asked = verb in _STARTS and (effect.detail == "git" or effect.detail.startswith(f"git {verb} "))
        if effect.kind is Kind.SCRIPT and not _is_plain(effect) and not asked:
            yield risk("git.runs", Risk.UNKNOWN, f"has git run another program ({effect.detail})")


def _is_plain(effect: Effect) -> bool:
    words = (effect.field.prefix if effect.field is not None else "").split()
    return bool(words) and words[0] in _PLAIN


def _git(command: Command) -> Iterator[Effect]:
    """Options before the verb, aliases that they define, then the verb."""
    parsed = _parse(command)
    if parsed.has("-C"):
        yield elsewhere(command, parsed, ("-C",))
        return
    yield from _options(parsed)
    verb = parsed.operands[0].text if parsed.operands else None
    value = _alias(parsed, verb)
    if value is not None:
        yield from _run_alias(value, parsed.operands[1:], command)
    else:
        yield from _verb(parsed, command)


def _parse(command: Command) -> Parsed:
    return parse_options(
        command.arguments, values="Cc", long_values=_VALUES, long_flags=[*_FLAGS - {*_VALUES}], stop_early=True
    )


def _verb(parsed: Parsed, command: Command) -> Iterator[Effect]:
    """What the verb does; a repository elsewhere is written where it is."""
    inner = msgspec.structs.replace(command, argv=(command.argv[0], *parsed.operands))
    places = [_repository(field) for field in parsed.values("--git-dir", "--work-tree")]
    for effect in follow(_GIT, inner):
        yield effect
        if effect is HERE:
            yield from map(write, places)


_GIT = Verbs(table=VERBS)


def _options(parsed: Parsed) -> Iterator[Effect]:
    for name, value in parsed.options:
        if name == "-c" and value is not None:
            yield from setting_effects(*split_setting(value))
        elif name == "--config-env" and value is not None:
            yield from setting_effects(split_setting(value)[0], ANYTHING)
        elif name == "--exec-path" and value is not None:
            yield risk("git.exec-path", Risk.UNKNOWN, "makes git run the programs of another folder")
        elif name == "--git-dir" and value is not None:
            yield runs_file(Field((*value.pieces, "/config"), value.many), "git --git-dir")
        elif name == "--work-tree" and value is not None:
            yield read(value)
        elif name in ("-p", "--paginate"):
            yield risk("git.pager", Risk.UNKNOWN, "starts the pager that the settings name")
        elif name not in _FLAGS:
            yield risk("git.option", Risk.UNKNOWN, f"the option {name} of git is not known")


def _repository(field: Field) -> Field:
    """The folder that holds a `.git`: which file of it git writes is git's business."""
    text = field.text
    if text is None or text.rstrip("/").rpartition("/")[2] != ".git":
        return field
    return known(text.rstrip("/").removesuffix(".git") or ".")


def _alias(parsed: Parsed, verb: str | None) -> Field | None:
    """What an alias that is defined on the spot stands for."""
    found = None
    for field in parsed.values("-c"):
        key, value = split_setting(field)
        if verb is not None and key == f"alias.{verb.lower()}":
            found = value
    return found


def _run_alias(value: Field, arguments: tuple[Field, ...], command: Command) -> Iterator[Effect]:
    """`!script` gets the arguments behind it; anything else is a verb of git with arguments."""
    text = value.text
    if value.prefix.startswith("!"):
        yield script(_with_arguments(Field((value.prefix[1:], *value.pieces[1:])), arguments), "git alias")
    elif text is None or not text.strip() or any(char in text for char in "'\"\\"):
        yield risk("git.alias", Risk.OPAQUE, "runs an alias of git that cannot be read")
    elif len(command.via) > _DEPTH:
        yield risk("git.alias", Risk.OPAQUE, "aliases of git that lead to aliases")
    else:
        words = tuple(map(known, text.split()))
        yield runs(command, (command.argv[0], *words, *arguments), "git alias")


_DEPTH = 8


def _with_arguments(start: Field, arguments: tuple[Field, ...]) -> Field:
    pieces = list(start.pieces)
    for field in arguments:
        pieces.append(" ")
        pieces.extend(_quoted(piece) if isinstance(piece, str) else piece for piece in field.pieces)
    return Field(tuple(pieces))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _verb_of(name: str) -> Rule:
    """`git-lfs x` is `git lfs x`."""
    return lambda command: git(msgspec.structs.replace(command, argv=(known("git"), known(name), *command.argv[1:])))


TOOLS: dict[str, Spec | Rule] = {
    "git": git,
    **{f"git-{name}": _verb_of(name) for name in ("lfs", "filter-repo", "filter-branch", "subtree")},
    **FORGES,
}
