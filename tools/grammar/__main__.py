"""Every script to be had -> what we, bash and shfmt make of it: `make grammar`; exit 1 if they part in silence."""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import corpora
import fetch
from generated import of_examples
from tally import Tally
from work import examine

from oracle.outside import empty_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent.parent


def main(argv: Sequence[str] | None = None) -> int:
    """Compare, count, tell."""
    args = _parser().parse_args(argv)
    tally, end = Tally(), time.monotonic() + args.seconds
    empty_folder()  # before the fork: a worker ends without tidying up
    with multiprocessing.get_context("fork").Pool(args.workers) as pool:
        for found in pool.imap_unordered(examine, _chosen(args)):
            for one in found:
                tally.add(one)
            if time.monotonic() > end:
                sys.stdout.write(f"stopped after {args.seconds} seconds: not everything was compared\n")
                break
    sys.stdout.write("\n".join([*tally.table(), *tally.notes(args.show)]) + "\n")
    return 1 if tally.different else 0


def _chosen(args: argparse.Namespace) -> Iterator[corpora.Script]:
    """In an order of chance, the same each time: a run that is cut short has seen something of everything."""
    archives = [] if args.offline else fetch.archives(ROOT / ".grammar")
    sources = [corpora.of_cases(), of_examples(args.examples), corpora.of_machine(), *map(corpora.of_archive, archives)]
    scripts = [script for source in sources for script in source if not args.only or script.corpus in args.only]
    random.Random(0).shuffle(scripts)  # noqa: S311 - nothing secret
    return itertools.islice(scripts, args.limit)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make grammar ARGS=…", description=__doc__)
    parser.add_argument("--limit", type=int, help="scripts to compare, of all that there are")
    parser.add_argument("--seconds", type=int, default=540, help="when to stop")
    parser.add_argument("--examples", type=int, default=2000, help="scripts to generate")
    parser.add_argument("--only", action="append", help="one corpus, by its name in the table")
    parser.add_argument("--offline", action="store_true", help="only what this machine has")
    parser.add_argument("--show", type=int, default=10, help="how many of each kind to show")
    parser.add_argument("--workers", type=int, default=2)
    return parser


if __name__ == "__main__":
    sys.exit(main())
