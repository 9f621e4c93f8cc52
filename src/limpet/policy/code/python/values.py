"""Expressions of Python -> the texts and paths that they can be, when that is known."""

from __future__ import annotations

import ast
from itertools import product
from typing import TYPE_CHECKING

from limpet.policy.code.python.modules import words
from limpet.policy.code.python.names import Each

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from limpet.policy.code.python.names import Given, Names

Texts = tuple[str, ...] | None
"""All that it can be; None when that is not known."""

_DEPTH = 24
_MOST = 16
_STEPS = 20_000
_SAME = words("""
    os.path.expanduser os.path.abspath os.path.realpath os.path.normpath os.fspath builtins.str pathlib.Path.resolve
    os.path.expandvars builtins.sorted builtins.list builtins.set builtins.tuple builtins.iter builtins.reversed
""")
"""Calls whose result is, as far as its place goes, their first argument."""
_SAME_METHODS = frozenset(("expanduser", "resolve", "absolute", "as_posix", "strip", "rstrip", "encode", "decode"))
_JOINING = frozenset(("pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath", "os.path.join", "posixpath.join"))
_HERE = frozenset(("os.getcwd", "pathlib.Path.cwd", "os.curdir"))


class Values:
    """Looks up what expressions can be."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._left = _STEPS

    def texts(self, node: Given, depth: int = 0) -> Texts:
        """What an expression can be."""
        self._left -= 1
        if node is None or depth > _DEPTH or self._left < 0:
            return None
        if isinstance(node, Each):
            return self._each(node.items, depth + 1)
        reader = _READERS.get(type(node))
        return reader(self, node, depth + 1) if reader is not None else None

    def text(self, node: ast.expr | None) -> str | None:
        """The one thing that an expression can be."""
        texts = self.texts(node)
        return texts[0] if texts is not None and len(texts) == 1 else None

    def argv(self, node: ast.expr) -> list[str] | None:
        """A list of arguments, all known."""
        if isinstance(node, ast.List | ast.Tuple):
            texts = [self._word(item) for item in node.elts]
            return [text for text in texts if text is not None] if None not in texts else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            # "a b".split(), or shlex.split("a b")
            source = node.args[0] if self.names.qualify(node.func) == "shlex.split" and node.args else node.func.value
            text = self.text(source)
            return None if text is None or (node.args and source is node.func.value) else text.split()
        if isinstance(node, ast.Name):
            given = self.names.given.get(node.id, [])
            only = given[0] if len(given) == 1 else None
            return self.argv(only) if isinstance(only, ast.List | ast.Tuple | ast.Call) else None
        return None

    def _word(self, node: ast.expr) -> str | None:
        return "python3" if self.names.qualify(node) == "sys.executable" else self.text(node)

    def _each(self, node: ast.expr, depth: int) -> Texts:
        """What the items of an expression can be."""
        self._left -= 1
        if depth > _DEPTH or self._left < 0:
            return None
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            texts = [self.texts(one, depth) for one in node.elts]
            found = [text for one in texts if one is not None for text in one]
            return tuple(found) if None not in texts and len(found) <= _MOST else None
        if isinstance(node, ast.Call):
            return self._each_called(node, depth)
        if isinstance(node, ast.Name):
            given = self.names.given.get(node.id, [])
            only = given[0] if len(given) == 1 else None
            return self._each(only, depth + 1) if isinstance(only, ast.expr) else None
        return None

    def _each_called(self, node: ast.Call, depth: int) -> Texts:
        name = self.names.qualify(node.func) or ""
        if name in _SAME and node.args:
            return self._each(node.args[0], depth + 1)
        if name in ("glob.glob", "glob.iglob") and node.args:
            return self.texts(node.args[0], depth)
        if name == "os.listdir":
            return ("*",)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("glob", "rglob", "iterdir"):
            inner = self.texts(node.args[0], depth) if node.args else ("*",)
            return _combine([self.texts(node.func.value, depth), inner], join_names)
        return None


def _constant(_values: Values, node: ast.Constant, _depth: int) -> Texts:
    if isinstance(node.value, bytes):
        return (node.value.decode("latin-1"),)
    return (node.value,) if isinstance(node.value, str) else None


def _name(values: Values, node: ast.Name, depth: int) -> Texts:
    given = values.names.given.get(node.id)
    if not given or node.id in values.names.modules:
        return None
    found: list[str] = []
    for one in given:
        texts = values.texts(one, depth)
        if texts is None:
            return None
        found.extend(texts)
    return tuple(dict.fromkeys(found)) if len(found) <= _MOST else None


def _formatted(values: Values, node: ast.JoinedStr, depth: int) -> Texts:
    return _combine([values.texts(part, depth) for part in node.values], "".join)


def _operation(values: Values, node: ast.BinOp, depth: int) -> Texts:
    if isinstance(node.op, ast.Add):
        return _combine([values.texts(node.left, depth), values.texts(node.right, depth)], "".join)
    if isinstance(node.op, ast.Div):
        return _combine([values.texts(node.left, depth), values.texts(node.right, depth)], join_names)
    return None


def _subscript(values: Values, node: ast.Subscript, _depth: int) -> Texts:
    home = values.names.qualify(node.value) == "os.environ" and values.text(node.slice) == "HOME"
    return ("~",) if home else None


def _attribute(values: Values, node: ast.Attribute, depth: int) -> Texts:
    if node.attr == "parent":
        return _combine([values.texts(node.value, depth), ("..",)], join_names)
    return (".",) if values.names.qualify(node) in _HERE else None


def _call(values: Values, node: ast.Call, depth: int) -> Texts:
    name = values.names.qualify(node.func) or ""
    if name in _JOINING:
        return _combine([values.texts(one, depth) for one in node.args], join_names) if node.args else (".",)
    if name in _SAME:
        return values.texts(node.args[0], depth) if node.args else None
    if name in _HERE or name == "pathlib.Path.home":
        return (".",) if name in _HERE else ("~",)
    if name in ("os.getenv", "os.environ.get") and node.args and values.text(node.args[0]) == "HOME":
        return ("~",)
    return _method(values, node, depth) if isinstance(node.func, ast.Attribute) else None


def _method(values: Values, node: ast.Call, depth: int) -> Texts:
    assert isinstance(node.func, ast.Attribute)
    method, base = node.func.attr, node.func.value
    if method in _SAME_METHODS and not node.args:
        return values.texts(base, depth)
    if method == "joinpath":
        return _combine([values.texts(base, depth), *(values.texts(one, depth) for one in node.args)], join_names)
    if method in ("with_suffix", "with_name", "with_stem"):
        return _combine([values.texts(base, depth), ("../*",)], join_names)
    return None


def _combine(parts: list[Texts], join: Callable[[Sequence[str]], str]) -> Texts:
    known = [part for part in parts if part is not None]
    count = 1
    for part in known:
        count *= len(part)
    if len(known) != len(parts) or count > _MOST:
        return None
    return tuple(join(one) for one in product(*known))


def join_names(names: Sequence[str]) -> str:
    """As `os.path.join` does: an absolute name throws away what stands before it."""
    path = ""
    for name in names:
        path = name if name.startswith(("/", "~")) or not path else f"{path.rstrip('/')}/{name}"
    return path


_READERS: dict[type, Callable[..., Texts]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.JoinedStr: _formatted,
    ast.FormattedValue: lambda self, node, depth: self.texts(node.value, depth),
    ast.BinOp: _operation,
    ast.Subscript: _subscript,
    ast.Attribute: _attribute,
    ast.Call: _call,
}
