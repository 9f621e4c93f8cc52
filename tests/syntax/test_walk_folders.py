"""After a `cd` that may fail, every folder is known that a command may run in: bash is never in another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk
from syntax.walkcheck import differences, scripts

if TYPE_CHECKING:
    from pathlib import Path

CAREFUL = """
cd nosuch; «x»
cd nosuch 2>&1; «x»; cd a; «x»
cd nosuch; cd ..; «x»; cd -; «x»
cd nosuch; cd a; cd b; «x»; cd ..; «x»
cd nosuch && «x»; «y»
cd nosuch || «x»; «y»
cd nosuch || cd a; «x»
cd nosuch || cd nosuch2 || cd a; «x»
cd nosuch || true; «x»
if cd nosuch; then «x»; else «y»; fi; «z»
if cd a; then «x»; else «y»; fi; «z»
if ! cd nosuch; then «x»; else «y»; fi; «z»
while cd nosuch; do :; done; «x»
until cd nosuch; do «x»; cd a; break; done; «x»
! cd nosuch; «x»
set -e; cd a; «x»; cd nosuch || «y»; «z»
set -e; if cd nosuch; then :; fi; «x»; cd a; «y»
set -e; ! cd nosuch; «x»
set -e; f() { cd nosuch; «x»; }; f || «y»
set -e; f() { cd nosuch; «x»; }; if f; then «y»; fi
set -e; f() { cd nosuch; «x»; }; f && :; «y»
set -e; { cd nosuch; «x»; } || «y»
set -e; (cd nosuch; «x») || «y»
set -e; x=$(cd nosuch; «x»); «"$x"»
set -e; «"$(cd nosuch; «x»)"»; «y»
set -e; eval 'cd nosuch; «x»' || «y»
set -e; : | cd nosuch | :; «x»
set -e; bash -c 'cd nosuch; «x»'; «y»
set -e; set +e; cd nosuch; «x»
set -euo pipefail; set +eu; cd nosuch; «x»
set -e; set +o errexit; cd nosuch; «x»
set -e; for i in 1 2; do [ $i = 1 ] || cd nosuch; «x»; set +e; done; «y»
set -e; for i in 1 2; do if [ $i = 2 ]; then cd nosuch; fi; «x»; set +e; done
set -e; f() { set +e; }; f; cd nosuch; «x»
set -e; eval 'set +e'; cd nosuch; «x»
set -e; x=+e; set $x; cd nosuch; «x»
set -o errexit; shopt -uo errexit; cd nosuch; «x»
if false; then set -e; fi; cd nosuch; «x»
(set -e); cd nosuch; «x»
set -e; command cd nosuch || «x»; «y»
set -e; cd nosuch & wait; «x»
set -- -e; cd nosuch; «x»
set -e; trap 'cd nosuch; «x»' EXIT; «y»
pushd nosuch; «x»; popd; «x»
pushd a; pushd nosuch; popd; «x»; popd; «x»
cd nosuch; pushd a; cd b; popd; «x»
pushd a; cd nosuch; cd b; popd; «x»
cd a; cd nosuch; cd -; «x»; cd -; «x»
OLDPWD=a; cd -; «x»
OLDPWD=$PWD/a; cd -; «x»
cd a && OLDPWD=$PWD/b; cd -; «x»
cd a && OLDPWD=$PWD/b && cd - && «x»
cd a && read OLDPWD <<< $PWD/b && cd - && «x»
cd a && OLDPWD=$PWD/b cd - && «x»
cd a && unset OLDPWD; cd -; «x»
cd a && cd nosuch; cd -; «x»
cd nosuch; cd a && cd -; «x»
cd nosuch; cd $PWD/a && «x»; cd -; «x»
f() { cd nosuch; cd a; }; f; «x»
f() { cd a || return; cd b; }; f; «x»
f() { cd nosuch || return; «x»; }; f; «y»
f() { cd nosuch || eval return; «x»; }; f; «y»
f() { cd nosuch || (return); «x»; }; f; «y»
f() { if :; then cd a; return; fi; }; f; «x»
f() { [ a ] && { set +e; return; }; :; }; set -e; f; cd nosuch; «x»
cd nosuch || return; «x»
return() { :; }; f() { cd nosuch || return; «x»; }; f
f() { cd nosuch || return x; «x»; }; f; «y»
f() { for i in 1 2; do cd nosuch || return; «x»; done; }; f; «y»
f() { while :; do cd a && return; «x»; done; }; f; «y»
g() { cd a; return; cd b; }; f() { g; «x»; }; f; «y»
for i in a nosuch b; do cd $i; «x»; done; «y»
for i in nosuch a; do cd $i && «x»; done; «y»
cd nosuch; bash -c '«x»; cd a; «x»'; «y»
cd nosuch; (cd a; «x»); «y»
cd() { :; }; cd nosuch && «x»
cd a > /nosuch/file; «x»; cd a > /nosuch/file || «y»; «z»
cd a 2>&1 && «x»
HOME=nosuch; cd; «x»
HOME=nosuch cd; «x»
cd a b; «x»
cd -- nosuch; «x»; cd -- a; «x»
cd -P a; «x»
cd ''; «x»
case x in x) cd nosuch;; esac; «x»
time cd nosuch; «x»
set -e; «a»; time cd nosuch; «x»
cd nosuch; cd nosuch/..; «x»
cd link; cd nosuch; cd ..; «x»
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("folders") / "root"
    (root / "a" / "b" / "a").mkdir(parents=True)
    (root / "b").mkdir()
    (root.parent / "elsewhere").mkdir()
    (root / "link").symlink_to(root.parent / "elsewhere")
    return root


@pytest.mark.parametrize("script", scripts(CAREFUL))
def test_bash_is_in_one_of_the_folders(script: str, folder: Path) -> None:
    assert differences(script, folder, folders=True, strict=True) == []


def _folders(script: str) -> list[tuple[str, ...] | None]:
    found = walk(script, Scope(home="/home/me", cwd="/work")).found
    return [each.folders for each in found if each.argv and each.argv[0].text == "rm"]


@pytest.mark.parametrize(
    "script",
    [
        "cd a && rm x",
        "cd a || exit; rm x",
        "cd a 2>/dev/null || exit 1; rm x",
        "cd a || { echo no; exit 1; }; rm x",
        "f() { cd a || return; rm x; }; f",
        "f() { cd a || { echo no; return 1; }; rm x; }; f",
        "set -e; cd a; rm x",
        "set -euo pipefail\ncd a\nrm x",
        "set -o errexit; cd a; rm x",
        "set -e; f() { cd a; rm x; }; f",
        "set -e; (cd a; rm x)",
        "if cd a; then rm x; fi",
        "(cd a && rm x)",
        "cd a && make && rm x",
        "cd /work/a && rm x",
        "cd a && bash -c 'rm x'",
        "cd a/b && cd .. && rm x",
        "cd nosuch; cd /work/a && rm x",
    ],
)
def test_where_a_cd_has_worked_the_folder_is_sure(script: str) -> None:
    assert _folders(script) == [("/work/a",)]


@pytest.mark.parametrize(
    ("script", "folders"),
    [
        ("rm x", ("/work",)),
        ("cd a; rm x", ("/work/a", "/work")),
        ("cd a 2>/dev/null; rm x", ("/work/a", "/work")),
        ("cd /nosuch; rm x", ("/nosuch", "/work")),
        ("cd; rm x", ("/home/me", "/work")),
        ("cd a || true; rm x", ("/work", "/work/a")),
        ("cd a || cd b; rm x", ("/work", "/work/a", "/work/b")),
        ("cd a; cd ..; rm x", ("/work", "/", "/work/a")),
        ("cd a && make; rm x", ("/work/a", "/work")),
        ("cd a && make && cd - && rm x", ("/work", "/work/a")),
        ("pushd a; rm x", ("/work/a", "/work")),
        ("set -e; cd a || true; rm x", ("/work", "/work/a")),
        ("set -e; if ! cd a; then make; fi; rm x", ("/work/a", "/work")),
        ("if a; then cd b; fi; rm x", ("/work", "/work/b")),
        ("cd a; bash -c 'rm x'", ("/work/a", "/work")),
        ("f() { cd a; }; f; rm x", ("/work/a", "/work")),
        ("cd $x; rm x", None),
        ("cd a; eval $x; rm x", None),
        ("cd a; cd b; cd c; cd d; rm x", None),
    ],
)
def test_where_a_cd_may_have_failed_each_folder_is_told(script: str, folders: tuple[str, ...] | None) -> None:
    assert _folders(script) == [folders]


@pytest.mark.parametrize("folders", [("/work", "/"), ("/work",), None])
def test_a_text_may_begin_in_several_folders(folders: tuple[str, ...] | None) -> None:
    found = walk("rm x", Scope(cwd="/work"), "rm x", None, folders).found
    assert [each.folders for each in found] == [folders]


def test_a_folder_that_is_not_sure_is_not_in_a_variable() -> None:
    found = walk("rm $PWD", Scope(cwd="/work"), "rm $PWD", None, ("/work", "/")).found
    assert [each.argv[1].text for each in found] == [None]
