"""What the builtins of bash do besides changing the shell they run in."""

from __future__ import annotations

from limpet.policy.tools.builtins import TOOLS
from policy.effects_of_text import summarise

NOTHING = """
cd src
cd -
pushd src
popd
set -euo pipefail
set -x
shopt -s globstar nullglob
export NODE_ENV=production
export A=1 B=2 C
export -f f
export -p
declare -a list=(1 2 3)
declare -A map
local x="$1"
readonly VERSION=1.2
typeset -i n=3
read -r line
read -rp 'name? ' name
IFS=, read -ra parts
mapfile -t lines
readarray -t lines
unset x
shift 2
exit 1
return 0
wait
jobs -l
fg
bg
disown
type ls
hash -r
hash ls
umask 022
ulimit -n 4096
alias ll='ls -l'
unalias ll
trap 'echo bye' EXIT
trap - EXIT
let x=1
:
history
history 20
help cd
enable
shopt
bind -p
fc -l
complete -W 'a b' x
export PATH=$HOME/.cargo/bin:$PATH
export PATH="/usr/local/bin:$PATH"
export PYTHONPATH=src
"""

DOES = [
    ("source .venv/bin/activate", ["read .venv/bin/activate", "program .venv/bin/activate"]),
    (". ./env.sh", ["read ./env.sh", "program ./env.sh"]),
    ("source env.sh", ["read env.sh", "program ./env.sh"]),
    ("source ~/.bashrc", ["read /home/dev/.bashrc", "program /home/dev/.bashrc"]),
    ("source $x", ["risk source.unknown"]),
    ("source /dev/stdin", ["stdin sh"]),
    ("export LD_PRELOAD=./x.so", ["risk variable.LD_PRELOAD"]),
    ("declare -x LD_PRELOAD=./x.so", ["risk variable.LD_PRELOAD"]),
    ("export A=1 BASH_ENV=x", ["risk variable.BASH_ENV"]),
    ("export GIT_PAGER='sh -c id'", ["script sh -c id"]),
    ("export PATH=/tmp/x:$PATH", ["risk variable.PATH"]),
    ("unset PATH", ["risk variable.PATH"]),
    ("unset x", []),
    ("let PATH=0", ["risk variable.PATH"]),
    ("let x=1 y+=2", []),
    ("declare -n p=PATH", ["risk declare.reference"]),
    ("declare -n p=x", []),
    ("export PATH=$PWD/node_modules/.bin:$PATH", ["program /home/dev/proj/node_modules/.bin/*"]),
    ("export PATH+=:/tmp/x", ["risk variable.PATH"]),
    ('export "$x"', ["risk export.unknown"]),
    ("export $x", ["risk export.unknown"]),
    ("read PATH", ["risk variable.PATH"]),
    ("read -r LD_PRELOAD", ["risk variable.LD_PRELOAD"]),
    ('read "$x"', ["risk read.unknown"]),
    ("hash -p /tmp/x ls", ["risk hash.path"]),
    ("enable -f ./x.so y", ["risk enable.file"]),
    ("enable -n test", ["risk enable.names"]),
    ("history -c", ["risk history.clear"]),
    ("history -w", ["risk history.write"]),
    ("fc -s", ["risk fc.again"]),
    ("bind -x '\"a\": id'", ["risk bind.keys"]),
    ("shopt -s $x", ["risk shopt.unknown"]),
]


MINE = {**TOOLS, **dict.fromkeys(("echo", "ls", "id"), TOOLS[":"])}


def test_everyday_builtins_do_nothing_to_the_world() -> None:
    texts = NOTHING.split("\n")[1:-1]
    assert {text: summarise(text, MINE) for text in texts} == {text: [] for text in texts}


def test_builtins_do_what_their_arguments_say() -> None:
    assert [(text, summarise(text, MINE)) for text, _ in DOES] == DOES
