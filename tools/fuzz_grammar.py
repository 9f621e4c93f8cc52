"""Broken and odd shell text -> whether the parser keeps its promises on it.

python tools/fuzz_grammar.py --count 1000000 [--seed 0] [--walk]
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
import time
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from limpet.syntax.parser import parse
from limpet.syntax.tree import Literal, Node, Opaque, Redirect, Script, Simple, Substitution, Word
from limpet.syntax.walk import walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.syntax.tree import Tree

SEEDS = (
    "a b c", "a; b & c", "a && b || c | d |& e", "! time a | b", "if a; then b; elif c; then d; else e; fi",
    "while a; do b; done < f", "until a\ndo b\ndone", "for x in a b; do c; done", "for x; do a; done",
    "for ((i=0; i<3; i++)); do a; done", "for x in a; { b; }", "select x in a; do b; done",
    "case x in a|b) c;; (d) e;& *) f;;& esac", "f() { a; }", "function f { a; } 2>&1", "f() for x in a; do b; done",
    "{ a; } >f 2>&1", "(a; b) <f", "((a + 1))", "( (a); b)", "((a) ; (b))",
    "[[ -f a && ( b == c || ! d =~ (e|f)$ ) ]]", "[ a || b ]", "coproc N { a; }", "coproc a b", "time -p { a; }",
    "a=b c=d e", "a=(b [1]=c [x y]+=d) e", "a[i+1]=b", "declare -A a=([b]=c)", "a+=b", "a[$(b)]=c",
    "echo 'a b' \"c $d\" $'e\\n\\x41' $\"f\" \\g", "echo ${a} ${a:-b} ${#a}",
    "echo ${a[@]} ${!a} ${!a*} ${a/b/c} ${a//b} ${a:1:2} ${a^^} ${a@Q}", "echo \"${a:-'$(b)'}\" \"${a#'$(b)'}\"",
    "echo ${a:-`b`} ${a#$(b)} ${a:-<(b)}", "echo $(a $(b) \"$(c)\") `d \\`e\\``", "echo \"`a \\\"b\\\"`\" `a``b`",
    "echo $((a + (b) * $(c))) $[a, b] $((a); (b))", "cat <<E\na $(b) ${c} `d`\nE\ne", "cat <<'E' | b\n$(a)\nE",
    "cat <<-E && cat <<F\n\ta\n\tE\nb\nF", "a $(cat <<E\n)'\nE\n)", "cat <<< \"a $b\"", "diff <(a) >(b)",
    "a 2>&1 &>f {fd}>g 3<>h", "a &>> f >| g <& 3 >&-", "# comment 'with quotes\na # $(b", "echo $(a # )'\n)",
    "echo $(case a in b) c;; esac)", "echo a\\\nb \"$\\\n(c)\" $\\\n{d}", "echo {a,b}{1..3} ~/x *.[ch] ?(a|b) @(c)",
    "shopt -s extglob; ls !(a)", "eval \"a $b\"", "trap 'a; b' EXIT", "bash -c 'a \"$1\"' x y", "a\r\nb",
    "x='1;2' \\\n  a", "}", "a ;; b", "fi", "echo $", "$ a", "/lib/`a`/b", "find . -name '*.py' -exec rm {} \\;",
    "x=$(a) y=`b` c", "let a=b+1", "printf -v a[$b] c", "a() (b)", "cd /a && b",
)  # fmt: skip
TOKENS = (
    *" \t\n;&|()<>{}[]$`\"'\\!#=+-*?@~%^,:./0aé\0\r\x7f\ue000\u2028\udc80\udcff\ud800", "\\\n", "\\\n", "\\\\\n", "$(",
    "${", "$((", "))", "((", "[[", "]]", "$[", "$'", '$"', "<(", ">(", "<<", "<<-", "<<<", "<<E\n", "\nE\n", "E", ">&",
    "&>", ";;", ";&", ";;&", "&&", "||", "|&", "if ", " then ", " fi ", "while ", " do ", " done ", "for ", "case ",
    " in ", " esac ", "{ ", " }", "function ", "coproc ", "time ", "! ", "select ", "a=", "a[", "]=", "+=", "=(",
    "a()", ":-", "##", "//", "@P}", "\\`", "\\\\\\`", "\\\"", " # ", "x{a,b}",
)  # fmt: skip
NESTS = (
    "$({})", "`{}`", '"{}"', '"$({})"', "${{x:-{}}}", '"${{x:-{}}}"', "${{x#{}}}", "$(({}))", "(({}))", "({})",
    "{{ {}; }}", "<({})", "a=({})", "a[{}]=b", "[[ {} ]]", "if {}; then {}; fi", "case {} in a) {};; esac",
    "f() {{ {}; }}", "cat <<E\n{}\nE\n", "cat <<-E\n\t{}\n\tE\n", "eval '{}'", "$[{}]", "${{x:{}:1}}", "${{x/{}/y}}",
    "while {}; do {}; done", "# {}", "$'{}'", "for x in {}; do a; done",
)  # fmt: skip
CHANGES = (
    "{before}{token}{cut}{after}", "{before}{token}{after}", "{before}{after}", "{before}{often}{after}", "{whole}",
    "{after}{cut}{before}", "{before} {seed}", "{before}\n{seed}", "{before}{seed}{after}", "{before}{nested}{after}",
    "{before}{cut}", "{before}\\\n{cut}{after}",
)  # fmt: skip
PLACES = ("/etc", "/usr/bin", "/usr/lib/git-core", "/usr/share/bash-completion/completions")
LONGEST = 600
SHOWN = 8

_CONTINUED = b"\\\n"
_JOINED = re.compile(rb"(?:\\\n)*+")
_BLANK = re.compile(rb"(?:[ \t]|\\\n)*+")
_BETWEEN = re.compile(rb"(?:[ \t\n;&]|\\\n|#[^\n]*+)*+")


class Place(NamedTuple):
    """A node and where it stands."""

    node: Node
    room: int
    """Where the whole text, or the innermost substitution, ends, and with it the body of any heredoc in it."""
    changed: bool
    """Whether bash read it only after it took backslashes or tabs away."""


def faults(text: str, *, walked: bool = False) -> list[str]:
    """What is wrong with how the parser, and the walk, take this text; nothing when all is well."""
    return attempt(text, walked=walked)[1]


def attempt(text: str, *, walked: bool = False) -> tuple[float, list[str]]:
    """How many seconds the parser took, and what is wrong."""
    began = time.process_time()
    took = 0.0
    try:
        tree = parse(text)
        took = time.process_time() - began
        if walked:
            walk(text)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return took, [f"raises {type(error).__name__}"]
    return took, list(dict.fromkeys(check(tree, to_bytes(text))))


def to_bytes(text: str) -> bytes:
    """The bytes that spans count."""
    lone = any("\ud800" <= char <= "\udfff" and not "\udc80" <= char <= "\udcff" for char in text)
    return text.encode("utf-8", "surrogatepass" if lone else "surrogateescape")


def check(tree: Tree, data: bytes) -> Iterator[str]:
    """Each promise that the tree does not keep."""
    if (tree.body.start, tree.body.end) != (0, len(data)):
        yield "the body is not the whole text"
    noted = set(tree.opaque)
    heredocs = b"<<" in data.replace(_CONTINUED, b"")
    waiting = [Place(tree.body, len(data), changed=False)]
    while waiting:
        place = waiting.pop()
        node = place.node
        yield from _check_span(node, len(data))
        if isinstance(node, Opaque) and node not in noted:
            yield "an Opaque node that is not listed"
        if not place.changed and not tree.opaque:
            yield from _check_text(node, data, heredocs=heredocs)
        if not isinstance(node, Literal | Opaque):
            children = _fields(node)
            yield from _check_children(place, children)
            waiting.extend(_inside(place, children))


def _check_span(node: Node, length: int) -> Iterator[str]:
    if not 0 <= node.start <= node.end <= length:
        yield f"{type(node).__name__} outside the text, or backwards"


def _fields(node: Node) -> list[tuple[Node, ...]]:
    """Its children, by field; pairs of a branch made flat."""
    found: list[tuple[Node, ...]] = []
    for name in node.__struct_fields__[2:]:
        value = getattr(node, name)
        if isinstance(value, Node):
            found.append((value,))
        elif isinstance(value, tuple) and value and not isinstance(value[0], str):
            found.append(tuple(value) if isinstance(value[0], Node) else tuple(each for pair in value for each in pair))
    return found


def _check_children(place: Place, fields: list[tuple[Node, ...]]) -> Iterator[str]:
    node, kind = place.node, type(place.node).__name__
    body = node.body if isinstance(node, Redirect) else None
    standing: list[Node] = []
    for children in fields:
        if body is not None and children[0] is body:
            if not (node.end <= body.start and body.end <= place.room):
                yield "the body of a heredoc before it, or outside"
            continue
        ordered = [child for child in children if not isinstance(child, Opaque)]
        if any(one.end > other.start for one, other in pairwise(ordered)):
            yield f"children of {kind} out of order"
        for child in children:
            if not (node.start <= child.start and child.end <= node.end):
                yield f"{type(child).__name__} outside its {kind}"
        standing += ordered
    standing.sort(key=lambda child: (child.start, child.end))
    if any(one.end > other.start for one, other in pairwise(standing)):
        yield f"children of {kind} overlap"


def _inside(place: Place, fields: list[tuple[Node, ...]]) -> Iterator[Place]:
    node, room, changed = place
    if isinstance(node, Substitution):
        room = node.end
        changed = changed or node.kind == "`"
    if isinstance(node, Redirect) and node.operator in ("<<", "<<-"):  # the target is the line that ends the body
        stripped = changed or node.operator == "<<-"
        return (Place(child, room, stripped or child is node.target) for children in fields for child in children)
    return (Place(child, room, changed) for children in fields for child in children)


def _check_text(node: Node, data: bytes, *, heredocs: bool) -> Iterator[str]:
    """Where all is understood, no text is read as other text, and none is lost between what was read."""
    if isinstance(node, Literal) and not node.quoted:
        if data[node.start : node.end].replace(_CONTINUED, b"") != to_bytes(node.text):
            yield "a literal that is not the text it stands on"
    elif isinstance(node, Simple):
        parts = sorted((*node.assignments, *node.words, *node.redirects), key=lambda part: part.start)
        if not all(_BLANK.fullmatch(gap) for gap in _gaps(node, parts, data)):
            yield "text lost between words"
    elif isinstance(node, Script) and not heredocs:
        if not all(_BETWEEN.fullmatch(gap) for gap in _gaps(node, node.commands, data)):
            yield "text lost between commands"
    elif (
        isinstance(node, Word)
        and node.parts
        and not all(_JOINED.fullmatch(gap) for gap in _gaps(node, node.parts, data))
    ):
        yield "text lost between the parts of a word"


def _gaps(node: Node, parts: Sequence[Node], data: bytes) -> Iterator[bytes]:
    at = node.start
    for part in parts:
        yield data[at : part.start]
        at = part.end
    yield data[at : node.end]


def inputs(random: Random, scripts: Sequence[str] = ()) -> Iterator[str]:
    """Texts without end: seeds, pieces of real scripts and plain noise, broken in a few places."""
    while True:
        text = _beginning(random, scripts)
        for _ in range(random.choice((0, 1, 1, 2, 2, 3, 5))):
            text = _changed(random, text)
        yield text[:LONGEST]


def _changed(random: Random, text: str) -> str:
    at, size = random.randint(0, len(text)), random.choice((1, 2, 5, 20))
    cut, nest = text[at : at + size], random.choice(NESTS)
    return random.choice(CHANGES).format(
        before=text[:at],
        cut=cut,
        after=text[at + size :],
        token=random.choice(TOKENS),
        often=cut * random.choice((2, 2, 3, 20)),
        seed=random.choice(SEEDS),
        nested=nest.format(cut, cut),
        whole=nest.format(text, cut),
    )


def _beginning(random: Random, scripts: Sequence[str]) -> str:
    chosen = random.random()
    if chosen < 0.1:
        return "".join(random.choices(TOKENS, k=random.randrange(1, 30)))
    if chosen < 0.13:
        return random.randbytes(random.randrange(1, 40)).decode("utf-8", "surrogateescape")
    return random.choice(scripts if scripts and chosen < 0.4 else SEEDS)


def machine_scripts() -> list[str]:
    """A few lines each of some scripts on this machine."""
    found: list[str] = []
    for path in sorted(path for place in PLACES for path in Path(place).glob("*") if path.is_file()):
        try:
            data = path.read_bytes()[:40000]
        except OSError:
            continue
        if data.startswith(b"#!/bin/") or "completion" in str(path):
            lines = data.decode("utf-8", "surrogateescape").splitlines(keepends=True)
            found += ["".join(lines[at : at + 6])[:LONGEST] for at in range(0, len(lines), max(6, len(lines) // 8))]
    return found


def smallest(text: str, fault: str, *, walked: bool) -> str:
    """Leave out what can be left out while the fault stays."""
    size = max(1, len(text) // 2)
    while size:
        at = 0
        while at < len(text):
            fewer = text[:at] + text[at + size :]
            if fault in faults(fewer, walked=walked):
                text = fewer
            else:
                at += size
        size //= 2
    return text


class Report:
    """What was seen."""

    def __init__(self) -> None:
        self.inputs = self.size = 0
        self.seconds = 0.0
        self.faults: dict[str, tuple[int, str]] = {}
        self.slowest: list[tuple[float, str]] = []

    def add(self, text: str, *, walked: bool) -> None:
        """Try one text."""
        took, wrong = attempt(text, walked=walked)
        self.inputs, self.size, self.seconds = self.inputs + 1, self.size + len(text), self.seconds + took
        share = 1024 / max(len(text), 50)
        if len(self.slowest) < SHOWN or took * share > self.slowest[-1][0]:  # the machine does other things, too
            again = min(took, attempt(text)[0], attempt(text)[0]) * share
            self.slowest = sorted([*self.slowest, (again, text)], reverse=True)[:SHOWN]
        for fault in wrong:
            self._count(fault, 1, text)

    def _count(self, fault: str, times: int, text: str) -> None:
        before, shortest = self.faults.get(fault, (0, text))
        self.faults[fault] = (before + times, min(text, shortest, key=len))

    def join(self, other: Report) -> None:
        """Add what another process saw."""
        self.inputs, self.size = self.inputs + other.inputs, self.size + other.size
        self.seconds += other.seconds
        self.slowest = sorted([*self.slowest, *other.slowest], reverse=True)[:SHOWN]
        for fault, (times, text) in other.faults.items():
            self._count(fault, times, text)


def work(job: tuple[str, int, bool]) -> Report:
    """Try so many inputs."""
    seed, count, walked = job
    report = Report()
    random = Random(seed)  # noqa: S311 - choices that can be repeated are wanted
    for text in islice(inputs(random, machine_scripts()), count):
        report.add(text, walked=walked)
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """Try inputs in two processes and print what was seen."""
    args = _parser().parse_args(argv)
    jobs = [(f"{args.seed}:{index}", args.count // args.jobs, args.walk) for index in range(args.jobs)]
    seen = Report()
    with multiprocessing.Pool(args.jobs) as pool:
        for report in pool.map(work, jobs):
            seen.join(report)
    each, per_kilobyte = seen.seconds / max(seen.inputs, 1) * 1e6, seen.seconds / max(seen.size, 1) * 1e6 * 1024
    say(f"{seen.inputs:,} inputs, {seen.size:,} characters: {each:.1f} us for each, {per_kilobyte:.0f} us per KB")
    say("slowest, ms per KB (inputs under 50 characters count as 50):")
    for took, text in seen.slowest:
        say(f"  {took * 1000:8.2f}  {text!r}")
    for fault, (times, text) in sorted(seen.faults.items()):
        say(f"FAULT {times:,} times: {fault}\n  {smallest(text, fault, walked=args.walk)!r}")
    return 1 if seen.faults else 0


def say(line: str) -> None:
    """One line for whoever looks."""
    sys.stdout.write(line.encode("utf-8", "backslashreplace").decode() + "\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--walk", action="store_true", help="walk each input as well")
    return parser


if __name__ == "__main__":
    sys.exit(main())
