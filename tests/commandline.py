"""Arguments -> what the real command line does with them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src"


class Cli:
    """Runs `limpet` in a process of its own, in `cwd` unless a call names another, within a time limit."""

    def __init__(self, cwd: Path) -> None:
        self.cwd = cwd

    def __call__(
        self,
        *args: str,
        stdin: str = "",
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
        timeout: float = 30,
    ) -> subprocess.CompletedProcess[str]:
        """Its output as text; bytes that are not UTF-8 are kept as surrogates."""
        done = self.raw(*args, stdin=os.fsencode(stdin), env=env, cwd=cwd, timeout=timeout)
        out, err = (data.decode("utf-8", "surrogateescape") for data in (done.stdout, done.stderr))
        return subprocess.CompletedProcess(done.args, done.returncode, out, err)

    def raw(
        self,
        *args: str,
        stdin: bytes = b"",
        env: dict[str, str] | None = None,
        cwd: Path | None = None,
        timeout: float = 30,
    ) -> subprocess.CompletedProcess[bytes]:
        """Its output as bytes."""
        return subprocess.run(
            self.argv(*args),
            input=stdin,
            capture_output=True,
            timeout=timeout,
            cwd=cwd or self.cwd,
            env=self.environment(env),
        )

    def argv(self, *args: str) -> list[str]:
        """For a test that has to hold the process itself."""
        return [sys.executable, "-m", "limpet", *args]

    def environment(self, extra: dict[str, str] | None = None) -> dict[str, str]:
        """The test's environment and `extra`, with this checkout's limpet first."""
        return {**os.environ, "PYTHONPATH": str(SOURCE), **(extra or {})}
