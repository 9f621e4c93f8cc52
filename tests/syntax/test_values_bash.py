"""Every word here is also given to bash, which has the last word."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from limpet.syntax.parser import parse
from limpet.syntax.tree import Simple, Word
from limpet.syntax.values.assign import assign
from limpet.syntax.values.field import NUMBERS, Field, Pattern, Piece, Unknown
from limpet.syntax.values.resolve import fields
from limpet.syntax.values.scope import Scope

if TYPE_CHECKING:
    from pathlib import Path

HARNESS = r"""
show() { printf '%s\0' "$@" END; }
for case in "$@"; do ( set --; eval "$case" ) 2>/dev/null; printf '%s\0' OVER; done
"""
DECLARES = ("declare", "export")
Shown = list[list[Field]]


def cases(text: str) -> list[str]:
    """One on each line; a line that begins with a blank goes on with the one before."""
    return re.sub(r"\n +", " ", text.strip()).split("\n")


KNOWN = cases(r"""
show a 'b c' "d" e\ f '' ""
x=; show $x
x=; show "$x" a$x''
x=1; show a$x"$x"'$x'
x='a b'; show $x "$x" c${x}d
x='  a  b  '; show $x "$x" c$x d$x"e" $x'f'
x='a b'; show $x$x $x" "$x
x=' '; show $x$x a$x$x"b" a$x
show rm$IFS-rf$IFS/
show rm${IFS}-rf${IFS}/ "$IFS"
IFS=:; x=a:b::c; show $x "$x" p:q$x
IFS=:; x=a:; show $x $x"" $x"c" ""$x
IFS=:; x=:a; show $x ""$x b$x
IFS=:; x=:; show $x $x$x $x$x$x
IFS=' :'; x='a : b'; show $x
IFS=' :'; x=' :a: '; show $x
IFS=' :'; x='a '; y=':b'; show $x$y $y$x
IFS=' :'; x='a  :  :  b'; show $x
IFS=; x='a b'; show $x
IFS=ab; x=1a2b3; show $x ${x}a
unset IFS; x='a b'; show $x
IFS=$'\n'; x=$'a b\nc\n\nd'; show $x
unset u; show ${u-a b} "${u-a b}" ${u:-"a b"} ${u:-a' 'b} ${u-} "${u-}" ${u:-""}
unset u; show ${u:=p q} $u "$u"
unset u; show "${u:=p q}" $u
x=v; show ${x:-w} ${x-w} ${x:+w} ${x+w} ${x:=w} ${x:?w}
x=; show ${x:-w} a${x-w} ${x:+w}b ${x+w}
unset x; show ${x:-w} ${x-w} ${x:+w}b c${x+w}
unset u v; show ${u:-${v:-deep}} ${u:-$((1+1))}
unset u; x='1 2'; show ${u:-$x} ${u:-"$x"} "${u:-$x}"
unset u; show ${u:-~} ${u:-~/a} "${u:-~}"
unset u; show "${u:-'a b'}" ${u:-'a b'} "${u:-"a  b"}" "${u:-\a}" "${u:-\}}"
x=/usr/lib/a.tar.gz; show ${x#*/} ${x##*/} ${x%.*} ${x%%.*} ${x%/*} ${x##*.}
x=/usr/lib/a.tar.gz; show "${x#*/}" "${x##*/}" "${x%.*}" "${x%%.*}"
x=abcabc; show ${x#abc} ${x#b} ${x%bc} ${x%b} ${x#?} ${x%??} ${x##*c} ${x%%a*} ${x#*} ${x##*} ${x%%*}
x=abc123; show ${x%%[0-9]*} ${x##[a-z]} ${x##*[!0-9]} ${x#[[:alpha:]]} ${x%[^a-z]} ${x#[abc]} ${x#[]a]}
  ${x#[a-]} ${x#[!a-b]}
x='a*b'; show "${x#a"*"}" ${x#a\*} ${x#a'*'}
x=abab; p=a; q='a*'; show ${x#$p} ${x#$q} ${x##$q}e "${x#"$q"}" ${x##"$q"}
x=foobar; show ${x/o/0} ${x//o/0} ${x/#foo/x} ${x/%bar/x} ${x/o} ${x//o} ${x/z/y} ${x/#bar/q} ${x/%foo/q}
x=foobar; show "${x/o/0}" "${x//o/0}" "${x/#foo/x}" "${x/%bar/x}" "${x/o}" "${x//[ob]/_}" "${x/o*/_}"
  "${x//?/_}"
x=foobar; show ${x//[ob]/_} ${x/o*/_} ${x//?/_} ${x/?o/__} ${x/#*b/_} ${x/%o*/_} ${x//o?/.}
x='a b c'; show "${x// /_}" "${x/ /}" ${x// /,}
x=a/b/c; show ${x//\//:} ${x/\/b/}
x=abc; y=b; z=Q; show ${x/$y/$z} ${x/"$y"/"$z"} "${x/$y/$z}"
x=abc; show ${x/#/p} ${x/%/s} ${x//} ${x/}
x=; show a${x/b/c} ${x/#/p} ${x/%/s}
x=abcdef; show ${x:2} ${x:1:2} ${x: -2} ${x:0:-1} ${x:2:-2} ${x:10}e ${x:0:0}e ${x:1:100} ${x:(-3):2} ${x: -10}e
x=abcdef; n=2; show ${x:n} ${x:$n:n} ${x:n-1:1} "${x:$((n+1))}"
x=aBc; show ${x^} ${x^^} ${x,} ${x,,} ${x~} ${x~~} ${x^^[b-c]} ${x^a} ${x,,B} ${x^[z]}
x=abc; show ${#x} "${#x}"
x=; unset u; show ${#x} ${#u}
x=abc; y=x; show ${!y} "${!y}" ${!y:1} ${!y#a} ${!y/b/_}
x="it's a"; show "${x@Q}" ${x@U} "${x@u}" ${x@L}
a=(x 'y z' w); show ${a[0]} ${a[1]} "${a[1]}" "${a[@]}" ${a[@]} "${a[*]}" ${a[*]} ${#a[@]} ${#a[1]} $a
  ${a[-1]} ${a[5]}e
a=(x 'y z' w); show "p${a[@]}s" "p${a[*]}s" "${!a[@]}" "${a[@]:1}" "${a[@]:1:1}" "${a[@]: -1}" "${a[@]/y/_}"
  "${a[@]%z}" "${a[@]^}"
a=(); show "${a[@]}" ${a[@]} e"${a[@]}" ${#a[@]} "${a[*]}"
a=([3]=x [1]=y z); show "${a[@]}" "${!a[@]}" ${a[1]} ${a[2]} ${#a[@]} "${a[@]:2}"
a=(1 2); a+=(3 4); a[7]=8; a[0]+=x; show "${a[@]}" "${!a[@]}"
a=(1 2 3); a=z; show "${a[@]}"
a=(1 2 3); i=1; show ${a[i]} ${a[i+1]} ${a[$i]} ${a[i++]}$i
a=(1 2 3); a=(${a[@]} 4 "${a[@]}"); show "${a[@]}"
a=(a b); IFS=,; show "${a[*]}" "${a[@]}"
a=(a b); show "${a[@]+"${a[@]}"}" ${a+x} ${a[@]+y}
x=1; x+=2; x+=' 3'; show "$x"
set -- a 'b c' d; show $# $1 "$2" $2 "$@" $@ "$*" $* "${@:2}" "${@:2:1}" ${#} ${4-none} "${3}" ${#2} "p$@s"
set --; show "$@" $@ a"$@" "$*" $# ${1-n} "x$@" "$@"y
set -- a b c; show "${@: -1}" "${*:2}" "${@/b/_}" ${!#} ${#@} ${#*}
set -- a '' b; show "$@" "$*" $@ $*
set -- x; show ${1+"$@"} ${1:+"y z"}
x='a$x'; show "${x%$"x"}" "${x%$'x'}" "${x#a$""}" "${x%$''}" "${x/$"$"/_}" "${x/x/$"y"}" "${x^^$"x"}" "${x%$"$x"}"
show {a,b} x{a,b}y {a,b}{c,d} {a,{b,c},d} {a,b,} {,a}b {a} {} {a,} a{,}b
show {1..4} {4..1} {1..9..3} {9..1..3} {01..03} {1..03} {-2..2} {a..e} {e..a..2} {-01..1} {08..11} {1..3..0}
  {1..3..-1}
show {a{b,c}..d} {1..{2,3}} {a..\c} {1..'3'} {},b} a{},b} {a},b} {a,b}{},c} "$"{a,b} \${a,b} {1..} {..3} {a..}
  {1...3} {1..a} {ab..cd} {1.5..3}
show {a,b {a,b} a,b} {a,b}} {{a,b} {{a,b}} {{a},b} {a,{b} {a,b}{c x{a{b,c}d,e}y }{a,b} {a,}} {a..b,c} {1..2,3}
  {{1..3},x} {1..3}{a,b}
show {'a,b',c} {"a,b",c} {a\,b,c} \{a,b} {a,b\} "{a,b}" '{a,b}' {a","b} {"a",'b'}
x=1; xa=A; xb=B; show $x{a,b} ${x}{a,b} {$x,b}a {a,$x} "$x"{a,b} $x{/a,/b}
x=1; show {1..$x} {$x..3} {a,b}$x {$x,$x}
show ~ ~/a ~+ ~+/b "~" '~' \~ a~ ~"" ~"/x" ~/"x" ~/a:~/b a:~ ~:~
show a=~ a=b:~ a=b=~ --p=~ a=~/x:~/y a+=~ 'a'=~ a=x~ a="":~ a=~"" a=~"":~
show {~,a}/x x{=,:}~ {a,b}=~ a=~{,x}
y=~; show $y; y=~/a:~/b; show $y; y=a:~; show $y; y=a=~; show $y; y="~"; show $y; y=":~":~; show "$y"
HOME=/other; show ~ ~/x; HOME='/a b'; show ~ ~/c $HOME
HOME=; show ~ ~/x
show $((1+2*3)) $(((1+2)*3)) $((7/2)) $((-7/2)) $((7%3)) $((-7%3)) $((2**10)) $((2**3**2)) $((-2**2))
  $((1<<4)) $((256>>4)) $((-1>>1))
show $((5&3)) $((5|3)) $((5^3)) $((~5)) $((!5)) $((!0)) $((1<2)) $((2<=2)) $((3>4)) $((3>=4)) $((1==1))
  $((1!=1)) $((1&&0)) $((0||2)) $((1?2:3)) $((0?2:3)) $((1,2))
show $((0x1F)) $((017)) $((2#101)) $((16#ff)) $((16#FF)) $((36#z)) $((64#_)) $((64#A)) $((37#A)) $((0)) $(( ))
  $(())
x=5; y=x; show $((x)) $((y+1)) $(($x*2)) $((x++)) $x $((++x)) $x $((x--)) $((--x)) $((x+=3)) $x $((x*=2))
  $((x%=5)) $((x<<=2)) $((x|=1)) $((x^=3)) $((x=7)) $x
x=1; show $((0 && (x=5))) $x $((1 || (x=6))) $x $((0 ? (x=7) : 8)) $x $((1 ? (x=9) : (x=10))) $x
x='1+2'; y='x*2'; show $((x*2)) $((y)) $(($x*2))
show $((9223372036854775807+1)) $((-9223372036854775807-2)) $((9223372036854775807*2)) $((3**50))
a=(10 20 30); i=1; show $((a[1])) $((a[i]+a[2])) $((a[0]=5)) ${a[0]} $((a[i]++)) ${a[1]} $((a)) $((a[-1]))
unset u; x=; show $((u)) $((x)) $((u+1)) $((u++)) $u
show $((1 - -1)) $((- - 1)) $((1 - - - 1)) $((+1)) $((!!3)) $((~~3)) $((-+-1)) $((1+++1)) $((2 --1))
x=3; show $((x+++1)) $x $((1+ ++x)) $((-x)) $((x?x:0)) $((x>2&&x<9)) $[x+1] $(("x"+1)) $((x , x*2))
x='a*b'; show "$x" 'a*b' "a*b" \* "[a]" '?'
show [ ] [[ a] ] ][ "[" a[
show é "é" 'naïve' {é,ü} ; x=é; show $x ${x}x "${x#é}" ${x/é/e}
x=$'a\tb\nc'; show "$x" $x
x='a"b'; show "$x" $x; y="c'd"; show $y "$y"; z='$HOME `x` $(y)'; show "$z"
x='-n'; show $x; x='--'; show $x -e
x='~'; show $x "$x"; x='{a,b}'; show $x "$x"; x='$y'; show $x
show "a"'b'c"d"\e$'f' $'\x41\u00e9' $"loc"
x=a; show "${x}b" "$x-b" "$x.b" "${x}_b" $x/b $x:b $x'b'
x=1 y=$x; show $y
x=abc; show ${x%%} ${x#} ${x#""} "${x%''}"
a=(); show "${a[@]+"${a[@]}"}" x; set --; show "${@+"$@"}" ${@+"$@"} y
i=0; a=(); a[i++]=$i; a[$((i++))]+=$i; show "${a[@]}" $i
i=5; a=([0]=$((i++)) [1]=$i); show "${a[@]}"
declare x=~/a:~ y='b c'; show "$x" "$y"
x='a b'; declare y=$x z=*; show "$y" "$z"
export x={1,2}; show $x
x=3; y=4; show $((x>y?x:y)) $((x*y,x)) ${x}${y} $((x))$((y))
x=a; show "a$x"{1,2}"$x"
show a{b,c}'d e'{f,g}
""")

PARTLY_KNOWN = cases(r"""
show $x "$x" a$x/b "a$x/b" $x$x a"$x"b $1 "$@" a"$@"b $@ $* "$*" ${x} ${x:-d} ${x:+d} ${x#a} ${#x} $? $$ $# $0
x=a$u; show "$x" $x "${x}b" ${x:-w} "${x#a}" ${#x}
unset x; show ${x:-$u} ${x:-a $u b} "${x:-a $u b}"
show ~nobody ~nosuchuser/x ~- ~+ ~1 ~nosuch"er"
show * ? [a] a* /dev/nul? x[ab]y "$u"*.c *"$u"* a$u* a"*"* a\*?
x='a*'; show $x "$x" $x/b; x='[a]'; show $x; x='\a'; show $x; x='a\*'; show $x
a=($u b); show "${a[@]}" ${#a[@]} ${a[0]}; a=(* b); show "${a[@]}"
a=(1 2); a[$u]=3; show "${a[@]}"; b[1]=x; show "${b[1]}"
x=1; show {$,b}x; show {a,b}$; show $u{a,b}; show {1..1000}; show {Z..a}; show {+1..3}; show
  {1..99999999999999999999}
show $$ "$$" a$$b "$?" $?x $((u + 1)) "$((u))" -$((u - 5)) ${#u} "${#u}y" $(($$ % 7)) "$#"
x=a$$; show $x "$x" $x.o ${x%.o} ${x#a} ${x:1} ${x/a/b} ${#x}; y=$x$?; show $y* "$y"* *$y* [$y] {$y,b}
IFS=0123456789; show a$$b "$$" $((u + 1)) ${#u}; x=$$; show $x "$x" b$x; IFS=-; show $((u - 5)) "$((u - 5))"
IFS=$u; show $$ a$?; IFS=1; a=($? $$); show "${a[@]}" "${a[*]}" ${a[@]}
set -- $? $$; show "$@" $* "$*" ${1}x; case $? in 0) show a;; esac
unset u; show "${u:-"{a,b}"}"; show "`printf "{a,b}"`"; show {${u:-"}"},c}; show {${u:-b{1},c}; show $[{1,2}]
unset u; show {$[1,2],3}; show {"${u:-"a"}",c}; show {${u:-{},c}}; show "${u:-"a'"}"{a,b}"'"
x=/home/u/a; show ${x#~}; show "${x/~/q}"; show ${x/#~/q}; show ${x%~}; show ${x/a/~}; show "${x/a/~}"
a=(); x=; show ${a[-1]/%/$((i=5))}$i ${x#$((i=6))}$i ${x:i=7}$i "${a[@]/x/$((i=8))}"$i
x=é; show ${#x} ${x:0:1} ${x^^} ${x#?} "${x/?/a}"
x=abc; y='&'; show ${x/b/$y} ${x/b/&} ${x/b/~} "${x/b/\&}" ${x/~/q}
x=a/b/c; show "${x//\//:}" ${x////:} "${x%'/c'}" "${x#a\/}"
x=b#b; y='#b'; show ${x/$y/X} "${x/$y/X}" ${x/"$y"/X}
show $((u)) $((u+1)) $((1/1)) $((u=3)) $u; x=1; show $((u && (x=2))) $x; y=$((u ? (x=3) : 4)); show $x $y
x=1; show $((x = $u + 2)) $x; y='x=5'; show $((y)) $x; a=(1); show $((a[0]+a[5])) $((08+0))
IFS=$u; x='a b'; show $x "$x"; IFS=a$u; show $x
IFS=:; set -- a '' b; show $* $@; x=$*; show "$x"; x=$@; show "$x"
IFS=' :'; x=' :a'; set -- '' k; show $x$*b "$@"$x
x=y; y=z; show ${!x} ${!u} ${!x:-d} ${!x@} ${!x*}; x='a[0]'; a=(q); show ${!x}
show $RANDOM "$SECONDS" $_ $LINENO "$-" $PPID "$PWD" $OLDPWD
show $(printf 'a b') "$(printf 'a b')" `printf 'a b'` a$(printf x)b $(printf '')
show a=~:~$((1+1))a=~:~ a=~$u ~:"x" a[1]=~ a[x]=~:~ ~"x" {a,b}=~
a=([1]={p,q} [0]=~ [2]=*); show "${a[@]}"; a=(x=~ y); show "${a[@]}"
x=abc; show ${x@E} ${x@A} ${x@P} ${x@a} ${x@K}; x="it's"; show ${x@Q}
unset x; show ${x:="$u"} "$x"; unset x; show ${x:-${y:=5}} $y ${u:-${z:=6}} $z
unset u; x=1; v=${x+a:~}; show "$v"; v=${u:-a:~}; show "$v" ${u:-a:~} a=${x+~:~} ${x+a=~:~}
x=1; show ~:$x; show ~:"a"; show ~:x/$x; show ~/a:$x; show ${x+~: }; show ${x+~:$x}; show ~$x:~
set -- m 'n o'; a=([2]=m n); show "$@${a[*]/#?/}"; IFS=a; show "${!a[@]}${*%%}a"; v="$@${*#x}"; show "$v"
set --; show "${@+}"; show "${*+}"; show "${@-}"; show "${*-}"; set -- a; show "${@+}"; show "${*+}"
IFS=:; set -- a k; show "$@${2:+:"s  t"}"; show "${@@L}${2:+:x}"; show "x:$@:y"; show "${@#a}:"
i=5; a=([i++]=$i [i]=$((i++))); show "${!a[@]}" "${a[@]}" $i; a=([i]=x); show "${!a[@]}"
x='a b'; show ${u-a b} ${u+a b} "${u+a b}" ${u:+"$x"}
""")


def by_bash(texts: list[str], folder: Path) -> list[list[list[str]]]:
    """The arguments of each `show` in each text; a text that bash gives up on has fewer of them."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/home/u", "LC_ALL": "C.UTF-8"}
    command = ["bash", "--norc", "-c", HARNESS, "bash", *texts]
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=60, check=True)
    output = ran.stdout.decode("utf-8", "surrogateescape")
    return [[shown.split("\0")[:-1] for shown in one.split("END\0")[:-1]] for one in output.split("OVER\0")[:-1]]


def by_us(text: str, folder: Path) -> Shown | None:
    """The same, as far as it is known; None when the text is not what it was meant to be."""
    scope = Scope(home="/home/u", cwd=str(folder), positional=())
    shown: Shown = []
    for command in parse(text).body.commands:
        if not isinstance(command, Simple):
            return None
        for assignment in command.assignments:
            assign(assignment, scope)
        words = [word for word in command.words if isinstance(word, Word)]
        name = fields(words[0], scope)[0].text if words else "nothing"
        found = [field for word in words[1:] for field in fields(word, scope, declares=name in DECLARES)]
        if not run(name, found, scope, shown):
            return None
    return shown


def run(name: str | None, arguments: list[Field], scope: Scope, shown: Shown) -> bool:
    if name == "show":
        shown.append(arguments)
    elif name == "set":
        scope.positional = tuple(arguments[1:])
    elif name == "unset":
        for argument in arguments:
            scope.unset(argument.prefix)
    elif name in DECLARES:
        for argument in arguments:
            variable, _, value = argument.prefix.partition("=")
            scope.assign(variable, Field((value, *argument.pieces[1:])))
    return name in ("show", "set", "unset", "nothing", *DECLARES)


def agree(found: list[Field], arguments: list[str]) -> bool:
    """Whether these arguments are among those that the fields stand for."""
    text = "".join(argument + "\0" for argument in arguments)
    places = {0}
    for field in found:
        places = after_field(field, text, places)
    return len(text) in places


def after_field(field: Field, text: str, places: set[int]) -> set[int]:
    done = set(places) if field.many and not field.prefix and not field.suffix else set()
    repeats = field.many and any(isinstance(piece, Pattern) for piece in field.pieces)
    while True:
        for piece in field.pieces:
            places = after_piece(piece, text, places, many=field.many)
        places = {place + 1 for place in places if text[place : place + 1] == "\0"}
        if not repeats or places <= done:
            return done | places
        done |= places


def after_piece(piece: Piece, text: str, places: set[int], *, many: bool) -> set[int]:
    if isinstance(piece, str):
        return {place + len(piece) for place in places if text.startswith(piece, place)}
    if piece in NUMBERS:
        return {end for place in places for end in after_number(text, place)}
    ends = [len(text) if many and isinstance(piece, Unknown) else text.find("\0", place) for place in places]
    return {end for place, stop in zip(places, ends, strict=True) for end in range(place, stop + 1)}


def after_number(text: str, place: int) -> range:
    digits = re.compile("-?[0-9]+").match(text, place)
    return range(place + 1, digits.end() + 1) if digits is not None else range(0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b.c", "x y", "[a]", "-x", "1"):
        (tmp_path / name).touch()
    return tmp_path


def test_what_can_be_known_is_known_and_right(folder: Path) -> None:
    ours = [[[field.text for field in shown] for shown in by_us(text, folder) or []] for text in KNOWN]
    assert dict(zip(KNOWN, ours, strict=True)) == dict(zip(KNOWN, by_bash(KNOWN, folder), strict=True))


def test_what_cannot_be_known_is_not_claimed(folder: Path) -> None:
    wrong = disagreements(PARTLY_KNOWN, folder)
    assert wrong == []


def disagreements(texts: list[str], folder: Path) -> list[tuple[str, list[str], list[Field]]]:
    wrong = []
    for text, real in zip(texts, by_bash(texts, folder), strict=True):
        ours = by_us(text, folder)
        if ours is not None and not parse(text).opaque:
            pairs = zip(ours, real, strict=False)
            wrong += [(text, shown, found) for found, shown in pairs if not agree(found, shown)]
    return wrong


VALUES = ["'a b'", "", "abc", "' a  b '", "a:b", ":", "'*'", "1", "aXbXc", "/usr/lib/x.so.1", "'~'", "y", "'[a]'", "-1"]
VALUES += ["'a\\b'", "é", "'&'", "'#a'", '"it\'s"']
SETTINGS = ["IFS=:", "IFS=", "IFS=' :'", "unset IFS", "IFS=a", "set -- m 'n o'", "set -- '' k", "a=(p 'q r' s)", "a=()"]
SETTINGS += ["a=([2]=m n)", "unset a", "unset x"]
NAMES = st.sampled_from(["x", "y", "a", "u", "1", "2", "@", "*", "#", "a[0]", "a[1]", "a[@]", "a[*]", "a[-1]", "x[0]"])
BARE = [
    "a",
    "b.c",
    "/",
    "-x",
    "~",
    "=",
    "a=",
    "~/",
    "*",
    "?",
    "[",
    "]",
    ":",
    "{",
    "}",
    ",",
    "..",
    "{a,b}",
    "{1..2}",
    "é",
]
QUOTED = ["'s q'", "''", '""', "\\ ", "\\*", "$'t\\n'", "@", "!", "+", "a=~:~", "'q,'", "1", "3"]
PLAIN = ["$x", "$y", "$@", "$*", "$IFS", "${a[@]}", '"$@"', '"$*"', '"${a[@]}"', "$1", "$#", '"$x"', '"$y "']
PATTERNS = ["a", "b", "*", "?", "[a-c]", "[!a]", "X", ".", "'*'", "\\*", "$y", '"$y"', "#", "%"]
EXPRESSIONS = [
    "1",
    "2",
    "x",
    "y",
    "u",
    "0",
    "7",
    "$x",
    "a[1]",
    "010",
    "0x1f",
    "-3",
    "x++",
    "--y",
    "+",
    "-",
    "*",
    "/",
    "%",
]
EXPRESSIONS += ["**", "<<", ">>", "<", "==", "&&", "||", "&", "^", ",", "(", ")", "!", "~", "?", ":", "=", "+=", "-="]


def several(texts: list[str], most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(texts), max_size=most).map("".join)


EXPANSIONS = st.one_of(
    st.sampled_from(PLAIN),
    st.builds("${{#{}}}".format, NAMES),
    st.builds("${{!{}}}".format, NAMES),
    st.builds("${{{}{}{}}}".format, NAMES, st.sampled_from(["#", "##", "%", "%%"]), several(PATTERNS, 3)),
    st.builds(
        "${{{}{}{}/{}}}".format,
        *(NAMES, st.sampled_from(["/", "//", "/#", "/%"]), several(PATTERNS, 3), several(["z", "$y", "'q'", ""], 2)),
    ),
    st.builds("${{{}:{}}}".format, NAMES, st.sampled_from(["0", "1", " -1", "1:1", "0:-1", "y", "10", "2:y"])),
    st.builds("${{{}{}}}".format, NAMES, st.sampled_from(["^", "^^", ",", ",,", "~", "~~", "^a", "@Q", "@U", "@u"])),
    st.builds(
        "${{{}{}{}}}".format,
        *(NAMES, st.sampled_from([":-", "-", ":=", "=", ":+", "+"]), several([*BARE[:12], *QUOTED, *PLAIN, " "], 3)),
    ),
    several(EXPRESSIONS, 7).map("$(({}))".format),
)
PARTS = st.one_of(
    st.sampled_from(BARE), st.sampled_from(BARE + QUOTED), EXPANSIONS, EXPANSIONS.map('"{}"'.format), EXPANSIONS
)
WORDS = st.lists(PARTS, min_size=1, max_size=5).map("".join)
TEXTS = st.builds(
    'x={}; y={}; {}; show {}; show {} {}; v={}; show "$v" "$x" "$y" "${{a[@]}}"'.format,
    *(st.sampled_from(VALUES), st.sampled_from(VALUES), st.lists(st.sampled_from(SETTINGS), min_size=1).map("; ".join)),
    *(WORDS, WORDS, WORDS, WORDS),
)


def test_beside_all_arguments_an_operand_is_not_split(tmp_path: Path) -> None:
    texts = [f"{first}; set -- '' k; show 0${{#:+\"${{a[@]}}\"$IFS}}$1a" for first in ("unset a", "a=(p)", "a=(p q)")]
    assert disagreements(texts, tmp_path) == []


@given(texts=st.lists(TEXTS, min_size=20, max_size=20))
@settings(deadline=None, max_examples=40, phases=[Phase.generate])  # what fails is short enough, and bash is slow
def test_bash_agrees_on_any_words(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("files")
    (folder / "a").touch()
    assert disagreements(texts, folder) == []
