"""`find` and `fd`: where they start, what passes the tests, what is done to it."""

from __future__ import annotations

from limpet.policy.command import Command
from limpet.policy.tools import effects_of, find
from limpet.syntax.values.field import ANYTHING, known
from policy.effects_of_text import WORKSPACE, commands, effects, summarise

TOOLS = find.TOOLS


def _only(kind: str, text: str) -> list[str]:
    """What comes behind the kind, in the lines of that kind."""
    return [line.partition(" ")[2] for line in summarise(text, TOOLS) if line.startswith(f"{kind} ")]


def test_looking_only_reads_the_starting_points() -> None:
    table: dict[str, list[str]] = {
        "find": ["read ."],
        "find src lib -name '*.py'": ["read src", "read lib"],
        "find -L -D tree -O3 src -name x": ["read src"],
        "find . -newer ref -samefile a": ["read .", "read ref", "read a"],
        "find . -newermt yesterday -printf '%f' -ls -quit": ["read ."],
        "find . -fprint out -fprintf log %p": ["read .", "write out", "write log"],
        'find "$d" -name x': ["read …"],
        "find $d -name x": ["read …"],
        r"find . \( -type f -a ! -name x \) -o -print0": ["read ."],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


def test_what_is_deleted_depends_on_the_tests_before() -> None:
    table: dict[str, list[str]] = {
        "find . -delete": ["."],
        "find -delete": ["."],
        "find / -xdev -delete": ["/"],
        "find a b -delete": ["a", "b"],
        "find . -name '*.pyc' -delete": ["./**/*.pyc"],
        "find . -type f -name '*.pyc' -delete": ["./**/*.pyc"],
        "find . -delete -name '*.pyc'": ["."],
        "find . -name x -o -delete": ["."],
        "find . -name x , -delete": ["."],
        "find . ! -name x -delete": ["."],
        "find . -not -path './.git/*' -delete": ["."],
        r"find . \( -name a -o -name b \) -delete": ["./**/a", "./**/b"],
        r"find . \( -name a -o -type f \) -delete": ["."],
        r"find . ! \( -name a -o -name b \) -delete": ["."],
        r"find . -name a \( -type f -o -size +1M \) -delete": ["./**/a"],
        "find . -path ./x -prune -o -name a -delete": ["./**/a"],
        "find . -type f -delete": ["."],
        "find . -mtime +3 -delete": ["."],
        "find . -name '*' -delete": ["."],
        "find . -name '[a-z]*' -delete": ["."],
        'find . -name "$x" -delete': ["."],
        "find . -empty -delete": ["./**/*"],
        "find . -xtype l -delete": ["./**/*"],
        "find . -path './build/*' -delete": ["./build/*"],
        "find . -path './*' -delete": ["."],
        "find / -path '/etc/*' -delete": ["/etc/*"],
        "find . -path '*/cache/*' -delete": ["./**/cache/*"],
        "find . -wholename '*.o' -delete": ["./**/*.o"],
        r"find . -regex '.*\.\(jpg\|png\)' -delete": ["./**/*jpg*", "./**/*png*"],
        r"find . -regex '.*\|jpg' -delete": ["."],
        "find . -regex '.*' -delete": ["."],
        "find . -regex '.*a?' -delete": ["."],
        r"find . -regex '.*\(abc\)*' -delete": ["."],
        'find "$x" -delete': ["…"],
        "find -files0-from l -delete": [".", "…"],
    }
    assert {each: _only("delete-tree", each) for each in table} == table


def test_commands_are_run_on_what_passes() -> None:
    table: dict[str, list[str]] = {
        r"find . -name '*.py' -exec grep x {} \;": ["grep x ./**/*.py"],
        "find . -name '*.py' -exec grep x {} +": ["grep x ./**/*.py"],
        "find . -exec rm -rf {} +": ["rm -rf ./*"],
        r"find a b -name x -exec rm {} \;": ["rm a/**/x", "rm b/**/x"],
        r"find a b -name x -exec rm {} +": ["rm a/**/x b/**/x"],
        r"find . -name x -exec mv {} {}.bak \;": ["mv ./**/x ./**/x.bak"],
        r"find . -exec a {} \; -exec b + {} \;": ["a ./*", "b + ./*"],
        r"find . -ok rm -rf / \;": ["rm -rf /"],
        r"find . -name x -o -okdir rm {} \;": ["rm ./*"],
        r"find . -exec sh -c 'rm {}' \;": ["sh -c rm ./*"],
        "find . -exec rm -rf /": ["rm -rf /"],
        r"find / -name x -exec {} \;": ["/**/x"],
        r"find . -exec true \; -delete": ["true"],
    }
    assert {each: _only("command", each) for each in table} == table


def test_files_named_like_secrets_are_looked_for_in_homes() -> None:
    found = {
        "find ~ -name id_rsa -exec cat {} +": "read /home/dev/.*/id_rsa",
        "find / -name '*.pem' -exec cat {} +": "read /home/any/.*/*.pem",
        "find ~ -name 'id_*' | xargs cat": "read /home/dev/.*/id_*",
    }
    assert {text: line for text, line in found.items() if line not in summarise(text, TOOLS)} == {}
    for text in ("find ~ -name id_rsa", "find . -name id_rsa -exec cat {} +", "find ~ -name '*.py' -exec cat {} +"):
        assert not any(".*" in line for line in summarise(text, TOOLS))


def test_execdir_runs_in_the_folder_of_what_was_found() -> None:
    inner = effects(r"find src -name x -execdir rm {} \;", TOOLS)[-1].inner
    assert inner is not None
    assert inner.cwd == f"{WORKSPACE}/src"
    unknown = effects(r'find "$d" -execdir rm {} \;', TOOLS)[-1].inner
    assert unknown is not None
    assert unknown.cwd is None


def test_an_expression_that_is_not_known_is_worth_a_question() -> None:
    texts = [
        "find . -foo",
        "find . $(cat expression)",
        "find . -name x $y",
        "find . -name $y",
        'find . -name x "$y"',
        r"find . -exec rm $y \;",
        'find . -"$x"',
    ]
    assert [text for text in texts if "risk find.unknown" not in summarise(text, TOOLS)] == []


def test_what_xargs_puts_behind_may_be_part_of_the_expression() -> None:
    command = Command(argv=(known("find"), known("."), ANYTHING), start=0, end=1, cwd="/w", via=("xargs",))
    assert [effect.rule for effect in effects_of(command, TOOLS) or () if effect.rule] == ["find.unknown"]


def test_many_starting_points_are_not_told_apart() -> None:
    text = f"find {' '.join(f'd{number}' for number in range(100))} -exec rm {{}} \\;"
    assert summarise(text, TOOLS)[100:] == ["command rm …"]


def test_deep_brackets_are_read() -> None:
    text = "find . " + r"\( " * 5000 + "-name x" + r" \)" * 5000 + " -delete"
    assert summarise(text, TOOLS)[-1] == "delete-tree ./**/x"
    assert len(commands(text)) == 1


def test_fd_runs_commands_too() -> None:
    table: dict[str, list[str]] = {
        "fd": ["read ."],
        "fd pattern src -e py": ["read src"],
        "fd -e pyc -x rm": ["read .", "command rm ./**/*.pyc"],
        "fd -e a -e b -X wc -l": ["read .", "command wc -l ./**/*.a ./**/*.b"],
        "fd foo -x mv {} {.}.bak": ["read .", "command mv ./**/*foo* ./**/*foo*.bak"],
        "fd -g '*.o' src -x rm {}": ["read src", "command rm src/**/*.o"],
        "fd -F a.b -x rm": ["read .", "command rm ./**/*a.b*"],
        "fd -x rm -rf": ["read .", "command rm -rf ./*"],
        "fd . ~ -x rm": ["read /home/dev", "command rm /home/dev/*"],
        "fd --exec=rm": ["read .", "command rm ./*"],
        "fd --exec-batch rm x": ["read .", "command rm x ./*"],
        "fd -Hxrm": ["read .", "command rm ./*"],
        r"fd a -x b {} \; -x c {/}": ["read .", "command b ./**/*a*", "command c *a*"],
        "fd -C /etc passwd -x cat": ["read /etc", "command cat /etc/**/*passwd*"],
        "fd $x": ["risk fd.unknown", "read ."],
        'fd -"$x"': ["risk fd.unknown", "read ."],
        "locate -d db foo": ["read db"],
    }
    assert {each: summarise(each, TOOLS) for each in table} == table


EVERYDAY = r"""
find .
find . -name '*.py'
find . -type f -iname '*.MD' -not -path './.git/*'
find . -maxdepth 2 -mindepth 1 -type d
find . -name '*.pyc' -delete
find . -type d -empty -delete
find . -mtime -1 -size +1M
find . -type d -name node_modules -prune -o -name '*.js' -print
find . -maxdepth 1 -type f -printf '%T@ %p\n'
find / -name foo -not -path '/proc/*'
find ~ -maxdepth 2 -name '*.txt' -user dev -perm -u+x
find . -print0
find src tests -name '*.py' -newer ref -ls
find . -regextype posix-extended -regex '.*\.(c|h)$'
find "$dir" -type f
fd
fd '\.py$' src
fd -e py -E node_modules
fd -t f -H -I . src
fd --max-depth 2 --type d
locate foo
"""


def test_everyday_searches_only_read_and_delete() -> None:
    found = {each: summarise(each, TOOLS) for each in EVERYDAY.strip().split("\n")}
    usual = {"read", "delete-tree"}
    assert {each: lines for each, lines in found.items() if not {line.split(" ")[0] for line in lines} <= usual} == {}
