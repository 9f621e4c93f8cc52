"""Places -> scripts: the files of this machine, of downloaded archives, the cases of the tests, and generated ones."""

from __future__ import annotations

import os
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from oracle import cases
from oracle.outside import to_text

if TYPE_CHECKING:
    from collections.abc import Iterator

PLACES = ("/usr", "/etc", "/bin", "/sbin", "/lib", "/opt")
NAMES = (".sh", ".bash", ".tests", ".sub", "/configure", ".bashrc", ".profile", "/config.guess", "/ltmain.sh")
SHEBANGS = (b"sh", b"bash", b"dash")
LARGEST = 2**20
HEAD = 128


class Script(msgspec.Struct, frozen=True):
    """A script, and where it is from."""

    corpus: str
    name: str
    text: str


def of_cases() -> Iterator[Script]:
    """The cases of the tests."""
    for case in cases.load():
        yield Script("cases", f"grammar.txt:{case.line}", case.text)


def of_machine() -> Iterator[Script]:
    """Every script on this machine."""
    seen: set[bytes] = set()
    for path in sorted(_files()):
        data = _content(path)
        if data is not None and data not in seen:
            seen.add(data)
            yield Script(_corpus(path), str(path), to_text(data))


def _corpus(path: Path) -> str:
    return "completions" if "completion" in str(path) else "machine"


def _files() -> Iterator[Path]:
    for place in PLACES:
        for folder, _, names in os.walk(place):
            if not Path(place).is_symlink():
                yield from (Path(folder, name) for name in names)


def _content(path: Path) -> bytes | None:
    try:
        if path.is_symlink() or not path.is_file() or not 0 < path.stat().st_size < LARGEST:
            return None
        with path.open("rb") as file:
            head = file.read(HEAD)
            return head + file.read() if is_script(str(path), head) else None
    except OSError:
        return None


def is_script(name: str, head: bytes) -> bool:
    """Whether a file is for a shell, by its first line or else by its name."""
    if head.startswith(b"#!"):
        words = head[2:].split(b"\n")[0].replace(b"/usr/bin/env", b"").split()
        return bool(words) and words[0].rsplit(b"/", 1)[-1] in SHEBANGS
    return b"\0" not in head and (f"/{name}".endswith(NAMES) or "bash-completion/completions/" in name)


def of_archive(path: Path) -> Iterator[Script]:
    """Every script in an archive of sources."""
    corpus = "source of " + path.name.split("_")[0]
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() and 0 < member.size < LARGEST else None
            if file is None:
                continue
            head = file.read(HEAD)
            if is_script(member.name, head) or _is_completion(corpus, member.name):
                yield Script(corpus, member.name, to_text(head + file.read()))


def _is_completion(corpus: str, name: str) -> bool:
    return corpus.endswith("bash-completion") and "/completions/" in name and not name.endswith((".am", ".in"))
