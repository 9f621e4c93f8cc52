from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
SAMPLE = """
import pytest
pytestmark = [pytest.mark.req("AA-01")]

@pytest.mark.req("AA-02", "AA-03")
def test_one(): raise SystemExit

class TestMany:
    pytestmark = pytest.mark.req("AA-04")

    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.req("ZZ-99"))])
    async def test_two(self, x): ...

    def not_a_test(self): ...
"""


def report(*args: object) -> list[str]:
    command = [sys.executable, str(ROOT / "tools" / "requirements.py"), *map(str, args)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_every_mark_in_the_tests_names_a_promise() -> None:
    assert [line for line in report("--missing") if line.startswith("unknown")] == []


def test_the_promises_are_all_there_once() -> None:
    sizes = {"TK": 18, "CH": 14, "TU": 18, "MY": 17, "ZE": 24}
    ids = re.findall(r"^\| (\w\w-\d\d) \| \S", (ROOT / "docs" / "requirements.md").read_text(), re.MULTILINE)
    assert ids == [f"{area}-{n:02}" for area, size in sizes.items() for n in range(1, size + 1)]


def test_marks_are_found_on_modules_classes_functions_and_parameters(tmp_path: Path) -> None:
    (tmp_path / "tests" / "area").mkdir(parents=True)
    (tmp_path / "tests" / "area" / "test_sample.py").write_text(SAMPLE)
    (tmp_path / "promises.md").write_text("".join(f"| AA-0{n} | Something. |\n" for n in range(1, 6)))
    where = ("--tests", tmp_path / "tests", "--promises", tmp_path / "promises.md")
    one, two = "tests/area/test_sample.py::test_one", "tests/area/test_sample.py::TestMany::test_two"
    gaps = [f"unknown: ZZ-99 on {two}", "missing 1 of 5: AA-05"]
    proofs = [f"AA-01  {one}", f"AA-01  {two}", f"AA-02  {one}", f"AA-03  {one}", f"AA-04  {two}", "AA-05  -"]
    assert report(*where) == [*proofs, *gaps]
    assert report(*where, "--missing") == gaps
