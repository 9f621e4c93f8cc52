"""`${f%.c}` of a value that a glob stands for: what is surely left of it is known, and is what bash leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from limpet.syntax.values.field import UNKNOWN, Pattern
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk
from syntax.walkcheck import differences, scripts

if TYPE_CHECKING:
    from pathlib import Path

    from limpet.syntax.values.field import Piece

CUTS = (
    "${f%.c}", "${f%%.c}", "${f%.*}", "${f%%.*}", "${f##*/}", "${f#*/}", "${f%/*}", "${f%%/*}", "${f%/}", "${f#sub/}",
    "${f##*.}", "${f#*.}", "${f%tmp}", "${f%c}", "${f#sub}", "${f%.x}", "${f%\\*}", "${f%}", "${f%\"$e\"}", "${f%$e}",
    "${f#./}", "${f%/*.c}", "${f%%*}", "${f##*}", "${f%[.]c}",
)  # fmt: skip
GLOBS = (
    "*.c", "sub/*.c", "*/*.c", "*tmp", "sub/*tmp", "*/*tmp", "*/", "*", "sub/*", "sub/*/", "x*.c", "?.c", "./*.c", "*c",
    "nosuch*.c", "nosuch/*tmp", "*/*", "s?b/*.c", "[ab].c", "*.[ch]", "$PWD/*.c", "$PWD/*/*tmp", "sub/.*.c", ".*",
    "*.c*", "*/.c", "[!a]*.c",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("carve") / "root"
    (root / "sub" / "inner").mkdir(parents=True)
    for name in (
        "a.c",
        "b.c",
        "x.y.c",
        ".c",
        ".h.c",
        "tmp",
        "xtmp",
        "a b.c",
        "sub/a.c",
        "sub/tmp",
        "sub/.c",
        "sub/a.tmp",
    ):
        (root / name).touch()
    return root


@pytest.mark.parametrize(
    "before", ["", "shopt -s dotglob; ", "GLOBIGNORE=z; ", "shopt -s nullglob; ", "x=dot; shopt -s ${x}glob; "]
)
@pytest.mark.parametrize("glob", GLOBS)
def test_bash_leaves_what_is_known_to_be_left(glob: str, before: str, folder: Path) -> None:
    shown = "; ".join(f'«"{cut}" "{cut}/../z" {cut}»' for cut in CUTS)
    script = scripts(f"{before}e=.c; «y»; for f in {glob}; do {shown}; done")[0]
    assert differences(script, folder, strict=True) == []


def _left(glob: str, cut: str, before: str = "") -> tuple[Piece, ...]:
    found = walk(f'{before}for f in {glob}; do rm "{cut}"; done', Scope(home="/home/me", cwd="/work")).found
    return next(each.argv[1].pieces for each in found if each.argv and each.argv[0].text == "rm")


@pytest.mark.parametrize(
    ("glob", "cut", "left"),
    [
        ("*.c", "${f%.c}.o", (Pattern("?*"), ".o")),
        ("src/*.c", "${f%.c}.o", ("src/", Pattern("?*"), ".o")),
        ("x*.c", "${f%.c}", ("x", Pattern("*"))),
        ("*.tar.gz", "${f%.*}", (Pattern("*"), ".tar")),
        ("src/*.c", "${f##*/}", (Pattern("*"), ".c")),
        ("*/*.c", "${f##*/}", (Pattern("*"), ".c")),
        ("*.c", "${f##*/}", (Pattern("*"), ".c")),
        ("src/*.c", "${f%/*}", ("src",)),
        ("*/x.c", "${f%/*}", (Pattern("*"),)),
        ("*/", "${f%/}", (Pattern("*"),)),
        ("src/*.c", "${f#src/}", (Pattern("*"), ".c")),
        ("*/*.c", "${f%.c}", (Pattern("*/?*"),)),
        ("*tmp", "${f%tmp}", (UNKNOWN,)),
        ("src/*tmp", "${f%tmp}", ("src/", UNKNOWN)),
        ("*.c", "${f%.x}", (UNKNOWN,)),
        ("**/*", "${f##*/}", (UNKNOWN,)),
        ("*.c", "${f#*.}", (UNKNOWN,)),
    ],
)
def test_what_is_left_of_a_glob(glob: str, cut: str, left: tuple[Piece, ...]) -> None:
    assert _left(glob, cut) == left


@pytest.mark.parametrize("before", ["shopt -s dotglob; ", "GLOBIGNORE=x; ", ". ./settings; ", "eval $x; "])
def test_where_names_may_begin_with_dots_nothing_may_be_left(before: str) -> None:
    assert _left("*.c", "${f%.c}", before) == (UNKNOWN,)


def test_what_is_cut_off_a_value_that_is_partly_known() -> None:
    found = walk('p=$x/y/z.c; rm "${p##*/}" "${p%/*}" "${p%.c}" "${p#*/}"', Scope(cwd="/work")).found[-1]
    assert [field.pieces for field in found.argv[1:]] == [("z.c",), (UNKNOWN, "/y"), (UNKNOWN, "/y/z"), (UNKNOWN,)]
