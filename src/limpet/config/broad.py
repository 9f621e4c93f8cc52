"""The pattern of a rule that allows -> what is wrong with it when it allows more than anybody would expect."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from limpet.policy.pattern import GAPS, alternatives, is_open

if TYPE_CHECKING:
    from limpet.policy.pattern import Pattern

_RUN_ANYTHING = frozenset({
    "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "fish", "csh", "tcsh", "busybox", "pwsh", "powershell", "nu",
    "elvish", "xonsh", "eval", "source", ".", "ssh", "python", "pypy", "ipython", "perl", "ruby", "node", "nodejs",
    "deno", "bun", "php", "lua", "luajit", "tclsh", "expect", "Rscript", "R", "julia", "osascript", "awk", "gawk",
    "mawk", "npx", "bunx", "uvx", "pipx", "dlx", "ts-node", "tsx", "jshell", "groovy", "scala", "guile", "racket",
    "sbcl", "ghci", "runghc", "irb", "gdb",
})  # fmt: skip
_ALWAYS_GRAVE = frozenset({
    "rm", "rmdir", "shred", "unlink", "dd", "mkfs", "wipefs", "chmod", "chown", "sudo", "doas", "su", "pkexec",
    "run0", "sudoedit", "find",
})  # fmt: skip
_MANY_THINGS = frozenset({
    "git", "npm", "pnpm", "yarn", "docker", "podman", "kubectl", "helm", "aws", "gcloud", "az", "gh", "glab", "pip",
    "uv", "poetry", "conda", "cargo", "go", "gem", "bundle", "brew", "apt", "apt-get", "dnf", "yum", "pacman",
    "systemctl", "terraform", "tofu", "pulumi", "ansible", "flyctl", "heroku", "vercel",
})  # fmt: skip
_WORST_FIRST = ("bash", "python", "rm", *sorted(_RUN_ANYTHING), *sorted(_ALWAYS_GRAVE), *sorted(_MANY_THINGS))


def too_broad(pattern: Pattern) -> str:
    """What it would allow, and what to write instead; empty when it is narrow enough."""
    complaints = (_complaint(name, pattern) for name in alternatives(pattern[0]))
    return next((complaint for complaint in complaints if complaint), "")


def _complaint(first: str, pattern: Pattern) -> str:
    folder, _, name = first.rpartition("/")
    if first in GAPS:
        return "would allow every command; name the program"
    if not is_open(first):
        return _of_program(name, pattern)
    if folder and not is_open(folder) and not folder.endswith("bin"):
        return ""
    begins = _plain(re.split(r"[*?[]", name)[0])
    covered = [known for known in _WORST_FIRST if known == begins or fnmatchcase(known, name)]
    return f"would also allow {covered[0]}; name the program" if covered else ""


def _of_program(name: str, pattern: Pattern) -> str:
    names = {name, _plain(name)}
    if names & _ALWAYS_GRAVE and any(map(is_open, pattern)):
        return f"would allow {name} with arguments that nobody has seen; write them all out"
    if not _is_unfixed(pattern):
        return ""
    if names & _RUN_ANYTHING:
        return f"would allow whatever {name} is given to run; name the script"
    if name in _MANY_THINGS:
        return f'would allow all that {name} can do; name what, as in "{name} status *"'
    return ""


def _plain(name: str) -> str:
    """`python3.11` is python, and `mkfs.ext4` is mkfs."""
    return name.partition(".")[0].rstrip("0123456789") or name


def _is_unfixed(pattern: Pattern) -> bool:
    """Whether something is open before anything but options is said."""
    for entry in pattern[1:]:
        texts = alternatives(entry)
        if any(text in GAPS or text[:1] in ("*", "?", "[") for text in texts):
            return True
        if not all(text.startswith("-") for text in texts):
            return False
    return False
