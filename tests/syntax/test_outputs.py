"""What a substitution prints is known where it is plain from its words, and is what bash prints."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.syntax.values.outputs import echoed, printed
from limpet.syntax.values.scope import Scope
from limpet.syntax.walk import walk
from syntax.scripts import GENERATED
from syntax.walkcheck import differences, scripts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

PIECES = (
    "a", "b c", " ", "", "-", "-n", "-e", "-E", "-ne", "-nE", "--", "%s", "%b", "%d", "%i", "%c", "%%", "%5s", "%q",
    "%", "\\n", "\\t", "\\\\", "\\x41", "\\x4", "\\x", "\\0101", "\\101", "\\0", "\\c", "\\e", "\\'", '\\"', "\\?",
    "\\u41", "\\z", "\\", "7", "-3", "007", "0x1f", "*", "'", '"', "$x", "\n", "+4", "-0", "1e3", "\\xff",
)  # fmt: skip
WORDS = st.lists(st.lists(st.sampled_from(PIECES), max_size=3).map("".join), max_size=4)


def _run(shell: str, builtin: str, words: Sequence[str]) -> str:
    script = f'{builtin} "$@"'
    done = subprocess.run([shell, "-c", script, "_", *words], capture_output=True, timeout=10, check=False)
    return done.stdout.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize(("builtin", "knows"), [("echo", echoed), ("printf", printed)])
@pytest.mark.parametrize(("shell", "any_shell"), [("bash", False), ("bash", True), ("sh", True)])
def test_what_is_known_to_be_printed_is(
    builtin: str, knows: Callable[..., str | None], shell: str, any_shell: bool
) -> None:
    @settings(GENERATED, max_examples=150)
    @given(WORDS)
    def check(words: list[str]) -> None:
        known = knows(words, any_shell=any_shell)
        if known is not None:
            assert known == _run(shell, builtin, words)

    check()


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["a", "b"], "a b\n"), ([], "\n"), (["-n", "a"], "a"), (["-e", "a\\tb"], "a\tb\n"), (["a\\tb"], "a\\tb\n"),
        (["-e", "-E", "a\\tb"], "a\\tb\n"), (["-ne", "\\x72\\x6d"], "rm"), (["-x", "a"], "-x a\n"), (["--"], "--\n"),
        (["-e", "\\c"], None), (["-e", "\\0162m"], "rm\n"), (["-e", "\\u0072"], None),
    ],
)  # fmt: skip
def test_echo_prints_its_words(words: list[str], text: str | None) -> None:
    assert echoed(words) == text


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["a"], "a"), (["%s\\n", "a", "b"], "a\nb\n"), (["%s-%s;", "a", "b", "c"], "a-b;c-;"), (["%d%%", "5"], "5%"),
        (["%b", "a\\nb"], "a\nb"), (["\\162m"], "rm"), (["%s"], ""), (["a", "b", "c"], "a"), (["--", "a"], "a"),
        (["%c", "rm"], "r"), (["-v", "x", "a"], None), (["%q", "a"], None), (["%5s", "a"], None), ([], None),
        (["%d", "x"], None),
        (["%s\\0", "a", "b"], "a\0b\0"),
    ],
)  # fmt: skip
def test_printf_fills_its_format_as_often_as_there_are_values(words: list[str], text: str | None) -> None:
    assert printed(words) == text


CAREFUL = """
«$(echo a b) "$(echo a b)" `echo a b`»
x=$(echo a b); «$x "$x"»
x='a b'; «$(echo $x) "$(echo "$x")" $(echo "$x")c»
«"$(echo -n a)" "$(echo -e 'a\\nb')" $(echo -e 'a\\nb\\n\\n')»
«"$(printf 'a\\n\\n\\n')" "$(printf '%s\\n' a b)" $(printf '%s\\n' a b)»
«"$(echo)" $(echo) "$(printf '')"x»
«"$(cat <<E⏎a b⏎E⏎)" $(cat <<< 'a  b')»
x=1; «"$(cat <<E⏎$x $(echo y)⏎E⏎)" "$(cat <<'E'⏎$x⏎E⏎)"»
«$(echo '*') "$(echo '*')" $(echo \\*)»
«$(echo $(echo a) b) "$(echo "$(echo "$(echo x)")")"»
IFS=:; «$(echo a:b c) "$(echo a:b)"»; x=$(echo a:b); «$x»
echo() { printf z; }; «$(echo a)»
f() { echo() { printf z; }; }; «$(echo a)»; f; «$(echo a)»
eval 'echo() { printf z; }'; «$(echo a)»
x=echo; eval "$x() { builtin echo z; }"; «$(echo a)»
for i in 1 2; do «$(echo a)»; eval 'echo() { printf z; }'; done
for i in 1 2; do «$(echo a)»; echo() { printf z; }; done
. <(builtin echo 'echo() { printf z; }'); «$(echo a)»
source /dev/stdin <<< 'echo() { printf z; }'; «$(echo a)»
printf() { builtin printf "$@"; }; «$(printf a)»
shopt -s xpg_echo; «"$(echo 'a\\tb')"»
x=xpg_; shopt -s ${x}echo; «"$(echo 'a\\tb')"»
BASH_XTRACEFD=1; set -x; «"$(echo a)"»
x=BASH_XTRACE; declare ${x}FD=1; set -x; «"$(echo a)"»
set -T; trap 'builtin echo z' DEBUG; «"$(echo a)"»
set -u; unset x; «"$(echo a$x)" b»
set -u; unset x; y=$(echo a$x); «"$y" b»
set -u; set -- 1; y=$(echo a$2); «"$y" b»
set -u; x=(1); y=$(echo a${x[3]}); «"$y" b»
set -- 1; y=$(echo a$1); «"$y" b»
unset x; «"$(echo a${x:=b})" "$x"»
unset x; «"${x:=b}$(echo "$x")" "$x"»
x=1; «"$(echo $x)$((x++))$(echo $x)"»
x=1; y=$(x=2; echo $x); «"$y" "$x"»
x=1; x=2 y=$(echo $x); «"$y"»
x=$(echo a >&2); «"$x"»
x=$(echo a > /dev/null); «"$x"»
x=$(echo a | tr a b); «"$x"»
x=$(echo a; echo b); «"$x"»
x=$(! echo a); «"$x"»
x=$(echo a &); «"$x"»
x=$(false && echo a); «"$x"»
x=$(exec echo a); «"$x"»
x=$(y=1 echo a$y); «"$x"»
x=$(cat - <<< a); «"$x"»
x=$(cat <<< a - 2>/dev/null); «"$x"»
x=$(cat 3<<< a < /dev/null); «"$x"»
x=$(cat << A << B⏎a⏎A⏎b⏎B⏎); «"$x"»
x=$(printf 'a\\0b'); «"$x"»
x=$(echo {a,b} ~); «"$x"»
x=$(echo "a\\"b"); «"$x"»
alias echo='printf z'; «$(echo a)»
shopt -s expand_aliases⏎alias echo='printf z'⏎«$(echo a)»
enable -n echo; «$(echo a)»
bash -c '«$(echo a)»'; echo() { printf z; }; export -f echo; bash -c '«$(echo a)»'
$(echo eval) 'x=1'; «"$x"»
eval "$(echo 'x=1')"; «"$x"»
eval "$(printf 'x=%s;' 1 2)"; «"$x"»
eval "$(cat <<'E'⏎x=1⏎y=$x⏎E⏎)"; «"$x$y"»
source <(echo 'x=1; «"$x"»'); «"$x"»
. <(echo 'return; x=1'); «"$x"»
. <(echo 'cd a; «x»; return; cd b'); «x»
x=0; . <(echo 'x=1; «"$1"»') q; «"$x"»
bash <(echo '«"$1"»') q
bash -s q < <(echo '«"$1"»')
bash < <(printf '%s' '«~»')
bash <<< "$(echo '«x»')"
bash /dev/stdin q < <(echo '«"$1"»')
$(echo cd) a; «x»
x=$(echo cd); $x a && «x»
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("outputs") / "root"
    (root / "a" / "b").mkdir(parents=True)
    return root


@pytest.mark.parametrize("script", scripts(CAREFUL))
def test_bash_prints_what_is_known(script: str, folder: Path) -> None:
    assert differences(script, folder, folders=True, strict=True) == []


def _known(script: str) -> list[tuple[str | None, ...]]:
    found = walk(script, Scope(home="/home/me", cwd="/work")).found
    return [tuple(field.text for field in each.argv[1:]) for each in found if each.argv and each.argv[0].text == "rm"]


@pytest.mark.parametrize(
    "script",
    [
        "$(echo rm) -rf /",
        "`echo rm` -rf /",
        '"$(echo rm)" -rf /',
        "$(echo rm -rf /)",
        "$(printf 'rm -rf /')",
        "$(printf '\\x72\\x6d') -rf /",
        "$(echo -e '\\x72m') -rf /",
        "$(printf %s r m) -rf /",
        "x=rm; $(echo $x) -rf /",
        "x=$(echo rm); $x -rf /",
        "eval \"$(echo 'rm -rf /')\"",
        "eval \"$(printf '%s' 'rm -rf /')\"",
        "eval \"$(printf '%s ' rm -rf /)\"",
        "eval `echo rm -rf /`",
        'eval "$(cat <<E\nrm -rf /\nE\n)"',
        "bash <(echo 'rm -rf /')",
        "sh <(echo 'rm -rf /')",
        "bash < <(echo 'rm -rf /')",
        "source <(echo 'rm -rf /')",
        ". <(printf 'rm -rf /')",
        "bash <<< \"$(echo 'rm -rf /')\"",
        "bash -c \"$(echo 'rm -rf /')\"",
        "sh -c '$(echo rm) -rf /'",
        "f() { $(echo $1) -rf /; }; f rm",
    ],
)
def test_what_is_printed_is_seen_through(script: str) -> None:
    assert ("-rf", "/") in _known(script)


@pytest.mark.parametrize(
    "script",
    [
        "$(echo rm | tr r r) x",
        "$(echo $y) x",
        "$(echo $RANDOM) x",
        "echo() { :; }; $(echo rm) x",
        "$1() { :; }; $(echo rm) x",
        ". ./functions; $(echo rm) x",
        "eval $y; $(echo rm) x",
        "$(curl example.org) x",
        "$(ls) x",
        "$(echo *) x",
    ],
)
def test_what_is_not_plain_stays_unknown(script: str) -> None:
    assert _known(script) == []


def test_substitutions_in_substitutions_are_seen_through_a_few_deep() -> None:
    assert _known("$(echo " * 3 + "rm" + ")" * 3 + " x") == [("x",)]
    assert _known("$(echo " * 30 + "rm" + ")" * 30 + " x") == []
