"""A shell that a script starts knows the folder and what was exported, and nothing else: bash agrees."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk
from syntax.walkcheck import differences, scripts

if TYPE_CHECKING:
    from pathlib import Path

CAREFUL = """
bash -c '«~ "$HOME"»'
sh -c '«~ "$HOME"»'
sh -c '«~/x a=~ b:~»'
HOME=/h bash -c '«~ "$HOME"»'; «~»
HOME=/h sh -c '«~ "$HOME"»'; «~»
HOME=/h; sh -c '«~ "$HOME"»'; «~»
unset HOME; sh -c '«"$HOME"»'
export HOME=/h; sh -c '«~ "$HOME"»'
export -n HOME; sh -c '«"$HOME"»'
declare +x HOME; sh -c '«"$HOME"»'
declare HOME=/h; sh -c '«"$HOME"»'
f() { local HOME=/h; sh -c '«"$HOME"»'; }; f; sh -c '«"$HOME"»'
f() { local HOME; HOME=/h; sh -c '«"$HOME"»'; }; f
f() { local -x HOME=/h; sh -c '«"$HOME"»'; }; f; sh -c '«"$HOME"»'
x=1; bash -c '«"$x"»'
x=1 bash -c '«"$x"»'; bash -c '«"$x"»'
x=1 y=$x bash -c '«"$x" "$y"»'
export x=1; bash -c '«"$x"»'; x=2; bash -c '«"$x"»'
x=1; export x; bash -c '«"$x"»'
declare -x x=1; bash -c '«"$x"»'; declare +x x; bash -c '«"$x"»'
export x=1; export -n x; bash -c '«"$x"»'; x=2; bash -c '«"$x"»'
export x=1; unset x; x=2; bash -c '«"$x"»'
if false; then export x; fi; x=2; bash -c '«"$x"»'
f() { [ a ] && return; export x=1; }; f; x=2; bash -c '«"$x"»'
f() { export x=1; bash -c '«"$x"»'; }; f; bash -c '«"$x"»'
for i in 1 2; do bash -c '«"$x"»'; export x=$i; done; bash -c '«"$x"»'
export x=1; (export -n x; x=2; bash -c '«"$x"»'); bash -c '«"$x"»'
export x=1; bash -c 'x=2; bash -c '\\''«"$x"»'\\''; «$x»'; «$x»
export x=1; bash -c 'bash -c '\\''«"$x"»'\\'''
export x=(1 2); bash -c '«"$x"»'
export x=1; x=(3 4); bash -c '«"$x"»'
IFS=a; export IFS; bash -c 'y=bac; «$y»'
export OPTIND=5; bash -c '«"$OPTIND"»'
export PS4=x; bash -c '«"$PS4"»'
export x=1; bash <<< '«"$x" ~»'
export x=1; bash -s a <<< '«"$x" "$1"»'
export x=1; bash -lc '«"$x"»'
export x='a b'; bash -c '«$x "$x"»'
export x=1; x=2 bash -c '«"$x"»'; bash -c '«"$x"»'
f() { bash -c '«"$x"»'; }; x=1 f; bash -c '«"$x"»'
x=1 eval 'bash -c '\\''«"$x"»'\\'''; bash -c '«"$x"»'
export x=1; read x <<< 2; bash -c '«"$x"»'
export x=1; readonly x; bash -c '«"$x"»; x=2; «"$x"»'
declare -i x; export x=1; bash -c 'x=1+1; «"$x"»'
cd a; bash -c '«"$PWD" ~+»'
cd a && bash -c '«"$PWD" ~+»; cd ..; «"$PWD"»; cd ..; «"$OLDPWD"»'
cd nosuch; bash -c '«"$PWD"»; cd a && «"$PWD"»'
export PWD=/x; bash -c '«"$PWD"»'
PWD=/x bash -c '«"$PWD"»'
PWD=/x; bash -c '«"$PWD"»'
OLDPWD=/x bash -c '«"$OLDPWD"»'
export x=1; : $((1/0)); export -n x⏎x=2; bash -c '«"$x"»'
set -a; x=1; bash -c '«"$x"»'
x=1; : ${x:=2}; bash -c '«"$x"»'
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("shells") / "root"
    (root / "a").mkdir(parents=True)
    return root


@pytest.mark.parametrize("script", scripts(CAREFUL))
def test_what_a_shell_is_given_is_what_bash_gives_it(script: str, folder: Path) -> None:
    assert differences(script, folder, strict=True) == []


def _known(script: str) -> list[tuple[str | None, ...]]:
    found = walk(script, Scope(home="/home/me", cwd="/work")).found
    return [tuple(field.text for field in each.argv[1:]) for each in found if each.argv and each.argv[0].text == "rm"]


@pytest.mark.parametrize("shell", ["bash", "sh", "dash", "zsh", "ksh", "/bin/sh"])
def test_a_tilde_is_the_home_folder_in_every_shell(shell: str) -> None:
    assert _known(f"{shell} -c 'rm ~/x $HOME'") == [("/home/me/x", "/home/me")]
    assert _known(f"{shell} <<< 'rm ~ ~/x'") == [("/home/me", "/home/me/x")]


@pytest.mark.parametrize(
    ("script", "known"),
    [
        ("HOME=/h sh -c 'rm ~/x'", [("/h/x",)]),
        ("export HOME=/h; sh -c 'rm ~/x'", [("/h/x",)]),
        ("D=/etc sh -c 'rm $D'; sh -c 'rm $D'", [("/etc",), (None,)]),
        ("export D=/etc; sh -c 'rm $D'; D=/usr; bash -c 'rm $D'", [("/etc",), ("/usr",)]),
        ("D=/etc; bash -c 'rm \"$D\"'", [(None,)]),
        ("export D=/etc; bash -lc 'rm \"$D\" ~'", [(None, "/home/me")]),
        ("export D=/etc; . ./env; D=x; bash -c 'rm \"$D\"'", [(None,)]),
        ("f() { local HOME=/h; sh -c 'rm ~'; }; f", [(None,)]),
        ("set -o posix; rm ~/x", [("/home/me/x",)]),
        ("sh -c 'rm ~+'", [(None,)]),
        ("sh -c 'rm $PWD/x'", [("/work/x",)]),
        ("cd a && bash -c 'rm $PWD'", [("/work/a",)]),
        ("cd a; bash -c 'rm \"$PWD\"'", [(None,)]),
        ("eval 'rm ~/x'", [("/home/me/x",)]),
    ],
)
def test_what_is_exported_is_known_in_a_shell(script: str, known: list[tuple[str | None, ...]]) -> None:
    assert _known(script) == known
