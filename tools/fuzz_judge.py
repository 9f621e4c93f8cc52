"""Broken, odd and huge commands -> whether the judge keeps its promises on them.

python tools/fuzz_judge.py --count 200000 [--seed 0] [--jobs 2]
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import signal
import sys
import time
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.policy.decide import decide
from limpet.policy.places import World

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.model.decision import Decision

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "policy"
WORLD = World(workspace="/home/dev/proj", home="/home/dev")
TOKENS = (
    *" \t\n;&|()<>{}[]$`\"'\\!#=+-*?@~%^,:./0a", "\0", "\r", "\r\n", "\x1b", "\x7f", "\x85", "\ud800", "\udc80",
    "\udfff", "\ue000", "\u00a0", "\u00ad", "\u200b", "\u200d", "\u202e", "\u2066", "\u2028", "\u3164", "\ufeff",
    "\U000e0041", "\\\n", "$(", "${", "$((", "))", "((", "[[ ", " ]]", "$'", "<(", ">(", "<<E\n", "\nE\n", "<<<", ">&",
    "&>", "||", "&&", ";;", "if ", "; then ", "; fi", "while ", "; do ", "; done", "for x in ", "case x in ", " esac",
    "{ ", "; }", "f() ", "eval ", "bash -c ", "sudo ", "xargs ", "env ", "exec ", "trap ", "cd / && ", "x=", "x=$y",
    "$x", "\"$@\"", "/dev/tcp/", "/etc/passwd", "~", "../", "*", "-rf", " --", "{a,b}", "{1..9}", "$RANDOM", "| sh",
    "> /dev/sda", "a[$(b)]=", "@P}",
)  # fmt: skip
TWINS = str.maketrans("aceopsxyiABCEHKMOPTX", "асеорѕхуіАВСЕНКМОРТХ")  # noqa: RUF001 - these letters are the point
NESTS = (
    "$({})", "`{}`", '"{}"', "'{}'", '"$({})"', "${{x:-{}}}", "$(({}))", "(( {} ))", "( {} )", "{{ {}; }}", "<({})",
    "x=({})", "x[{}]=1", "[[ {} ]]", "if {}; then {}; fi", "case {} in a) {};; esac", "f() {{ {}; }}; f", "eval '{}'",
    "cat <<E\n{}\nE\n", "sh <<'E'\n{}\nE\n", "bash -c '{}'", "sudo {}", "env {}", "timeout 5 {}", "find . -exec {} \\;",
    "echo {} | sh", "echo x | xargs {}", "while {}; do {}; done", "for x in {}; do {}; done", "# {}", "python3 -c '{}'",
    "awk '{}' f", "sed '{}' f", "git -c alias.x='!{}' x", "trap '{}' EXIT", "{} &", "! {}", "time {}", "coproc {}",
)  # fmt: skip
LONG = (
    lambda text, size: text * (size // max(len(text), 1) + 1),
    lambda text, size: f"{text} {'w' * size}",
    lambda text, size: f"{'w' * size} {text}",
    lambda text, size: f"{text}; " * (size // (len(text) + 2)),
    lambda text, size: "$(" * (size // 8) + text + ")" * (size // 8),
    lambda text, size: "( " * (size // 4) + text + " )" * (size // 4),
    lambda text, size: "eval " * (size // 5) + text,
    lambda text, size: f"echo '{'q' * size}' {text}",
    lambda text, size: f"x={'w' * size}; {text} $x$x$x",
    lambda text, size: "for x in 1 2 3 4 5 6 7 8 9; do " * (size // 1000) + text + "; done" * (size // 1000),
    lambda text, size: f"cat <<E\n{(text + chr(10)) * (size // (len(text) + 1))}E\n",
)
SIZES = (2_000, 20_000, 100_000)
LONG_SHARE = 0.001
SLOW = 0.05
"""Seconds for each KB that are too many; what is smaller than one KB counts as one."""
GIVEN_UP = 60.0
"""Seconds after which nobody waits any longer."""
SHOWN = 8


@cache
def seeds() -> tuple[str, ...]:
    """Every command of the corpus that is not there for its size."""
    lines = (line for file in sorted(CORPUS.glob("*.jsonl")) for line in file.read_text(encoding="utf-8").split("\n"))
    commands = (str(json.loads(line)["command"]) for line in lines if line)
    return tuple(command for command in commands if len(command) < 1_000)


def inputs(random: Random) -> Iterator[str]:
    """Commands without end, each wrong in some way; few of them are long."""
    while True:
        text = random.choice(seeds())
        for _ in range(random.choice((1, 1, 2, 3, 6))):
            text = random.choice(_CHANGES)(text, random)
        if random.random() < LONG_SHARE:
            text = random.choice(LONG)(text, random.choice(SIZES))
        yield text


def _insert(text: str, random: Random) -> str:
    at = random.randint(0, len(text))
    return text[:at] + random.choice(TOKENS) * random.choice((1, 1, 1, 1, 2, 40)) + text[at:]


def _cut(text: str, random: Random) -> str:
    at = random.randint(0, len(text))
    return text[:at] + text[at + random.choice((1, 1, 2, 8)) :]


def _end(text: str, random: Random) -> str:
    return text[: random.randint(0, len(text))]


def _replace(text: str, random: Random) -> str:
    at = random.randint(0, len(text))
    return text[:at] + random.choice(TOKENS) + text[at + 1 :]


def _splice(text: str, random: Random) -> str:
    other = random.choice(seeds())
    return text[: random.randint(0, len(text))] + other[random.randint(0, len(other)) :]


def _join(text: str, random: Random) -> str:
    return text + random.choice(("; ", " && ", "\n", " | ", " & ", " || ", "\r\n", " ")) + random.choice(seeds())


def _nest(text: str, random: Random) -> str:
    return random.choice(NESTS).replace("{{", "{").replace("}}", "}").replace("{}", text)


def _disguise(text: str, random: Random) -> str:
    at = random.randint(0, len(text))
    return text[:at] + text[at : at + 4].translate(TWINS) + text[at + 4 :]


_CHANGES = (_insert, _insert, _cut, _end, _replace, _splice, _join, _nest, _nest, _disguise)


def attempt(text: str) -> tuple[float, list[str]]:
    """How many seconds judging took, and what is wrong with the answer."""
    began = time.process_time()
    signal.signal(signal.SIGVTALRM, _give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, GIVEN_UP)
    try:
        decision = decide(text, WORLD)
    except TimeoutError:
        return GIVEN_UP, ["takes too long"]
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what is looked for
        return time.process_time() - began, [f"raises {type(error).__name__}"]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began, list(check(decision, text))


def faults(text: str) -> list[str]:
    """What is wrong with how a text is judged; nothing when all is well."""
    return attempt(text)[1]


def check(decision: Decision, text: str) -> Iterator[str]:
    """Each promise that the decision does not keep."""
    strictest = max((reason.verdict for reason in decision.reasons), default=Verdict.ALLOW)
    if decision.verdict is not strictest:
        yield "the verdict is not that of its strictest reason"
    if decision.opaque and decision.verdict is Verdict.ALLOW:
        yield "allowed, although it cannot be read"
    if decision.read_only and decision.verdict is not Verdict.ALLOW:
        yield "said to only read, and not allowed"
    size = len(text.encode("utf-8", "surrogatepass"))
    spans = [reason.span for reason in decision.reasons if reason.span] + [each.span for each in decision.commands]
    if any(not 0 <= start <= end <= size for start, end in spans):
        yield "a span outside the text, or backwards"


def smallest(text: str, fault: str) -> str:
    """Leave out what can be left out while the fault stays."""
    size = max(1, len(text) // 2)
    while size:
        at = 0
        while at < len(text):
            fewer = text[:at] + text[at + size :]
            if fault in faults(fewer):
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
        self.slowest: list[tuple[float, int, str]] = []

    def add(self, text: str) -> None:
        """Try one text; what seems slow is tried again, for the machine does other things, too."""
        took, wrong = attempt(text)
        self.inputs, self.size, self.seconds = self.inputs + 1, self.size + len(text), self.seconds + took
        kilobytes = max(len(text) / 1024, 1)
        if len(self.slowest) < SHOWN or took / kilobytes > self.slowest[-1][0]:
            again = (took if took >= GIVEN_UP else min(took, attempt(text)[0])) / kilobytes
            self.slowest = sorted([*self.slowest, (again, len(text), text[:200])], reverse=True)[:SHOWN]
            wrong += ["takes too long"] if again > SLOW and "takes too long" not in wrong else []
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


def _give_up(*_: object) -> None:
    raise TimeoutError


def work(job: tuple[str, int]) -> Report:
    """Try so many inputs."""
    seed, count = job
    signal.signal(signal.SIGVTALRM, _give_up)
    report = Report()
    random = Random(seed)  # noqa: S311 - choices that can be repeated are wanted
    for text in islice(inputs(random), count):
        report.add(text)
    return report


def main(argv: Sequence[str] | None = None) -> int:
    """Try inputs in several processes and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", default="0")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args(argv)
    jobs = [(f"{args.seed}:{index}", args.count // args.jobs) for index in range(args.jobs)]
    seen = Report()
    with multiprocessing.Pool(args.jobs) as pool:
        for report in pool.map(work, jobs):
            seen.join(report)
    return tell(seen)


def tell(seen: Report) -> int:
    """Print what was seen; 1 when a promise was broken."""
    each, per_kilobyte = seen.seconds / max(seen.inputs, 1) * 1e6, seen.seconds / max(seen.size, 1) * 1e6 * 1024
    say(f"{seen.inputs:,} inputs, {seen.size:,} characters: {each:.0f} us for each, {per_kilobyte:.0f} us per KB")
    say("slowest, ms per KB (what is smaller counts as one KB):")
    for took, size, text in seen.slowest:
        say(f"  {took * 1000:8.2f}  {size:9,} characters  {text!r}")
    for fault, (times, text) in sorted(seen.faults.items()):
        shown = text if fault == "takes too long" else smallest(text, fault)
        say(f"FAULT {times:,} times: {fault}\n  {shown[:2000]!r}")
    return 1 if seen.faults else 0


def say(line: str) -> None:
    """One line for whoever looks."""
    sys.stdout.write(line.encode("utf-8", "backslashreplace").decode() + "\n")


if __name__ == "__main__":
    sys.exit(main())
