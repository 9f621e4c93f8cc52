"""Names of source packages -> their archives, downloaded once by apt from wherever this machine gets its packages."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

from oracle.outside import run

PACKAGES = ("bash", "bash-completion", "git", "autoconf", "libtool", "sed", "grep", "gawk", "dracut", "initramfs-tools")
CONFIGURED = Path("/etc/apt")


def archives(cache: Path) -> list[Path]:
    """The upstream archives of all packages; without apt, or where it fails, those that are there."""
    sources = cache / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    missing = [name for name in PACKAGES if not _of(sources, name)]
    if missing and shutil.which("apt-get"):
        _download(cache, sources, missing)
    for name in (name for name in PACKAGES if not _of(sources, name)):
        sys.stdout.write(f"no source of {name}: left out\n")
    return [path for name in PACKAGES for path in _of(sources, name)]


def _of(sources: Path, name: str) -> list[Path]:
    """The upstream archive, or that of a package that is all upstream."""
    found = sorted(sources.glob(f"{name}_*.tar.*"))
    found = [path for path in found if not path.name.endswith((".asc", ".sig"))]
    return [path for path in found if ".debian.tar" not in path.name]


def _download(cache: Path, sources: Path, names: list[str]) -> None:
    options = _options(cache)
    sys.stdout.write(f"downloading the sources of {', '.join(names)}\n")
    sys.stdout.flush()
    for arguments in (["update"], *(["source", "--download-only", name] for name in names)):
        status, said = run(["apt-get", "-qq", *options, *arguments], folder=sources)
        if status != 0:
            sys.stdout.write(f"apt-get {' '.join(arguments)}: {said.strip()[-300:]}\n")


def _options(cache: Path) -> list[str]:
    """Settings that keep apt to the cache: its lists and its locks are there, nothing of the machine is changed."""
    places = cache.resolve() / "apt"
    for name in ("lists/partial", "cache/archives/partial", "parts"):
        (places / name).mkdir(parents=True, exist_ok=True)
    (places / "sources.list").write_text("".join(_one_line_sources()))
    (places / "parts" / "all.sources").write_text("\n".join(_paragraphs()))
    given = {
        "Dir::Etc::SourceList": places / "sources.list",
        "Dir::Etc::SourceParts": places / "parts",
        "Dir::State::Lists": places / "lists",
        "Dir::Cache": places / "cache",
        "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
    }
    return [part for name, value in given.items() for part in ("-o", f"{name}={value}")]


def _one_line_sources() -> list[str]:
    files = [CONFIGURED / "sources.list", *sorted((CONFIGURED / "sources.list.d").glob("*.list"))]
    lines = [line for path in files if path.exists() for line in path.read_text().splitlines()]
    return [re.sub("^deb ", "deb-src ", line) + "\n" for line in lines if line.startswith("deb ")]


def _paragraphs() -> list[str]:
    files = sorted((CONFIGURED / "sources.list.d").glob("*.sources"))
    return [re.sub(r"(?m)^Types:.*$", "Types: deb-src", path.read_text()) for path in files]
