"""The promises in docs/requirements.md and the marks on tests -> which test proves which promise."""

from __future__ import annotations

import argparse
import ast
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parent.parent
_PROMISE = re.compile(r"^\| ([A-Z]{2}-[0-9]{2}) \|", re.MULTILINE)

Scope = ast.Module | ast.ClassDef


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table and what is missing from it."""
    args = _parser().parse_args(argv)
    promised = _PROMISE.findall(args.promises.read_text())
    proofs = collect(args.tests)
    lines = [] if args.missing else table(promised, proofs)
    sys.stdout.write("\n".join([*lines, *gaps(promised, proofs)]) + "\n")
    return 0


def collect(tests: Path) -> dict[str, list[str]]:
    """Id -> the tests marked with it. Files are parsed, never run."""
    proofs: dict[str, list[str]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        name = path.relative_to(tests.parent).as_posix()
        for test, ids in _marked(ast.parse(path.read_text()), name, frozenset()):
            for one in sorted(ids):
                proofs.setdefault(one, []).append(test)
    return proofs


def table(promised: list[str], proofs: dict[str, list[str]]) -> list[str]:
    """Each promise with the tests that prove it."""
    return [f"{one}  {test}" for one in promised for test in proofs.get(one, ["-"])]


def gaps(promised: list[str], proofs: dict[str, list[str]]) -> list[str]:
    """What no test proves, and marks that name no promise."""
    missing = [one for one in promised if one not in proofs]
    unknown = [f"unknown: {one} on {test}" for one in sorted(proofs.keys() - {*promised}) for test in proofs[one]]
    named = f": {' '.join(missing)}" if missing else ""
    return [*unknown, f"missing {len(missing)} of {len(promised)}{named}"]


def _marked(scope: Scope, name: str, outer: frozenset[str]) -> Iterator[tuple[str, frozenset[str]]]:
    around = outer | _scope_marks(scope)
    for node in scope.body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _marked(node, f"{name}::{node.name}", around | _decorations(node))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield f"{name}::{node.name}", around | _decorations(node)


def _scope_marks(scope: Scope) -> frozenset[str]:
    assigned = (node for node in scope.body if isinstance(node, ast.Assign | ast.AnnAssign))
    return frozenset().union(*(_ids(node) for node in assigned if "pytestmark" in _targets(node)))


def _targets(node: ast.Assign | ast.AnnAssign) -> set[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _decorations(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    return frozenset().union(*map(_ids, node.decorator_list))


def _ids(node: ast.AST) -> frozenset[str]:
    """The ids in every `pytest.mark.req(...)` at or below a node, so also those of single parameters."""
    calls = (one for one in ast.walk(node) if isinstance(one, ast.Call) and ast.unparse(one.func) == "pytest.mark.req")
    return frozenset(str(arg.value) for call in calls for arg in call.args if isinstance(arg, ast.Constant))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missing", action="store_true", help="only what no test proves")
    parser.add_argument("--tests", type=Path, default=ROOT / "tests", metavar="DIR")
    parser.add_argument("--promises", type=Path, default=ROOT / "docs" / "requirements.md", metavar="FILE")
    return parser


if __name__ == "__main__":
    sys.exit(main())
