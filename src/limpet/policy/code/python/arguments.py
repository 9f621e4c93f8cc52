"""A call of Python -> its arguments, by position or by name."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TypeAlias

from limpet.policy.code.finding import Finding
from limpet.policy.code.python.values import Values

Handler: TypeAlias = Callable[[ast.Call, Values], Iterator[Finding]]
"""A call -> what it does."""


def each(handler: Handler, names: str) -> dict[str, Handler]:
    """The same handler for several names."""
    return dict.fromkeys(names.split(), handler)


def argument(call: ast.Call, position: int, name: str = "") -> ast.expr | None:
    """An argument by its position, or by its name."""
    for keyword in call.keywords:
        if name and keyword.arg == name:
            return keyword.value
    if position < len(call.args) and not any(isinstance(one, ast.Starred) for one in call.args[: position + 1]):
        return call.args[position]
    return None


def paths(node: ast.expr | None, values: Values) -> list[str | None]:
    """What an argument can be; None for what is not known."""
    texts = values.texts(node)
    return [None] if texts is None else list(texts)


def is_spread(call: ast.Call) -> bool:
    """Whether it is given arguments that are not written one by one: `f(*x)`, `f(**y)`."""
    return any(isinstance(one, ast.Starred) for one in call.args) or any(one.arg is None for one in call.keywords)


def opens_to_write(mode: ast.expr | None) -> bool:
    """Whether a mode, such as `w` or `r:gz`, is one to write with; one that is not known is."""
    if mode is None:
        return False
    if not isinstance(mode, ast.Constant) or not isinstance(mode.value, str):
        return True
    return bool(set("wax+") & set(mode.value.replace("|", ":").partition(":")[0]))
