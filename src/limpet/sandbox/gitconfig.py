"""A repository's settings -> whether they are those of any new repository, and make nothing run."""

from __future__ import annotations

import os
import re
import stat

from limpet.syntax.late import late

_LARGEST = 64 * 1024
_SECTION = late(r'\[([A-Za-z.-]+)(?: "([^"\\]*)")?\]')
_SETTING = late(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*([^\\]*)")
_HARMLESS = {
    "core": {
        "repositoryformatversion", "filemode", "bare", "logallrefupdates", "ignorecase", "precomposeunicode",
        "symlinks", "autocrlf", "eol", "safecrlf", "abbrev",
    },
    "user": {"name", "email"},
    "init": {"defaultbranch"},
    "extensions": {"objectformat", "refstorage"},
    "branch": {"remote", "merge", "rebase"},
    "remote": {"url", "fetch", "tagopt"},
}  # fmt: skip
_ODD = late(r"[^\t\n -~]")
"""Whatever somebody else may take for the end of a line; names that need more are not worth the risk."""
_BACK = late(r"worktree = (?:\.\./)+[A-Za-z0-9_][A-Za-z0-9_./-]*")
"""How the repository of a submodule finds its files."""
_URL = late(r"(?:https?|ssh|git|file)://[^\s]+|/[^\s]+|\.{1,2}/[^\s]+|[\w.-]+@[\w.-]+:[^\s]+", re.ASCII)


def is_harmless(path: str) -> bool:
    """Whether a settings file of git is a plain file with nothing but plain settings in it."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                return False
            text = file.read(_LARGEST + 1).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return len(text) <= _LARGEST and not _ODD.search(text) and _lines_are(text, submodule="/.git/modules/" in path)


def _lines_are(text: str, *, submodule: bool) -> bool:
    section = ""
    for line in (line.strip(" \t") for line in text.split("\n")):
        if found := _SECTION.fullmatch(line):
            section = found[1].lower()
        elif submodule and section == "core" and _BACK.fullmatch(line):
            continue
        elif line and line[0] not in "#;" and not _is_plain(section, line):
            return False
    return True


def _is_plain(section: str, line: str) -> bool:
    found = _SETTING.fullmatch(line)
    if found is None or found[1].lower() not in _HARMLESS.get(section, ()):
        return False
    return found[1].lower() != "url" or _URL.fullmatch(found[2]) is not None
