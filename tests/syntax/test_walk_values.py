"""Scripts that assign, branch, loop and call are given to bash as well: no value that the walk knows is ever wrong."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.syntax.values.field import CHILD, NUMBER, UNKNOWN
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk
from syntax.scripts import GENERATED
from syntax.walkcheck import differences, scripts
from syntax.walkscripts import Writer

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from limpet.syntax.values.field import Piece


CAREFUL = """
x=1; if false; then x=2; fi; «$x»
x=1; unset -n x; «"${x-none}"»; unset -f x; «"${x-none}"»; unset -v x; «"${x-none}"»
z=([2]=1); z+=(x"$((z=3))"); «"${z[0]}" "${z[@]}"»
z=(1); z=(x"$((z=3))"); «"${z[0]}" "${z[@]}"»
trap '«{a,b}»' EXIT; set +B
trap 'x=k; «$x»' EXIT; trap x=5 DEBUG; :
if :; then x=1; break; x=2; fi; «$x»
if :; then x=1; return; x=2; fi; «$x»
x=1; for i in 1 2; do «"$x"»; x=$i; [ $i = 1 ] && continue; x=z; done; «$x»
x=1; while :; do if :; then x=2; break; fi; x=3; done; «$x»
f() { if :; then x=1; return; fi; x=2; }; f; «$x»
f() { «"$1"»; [ "$1" ] && f; }; f a
f() { «"$1"»; }; g() { f "$1$1"; }; g a; f b
x=0; f() { local x=1; «$x»; }; f; «$x»
x=0; f() { unset x; «"$x"»; }; g() { local x=1; f; }; g
x=0; f() { local x=1; declare -g x=2; «$x»; }; f; «$x»
x=1; local x=2; «$x»
x=0; x=1 eval '«$x»'; «$x»
x=0; x=1 y=$x eval '«$x $y»'
x=0; f() { «$x»; x=5; }; x=1 f; «$x»
x=0; x=1 export x; «$x»
x=0; x=1 declare x=2; «$x»
x=1 y=$(«"$x"»); «"${y:+y}"»
unset x; «${x:=1} $(«"$x"») "$x"»
unset x; «${x:=1}$(«"$x"»)»
x=1; : $((1/0)); x=2⏎«$x»
x=1; f() { : $((1/0)); }; f; x=3⏎«$x»
x=1; eval ': $((1/0)); x=3'; «$x»
x=1; : $((1/0)); x=7; eval y=1⏎«$x»
readonly r=1; x=1; r=2; x=3⏎«$x»
readonly r=1; r=2⏎«$r»
readonly r=1; x=1; for r in 1 2; do x=2; done; «$x»
x=1; UID=3; x=2⏎«$x»
x=1; z[-9]=1; x=2⏎«$x»
x=1; : ${!nosuch}; x=2⏎«$x»
x=1; : ${#z[-9]}; x=2⏎«$x»
x=1; { x=3; } < nosuchfile; «$x»
x=1; export x=3 < nosuchfile; «$x»
x=1; f() { x=2; }; f < nosuchfile; «$x»
x=1; f() { exit; }; { exit; } < nosuchfile; «$x»
x=1; exit --help > /dev/null; «$x»
exit() { :; }; x=1; exit; «$x»
x=1; trap 'x=5' DEBUG; x=2; «$x»
x=1; trap '«$x»' EXIT; x=2
x=1; trap '«$PWD»' EXIT; cd a
x=1; : {x}> /dev/null; «$x»
x=0; [[ x=5 -eq 5 ]]; «$x»
y=0; x='y=7'; let x; «$y»
y=0; x='y=7'; (( x )); «$y»
y=1; x=$(echo y=7); : $((x)); «$y»
y=1; x='y=5'; for i in 1 2; do «$y»; while (( x )); do break; done; done
x=1; printf -vx 5; «$x»
x=1; printf -v x 5; «$x»
x=1; read x <<< 5; «$x»
y=1; printf -v x -v y 5; «"${x-none}" $y»; printf -vx -vy 6; «$y»; printf -v x -- -v; «"$x"»
n=0; y=1; while (( n++ < 2 )); do «$y»; printf -v x -v y 5; done
z=(1 2); printf -v z 5; «"${z[@]}"»; printf -v z[1] 6; «"${z[@]}"»; printf -v x '%s ' "${z[@]}"; «"$x"»
printf -v x 'a\0b'; «"$x"»; printf -v x '%5s' a; «"$x"»; printf -v x '%d' 1x 2> /dev/null; «"$x"»
printf() { x=f; }; x=1; printf -v x 5; unset -f printf; «$x»
x=a; sh -c 'x=b; printf -v x c 2> /dev/null; «$x»'; dash -c 'x=b; printf -v x c 2> /dev/null; «$x»'; «$x»
readonly x=1; printf -v x 5; «$x»
declare -i x; printf -v x 1+1; «$x»; declare -u y; printf -v y a; «$y»
declare -a z=([0]=p [2]=q r); «"${z[@]}" ${!z[@]}»; declare z=(x); «"${z[@]}"»; declare -a z; «"${z[@]}"»
x=1; declare x=2 z=($x); «"${z[@]}" $x»; declare z=($x "$((x=5))" $x); «"${z[@]}" $x»
z=(1 2); declare z=("${z[@]}" k); «"${z[@]}"»; declare z=($z $z); «"${z[@]}"»
z=(9); f() { local z=(1 2); «"${z[@]}"»; local -a z=(3); «"${z[@]}"»; declare -g z=(4); «"${z[@]}"»; }; f; «"${z[@]}"»
local -a z=(1 2) 2> /dev/null; «"${z[@]}"»
declare -A z; declare z=([0]=a [k]=b); «"${z[0]}"»; declare -A z=([1]=c); «"${z[@]}"»
readonly z=(1)⏎declare z=(2)⏎«"${z[@]}"»
declare -i z=(1+1 2); «"${z[@]}"»; z+=(1+2); «"${z[@]}"»; declare -u y=(a); «"${y[@]}"»
declare -n r=z; declare r=(1 2); «"${z[@]}"»
x=1; declare -n r=x; «$r»; x=2; «"$r" ${#r} ${r%2} ${!r} "${r:-k}" $((r + 1))»; r=3; «"$x" "$r"»
x=1; declare -n r=x; r+=k; «$x»; unset r; «"${x-none}" "${r-none}"»; unset -n r; «"${r-none}"»
x=1; y=2; declare -n r=x; declare -n r=y; «$r»; for r in x y; do «$r»; done; declare +n r; «$r»
x=1; declare -n r=x; read r <<< 5; «$x $r»; printf -v r 6; «$x $r»; : $((r++)) "${r:=5}"; «$x $r»
z=(1 2); declare -n r=z; «"${r[@]}" ${!r[@]} $r ${r[1]}»; r[1]=5; «"${z[@]}"»; declare -n s='z[1]'; «$s»
x=1; f() { local -n r=$1; «$r»; r=2; «$r»; }; f x; «$x "${r-none}"»; r=5; f x; «$r»
v=o; h() { local -n w=v; k; «$w $v»; }; k() { local v=in; «$w»; w=new; «$v»; }; h; «$v»
v=o; m() { local -n o=v; local v=mm; «$o»; }; m; p() { local -n v=v 2> /dev/null; «"$v"»; }; p 2> /dev/null
r=(1 2); declare -n r=x 2> /dev/null; x=5; «$r»; readonly s=1; declare -n s=x; «$s»
declare -n a=b; declare -n b=c; c=deep; «$a $b»; x=1; declare -n q=x; (declare +n q; «$q»); q=2 eval '«$q $x»'; «$x»
x=1; if :; then declare -n r=x; fi; «$r»; n=0; while (( n++ < 2 )); do declare -n s=x; «$s»; x=$n; done; «$s $x»
HOME=/h; x=/k; declare -n HOME=x; «~ "$HOME"»; declare -n IFS=y; y=:; z=a:b; «$z»
declare -n r=HOME; «"$r"»; declare -n s=RANDOM; «"${s:+y}"»; declare -n t=1 2> /dev/null; «"${t-none}"»
x='a[$(echo k >&2)]'; declare -n r=x; «"${r@Q}" "${r@P}" "${r:0:1}"»; local -n l=x 2> /dev/null; «"${l-none}"»
z=(1); declare z+=(2); «"${z[@]}"»; declare -x z=(3); «"${z[@]}"»; declare +a z=(4); «"${z[@]}"»
x=k$$; «$x "$x" "$$" $? "a$?" $((RANDOM % 7)) "${#x}"»; f() { «"$1" $1»; }; f $$; f "a$?b"
«$RANDOM "$UID"»; RANDOM=/; «"$RANDOM"»; f() { local RANDOM=/; «$RANDOM»; }; f
for x in a$$ $((RANDOM)).*; do «"$x"»; done; IFS=$RANDOM; x=$$; «$x $? "$x"»
cat ~root/x; «~root ~root/x ~root: "~root" x=~root:~root ~roo"t" ~rootx»; HOME=/h; «~root»
shopt -s lastpipe; x=1; echo 5 | read x; «$x»
x=1; echo 5 | read x; «$x»
x=1; (x=2); «$x»
x=1; x=2 & wait; «$x»
declare -i x; x=1+1; «$x»
n=0; while (( n++ < 2 )); do x=1+1; «$x»; declare -i x; done
declare -u x; x=a; «$x»
declare -n r=x; x=1; r=2; «$x»
n=0; x=1; while (( n++ < 2 )); do «$x»; r=5; declare -n r=x; done
n=0; while (( n++ < 2 )); do «{p,q}»; set +B; done
n=0; while (( n++ < 2 )); do «"$1"»; set -- b; done
set -- a b; shift; «$1»; shift 5; «$1»
case k in k) x=1 ;& b) «$x»; x=2 ;;& k) «$x »;; esac; «$x»
unset x; case ${x:=5} in 1) ;; esac; «$x»
unset x; case 1 in ${x:=5}) ;; esac; «$x»
unset x; [[ -n ${x:=5} ]]; «$x»
x=1; for f in *; do «$x»; x=2; done
for x in; do y=1; done; y=${y-none}; «$y»
for x in 1 2; do :; done; «$x»
x=(1 2 3); x=5; «"${x[@]}"»
x=a; x+=b; «$x»; x+=(c); «"${x[@]}"»
unset x; declare a=(${x:=5}); «$x»
x=1; coproc x { :; }; wait; «"${x:+y}"»
IFS=:; x=a:b; «$x»; unset IFS; «$x»
IFS=: read x y <<< a:b; z='p q:r'; «$z»
HOME=/t; «~»; f() { «~»; }; HOME=/u f
set -k; «a=b c»
x=1; false && x=2; «$x»; : || x=3; «$x»; : && x=4 || x=5; «$x»
x=1; false && exit && x=2; «$x»
x=1; false && { x=2; exit; } || «$x»; «$x»
x=1; f() { x=2; }; unset -f f; f 2> /dev/null; «$x»
if :; then f() { x=2; }; else f() { x=3; }; fi; x=1; f; «$x»
n=0; x=1; while (( n++ < 2 )); do f() { «$x»; x=7; }; f; f() { «q$x»; }; done; f
eval 'f() { «"$1"»; }'; f a
mapfile -t x <<< a; «"${x[@]}"»; mapfile -C 'y=5; :' -c 1 x <<< a; «"${y-none}"»
y=1; compgen -C 'y=5; :' > /dev/null; «$y»
x=1; builtin eval x=2; «$x»; command eval x=3; «$x»
x=1; ./eval x=2 2> /dev/null; «$x»
PS4='$((x=5))'; x=1; set -x; y=2; «$x»
set -o posix; x=1; x=2 :; «$x»; x=3 eval :; «$x»
set -- a; f() { set -- b; shift; }; f; «$1»
x=1; false && exec nosuchcommand; «$x»
shopt -s execfail; x=1; if :; then x=2; exec nosuchcommand; fi; «$x»
x=1; f() { return; x=2; }; f; «$x»; g() { eval return; x=3; }; g; «$x»
x=1; for i in 1 2; do eval break; x=2; done; «$x $i»
set -- 'a b' c; for i; do «"$i" $i»; done
x=5; while [ $x -gt 3 ]; do «$x»; x=$((x - 1)); done; «$x»
x=k; bash -c 'x=j; «$x»'; «$x»
f() { «"$#" "$@"»; }; f; f '' b; f "$@"; set -- 1 2; f "$@" $*
"""
FOLDERS = """
cd a; «x»; cd ..; «x»
cd a; cd b; cd -; «$PWD»; cd -; «"$OLDPWD"»
cd a && «$PWD»; «$PWD»
cd nosuch; «$PWD»; cd a && «$PWD»
cd nosuch || «$PWD»
cd a || exit; «$PWD»
if :; then cd a; else cd b; fi; «x»
f() { if :; then cd a; return; fi; cd b; }; f; «x»
n=0; while (( n++ < 2 )); do «x»; cd a; done; «x»
for i in a b; do cd a; [ $i = a ] && continue; cd ..; done; «x»
for d in a b; do cd $d; «x»; cd ..; done; «x»
for x in; do cd a; done; «x»
(cd a; «x»); «x»
cd a | «x»; «x»
cd a & wait; «x»
pushd a > /dev/null; «x»; popd > /dev/null; «x»
if false; then pushd a > /dev/null; fi; pushd b > /dev/null; popd > /dev/null; «x»
pushd a > /dev/null; DIRSTACK[1]=$PWD; popd > /dev/null; «x»
pushd a > /dev/null; cd b; popd > /dev/null; «x»
CDPATH=$PWD/a; cd b > /dev/null; «x»
CDPATH=$PWD/a cd b > /dev/null; «x»
printf -v CDPATH %s $PWD/a; cd b > /dev/null; «x»
x=CDPATH; read $x <<< $PWD/a; cd b > /dev/null; «x»
HOME=$PWD/a cd; «x»
HOME=a; cd; «x»
x=cd; $x a; «x»
$(echo cd) a; «x»
command cd a; builtin cd b; «x»
cd() { :; }; cd a; «x»
false && cd() { :; }; cd a; «x»
eval 'cd a'; «x»
bash -c 'cd a; «x»'; «x»
x=$(cd a; «x»); «x»
{ cd a; } < nosuchfile; «x»
cd a < nosuchfile; «x»
cd link; cd ../c; «x»
cd link/../c; «x»
cd link; cd ..; «x»
cd -P link; cd ..; «x»
shopt -s cdable_vars; v=$PWD/a; cd v; «x»
shopt -s lastpipe; : | cd a; «x»
trap 'cd a' DEBUG; :; «x»
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("walk") / "root"
    for first in ("a", "b"):
        for second in ("a", "b"):
            for third in ("a", "b"):
                (root / first / second / third / "a").mkdir(parents=True)
    (root.parent / "elsewhere" / "inside").mkdir(parents=True)
    (root.parent / "elsewhere" / "c").mkdir()
    (root / "link").symlink_to(root.parent / "elsewhere" / "inside")
    return root


@pytest.mark.parametrize("script", scripts(CAREFUL))
def test_what_is_known_is_what_bash_does(script: str, folder: Path) -> None:
    assert differences(script, folder, strict=True) == []


@pytest.mark.parametrize("script", scripts(FOLDERS))
def test_the_folder_is_where_bash_is(script: str, folder: Path) -> None:
    assert differences(script, folder, folders=True, strict=True) == []


def _check(writer: Writer, folder: Path) -> None:
    script = writer.script()
    try:
        wrong = differences(script, folder, folders=writer.folders)
    except subprocess.TimeoutExpired:  # it goes round for ever, which says nothing
        return
    assert wrong == [], script


@settings(GENERATED, max_examples=100)
@given(st.randoms(use_true_random=False))
def test_generated_scripts_hold_what_is_known(folder: Path, random: Random) -> None:
    _check(Writer(random), folder)


@settings(GENERATED, max_examples=100)
@given(st.randoms(use_true_random=False))
def test_generated_scripts_that_fail_hold_what_is_known(folder: Path, random: Random) -> None:
    _check(Writer(random, faults=True), folder)


@settings(GENERATED, max_examples=100)
@given(st.randoms(use_true_random=False))
def test_generated_scripts_that_move_are_where_they_seem(folder: Path, random: Random) -> None:
    _check(Writer(random, folders=True), folder)


BODIES = r"""
${x%$''} ${x#$""} ${x%$'x'} ${x%$"x"} ${x%'$x'} ${x%$'\x78'} ${x%$''x} ${x%$""x}
${x/$'x'/y} ${x/$"x"/y} ${x/x/$'y'} ${x/x/$"y"} ${x/$''/y} ${x^^$'x'} ${x^^$"x"}
${u:-$'x'} ${u:-'$x'} $'x' $"x" "$x" '$x' ${x:-$'x'} \$x \a
"""


@pytest.mark.parametrize("body", BODIES.strip().split("\n"))
def test_quotes_in_a_heredoc_mean_what_they_mean_to_bash(body: str, folder: Path) -> None:
    script = f"x='a$x'; unset u; cat <<E\n{body}\nE\n"
    shown = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, timeout=10, check=True)
    found = walk(script).found[-1].opened[0].body
    assert found is not None
    assert (found.text, walk(script).opaque) == (shown.stdout, ())


def test_a_translated_text_in_a_heredoc_is_not_followed() -> None:
    assert walk('unset u; cat <<E\n${u:-$"x"}\nE\n').opaque != ()


def _known(script: str) -> list[tuple[str | None, ...]]:
    followed = walk(script, Scope(home="/home/me", cwd="/work", positional=()))
    assert followed.opaque == ()
    return [
        tuple(field.text for field in each.argv[1:])
        for each in followed.found
        if each.argv[:1] and each.argv[0].text == "rm"
    ]


@pytest.mark.parametrize(
    ("script", "known"),
    [
        ("D=/tmp/x; rm $D", [("/tmp/x",)]),
        ("D=/tmp/x\nif a; then b; fi\nrm $D", [("/tmp/x",)]),
        ("for f in a b; do rm $f; done", [("a",), ("b",)]),
        ('f() { rm "$1"; }; f a; f b', [("a",), ("b",)]),
        ('f() { local d=$1; rm "$d"; }; f a', [("a",)]),
        ("log() { echo $1; }; D=x; log a; rm $D", [("x",)]),
        ("D=x; i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done; rm $D", [("x",)]),
        ("D=x; for ((i = 0; i < 3; i++)); do :; done; rm $D", [("x",)]),
        ("D=x; trap 'rm $D' EXIT", [("x",)]),
        ("D=x; (D=y); rm $D", [("x",)]),
        ("D=x; IFS=, read a b <<< c; rm $D", [("x",)]),
        ("x=5; y=$((x * 2)); rm $y", [("10",)]),
        ("case $1 in a) D=x ;; *) D=x ;; esac; rm $D", [("x",)]),
        ("x=1; false || exit; rm $x", [("1",)]),
        ("eval 'D=x'; rm $D", [("x",)]),
        ("bash -c 'rm \"$1\"' _ x", [("x",)]),
        ("cd sub && rm $PWD/x", [("/work/sub/x",)]),
        ("cd sub || exit; rm $PWD/x", [("/work/sub/x",)]),
        ("D=x; make > log 2>&1; rm $D", [("x",)]),
        ("set -euo pipefail\nD=x\nrm $D", [("x",)]),
        ("printf -v D x/%s y; rm $D", [("x/y",)]),
        ("printf -vD 'x y'; rm $D", [("x", "y")]),
        ("printf -v c 'rm %s' x; eval \"$c\"", [("x",)]),
        ('declare -a c=(rm [2]=y [1]=x); "${c[@]}"', [("x", "y")]),
        ('D=x; f() { local c=(rm "$D"); "${c[@]}"; }; f', [("x",)]),
        ("rm ~root/x", [("/root/x",)]),
        ("declare -n r=D; D=x; rm $r", [("x",)]),
        ('D=x; f() { local -n r=$1; rm "$r"; }; f D', [("x",)]),
        ('c=(rm x y); declare -n r=c; "${r[@]}"', [("x", "y")]),
    ],
)
def test_everyday_values_are_known(script: str, known: list[tuple[str | None, ...]]) -> None:
    assert _known(script) == known


@pytest.mark.parametrize(
    ("script", "argument"),
    [
        ("rm tmp.$$", ("tmp.", NUMBER)), ("x=a$?.o; rm $x", ("a", NUMBER, ".o")), ("rm a$((n + 1))", ("a", NUMBER)),
        ("rm ${#y}", (NUMBER,)), ("f() { rm $1; }; f $$", (NUMBER,)), ("rm a$!", ("a", CHILD)), ("rm $!$y", (UNKNOWN,)),
        ("rm a$RANDOM", ("a", UNKNOWN)), ("IFS=5; rm \"a$$\"", ("a", NUMBER)),
    ],
)  # fmt: skip
def test_a_number_that_is_not_known_is_yet_a_number(script: str, argument: tuple[Piece, ...]) -> None:
    found = walk(script, Scope(home="/home/me", cwd="/work")).found
    assert [each.argv[1].pieces for each in found if each.argv and each.argv[0].text == "rm"] == [argument]


@pytest.mark.parametrize(
    ("script", "folder"),
    [
        ("cd /tmp && rm x", "/tmp"), ("cd a; cd ..; rm x", "/work"), ("source env && cd a && rm x", "/work/a"),
        ("pushd a; rm x", "/work/a"),
        ("cd a || exit 1; rm x", "/work/a"), ("(cd a); rm x", "/work"), ("f() { cd a; }; f; rm x", "/work/a"),
        ("cd ../b; rm x", "/b"),
        ("for d in a b; do (cd $d; make); done; rm x", "/work"), ("while read d; do make; done; rm x", "/work"),
        ("cd; rm x", "/home/me"),
    ],
)  # fmt: skip
def test_everyday_folders_are_known(script: str, folder: str) -> None:
    found = walk(script, Scope(home="/home/me", cwd="/work")).found
    assert [each.cwd for each in found if each.argv and each.argv[0].text == "rm"] == [folder]


@pytest.mark.parametrize(
    "script", ["cd a || true; rm x", "cd a || cd b; rm x", "make || cd a; rm x", "cd $y; rm x", "cd a; cd ../b; rm x"]
)
def test_a_folder_that_may_be_another_is_not_known(script: str) -> None:
    found = walk(script, Scope(home="/home/me", cwd="/work")).found
    assert [each.cwd for each in found if each.argv and each.argv[0].text == "rm"] == [None]


def test_bash_goes_to_no_folder_when_it_is_given_two() -> None:
    found = walk("cd a b; rm x", Scope(home="/home/me", cwd="/work")).found
    assert found[-1].cwd == "/work"
