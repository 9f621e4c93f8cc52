"""Random choices -> small scripts that assign, branch, loop and call, and show what their words became."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

NAMES = ("x", "y", "z")
VALUES = ("1", "2", "k", "a b", "", "7", "*", "{p,q}", "x", "y", "~", "/t", "a", "b")
FOLDERS = ("a", "b", "..", ".", "-", "a/b", "./a", "../b", "a/..", "nosuch", "$x", '"$y"', "")


class Writer:
    """Writes scripts. Each `printf` begins with a number of its own, so that what it prints can be told apart."""

    def __init__(self, random: Random, *, folders: bool = False, faults: bool = False) -> None:
        self.random = random
        self.folders = folders
        self.faults = faults
        self.shown = 0
        self.in_function = 0
        self.loops = 0
        self.functions: list[str] = []

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def chance(self, one_in: int) -> bool:
        return self.random.randrange(one_in) == 0

    def script(self) -> str:
        count = self.random.randint(3, 9)
        return "".join(self.statement(3) + self.pick("\n", "\n", "; ") for _ in range(count)) + self.show() + "\n"

    def body(self, depth: int) -> str:
        count = self.random.randint(1, 3)
        return "; ".join(self.statement(depth - 1) for _ in range(count))

    def statement(self, depth: int) -> str:
        makers = [self.show, self.show, self.assign, self.assign, self.assign, self.builtin]
        if self.folders:
            makers += [self.move, self.move]
        if self.faults:
            makers += [self.fault]
        if depth > 0:
            compounds = (
                self.if_, self.case, self.for_, self.while_, self.for_arithmetic, self.group, self.subshell,
                self.and_or, self.pipe, self.function, self.call, self.call, self.eval, self.temporary, self.test,
                self.calculate, self.background, self.trap,
            )  # fmt: skip
            makers += [lambda: self.random.choice(compounds)(depth)] * 5
        return self.random.choice(makers)()

    # --- simple

    def name(self) -> str:
        return self.pick(*NAMES)

    def literal(self) -> str:
        value = self.pick(*VALUES)
        return value if value in ("{p,q}", "~") and self.chance(2) else f"'{value}'" if not value.isalnum() else value

    def expansion(self) -> str:
        name = self.name()
        return self.pick(
            f"${name}", f"${{{name}}}", f"${{{name}:-d}}", f"${{{name}:=e}}", f"${{{name}-f}}", f"${{{name}:+g}}",
            f"${{#{name}}}",
            f"${{{name}[0]}}", f"${{{name}[1]}}", f"${{{name}[@]}}", f"${{{name}#?}}", f"${{{name}%%?}}",
            f"${{{name}/a/c}}",
            f"${{{name}:0:1}}", "$1", "$2", "$@", "$*", "$#", f"$(({name}+1))", f"$(({name}=3))", f"$(({name}++))",
            f"${{!{name}}}",
            f"$(printf %s \"${name}\")", f"$(echo ${name})", f"`echo \"${name}\"`", f"$(printf '%s,' ${name} a)",
            f"${{{name}^^}}", "${1:-n}", f"${{{name}@Q}}", "$?", "$$", "$((RANDOM))",
        )  # fmt: skip

    def word(self) -> str:
        kind = self.random.randrange(6)
        if kind == 0:
            return self.literal()
        if kind == 1:
            return self.expansion()
        if kind == 2:
            return self.literal() + f'"{self.expansion()}"'
        if kind == 3:
            return self.expansion() + self.pick("", "s", "'t'") + self.expansion()
        return f'"{self.expansion()}"'

    def show(self) -> str:
        self.shown += 1
        words = " ".join(self.word() for _ in range(self.random.randint(1, 3)))
        if self.chance(8):
            inner = self.show()
            words += f' "$({inner})"'
            self.shown += 1
        shown = f"printf '%s\\0' =S{self.shown}= \"$PWD\" {words} =E="
        return f"{self.pick('', 'x=m ', 'HOME=/n ')}bash -c {shlex.quote(shown)}" if self.chance(8) else shown

    def assign(self) -> str:
        name = self.name()
        return self.pick(
            f"{name}={self.literal()}", f"{name}={self.literal()}", f"{name}={self.word()}", f"{name}+={self.word()}",
            f"{name}={self.literal()} {self.name()}={self.word()}", f"{name}=({self.word()} {self.word()})",
            f"{name}[1]={self.word()}",
            f"{name}+=({self.word()})", f"{name}=$((${self.name()} + 1))", f"{name}=([2]={self.word()} {self.word()})",
            f"{name}[{self.name()}]={self.word()}", f"{name}={self.word()} > $PWD/out",
        )  # fmt: skip

    def builtin(self) -> str:
        name = self.name()
        return self.pick(
            f"unset {name}", f"unset {name}", f"export {name}={self.word()}", f"export {name}",
            f"read {name} <<< {self.word()}",
            f"read {name} {self.name()} <<< {self.word()}", f"printf -v {name} %s {self.word()}",
            f"printf -v{name} %s {self.word()}",
            f"set -- {self.word()} {self.word()}", f"set -- {self.word()}", "set --", "shift", "shift 2",
            f"let {name}=5", f"let {name}++",
            f"declare {name}={self.word()}", f"local {name}={self.word()}", f"local {name}", f"declare -i {name}",
            f"declare -u {name}",
            f"declare -n {name}={self.name()}", f"local -n {name}={self.name()}", f"unset -n {name}",
            f"declare {name}=({self.word()} {self.word()})", f"local -a {name}=([1]={self.word()} {self.word()})",
            f"printf -v {name} -v {self.name()} {self.word()}", f"declare -g {name}={self.word()}",
            f"IFS={self.pick('a', ':', '', '0123456789', chr(39) + ' ' + chr(39))}",
            "unset IFS", "set -f", "set +B", "set +f", "set -B", f"mapfile {name} <<< {self.word()}",
            f": {{{name}}}>/dev/null", f": {self.word()}",
            "shopt -s nullglob", f"typeset {name}={self.word()}", f"readonly {name}={self.literal()}", "set -u",
            f"declare -a {name}",
            f"declare -A {name}", "break", "continue", "return", "set -o posix", "shopt -s lastpipe", "unset -f f",
            "set -e",
            f"getopts ab {name}", f"declare +x {name}={self.word()}", f"HOME={self.word()}",
            *([] if self.folders else [f"PWD={self.word()}"]), f"declare -l {name}=Q",
            f"export {name}={self.word()} < nosuchfile", f"read -a {name} <<< {self.word()}",
            f"command read {name} <<< {self.word()}",
            f"builtin eval {name}={self.literal()}", "exit", "return 1",
        )  # fmt: skip

    def move(self) -> str:
        return self.pick(
            f"cd {self.pick(*FOLDERS)}", f"cd {self.pick(*FOLDERS)}", f"cd {self.pick(*FOLDERS)}",
            f"pushd {self.pick('a', 'b')} > /dev/null",
            "popd > /dev/null", f"cd {self.pick('a', 'b', 'nosuch')} || exit",
            f"cd {self.pick('a', 'b')} && {self.show()}", "cd", f"cd a && {self.move_on()}",
            "pushd > /dev/null", f"CDPATH={self.pick('a', 'b', '')}", "dirs -c", f"OLDPWD={self.literal()}",
            "cd -P a", "unset CDPATH",
            "builtin cd b", "command cd a", f"HOME=$PWD/{self.pick('a', 'b')} cd",
            f"CDPATH=$PWD/{self.pick('a', 'b')} cd a",
        )  # fmt: skip

    def move_on(self) -> str:
        return f"cd {self.pick('a', 'b', '..', '-')}"

    def fault(self) -> str:
        name = self.name()
        return self.pick(
            ": $((1/0))", f"{name}=$((1/0))", f": ${{{name}:1/0}}", "UID=3", f"{name}[-9]=1", ": ${!nosuch}",
            f": $((${name}))",
            f"{name}=k; : $((1/0)); {name}=7", "trap x=5 DEBUG", f"{{ {name}=k; }} < nosuchfile",
            f"{name}=k < nosuchfile", "exec nosuchcommand",
        )  # fmt: skip

    # --- compound

    def condition(self) -> str:
        name = self.name()
        return self.pick(
            ":", "false", f"[ \"${name}\" = k ]", f"[[ ${name} == k ]]", f"(( {name} ))", f"[[ -n ${{{name}:=w}} ]]",
            f"[[ {name} -eq 1 ]]",
            f"(( {name} = 4 ))", f"[[ {name}=8 -eq 8 ]]", self.assign(), f"read {name} <<< v",
        )  # fmt: skip

    def if_(self, depth: int) -> str:
        text = f"if {self.condition()}; then {self.body(depth)}; "
        while self.chance(4):
            text += f"elif {self.condition()}; then {self.body(depth)}; "
        return text + (f"else {self.body(depth)}; fi" if self.chance(2) else "fi")

    def case(self, depth: int) -> str:
        arms = ""
        for _ in range(self.random.randint(1, 3)):
            pattern, end = self.pick("k", "1", "*", "$x", "${y:=u}", "a*"), self.pick(";;", ";;", ";&", ";;&")
            arms += f"{pattern}) {self.body(depth)} {end} "
        return f"case {self.word()} in {arms}esac"

    def loop(self, depth: int) -> str:
        self.loops += 1
        text = self.body(depth)
        if self.chance(4):
            text += f"; {self.condition()} && {self.pick('break', 'continue')}; {self.body(depth)}"
        self.loops -= 1
        return text

    def for_(self, depth: int) -> str:
        items = self.pick("1 2", "k", "", f"{self.word()} {self.word()}", "{p,q}", "*", "/nosuch*")
        head = self.pick(f"for {self.name()} in {items}", f"for {self.name()} in {items}", f"for {self.name()}")
        return f"{head}; do {self.loop(depth)}; done"

    def while_(self, depth: int) -> str:
        self.shown += 1
        counter = f"n{self.shown}"
        test = self.pick(
            f"(( {counter}++ < 2 ))", f"[[ $(({counter}++)) -lt 2 ]]", f"{self.condition()} && (( {counter}++ < 2 ))"
        )
        return f"{counter}=0; while {test}; do {self.loop(depth)}; done"

    def for_arithmetic(self, depth: int) -> str:
        self.shown += 1
        counter = f"n{self.shown}"
        return f"for (({counter}=0; {counter}<2; {counter}++)); do {self.loop(depth)}; done"

    def group(self, depth: int) -> str:
        return f"{{ {self.body(depth)}; }}" + self.pick("", "", " < nosuchfile", " 2>&1", " > /dev/stdout")

    def subshell(self, depth: int) -> str:
        return f"( {self.body(depth)} )"

    def and_or(self, depth: int) -> str:
        return f"{self.condition()} {self.pick('&&', '||')} {self.statement(depth - 1)}"

    def pipe(self, depth: int) -> str:
        return f"{{ {self.body(depth)}; }} | {self.pick('cat', 'cat', '{ cat; ' + self.body(depth) + '; }')}"

    def background(self, depth: int) -> str:
        return f"{{ {self.body(depth)}; }} & wait"

    def function(self, depth: int) -> str:
        name = self.pick("f", "g", "cd") if self.chance(6) else self.pick("f", "g")
        folders, self.folders = self.folders, self.folders and name != "cd"
        self.in_function += 1
        body = self.body(depth)
        if self.chance(3):
            body += f"; {self.condition()} && return; {self.body(depth)}"
        if self.chance(4):
            body = f"{self.call(depth)}; {body}"
        self.in_function -= 1
        self.folders = folders
        return f"{name}() {{ {body}; }}"

    def call(self, depth: int) -> str:
        words = " ".join(self.word() for _ in range(self.random.randint(0, 2)))
        bound = "(( d++ < 3 )) && " if self.in_function else ""  # else they would call each other for ever
        return bound + self.pick("", "", f"{self.name()}={self.literal()} ") + f"{self.pick('f', 'g')} {words}"

    def eval(self, depth: int) -> str:
        inner = self.body(1).replace("'", "'\\''")
        return self.pick(f"eval '{inner}'", f"eval '{inner}'", f'eval "{self.name()}={self.pick("k", "1", "$x")}"')

    def temporary(self, depth: int) -> str:
        return (
            f"{self.name()}={self.literal()} {self.builtin()}"
            if self.chance(2)
            else f"{self.name()}={self.word()} {self.eval(depth)}"
        )

    def test(self, depth: int) -> str:
        return f"[[ {self.word()} {self.pick('==', '!=', '-eq', '-lt')} {self.word()} ]]"

    def calculate(self, depth: int) -> str:
        name, other = self.name(), self.name()
        return self.pick(
            f"(( {name} = {other} + 1 ))",
            f"(( {name}++ ))",
            f"(( {name} && ({other} = 2) ))",
            f"(( {name}[1] = 4 ))",
            f"(( {name} += 2 ))",
        )

    def trap(self, depth: int) -> str:
        inner = self.body(1).replace("'", "'\\''")
        return f"trap '{inner}' {self.pick('EXIT', 'EXIT', 'EXIT', 'DEBUG', 'ERR')}"
