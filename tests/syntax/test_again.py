"""Each of these scripts is also given to bash: whatever it evaluates once more, the walk finds, or says it cannot."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk
from syntax.evaluating import DOES_NOT_RUN, RUNS

if TYPE_CHECKING:
    from limpet.syntax.walk import Walk

NOBODY = 65534
EACH = """
for script; do
    (cd "$((number))" && HOME=$PWD exec bash -c "$script") < /dev/null > /dev/null 2>&1
    ((number++))
done
"""


@pytest.fixture(scope="module")
def ran() -> set[str]:
    """The scripts that bash evaluated something of; each ran in an empty folder of its own."""
    scripts = [*RUNS, *DOES_NOT_RUN]
    with tempfile.TemporaryDirectory() as root:
        folders = [Path(root, str(number)) for number in range(len(scripts))]
        for folder in (Path(root), *folders):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o777)
        subprocess.run(
            ["bash", "-c", EACH, "bash", *scripts],
            cwd=root,
            env={"PATH": "/usr/bin:/bin"},
            user=NOBODY if os.getuid() == 0 else None,
            timeout=100,
        )
        return {script for script, folder in zip(scripts, folders, strict=True) if (folder / "ran").exists()}


def _walk(script: str) -> Walk:
    return walk(script, Scope(home="/home/me", cwd="/work"))


def _finds(followed: Walk) -> bool:
    """Whether the marker was found, or the walk says that something runs that it does not know."""
    if followed.opaque or any(each.argv and each.argv[0].text is None for each in followed.found):
        return True
    marked = any(opened.target.text == "ran" for each in followed.found for opened in each.opened)
    return marked or any(again.text is None or again.kind == "file" for each in followed.found for again in each.again)


@pytest.mark.parametrize("script", RUNS)
def test_what_bash_evaluates_again_is_found(script: str, ran: set[str]) -> None:
    assert script in ran, "the table says that bash runs this"
    assert _finds(_walk(script))


@pytest.mark.parametrize("script", DOES_NOT_RUN)
def test_what_bash_does_not_evaluate_leaves_nothing_behind(script: str, ran: set[str]) -> None:
    assert script not in ran, "the table says that bash does not run this"
    _walk(script)


@pytest.mark.parametrize(
    "script",
    [
        "echo hello", "x=5; echo $((x + 1))", "for i in 1 2 3; do echo $((i * 2)); done", "[ 1 -eq 2 ]",
        "test -f 'a[1]'",
        "i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done", "for ((i = 0; i < 3; i++)); do echo ${a[i]}; done",
        "printf %d 5",
        "declare -i n=5; n=7", "a=(1 2); echo ${a[1]} ${#a[@]}", "declare -A m; m[$k]=1; echo ${m[$k]}",
        "declare -A m=([a]=1); for k in \"${!m[@]}\"; do echo ${m[$k]}; m[$k]=2; done",
        "declare -a l=(1 2); declare -p l",
        "unset x y",
        "read -r line",
        "PS1='\\u@\\h '", "set -euo pipefail", "trap - EXIT", "export PATH=$HOME/bin:$PATH", "x=$#; echo $((x - 1))",
    ],
)  # fmt: skip
def test_everyday_scripts_evaluate_nothing_again(script: str) -> None:
    followed = _walk(script)
    assert [again for each in followed.found for again in each.again] == []
    assert followed.opaque == ()


@pytest.mark.parametrize(
    "script",
    [
        "ls && x='a[$(: > ran)]'; (( x ))",
        "if ls; then x='a[$(: > ran)]'; fi; let x",
        "f() { x='a[$(: > ran)]'; }; f; echo $((x))",
    ],
)
def test_arithmetic_is_not_trusted_where_some_text_would_run_something(script: str) -> None:
    assert _walk(script).opaque != ()


def test_the_text_of_eval_is_walked_where_it_stands() -> None:
    followed = _walk("x=1; eval 'echo $x; cd /tmp'; ls")
    shown = [(tuple(field.text for field in each.argv), each.cwd) for each in followed.found if each.argv]
    assert shown == [
        (("eval", "echo $x; cd /tmp"), "/work"), (("echo", "1"), "/work"), (("cd", "/tmp"), "/work"), (("ls",), "/tmp"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "script", ["bash -c 'x=2; cd /tmp; ls'", "bash <<< 'x=2; cd /tmp; ls'", "bash -s <<'E'\nx=2; cd /tmp; ls\nE"]
)
def test_a_shell_of_its_own_changes_nothing_outside(script: str) -> None:
    followed = _walk(f"x=1; {script}\necho $x")
    last = followed.found[-1]
    assert [field.text for field in last.argv] == ["echo", "1"]
    assert last.cwd == "/work"
    assert any(each.argv and each.argv[0].text == "ls" and each.cwd == "/tmp" for each in followed.found)


@pytest.mark.parametrize(
    "script",
    ["unset HOME; bash -c 'ls ~'", "export -n HOME; bash -c 'ls ~'", "f() { local HOME=/x; bash -c 'ls ~'; }; f"],
)
def test_the_home_of_another_shell_is_not_taken_for_granted(script: str) -> None:
    found = next(each for each in _walk(script).found if each.argv and each.argv[0].text == "ls")
    assert found.argv[1].text is None


@pytest.mark.parametrize("shell", ["sh", "dash", "zsh", "fish"])
def test_other_shells_read_some_texts_otherwise(shell: str) -> None:
    assert _walk(f"{shell} -c 'echo $'\\''a'\\'' {{a,b}} &> x'").opaque != ()


def test_a_function_does_not_reach_into_another_shell_unless_it_is_exported() -> None:
    inside = [each for each in _walk("rm() { :; }; bash -c 'rm x'").found if each.argv and each.argv[0].text == "rm"]
    assert [each.function for each in inside] == [False]


@pytest.mark.parametrize(
    "script",
    ["false && rm() { :; }; rm x", "if a; then rm() { :; }; fi; rm x", "(rm() { :; }); rm x",
    "rm() { :; }; unset -f rm; rm x",
     "rm() { :; }; eval \"$y\"; rm x", "rm() { :; }; while a; do rm x; unset -f rm; done",
     "f() { rm() { :; }; return; }; rm x; f"],
)  # fmt: skip
def test_a_name_is_a_function_only_where_that_is_sure(script: str) -> None:
    calls = [each for each in _walk(script).found if len(each.argv) == 2 and each.argv[0].text == "rm"]
    assert [each.function for each in calls] == [False] * len(calls)
    assert calls != []
