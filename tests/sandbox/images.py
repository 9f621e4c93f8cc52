"""Programs of this machine -> an image of them for containers, without any registry."""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import tarfile

PROGRAMS = ("bash", "cat", "chmod", "head", "id", "ls", "mv", "sha256sum", "sleep", "setsid", "stat", "touch", "tr")
FOLDERS = ("bin", "dev", "etc", "home", "proc", "root", "run", "sys", "tmp", "var", "var/tmp")


def packed() -> bytes:
    """A root folder as an archive: these programs, and the libraries that they need."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name in FOLDERS:
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(folder)
        libraries: set[str] = set()
        for name in PROGRAMS:
            path = os.path.realpath(shutil.which(name) or name)
            archive.add(path, f"bin/{name}")
            told = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
            libraries |= set(re.findall(r"/\S+", told))
        for path in sorted(libraries):
            archive.add(os.path.realpath(path), path.lstrip("/"))
    return buffer.getvalue()


def engine() -> str:
    """The first program here that a container can be run with; LIMPET_TEST_ENGINE names another."""
    asked = os.environ.get("LIMPET_TEST_ENGINE", "")
    return asked or next((path for path in ("/usr/bin/podman", "/usr/bin/docker") if os.access(path, os.X_OK)), "")


def load(program: str, image: str) -> str:
    """Make the image; why no container can be run from it, or nothing."""
    call = [program, "import", "-", image]
    made = subprocess.run(call, input=packed(), capture_output=True, timeout=100)
    if made.returncode:
        return made.stderr.decode(errors="replace").strip()
    limits = ("--ulimit=nofile=1024:1024", "--ulimit=nproc=1024:1024")
    call = [program, "run", "--rm", "--pull=never", "--network=none", *limits, image, "/bin/bash", "-c", ":"]
    ran = subprocess.run(call, capture_output=True, timeout=100)
    return ran.stderr.decode(errors="replace").strip() if ran.returncode else ""


def remove(program: str, image: str) -> None:
    """It is not needed any more."""
    subprocess.run([program, "rmi", "--force", image], capture_output=True, timeout=100, check=False)


def containers(program: str) -> list[str]:
    """Names of limpet's that are there, running or not."""
    call = [program, "ps", "--all", "--filter", "name=limpet-", "--format", "{{.Names}}"]
    return subprocess.run(call, capture_output=True, text=True, timeout=60, check=True).stdout.split()
