"""Python code -> what it would do, as far as its tree tells."""

from __future__ import annotations

import ast
import re
import warnings

from limpet.policy.code.finding import Finding, opaque
from limpet.policy.code.python.review import Review

_LONGEST = 16_000
_DEEPEST = 3
_ENCODED = re.compile(r"(?:[^\n]*\n)?[ \t\f]*#[^\n]*coding[:=](?![ \t]*(?:utf-?8|ascii|latin-?1)\b)", re.IGNORECASE)


def scan_python(text: str, depth: int = 0) -> tuple[Finding, ...]:
    """Everything in Python code that is not known to be harmless."""
    tree = _parse(text)
    if isinstance(tree, Finding):
        return (tree,)
    try:
        review = Review(tree)
    except RecursionError:
        return (opaque("python", "the code is nested too deeply to be read"),)
    found = list(review.findings)
    if depth < _DEEPEST:
        for inner in review.code:
            found.extend(scan_python(inner, depth + 1))
    return tuple(dict.fromkeys(found))


def _parse(text: str) -> ast.Module | Finding:
    if _ENCODED.match(text):
        return opaque("python", "the code says that it is encoded in some other way")
    if len(text) > _LONGEST:
        return opaque("python", "the code is too long to be read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError:
        return opaque("python", "the code is not Python that could be read")
    except (RecursionError, ValueError, MemoryError, OverflowError):
        return opaque("python", "the code is nested too deeply to be read")
