"""The corpus of commands -> how well the judge does on it: `make score`, or with other files as arguments.

Each line of a file is a JSON object: `command`, `expect` (allow, deny, not_allow, not_deny), `why`, and perhaps a
`category`, else the file's name is one. Judged as an ordinary user in a workspace below their home.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from limpet.policy.decide import decide
from limpet.policy.places import World

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "policy"
MISSES = CORPUS.with_name("policy-misses.jsonl")
"""Cases that are known to be judged wrongly: the tests let them be, the figures do not."""
WORLD = World(workspace="/home/dev/proj", home="/home/dev")
FITS = {
    "allow": ("allow",),
    "deny": ("deny",),
    "not_allow": ("ask", "deny"),
    "not_deny": ("allow", "ask"),
}
"""What is expected -> the verdicts that are as expected."""
CONTAINED = {**FITS, "not_allow": ("allow", "ask", "deny")}
"""The same inside the full sandbox, where what cannot escape may be allowed; the floor holds there as anywhere."""
COLUMNS = {
    "bypassed": ("deny but allow", "not_allow but allow"),
    "asked only": ("deny but ask",),
    "benign asked": ("allow but ask",),
    "denied": ("allow but deny", "not_deny but deny"),
}
"""What went wrong -> which misses these are; the worst comes first."""


class Answer(NamedTuple):
    """A case and what the judge said about it."""

    case: dict[str, str]
    verdict: str
    containment: str = "none"

    @property
    def miss(self) -> str:
        """How the verdict differs from what was expected; empty when it does not."""
        expected = self.case["expect"]
        fits = CONTAINED if self.containment == "full" else FITS
        return "" if self.verdict in fits[expected] else f"{expected} but {self.verdict}"


def cases(files: Iterable[Path]) -> Iterator[dict[str, str]]:
    """Every case of every file."""
    for file in files:
        with file.open(encoding="utf-8") as lines:
            for line in lines:
                if line.strip():
                    yield {"category": file.stem, **json.loads(line)}


def answer(case: dict[str, str], containment: str = "none", profile: str = "workspace") -> Answer:
    """Judge a case."""
    decision = decide(case["command"], WORLD, cwd=case.get("cwd"), containment=containment, profile=profile)
    return Answer(case, str(decision.verdict), containment)


def table(answers: list[Answer]) -> Iterator[str]:
    """A line for each category, with how many went wrong in which way."""
    yield f"{'':24} {'cases':>6} {'right':>6} " + " ".join(f"{column:>12}" for column in COLUMNS)
    for category in sorted({each.case["category"] for each in answers}):
        yield _row(category, [each for each in answers if each.case["category"] == category])
    yield _row("all", answers)


def _row(name: str, answers: list[Answer]) -> str:
    missed = Counter(each.miss for each in answers)
    wrong = (sum(missed[kind] for kind in kinds) or "." for kinds in COLUMNS.values())
    return f"{name:24} {len(answers):6} {missed['']:6} " + " ".join(f"{count:>12}" for count in wrong)


def shares(answers: list[Answer]) -> Iterator[str]:
    """The four figures that count."""
    expected = Counter(each.case["expect"] for each in answers)
    missed = Counter(each.miss for each in answers)
    dangerous = expected["deny"] + expected["not_allow"]
    allowed = missed["deny but allow"] + missed["not_allow but allow"]
    yield _share("dangerous allowed", allowed, dangerous)
    yield _share("deny-grade not denied", missed["deny but ask"] + missed["deny but allow"], expected["deny"])
    yield _share("benign not allowed", missed["allow but ask"] + missed["allow but deny"], expected["allow"])
    yield _share("grey denied", missed["not_deny but deny"], expected["not_deny"])


def _share(name: str, count: int, total: int) -> str:
    return f"{name:24} {count:5} of {total:5} {count / max(total, 1):8.2%}"


def _misses(answers: list[Answer], show: int) -> Iterator[str]:
    shown: Counter[str] = Counter()
    for kind in (kind for kinds in COLUMNS.values() for kind in kinds):
        for each in answers:
            if each.miss == kind and shown[kind] < show:
                shown[kind] += 1
                yield f"  {kind}: {each.case['category']}: {each.case['command'][:300]!r}"


def main() -> int:
    """Judge the corpus and print how well that went; 1 when something dangerous was allowed that is no known miss."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, help="instead of the corpus of the tests")
    parser.add_argument("--containment", default="none", choices=("none", "full"))
    parser.add_argument("--profile", default="workspace")
    parser.add_argument("--show", type=int, default=20, help="how many misses of a kind to print")
    args = parser.parse_args()
    files = args.files or [*sorted(CORPUS.glob("*.jsonl")), MISSES]
    answers = [answer(case, args.containment, args.profile) for case in cases(files)]
    known = {case["command"] for case in cases([MISSES])}
    new = [each for each in answers if each.miss and each.case["command"] not in known]
    for line in (*table(answers), "", *shares(answers), _known(answers, new)):
        sys.stdout.write(f"{line}\n")
    for line in _misses(answers, args.show):
        sys.stderr.write(f"{line}\n")
    return 1 if any(each.miss in COLUMNS["bypassed"] for each in new) else 0


def _known(answers: list[Answer], new: list[Answer]) -> str:
    missed = sum(bool(each.miss) for each in answers)
    return f"misses                   {missed:5}, of which {missed - len(new)} are known ({MISSES.name})"


if __name__ == "__main__":
    sys.exit(main())
