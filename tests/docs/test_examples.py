"""Every Python example of the documentation runs as it stands and prints what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet.surfaces.cli.run import command as run_command

if TYPE_CHECKING:
    from commandline import Cli

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^(```+)python\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
PRINTED = re.compile(r"  # -> (.*)$", re.MULTILINE)
RUN = """
import ast, asyncio, inspect, sys
code = compile(sys.stdin.read(), "example", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
space = {"__name__": "__main__"}
if code.co_flags & inspect.CO_COROUTINE:
    asyncio.run(eval(code, space))
else:
    exec(code, space)
"""


def examples() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        text = page.read_text()
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start()) + 1
            found.append((f"{page.name}:{line}", block[2]))
    return found


@pytest.mark.parametrize(("place", "code"), examples(), ids=[place for place, _ in examples()])
def test_an_example_prints_what_it_says(cli: Cli, place: str, code: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN],
        input=code, capture_output=True, text=True, cwd=cli.cwd, env=cli.environment(), timeout=60,
    )  # fmt: skip
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.splitlines() == PRINTED.findall(code)


def test_there_are_examples_on_these_pages() -> None:
    assert {place.partition(":")[0] for place, _ in examples()} >= {"README.md", "output.md", "python.md"}


def test_every_public_name_is_told() -> None:
    page = (ROOT / "docs" / "python.md").read_text()
    assert [name for name in limpet.__all__ if not re.search(rf"\b{name}\b", page)] == []


def test_every_option_of_run_is_told_and_no_other() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text().partition("## Options of `run`\n")[2].partition("\n## ")[0]
    told = re.findall(r"^\| `(--[a-z-]+)", page, re.MULTILINE)
    assert sorted(told) == sorted(
        option for parameter in run_command.params for option in parameter.opts if option[0] == "-"
    )


def test_links_between_pages_lead_somewhere() -> None:
    links = [(page, link) for page in PAGES for link in LINK.findall(page.read_text())]
    assert [f"{page.name}: {link}" for page, link in links if not (page.parent / link).exists()] == []
