"""Random scripts in pieces, run by a session and by one plain bash -> what each piece printed, and what is left."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import msgspec

from limpet import sync

if TYPE_CHECKING:
    from pathlib import Path

PIECES = [
    "x=1", "x=two y='a b'", "x+=more", "export x", "export E=$x", "unset x", "declare -i n=3; n+=4", "readonly r=1",
    "r=2; echo after", "y=$(echo sub; exit 3); echo $?", "echo $?", "false", "true", "(exit 7)", "! true",
    "foo_is_not_there",
    "f() { echo \"f $1 $x\"; return ${2:-0}; }", "f a 3", "f 'b c'", "unset -f f", "g() { local x=local; f in; }; g",
    "mkdir -p d/e && cd d", "cd ..", "cd -", "cd nowhere", "pwd", "pushd d/e >/dev/null", "popd", "(cd /; pwd)", "dirs",
    "echo out; echo err >&2", "printf 'no newline'", "printf '%s|' a 'b c' \"$x\"; echo", "echo $'tab\\tquote\\''",
    "echo a | tr a b | cat -n", "false | true; echo \"${PIPESTATUS[@]}\"", "ls /nowhere 2>&1 | wc -l",
    "echo data > file; cat < file", "cat file >> file2; wc -c < file2", "cat", "read line; echo \"$? $line\"",
    "cat <<E\nhere $x $((1 + 2))\nE", "cat <<'E'\nhere $x\nE", "cat <<< \"$x\"", "cat <<E\nunterminated",
    "a=(1 'two three' 4); a[7]=z", "echo \"${#a[@]} ${a[1]} ${!a[*]}\"",
    "declare -A m=([k]=v ['k 2']='v 2'); echo ${m[k]}",
    "a+=(more); unset 'a[0]'; declare -p a", "set -- one 'two three'; echo $# \"$2\"", "shift; echo \"$@\"",
    "set -u", "set +u", "set -o pipefail", "set +o pipefail", "set -f; echo *", "set +f", "shopt -s nullglob extglob",
    "shopt -u nullglob", "echo @(a|b)*", "echo nothing*here", "IFS=:; v=a:b:c; for w in $v; do echo \"<$w>\"; done",
    "unset IFS", "for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done; echo $i",
    "while read -r l; do echo \"$l\"; done < <(printf '1\\n2\\n')", "case $x in 1) echo one;; *) echo other;; esac",
    "if [[ $x =~ ^(t)(w) ]]; then echo ${BASH_REMATCH[2]}; fi", "((n++)); echo $((n * 2))", "let n=n-1",
    "umask 027; umask", "alias ll='echo aliased'", "shopt -s expand_aliases", "ll", "unalias -a",
    "trap 'echo usr1' USR1; kill -USR1 $$", "trap - USR1", "break", "return 5",
    "trap 'echo dbg $BASH_COMMAND' DEBUG", "trap 'd=$?; echo odd \\\\ \"$d\" >&2' DEBUG", "trap - DEBUG", "set -T",
    "set +T",
    "echo \"unterminated", "echo )", "for x in 1; do", "if true; then echo yes", "eval 'x=evaluated; false'",
    "echo ${x:-default} ${x^^} ${#x}", "echo ${nothing?message}", "wait", "sleep 0 & wait $!; echo $?",
    "{ echo grouped; } 2>&1", "exec 5>&1; echo five >&5", "exec 5>&-", "echo $0 $#", "source ./nowhere; echo $?",
    "echo 'echo sourced $1; s=1; return 4' > s.sh; . ./s.sh arg; echo $? $s", "type f | head -1", "LC_ALL=C", "set -e",
    "printf() { builtin printf \"mine $@\"; }", "printf hello", "unset -f printf", "echo é ✓", ": > $'odd\\nname'; ls",
    "# only a comment", "x=1 y=2 env | grep -c '^[xy]='", "time -p true 2>/dev/null", "set -o posix", "set +o posix",
]  # fmt: skip
DEPTH = 20
"""More than any script goes up."""
STATE = (
    'pwd; umask; set +o; shopt; declare -p x y E n r a m i v w s 2>&1; declare -f; alias; echo "$@" "$#"; trap -p USR1;'
    "dirs -l"
)


class Said(msgspec.Struct, frozen=True):
    """What one piece printed, and its status."""

    status: int | None
    out: str
    err: str


def deep(folder: Path) -> Path:
    """Where the pieces begin: however often they go up, they stay inside."""
    return folder.joinpath(*("w" for _ in range(DEPTH)))


def by_bash(pieces: list[str], folder: Path, scratch: Path) -> list[Said]:
    """What a plain bash says; less than asked for where a piece has ended it."""
    deep(folder).mkdir(parents=True, exist_ok=True)
    scratch.mkdir(parents=True, exist_ok=True)
    lines = ["(exit 0)"]
    for number, piece in enumerate(pieces):
        streams = f"< /dev/null > {scratch}/{number}.out 2> {scratch}/{number}.err"
        lines += [
            f"\\eval -- {shlex.quote(piece)} {streams}",
            "",
            f"\\builtin echo $? > {scratch}/{number}.status",
            f'(exit "$(<{scratch}/{number}.status)")',
        ]
    env = {"PATH": os.environ["PATH"], "HOME": "/nowhere"}
    subprocess.run(
        ["bash", "--norc", "-s"], input="\n".join(lines) + "\n", text=True, cwd=deep(folder), env=env, timeout=60,
        capture_output=True,
    )  # fmt: skip
    return [_said(scratch / str(number), folder) for number in range(len(pieces)) if _was_run(scratch / str(number))]


def _was_run(piece: Path) -> bool:
    return piece.with_suffix(".status").exists()


def _said(piece: Path, folder: Path) -> Said:
    out, err = (piece.with_suffix(suffix).read_text() for suffix in (".out", ".err"))
    return Said(int(piece.with_suffix(".status").read_text()), plain(out, folder), plain(err, folder))


def by_session(
    pieces: list[str], folder: Path, sandbox: str, *, killed: bool = False, terminal: bool = False
) -> list[Said]:
    """What a session says; `killed`: one that has a new shell for every piece; `terminal`: one that has a terminal."""
    deep(folder).mkdir(parents=True, exist_ok=True)
    said = []
    settings = {"environment.harden": False}
    with (
        sync.open(folder, sandbox=sandbox, settings=settings, env={"HOME": "/nowhere"}) as shell,
        shell.session(restart=True, cwd=deep(folder), terminal=terminal) as bash,
    ):
        for piece in pieces:
            if killed:
                bash.run("kill -9 $$")
            result = bash.run(piece, timeout=30, max_output=100_000, stdin="" if terminal else None)
            said.append(Said(result.exit_code, plain(result.stdout, folder), plain(result.stderr, folder)))
    return said


def plain(text: str, folder: Path) -> str:
    """Without what cannot be the same: the folder, and lines of a longer script."""
    text = text.replace(str(folder), "<folder>")
    return re.sub(r"\bline \d+\b", "line N", re.sub(r"\bpid \d+\b", "pid N", text))
