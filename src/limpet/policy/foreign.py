"""Files that a script brings in from elsewhere -> what it does with them later is not what it seems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.effect import Effect, Kind
from limpet.policy.outputs import known_output
from limpet.policy.places import Place
from limpet.policy.streams import Record

if TYPE_CHECKING:
    from limpet.policy.case import Case
    from limpet.policy.command import Command

_COPYING = frozenset({"cp", "mv", "ln", "install", "dd", "tee", "rsync", "curl", "wget", "scp"})
_UNPACKING = frozenset({
    "tar", "gtar", "bsdtar", "unzip", "7z", "7za", "7zz", "7zr", "unrar", "cpio", "pax", "jar", "ar", "rpm2cpio",
    "dpkg-deb", "patch", "git",
})  # fmt: skip
"""What they bring in is named nowhere in their words."""
_RUNS_THE_PROJECT = frozenset({
    "make", "gmake", "bmake", "ninja", "meson", "cmake", "ctest", "bazel", "scons", "npm", "npx", "yarn", "pnpm",
    "bun", "deno", "node", "pytest", "py.test", "tox", "nox", "python", "python3", "cargo", "go", "gradle",
    "gradlew", "mvn", "mvnw", "ant", "rake", "bundle", "ruby", "perl", "php", "composer", "just", "task", "invoke",
    "pre-commit", "dotnet", "swift", "sbt", "lein", "mix", "bash", "sh", "dash", "zsh", "source", ".",
})  # fmt: skip
_OWN = (Place.WORKSPACE, Place.WORKSPACE_ITSELF)


def note_foreign(effects: list[Effect], command: Command, case: Case, *, network: bool) -> None:
    """Remember links out of the workspace, and files that were copied or fetched from outside it."""
    if command.argv and command.name in _UNPACKING:
        read_from = [_path(effect, command, case)[0] for effect in effects if effect.kind is Kind.READ and effect.field]
        case.unpacked = case.unpacked or (bool(read_from) and read_from[0] not in _OWN and not network)
        return
    if not command.argv or command.name not in _COPYING:
        return
    taken = Kind.DELETE if command.name == "mv" else Kind.READ
    sources = [_path(effect, command, case) for effect in effects if effect.kind is taken]
    targets = [_path(effect, command, case)[1] for effect in effects if effect.kind is Kind.WRITE]
    outside = [path for place, path in sources if place not in _OWN]
    if network or outside:
        case.foreign.update(targets)
    if command.name == "tee" or (command.name == "dd" and not sources):
        case.foreign.update(targets)
    _pass_on([path for _, path in sources], targets, case)
    if command.name == "ln" and sources:
        for target in targets:
            if target != sources[0][1]:
                case.link(target, sources[0][1])


def _pass_on(sources: list[str], targets: list[str], case: Case) -> None:
    """A file that the script has written stays what it is under another name."""
    text = case.contents.get(sources[0]) if len(sources) == 1 else None
    if text is not None:
        case.contents.update(dict.fromkeys(targets, text))
        case.foreign.difference_update(targets)
    elif any(path in case.contents or path in case.foreign for path in sources):
        case.foreign.update(targets)


def judge_unpacked(command: Command, case: Case) -> None:
    """Code of the workspace, once something from outside was unpacked over it, is not the workspace's any more."""
    path = command.path
    if case.unpacked and (command.name in _RUNS_THE_PROJECT or (path is not None and "/" in path)):
        message = "runs code of the workspace after something from outside was unpacked into it"
        case.unclear(message, (command.start, command.end), "execute.foreign")


def note_written(effects: list[Effect], command: Command, case: Case) -> None:
    """Remember the files that redirections write, and what stands in them when that is known."""
    text = known_output([Record(command, network=False, secret=False)])
    replaced = any(each.node.operator in (">", ">|") for each in command.opened)
    for effect in effects:
        if effect.kind is not Kind.WRITE:
            continue
        path = _path(effect, command, case)[1]
        if text is not None and replaced:
            case.contents[path] = text
            case.foreign.discard(path)
        else:
            case.contents.pop(path, None)
            case.foreign.add(path)


def language_of(path: str, text: str, by: str) -> str:
    """The language of a script, by what runs it, its first line, or its name."""
    first = text.partition("\n")[0]
    for name, language in _LANGUAGES:
        if by.startswith(name) or (first.startswith("#!") and name in first) or path.endswith(f".{name}"):
            return language
    return "sh"


_LANGUAGES = (
    ("python", "python"), ("py", "python"), ("node", "node"), ("mjs", "node"), ("js", "node"),
    ("perl", "perl"), ("pl", "perl"), ("ruby", "ruby"), ("rb", "ruby"), ("php", "php"), ("lua", "lua"),
)  # fmt: skip


def _path(effect: Effect, command: Command, case: Case) -> tuple[Place, str]:
    assert effect.field is not None
    judged = case.judge(effect.field, command.cwd)
    return judged.place, judged.path
