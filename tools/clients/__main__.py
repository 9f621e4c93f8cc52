"""Real agent programs with limpet's hook, offline: what runs, what does not, and what the model reads.

python tools/clients [--place DIR] [claude codex ...]

Installs them with npm into .clients (some 1.5 GB) and starts each against a model on loopback that asks for one
command. Prints a line a try; the status is 1 when one of them went otherwise than it must.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from programs import NODE, PROGRAMS, Program, installed, prepare
from stub import Stub

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parent.parent.parent
SCRIPTS = Path(sys.executable).parent
MADE = "made"
PATIENCE = 300
"""Seconds for one program to do one thing: on a busy machine some of them take minutes."""
HARMLESS = f"echo hello-from-the-command > {MADE} && cat {MADE}"
CONTAINED = f"{HARMLESS}; grep NoNewPrivs /proc/self/status | tr -d '[:blank:]'"
DANGEROUS = f"touch {MADE}; mkfs.ext4 /dev/there-is-none"
ASKED = f"touch {MADE}; sudo -n true"


@dataclasses.dataclass(frozen=True)
class Try:
    """One command, and what must become of it."""

    name: str
    command: str
    runs: bool
    reads: str
    """Must be in what the model reads."""
    options: tuple[str, ...] = ()
    spoil: Callable[[Path, Path], None] | None = None
    """What is broken first: the hook's file, home."""
    only: tuple[str, ...] = ()


def _missing(hook: Path, _home: Path) -> None:
    _replace(hook, f"{SCRIPTS}/limpet-hook", "/there/is/none")


def _crashing(hook: Path, home: Path) -> None:
    crash = home / "limpet-hook"
    crash.write_text("#!/bin/sh\nkill -SEGV $$\n")
    crash.chmod(0o755)
    _replace(hook, f"{SCRIPTS}/limpet-hook", str(crash))


def _bad_rules(_hook: Path, home: Path) -> None:
    rules = home / ".config" / "limpet" / "policy.toml"
    rules.parent.mkdir(parents=True)
    rules.write_text("[[rule]\n")


def _replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


OWN = tuple(program.name for program in PROGRAMS if program.own)
"""Where limpet's own tools are tried."""

TRIES = (
    Try("without limpet", HARMLESS, True, "hello-from-the-command", options=("none",)),
    Try("harmless", HARMLESS, True, "hello-from-the-command"),
    Try("dangerous", DANGEROUS, False, "Denied by floor.device"),
    Try("to be asked", ASKED, False, "sudo -n true"),
    Try("limpet missing", HARMLESS, False, "", spoil=_missing),
    Try("limpet crashes", HARMLESS, False, "", spoil=_crashing),
    Try("rules broken", HARMLESS, False, "policy.toml", spoil=_bad_rules),
    Try(
        "rewritten", CONTAINED, True, "NoNewPrivs:1", options=("--hook", "--wrap"),
        only=("codex", "gemini", "copilot", "opencode"),
    ),
    Try("shell prefix", CONTAINED, True, "NoNewPrivs:1", options=("--wrap",), only=("claude",)),
    Try("own tool", CONTAINED, True, "NoNewPrivs:1", options=("--mcp",), only=OWN),
    Try("own tool, dangerous", DANGEROUS, False, "Denied by floor.device", options=("--mcp",), only=OWN),
    Try("own tool, asked", ASKED, False, "It was not approved", options=("--mcp",), only=OWN),
    Try("prefix, dangerous", DANGEROUS, False, "Denied by floor.device", options=("--wrap",), only=("claude",)),
)  # fmt: skip


def _model(program: Program, one: Try) -> Stub:
    if "--mcp" not in one.options:
        return Stub(program.tool, program.arguments(one.command))
    return Stub(program.own, {"command": one.command, "description": "try it"}, program.namespace)


def attempt(program: Program, one: Try, place: Path) -> tuple[bool, list[str]]:
    """Whether the command ran, and what the model read."""
    modules, node = installed(program.package, place), installed(NODE, place)
    with (
        tempfile.TemporaryDirectory() as folder,
        _model(program, one) as stub,
    ):
        home, work = Path(folder, "home"), Path(folder, "work")
        home.mkdir()
        work.mkdir()
        environ = prepare(program, home, stub.address, node)
        environ |= {"LIMPET_STATE_DIR": str(Path(folder, "state")), "LIMPET_HOOKS_HELPER": "20"}
        if one.options != ("none",):
            init = [str(SCRIPTS / "limpet"), "init", program.name, "--yes", *one.options]
            subprocess.run(init, env=environ, cwd=work, check=True, capture_output=True, timeout=60)
        if one.spoil is not None:
            one.spoil(home / program.hook_file, home)
        argv = program.own_argv if "--mcp" in one.options and program.own_argv else program.argv
        words = [str(modules / argv[0]), *argv[1:]]
        with contextlib.suppress(subprocess.TimeoutExpired):  # what it did, or did not, is seen below
            subprocess.run(
                words, env=environ, cwd=work, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE,
                check=False,
            )  # fmt: skip
        return (work / MADE).exists(), stub.seen


def main() -> int:
    """Try everything."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--place", type=Path, default=ROOT / ".clients")
    parser.add_argument("names", nargs="*", default=[program.name for program in PROGRAMS])
    given = parser.parse_args()
    wrong = 0
    for program in PROGRAMS:
        for one in TRIES if program.name in given.names else ():
            if one.only and program.name not in one.only:
                continue
            ran, read = attempt(program, one, given.place.resolve())
            good = ran is one.runs and any(one.reads in text for text in read)
            wrong += not good
            print(f"{'ok ' if good else 'NOT'} {program.name:9} {one.name:18} {'ran' if ran else 'did not run'}")
            for text in read:
                print("      " + text.strip().replace("\n", "\n      "))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
