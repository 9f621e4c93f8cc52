"""A tree of Python -> which names stand for which modules, and what is assigned to the others."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NamedTuple

from limpet.policy.code.python.modules import BUILTINS

if TYPE_CHECKING:
    from collections.abc import Callable

_DEPTH = 24
_IMPORTING = ("builtins.__import__", "importlib.import_module", "importlib.__import__")


class Each(NamedTuple):
    """One item after the other of what an expression gives."""

    items: ast.expr


Given = ast.expr | Each | None


class Names:
    """What the names of a piece of code stand for, wherever in it they are bound."""

    def __init__(self, nodes: list[ast.AST]) -> None:
        self.modules: dict[str, str] = {}
        self.given: dict[str, list[Given]] = {}
        for node in nodes:
            self._bind(node)

    def _bind(self, node: ast.AST) -> None:
        binder = _BINDERS.get(type(node))
        if binder is not None:
            binder(self, node)

    def give(self, target: ast.expr, value: Given) -> None:
        """Note what a target of an assignment is given."""
        if isinstance(target, ast.Name):
            self.given.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple | ast.List):
            for name in ast.walk(target):
                if isinstance(name, ast.Name):
                    self.given.setdefault(name.id, []).append(None)

    def qualify(self, node: ast.AST, depth: int = 0) -> str | None:
        """`os.path.join` for whatever the code calls that; None for what belongs to no module."""
        if depth > _DEPTH:
            return None
        if isinstance(node, ast.Name):
            return self._qualify_name(node.id, depth)
        if isinstance(node, ast.Attribute):
            return _dotted(self.qualify(node.value, depth + 1), node.attr)
        if isinstance(node, ast.Call):
            return self._qualify_call(node, depth)
        if isinstance(node, ast.Subscript) and self.qualify(node.value, depth + 1) == "sys.modules":
            return _constant(node.slice)
        return None

    def _qualify_name(self, name: str, depth: int) -> str | None:
        if name in self.modules:
            return self.modules[name]
        given = self.given.get(name)
        if given is None:
            return f"builtins.{name}" if name in BUILTINS else None
        # A name that is given a module, or a part of one, only once, is that part.
        only = given[0] if len(given) == 1 else None
        return self._alias(only, depth) if isinstance(only, ast.Name | ast.Attribute | ast.Call) else None

    def _alias(self, value: ast.expr, depth: int) -> str | None:
        return self._qualify_call(value, depth) if isinstance(value, ast.Call) else self.qualify(value, depth + 1)

    def _qualify_call(self, node: ast.Call, depth: int) -> str | None:
        """`__import__("os")` is a module, `getattr(os, "system")` a part of one."""
        function = self.qualify(node.func, depth + 1)
        if function in _IMPORTING and node.args:
            return _constant(node.args[0])
        if function == "builtins.getattr" and len(node.args) > 1:
            name = _constant(node.args[1])
            return None if name is None else _dotted(self.qualify(node.args[0], depth + 1), name)
        return None


def _import(names: Names, node: ast.Import) -> None:
    for alias in node.names:
        names.modules[alias.asname or alias.name.partition(".")[0]] = (
            alias.name if alias.asname else alias.name.partition(".")[0]
        )


def _import_from(names: Names, node: ast.ImportFrom) -> None:
    module = node.module or "" if not node.level else f".{node.module or ''}"
    for alias in node.names:
        names.modules[alias.asname or alias.name] = f"{module}.{alias.name}"


def _assign(names: Names, node: ast.Assign) -> None:
    for target in node.targets:
        names.give(target, node.value)


def _annotated(names: Names, node: ast.AnnAssign | ast.NamedExpr) -> None:
    names.give(node.target, node.value)


def _augmented(names: Names, node: ast.AugAssign) -> None:
    names.give(node.target, None)


def _loop(names: Names, node: ast.For | ast.AsyncFor | ast.comprehension) -> None:
    names.give(node.target, Each(node.iter))


def _with(names: Names, node: ast.withitem) -> None:
    if node.optional_vars is not None:
        names.give(node.optional_vars, node.context_expr)


def _argument(names: Names, node: ast.arg) -> None:
    names.given.setdefault(node.arg, []).append(None)


def _definition(names: Names, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
    names.given.setdefault(node.name, []).append(None)


def _caught(names: Names, node: ast.ExceptHandler) -> None:
    if node.name:
        names.given.setdefault(node.name, []).append(None)


def _dotted(base: str | None, name: str) -> str | None:
    return None if base is None else f"{base}.{name}"


def _constant(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


_BINDERS: dict[type, Callable[[Names, Any], None]] = {
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.NamedExpr: _annotated,
    ast.AugAssign: _augmented,
    ast.For: _loop,
    ast.AsyncFor: _loop,
    ast.comprehension: _loop,
    ast.withitem: _with,
    ast.arg: _argument,
    ast.FunctionDef: _definition,
    ast.AsyncFunctionDef: _definition,
    ast.ClassDef: _definition,
    ast.ExceptHandler: _caught,
}
