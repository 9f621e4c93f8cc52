"""Shapes that parsers of shell text get wrong without noticing, each with the commands that bash finds in it.

Bash is asked as well: it runs each text where no command can be found, and tells which ones it looked for.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import msgspec
import pytest

from limpet.syntax.parser import parse
from limpet.syntax.tree import Assignment, Double, Literal, Node, Simple, Word

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXPANDED = "…"
"""Stands in a word for whatever is expanded there."""


class Shape(msgspec.Struct, frozen=True):
    """A text and its simple commands, each as its words with blanks between."""

    text: str
    commands: tuple[str, ...]
    unrun: tuple[str, ...] = ()
    """Those that bash reads and does not run here."""


def shape(text: str, *commands: str, unrun: tuple[str, ...] = ()) -> Shape:
    return Shape(text, commands, unrun)


SHAPES = {
    "line continuations": [
        shape(': "$\\\n(cmd a)"', ": …", "cmd a"),
        shape(': $\\\n(cmd a)', ": …", "cmd a"),
        shape(': "${x:-$\\\n(cmd a)}"', ": …", "cmd a"),
        shape(': "${x:-"$\\\n(cmd a)"}"', ": …", "cmd a"),
        shape("tr\\\nuncate -s 0 f", "truncate -s 0 f"),
        shape("cm\\\nd a\\\n b", "cmd a b"),
        shape("cmd 'a\\\nb'", "cmd a\\\nb"),
        shape('cmd "a\\\nb"', "cmd ab"),
        shape("cmd a\\\\\nother", "cmd a\\", "other"),
        shape("cmd a &\\\n& other", "cmd a", "other", unrun=("other",)),
        shape("cmd a |\\\n| other", "cmd a", "other"),
        shape("cmd a ;\\\n other", "cmd a", "other"),
        shape(": <\\\n(cmd a)", ": …", "cmd a"),
        shape(": $(\\\n(cmd a) )", ": …", "cmd a"),
        shape("i\\\nf cmd a; th\\\nen other; f\\\ni", "cmd a", "other", unrun=("other",)),
        shape("cat <<E\\\nF\n$(cmd a)\nEF\nother", "cat", "cmd a", "other"),
        shape("cat <<E\n$\\\n(cmd a)\nE\n", "cat", "cmd a"),
        shape("cat <<'E'\n$\\\n(cmd a)\nE\nother", "cat", "other"),
        shape("cat <<E\nE\\\n\nother\nE\n", "cat", "other", "E"),
        shape("# a \\\ncmd a", "cmd a"),
        shape("cmd a\\\n#b", "cmd a#b"),
        shape("cmd a \\\n#b\nother", "cmd a", "other"),
        shape("cmd \\\r\na", "cmd \r", "a"),
        shape("${x:-cm\\\nd} a", "… a"),
        shape("time -\\\np cmd a", "cmd a"),
        shape("time -p\\\nx cmd a", "-px cmd a"),
        shape("cmd {\\\nfd}>f a", "cmd a"),
        shape("cmd {fd}\\\n>f a", "cmd a"),
        shape("(\\\n(cmd))"),
        shape(": $((cmd)\\\n)", ": …"),
        shape(": $(\\\n(cmd))", ": …"),
        shape("(( $(\\\n(cmd a) ) 1 ))", "cmd a"),
        shape("for (\\\n(i=0; i<1; i++)); do cmd a; done", "cmd a"),
    ],
    "substitutions in parameters": [
        shape("v=1; : ${v#$(cmd a)}", ": …", "cmd a"),
        shape("v=1; : ${v%%$(cmd a)}", ": …", "cmd a"),
        shape("v=1; : ${v/$(cmd a)/$(other)}", ": …", "cmd a", "other"),
        shape("v=1; : ${v//1/`cmd a`}", ": …", "cmd a"),
        shape("v=1; : ${v:$(cmd a):1}", ": …", "cmd a"),
        shape("v=1; : ${v^^$(cmd a)}", ": …", "cmd a"),
        shape(": ${x:-`cmd a`}", ": …", "cmd a"),
        shape(': "${x:-`cmd "a"`}"', ": …", "cmd a"),
        shape(": ${x:=$(cmd a)}", ": …", "cmd a"),
        shape("x=(1); : ${x[$(cmd a)0]}", ": …", "cmd a"),
        shape(': "${x:-\'$(cmd a)\'}"', ": …", "cmd a"),
        shape(": ${x:-'$(cmd a)'}", ": …"),
        shape(': "${x#\'$(cmd a)\'}"', ": …"),
        shape(": ${x:-\"$(cmd a)\"}", ": …", "cmd a"),
        shape(": ${x:-}; cmd a }", ": …", "cmd a }"),
        shape(": ${x:-\\}}; cmd a", ": …", "cmd a"),
        shape(": ${x:-${y:-$(cmd a)}}", ": …", "cmd a"),
        shape(': "${x:-"$(cmd a)"}"', ": …", "cmd a"),
        shape(": ${x:-$'}'}; cmd a", ": …", "cmd a"),
        shape(": ${x:-<(cmd a)}", ": …", "cmd a"),
        shape(": ${x+$(cmd a)} $y", ": … …", "cmd a", unrun=("cmd a",)),
    ],
    "heredocs": [
        shape("cat <<E\n   $(cmd a)\nE\n", "cat", "cmd a"),
        shape("cat <<E\n\t`cmd a`\nE\n", "cat", "cmd a"),
        shape("cat <<-E\n\t\t$(cmd a)\n\tE\nother", "cat", "cmd a", "other"),
        shape("cat <<-'E'\n\t$(cmd a)\n\tE\nother", "cat", "other"),
        shape('cat <<"E"\n$(cmd a)\nE\nother', "cat", "other"),
        shape("cat <<\\E\n$(cmd a)\nE\nother", "cat", "other"),
        shape("cat <<E''F\n$(cmd a)\nEF\nother", "cat", "other"),
        shape("cat <<E 2>&1 | other b\n$(cmd a)\nE\n", "cat", "cmd a", "other b"),
        shape("cat <<A || other <<B\n$(cmd a)\nA\n$(cmd b)\nB\n", "cat", "cmd a", "other", "cmd b"),
        shape("cat <<A && other <<B\n$(cmd a)\nA\nb\nB\nthird", "cat", "cmd a", "other", "third", unrun=("other",)),
        shape("cat <<A; other <<B\n$(cmd a)\nA\n$(cmd b)\nB\n", "cat", "cmd a", "other", "cmd b"),
        shape("cat <<E;cmd x\n$(cmd a)\nE\n", "cat", "cmd a", "cmd x"),
        shape("cat <<E b c\n'$(cmd a)'\nE\n", "cat b c", "cmd a"),
        shape('cat <<E\n"$(cmd "a b")"\nE\n', "cat", "cmd a b"),
        shape("cat <<E\n\\$(cmd a)\n\\\\$(cmd b)\nE\n", "cat", "cmd b"),
        shape(": $(cat <<E\n)'\nE\ncmd a)", ": …", "cat", "cmd a"),
        shape(": $(cat <<'E'\n$(cmd a) ) \"\nE\n)\nother", ": …", "cat", "other"),
        shape(": `cat <<E\n$(cmd a)\nE\n`", ": …", "cat", "cmd a"),
        shape("cat <<E\ncmd a\n E\nE \nE\nother", "cat", "other"),
        shape("cat 2>f <<< \"$(cmd a)\" b", "cat b", "cmd a"),
        shape("cat <<< a <<E\n$(cmd a)\nE\n", "cat", "cmd a"),
        shape("{ cat <<E\n$(cmd a)\nE\n} ; other", "cat", "cmd a", "other"),
        shape("if cat <<E; then\n$(cmd a)\nE\nother; fi", "cat", "cmd a", "other", unrun=("other",)),
        shape("cat <<E | while :; do other; break; done\n$(cmd a)\nE\n", "cat", "cmd a", ":", "other", "break"),
        shape("cat <<$(cmd)\na\n$(cmd)\nother", "cat", "other"),
    ],
    "backticks": [
        shape(": `cmd a``other`", ": ……", "cmd a", "other"),
        shape(": `cmd \\`other b\\``", ": …", "cmd …", "other b"),
        shape(": `cmd \\`other \\\\\\`third\\\\\\`\\``", ": …", "cmd …", "other …", "third"),
        shape(': "`cmd "a b"`"', ": …", "cmd a b"),
        shape(': "`cmd \\"a b\\"`"', ": …", "cmd a b"),
        shape(": `cmd \\\"a b\\\"`", ": …", 'cmd "a b"'),
        shape(": `cmd '\\$x' \\\\a`", ": …", "cmd $x a"),
        shape("ls /lib/`cmd -r`/x", "ls /lib/…/x", "cmd -r"),
        shape("x=`cmd a` other", "other", "cmd a"),
        shape(": `cmd a # '`", ": …", "cmd a"),
        shape(": '`cmd a`'", ": `cmd a`"),
        shape(": \\`cmd a\\`", ": `cmd a`"),
    ],
    "substitutions": [
        shape(": $(case x in x) cmd a;; esac)", ": …", "cmd a"),
        shape(": $(case x in (x) cmd a;; esac; other)", ": …", "cmd a", "other"),
        shape(": $(cmd a # it's ) \"\n)", ": …", "cmd a"),
        shape(': "$(cmd "a)" \')\' \\))"', ": …", "cmd a) ) )"),
        shape(": $(cmd $(other $(third)))", ": …", "cmd …", "other …", "third"),
        shape(": $( (cmd a) )", ": …", "cmd a"),
        shape(": $((cmd a) ; (other))", ": …", "cmd a", "other"),
        shape(": $((cmd a); other)", ": …", "cmd a", "other"),
        shape(": $(( 1 + $(cmd a) 0 ))", ": …", "cmd a"),
        shape("x=1; : $(( x > 0 ))", ": …"),
        shape(': "$(( $(cmd a) 1 ))"', ": …", "cmd a"),
        shape(": $[ 1, $(cmd a) 2 ]", ": …", "cmd a"),
        shape(": $[1,2]; cmd a", ": …", "cmd a"),
        shape("(( $(cmd a) 1 ))", "cmd a"),
        shape("((x=1, $(cmd a) 1)); other", "cmd a", "other"),
        shape("( (cmd a) ; (other) )", "cmd a", "other"),
        shape("((cmd a) ; (other))", "cmd a", "other"),
        shape("cat <(cmd a) >(other)", "cat … …", "cmd a", "other"),
        shape("cmd a$(other)b\"$(third)\"", "cmd a…b…", "other", "third"),
        shape("x$(cmd a) b", "x… b", "cmd a"),
        shape("x=$(cmd a)", "cmd a"),
        shape("x=(a $(cmd a) [9]=`other`)", "cmd a", "other"),
        shape("x[$(cmd a)1]=b", "cmd a"),
        shape("declare x=($(cmd a))", "declare x", "cmd a"),
        shape("for ((i=$(cmd a) 0; i<1; i++)); do other; done", "cmd a", "other"),
    ],
    "lists and pipelines": [
        shape("[ a || cmd ]", "[ a", "cmd ]"),
        shape("[ a ] && [ b ] || cmd a", "[ a ]", "[ b ]", "cmd a", unrun=("cmd a",)),
        shape("[ a\ncmd ]", "[ a", "cmd ]"),
        shape("[ a ; cmd ]", "[ a", "cmd ]"),
        shape("[ a > cmd ]", "[ a ]"),
        shape("coproc cmd a", "cmd a"),
        shape("coproc cmd { a; }", "a"),
        shape("coproc { cmd a; }", "cmd a"),
        shape("time cmd a", "cmd a"),
        shape("time -p cmd a", "cmd a"),
        shape("time { cmd a; }", "cmd a"),
        shape("time -- cmd a", "cmd a"),
        shape("cmd a | time other", "cmd a", "time other"),
        shape("\\time cmd a", "time cmd a"),
        shape("! ! cmd a", "cmd a"),
        shape("! time cmd a", "cmd a"),
        shape("!cmd a", "!cmd a"),
        shape("cmd a |& other", "cmd a", "other"),
        shape("cmd a & other &", "cmd a", "other"),
        shape("cmd a &&\n\nother", "cmd a", "other", unrun=("other",)),
        shape("cmd a | # other\nthird", "cmd a", "third"),
        shape("cmd a\r\nother\r", "cmd a\r", "other\r"),
        shape("cmd a;other", "cmd a", "other"),
        shape("$ ls", "$ ls"),
        shape("cmd $ a", "cmd $ a"),
        shape("cmd a#b # other", "cmd a#b"),
        shape(": {cmd,-rf,/}", ": {cmd,-rf,/}"),
        shape("cmd } { ! if", "cmd } { ! if"),
        shape("x=1 if", "if"),
        shape("i''f", "if"),
        shape("\\if", "if"),
        shape("'if' a", "if a"),
    ],
    "compound commands": [
        shape("f() for x in a; do cmd $x; done; f", "cmd …", "f", unrun=("f",)),
        shape("f() { cmd a; } > g; f", "cmd a", "f", unrun=("f",)),
        shape("function f { cmd a; }; f", "cmd a", "f", unrun=("f",)),
        shape("f ( ) ( cmd a ); f", "cmd a", "f", unrun=("f",)),
        shape("f() [[ -n $(cmd a) ]]; f", "cmd a", "f", unrun=("f",)),
        shape("case x in x) cmd a;& y) other;;& x) third;; esac", "cmd a", "other", "third"),
        shape("case x in x) cmd a; esac", "cmd a"),
        shape("case $(cmd a) in $(other)) third;; esac", "cmd a", "other", "third"),
        shape("case in in in) cmd a;; esac", "cmd a"),
        shape("for x in a; { cmd $x; }", "cmd …"),
        shape("for x in do; do cmd $x; done", "cmd …"),
        shape("for x in $(cmd a); do other; done", "cmd a", "other", unrun=("other",)),
        shape("if cmd; then other; elif b; then :; else :; fi", "cmd", "other", "b", ":", ":", unrun=("other",)),
        shape("until cmd a; do break; done", "cmd a", "break"),
        shape("while cmd a; do :; done < <(other)", "cmd a", ":", "other"),
        shape("[[ a == b || $(cmd a) ]]", "cmd a"),
        shape("[[ a && b ]] && cmd a", "cmd a"),
        shape("[[ a =~ ^(a|b)$ ]]; cmd a", "cmd a"),
        shape("[[ a < b ]] && cmd a", "cmd a"),
        shape("[[ ! ( -n a && x == @(y|z) ) ]]; cmd a", "cmd a"),
        shape("{ cmd a; } 2>&1 | other", "cmd a", "other"),
        shape("(cmd a)>f", "cmd a"),
    ],
    "redirections": [
        shape("find d 2>/dev/null -exec cmd {} \\;", "find d -exec cmd {} ;"),
        shape(">f cmd a", "cmd a"),
        shape("{fd}>f cmd a", "cmd a"),
        shape("cmd {fd}>f a", "cmd a"),
        shape("cmd {fd} >f a", "cmd {fd} a"),
        shape("cmd 2>f a 3>g", "cmd a"),
        shape("cmd a2>f", "cmd a2"),
        shape("cmd 2 >f", "cmd 2"),
        shape("exec 3<>file; cmd a", "exec", "cmd a"),
        shape("cmd a >&2 b", "cmd a b"),
        shape("cmd a &> f b", "cmd a b"),
        shape("cmd a &>> f b", "cmd a b"),
        shape("cmd a >| f b", "cmd a b"),
        shape("cmd a > f$(other) b", "cmd a b", "other"),
        shape("< /dev/null", ),
        shape("x=1 > f; cmd a", "cmd a"),
        shape("cmd <<<a b", "cmd b"),
        shape("cmd >f<<<a b", "cmd b"),
    ],
    "quoting": [
        shape("c'm'\"d\" a", "cmd a"),
        shape("$'cm\\x64' a", "cmd a"),
        shape("$'\\143md' $'a\\'b'", "cmd a'b"),
        shape('$"cmd" a', "cmd a"),
        shape("c\\md a", "cmd a"),
        shape("cmd '' \"\" a", "cmd   a"),
        shape("cmd 'a b'\\ c", "cmd a b c"),
        shape("cmd \"a\\b\\$c\\\"\"", 'cmd a\\b$c"'),
        shape("cmd a\\\tb", "cmd a\tb"),
        shape(': "$(cmd \'a"b\')"', ": …", 'cmd a"b'),
        shape(": $(( 'x$(cmd a)' ))", ": …", "cmd a"),
        shape(": $(( \"$(cmd a) 1\" ))", ": …", "cmd a"),
        shape(': "a$"; cmd a', ": a$", "cmd a"),
        shape("cmd \"$'a'\"", "cmd $'a'"),
    ],
}  # fmt: skip

REFUSED = [
    "ls ;; ls", "}", "ls )", "ls; }", "fi", "ls | | ls", "ls &&", "| ls", "; ls", "ls ; ; ls", "if ls; then fi", "( )",
    "{ }", "f() ls", "for x in a do ls; done", "case x in a ls;; esac", "[[ a b ]]", "[[ -f ]]", "ls (a)", "ls > ",
    "ls 'a", 'ls "a', "ls `a", "ls $(a", "ls ${a", "ls $((1", "x=(a", "while ls; done", "ls <(a", "ls >&",
    "coproc ! ls", "ls & && ls", "((1)", "((a # it's\n) )", "$((a # it's\n) )", "{ls a;}", "in ()", "]] ()",
    "time | ls",
]  # fmt: skip

EVERY = [pytest.param(each, id=each.text) for shapes in SHAPES.values() for each in shapes]


def simple_commands(node: Node) -> Iterator[Simple]:
    if isinstance(node, Simple):
        yield node
    for child in _children(node):
        yield from simple_commands(child)


def _children(node: object) -> Iterator[Node]:
    values = (
        node if isinstance(node, tuple) else [getattr(node, name) for name in getattr(node, "__struct_fields__", ())]
    )
    for value in values:
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from _children(value)


def spelled(node: Simple) -> str:
    return " ".join(_word(word) for word in node.words)


def _word(word: Word | Assignment) -> str:
    return word.name if isinstance(word, Assignment) else "".join(map(_part, word.parts))


def _part(part: object) -> str:
    if isinstance(part, Literal):
        return part.text
    return "".join(map(_part, part.parts)) if isinstance(part, Double) else EXPANDED


@pytest.mark.parametrize("each", EVERY)
def test_the_commands_are_those_of_the_table(each: Shape) -> None:
    tree = parse(each.text)
    found = sorted(spelled(node) for node in simple_commands(tree.body) if node.words)
    assert (found, tree.opaque) == (sorted(each.commands), ())


BASH = shutil.which("bash") or "bash"
BUILTINS = frozenset({":", "[", "break", "declare", "exec"})
TELL = """
command_not_found_handle() { printf '%s\\0' "$#" "$@" >&9; return 1; }
exec 9>>told
. ./text >/dev/null 2>&1
wait
"""


def looked_for(text: str, folder: Path) -> list[str]:
    """The commands that bash would run: none of them exists where it looks, and it tells."""
    (folder / "text").write_bytes(text.encode())
    command = [BASH, "-c", TELL]
    subprocess.run(
        command, cwd=folder, env={"PATH": "/nowhere"}, stdin=subprocess.DEVNULL, capture_output=True, timeout=20
    )
    told = iter((folder / "told").read_bytes().decode().split("\0")[:-1])
    return [" ".join(next(told) for _ in range(int(number))) for number in told]


@pytest.mark.parametrize("each", EVERY)
def test_bash_runs_the_commands_of_the_table(each: Shape, tmp_path: Path) -> None:
    expected = [one for one in each.commands if one.split(" ")[0] not in BUILTINS and one not in each.unrun]
    ran = looked_for(each.text, tmp_path)
    assert len(ran) == len(expected), ran
    for one in sorted(expected, key=lambda one: EXPANDED in one):
        pattern = re.escape(one).replace("\\ " + EXPANDED, "(?: .*)?").replace(EXPANDED, ".*")
        same = next((other for other in ran if re.fullmatch(pattern, other, re.DOTALL)), None)
        assert same is not None, (one, ran)
        ran.remove(same)


@pytest.mark.parametrize("text", REFUSED)
def test_what_bash_refuses_is_opaque(text: str) -> None:
    said = subprocess.run([BASH, "-n"], input=text.encode(), capture_output=True, timeout=20)
    assert said.stderr  # a bad `[[` does not change its exit code
    assert parse(text).opaque
