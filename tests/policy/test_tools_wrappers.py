"""What is run by commands that run other commands."""

from __future__ import annotations

import msgspec
import pytest

from limpet.policy.tools import effects_of
from limpet.policy.tools.env import split_string
from limpet.policy.tools.items import split_lines, split_words
from limpet.policy.tools.wrappers import TOOLS
from limpet.syntax.values.field import Field
from policy.effects_of_text import commands, shown, summarise

CALLS = [
    ("xargs rm <<< 'a b'", ["command rm a b"]),
    ("xargs rm <<< 'a b' < list", ["command rm …"]),
    ("xargs -n1 rm <<< 'a b'", ["command rm a", "command rm b"]),
    ("xargs -n 2 rm <<< 'a b c'", ["command rm a b", "command rm c"]),
    ("xargs -L1 rm << X\na b\nc\nX", ["command rm a b", "command rm c"]),
    ("xargs -I{} mv {} x/{} << X\na b\nc\nX", ["command mv a b x/a b", "command mv c x/c"]),
    ("xargs -0 rm <<< 'a b'", ["command rm a b"]),
    ("xargs -d, rm <<< 'a,b'", ["command rm a b"]),
    ("xargs rm <<< \"'/' \\\\a\"", ["command rm / a"]),
    ('xargs rm <<< "it\'s"', ["command rm …"]),
    ("xargs -a list rm", ["read list", "command rm …"]),
    ("xargs -E x rm <<< 'a x b'", ["command rm …"]),
    ("xargs -s 9 rm <<< 'a b'", ["command rm …"]),
    ("xargs -r rm <<< ''", []),
    ("xargs", ["command echo …"]),
    ("xargs --version", []),
    ("parallel rm ::: a b", ["command rm a", "command rm b"]),
    ("parallel 'rm {}' ::: a", ["command rm a"]),
    ("parallel 'rm {} > {.}.log' ::: a", ["script rm 'a' > 'a'.log"]),
    ("parallel mv {} {.}.b ::: a.c", ["command mv a.c ….b"]),
    ("parallel 'cat {} | wc' < list", ['script cat "$item_of_parallel" | wc']),
    ("parallel ::: 'id -u'", ["script id -u"]),
    ("parallel", ["stdin sh"]),
    ("env -S 'rm -r x' y", ["command env rm -r x y"]),
    ("env -S'rm\\_x'", ["command env rm x"]),
    ("env -i -S 'A=1 rm' x", ["command env -i A=1 rm x"]),
    ('env -S "$x"', ["risk env.text"]),
    ("env -S 'a \"b'", ["risk env.text"]),
    ("entr -s 'rm x'", ["script rm x"]),
    ("direnv exec . rm x", ["write .", "command rm x"]),
    ("direnv allow", ["risk direnv.trust"]),
    (
        "/lib64/ld-linux-x86-64.so.2 --preload ./x.so /bin/rm x",
        ["program ./x.so", "risk ld.so.library", "command /bin/rm x"],
    ),
    ("sudo --version", []),
    ("sudo --help", []),
]


@pytest.mark.parametrize(("text", "expected"), CALLS)
def test_a_call_runs_what_its_arguments_say(text: str, expected: list[str]) -> None:
    assert summarise(text, TOOLS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"rm -r x", ["rm", "-r", "x"]),
        (r"rm\_-r\_x", ["rm", "-r", "x"]),
        (r'rm "a\_b"', ["rm", "a b"]),
        (r"rm x\c y", ["rm", "x"]),
        (r"rm x # y", ["rm", "x"]),
        (r"rm 'a b' \$x \#", ["rm", "a b", "$x", "#"]),
        (r"rm ${HOME}/x", ["rm", "…/x"]),
        (r"rm ''", ["rm", ""]),
    ],
)
def test_env_cuts_a_text_in_its_own_way(text: str, expected: list[str]) -> None:
    assert [shown(field) for field in split_string(text) or ()] == expected


@pytest.mark.parametrize("text", ["rm 'x", 'rm "x', "rm $x", "rm x\\", "rm \\q", '"\\c"'])
def test_env_refuses_a_text_that_is_no_list_of_words(text: str) -> None:
    assert split_string(text) is None


def test_xargs_cuts_lines_into_words_and_takes_quotes_off() -> None:
    assert split_words("a 'b c'\n\n \\d\\ e \"\"\n") == [["a", "b c"], ["d e", ""]]
    assert split_lines("  a b \n\n'c'\n") == [["a b "], ["c"]]
    assert split_words("'a\nb'") is None


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (Field(("a\nb\n",), many=True), ["command rm a b"]),
        (Field(('"/"',)), ["command rm /"]),
        (None, ["command rm …"]),
    ],
)
def test_xargs_takes_what_a_pipe_is_known_to_give(items: Field | None, expected: list[str]) -> None:
    command = msgspec.structs.replace(commands("xargs rm")[0], items=items)
    inner = [effect.inner for effect in effects_of(command, TOOLS) or ()]
    assert [" ".join(["command", *(shown(field) for field in each.argv)]) for each in inner if each] == expected
