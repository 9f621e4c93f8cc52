"""Ordinary work behind the walls: it runs as it would without them, and leaves nothing that is not its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from attack.escapes.stage import HIDDEN, Scene, scene
from attack.escapes.trying_both import both_users
from attack.escapes.workspaces import answer
from attack.workloads import COMMITTED, WORK, Work

if TYPE_CHECKING:
    from pathlib import Path


@both_users
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_ordinary_work_is_done(work: Work, who: str) -> None:
    if missing := [program for program in work.needs if shutil.which(program, path="/usr/bin:/bin") is None]:
        pytest.skip(f"needs {missing[0]}")
    with scene(who, contained=True) as here:
        furnish(here, work.files)
        result = answer(here, work.command)
        assert (result["stdout"], result["exit_code"]) == (work.prints, 0), result["stderr"]
        assert result["error"] is None


def furnish(here: Scene, files: dict[str, str]) -> None:
    here.folder(here.home / ".cache")
    for name, text in files.items():
        here.file(here.workspace / name, text)


@both_users
def test_a_repository_looks_the_same_from_inside_and_outside(who: str) -> None:
    """No file stands in for one that is hidden or protected."""
    with scene(who, contained=True) as here:
        furnish(here, {"a": "a\n"})
        outside(here, f"git init -q . && git add . && {COMMITTED} one")
        inside = answer(here, "git status --porcelain --ignored; ls -A")["stdout"]
        assert (inside, outside(here, "git status --porcelain --ignored; ls -A")) == (".git\na\n", ".git\na\n")


@both_users
def test_a_repository_that_is_there_is_worked_on(who: str) -> None:
    with scene(who, contained=True) as here:
        furnish(here, {"a": "a\n"})
        outside(here, f"git init -q -b main . && git add . && {COMMITTED} one")
        command = f"echo b > b && git add b && {COMMITTED} two && git checkout -qb x && git branch && git stash list"
        assert answer(here, command)["stdout"] == "  main\n* x\n"
        assert outside(here, "git log --format=%s; git status --porcelain") == "two\none\n"


@both_users
def test_work_goes_on_from_one_command_to_the_next(who: str) -> None:
    with scene(who, contained=True) as here:
        furnish(here, {"a": "a\n"})
        answer(here, f"git init -q -b main . && git add . && {COMMITTED} one")
        answer(here, f"echo b > b && git add b && {COMMITTED} two")
        assert outside(here, "git log --format=%s; git status --porcelain; ls -A") == "two\none\n.git\na\nb\n"


def outside(here: Scene, command: str) -> str:
    argv = [*here.prefix, "bash", "-c", command]
    done = subprocess.run(argv, cwd=here.workspace, env=here.environment(), capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return done.stdout


WHEEL = """
import zipfile
with zipfile.ZipFile("tiny-1.0-py3-none-any.whl", "w") as wheel:
    wheel.writestr("tiny.py", "def main(): print('tiny works')")
    info = "tiny-1.0.dist-info"
    wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n")
    wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
    wheel.writestr(f"{info}/entry_points.txt", "[console_scripts]\\ntiny = tiny:main\\n")
    wheel.writestr(f"{info}/RECORD", "".join(f"{n},,\\n" for n in wheel.namelist()) + f"{info}/RECORD,,\\n")
"""


def test_a_package_is_installed_into_an_environment_in_the_workspace() -> None:
    with scene("self", contained=True) as here:
        furnish(here, {"wheel.py": WHEEL})
        base = here.python
        command = (
            f"{base} wheel.py && {base} -m venv env && env/bin/pip -q install --no-index ./tiny-1.0-py3-none-any.whl"
            " && env/bin/tiny && . env/bin/activate && command -v tiny && pip list 2>/dev/null | grep -c tiny"
        )
        result = answer(here, command)
        assert result["stdout"] == f"tiny works\n{here.workspace}/env/bin/tiny\n1\n", result["stderr"]


@both_users
def test_tests_run(who: str) -> None:
    with scene(who, contained=True) as here:
        test = "def test_it(tmp_path):\n    (tmp_path / 'x').write_text('1')\n    assert 1 + 1 == 2\n"
        furnish(here, {"test_it.py": test})
        path = here.environment()["PYTHONPATH"]
        if path.startswith(HIDDEN):
            pytest.skip("pytest lies where a contained command sees nothing")
        result = answer(here, f"PYTHONPATH={path} {here.python} -m pytest -q -p no:cacheprovider test_it.py")
        assert (result["exit_code"], result["stdout"].split()[-4:-2]) == (0, ["1", "passed"]), result["stdout"]


def test_a_workspace_below_tmp_is_worked_in(tmp_path: Path) -> None:
    """The command has a /tmp of its own, in which its workspace is nevertheless."""
    (tmp_path / "other").mkdir()
    with scene("self", contained=True) as here:
        argv = here.user.limpet("run", "--sandbox", "native", "--workspace", str(tmp_path / "other"), "--json", "--",
                                "echo x > made; ls -A ..; ls -A /tmp | wc -l; echo y > /tmp/loose")  # fmt: skip
        done = subprocess.run(argv, cwd=tmp_path / "other", env=here.environment(), capture_output=True, timeout=30)
    assert json.loads(done.stdout)["stdout"] == "other\n1\n"
    assert (tmp_path / "other" / "made").read_text() == "x\n"
    assert not os.path.exists("/tmp/loose")


def test_a_workspace_with_an_odd_name_is_worked_in() -> None:
    with scene("self", contained=True) as here:
        odd = here.folder(here.place / "a b'\"$(x)\n\\-é")
        argv = here.user.limpet("run", "--sandbox", "native", "--json", "--", "echo x > made; cat made; mkdir .idea")
        done = subprocess.run(argv, cwd=odd, env=here.environment(), capture_output=True, timeout=30)
        assert json.loads(done.stdout)["stdout"] == "x\n"
        assert sorted(os.listdir(odd)) == ["made"]
