"""A tree of Python -> everything in it that is not known to be harmless."""

from __future__ import annotations

import ast

import msgspec

from limpet.policy.code.finding import (
    Finding,
    connects,
    evaluates,
    fork_bomb,
    opaque,
    remote_code,
    reverse_shell,
    writes,
)
from limpet.policy.code.python.arguments import argument
from limpet.policy.code.python.functions import FUNCTIONS
from limpet.policy.code.python.meaning import meaning, strange_attribute
from limpet.policy.code.python.methods import METHODS
from limpet.policy.code.python.modules import HARMLESS, is_standard
from limpet.policy.code.python.names import Names
from limpet.policy.code.python.values import Values

_L = "python"
_LOOKING = ("builtins.print", "builtins.dir", "builtins.repr", "builtins.str", "builtins.type", "builtins.hasattr")
"""Functions that only look at what they are given."""
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "cmd.exe")


class Review:
    """Looks at every part of a piece of code once; `findings` is what it saw."""

    def __init__(self, tree: ast.Module) -> None:
        self.nodes = list(ast.walk(tree))
        self.names = Names(self.nodes)
        self.values = Values(self.names)
        self.findings: list[Finding] = []
        self.code: list[str] = []
        """Texts that it runs as Python."""
        self.done: set[int] = set()
        self.moved = False
        self._looped: set[int] | None = None
        for node in self.nodes:
            self._prepare(node)
        for node in self.nodes:
            self._look(node)
        self._combine()

    def _prepare(self, node: ast.AST) -> None:
        """Parts that need no look of their own, because a whole that they belong to gets one."""
        if isinstance(node, ast.Attribute):
            self.done.update([id(node.value)] if self.names.qualify(node) is not None else ())
        elif isinstance(node, ast.Assign):
            self.done.update([id(node.value)] if self._is_alias(node) else ())
        elif isinstance(node, ast.Call) and self._only_looks(self.names.qualify(node.func)):
            modules = self.names.modules
            self.done.update(id(one) for one in node.args if isinstance(one, ast.Name) and one.id in modules)

    def _is_alias(self, node: ast.Assign) -> bool:
        """`o = os`, when nothing else is ever called `o`."""
        target = node.targets[0]
        alone = len(node.targets) == 1 and isinstance(node.value, ast.Name)
        return alone and isinstance(target, ast.Name) and len(self.names.given[target.id]) == 1

    def _only_looks(self, name: str | None) -> bool:
        return name is not None and (name in _LOOKING or name.startswith("inspect.get"))

    def _look(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.ImportFrom):
            self._star(node)
        elif isinstance(node, ast.Subscript):
            self._store(node.value, node.ctx)
        elif isinstance(node, ast.Attribute | ast.Name) and id(node) not in self.done:
            self._store(node, node.ctx)
            self._load(node)

    def _star(self, node: ast.ImportFrom) -> None:
        module = (node.module or "").partition(".")[0]
        if any(alias.name == "*" for alias in node.names) and is_standard(module) and module not in HARMLESS:
            self.findings.append(opaque(_L, f"takes every name from {module}"))

    def _store(self, node: ast.expr, context: ast.expr_context) -> None:
        if isinstance(context, ast.Store) and self.names.qualify(node) == "sys.path":
            self.findings.append(evaluates(_L))

    def _load(self, node: ast.Attribute | ast.Name) -> None:
        name = self.names.qualify(node)
        if name is not None:
            finding = meaning(name, bare=True)
            if finding is not None:
                self.findings.append(finding)
        elif isinstance(node, ast.Attribute) and strange_attribute(node.attr):
            self.findings.append(opaque(_L, f"uses the attribute {node.attr}"))

    def _call(self, call: ast.Call) -> None:
        name = self.names.qualify(call.func)
        if name in FUNCTIONS:
            self.done.add(id(call.func))
            self.findings.extend(FUNCTIONS[name](call, self.values))
        elif name is not None and name in _SPECIAL:
            self.done.add(id(call.func))
            _SPECIAL[name](self, call)
        elif isinstance(call.func, ast.Attribute):
            self._method(call, call.func, name)

    def _method(self, call: ast.Call, function: ast.Attribute, name: str | None) -> None:
        foreign = name is None or not is_standard(name.partition(".")[0])
        if foreign and function.attr in METHODS and (name is None or strange_attribute(function.attr)):
            self.done.add(id(function))
            self.findings.extend(METHODS[function.attr](call, self.values))
        if name is not None and foreign and any(self._is_address(one) for one in call.args):
            self.findings.append(connects(_L))

    def _is_address(self, node: ast.expr) -> bool:
        text = self.values.text(node)
        return text is not None and text.startswith(("http://", "https://", "ftp://", "s3://"))

    def looped(self) -> set[int]:
        """Everything inside a `while`."""
        if self._looped is None:
            loops = [node for node in self.nodes if isinstance(node, ast.While) or _is_endless(node)]
            self._looped = {id(inner) for loop in loops for inner in ast.walk(loop)}
        return self._looped

    def _combine(self) -> None:
        """What several things together mean."""
        if self.moved:
            self.findings = [_without_place(finding) for finding in self.findings]
        rules = {finding.rule for finding in self.findings}
        if "python.network" in rules and (self._uses("os.dup2", "pty.spawn") or self._starts_shell()):
            self.findings.append(reverse_shell(_L))
        if {"python.network", "python.eval"} <= rules or self._runs_fetched():
            self.findings.append(remote_code(_L))

    def _uses(self, *names: str) -> bool:
        named = (node for node in self.nodes if isinstance(node, ast.Attribute | ast.Name))
        return any(self.names.qualify(node) in names for node in named)

    def _starts_shell(self) -> bool:
        scripts = [finding.script or "" for finding in self.findings]
        return any(script.partition(" ")[0].rpartition("/")[2] in _SHELLS for script in scripts if script)

    def _runs_fetched(self) -> bool:
        """Whether something fetched stands inside the arguments of something that starts a program."""
        for node in self.nodes:
            if isinstance(node, ast.Call) and self._spawns(self.names.qualify(node.func)):
                inner = (one for argument in node.args for one in ast.walk(argument))
                if any(self._connects(one) for one in inner if isinstance(one, ast.Attribute | ast.Name)):
                    return True
        return False

    def _spawns(self, name: str | None) -> bool:
        return name is not None and name.startswith(("subprocess.", "os.system", "os.popen"))

    def _connects(self, node: ast.AST) -> bool:
        name = self.names.qualify(node)
        finding = meaning(name, bare=False) if name is not None else None
        return finding is not None and finding.rule == "python.network"


def _evaluate(review: Review, call: ast.Call) -> None:
    text = review.values.text(argument(call, 0))
    if text is not None:
        review.code.append(text)
    review.findings.append(evaluates(_L))


def _import(review: Review, call: ast.Call) -> None:
    if review.values.text(argument(call, 0)) is None:
        review.findings.append(evaluates(_L))


def _get_attribute(review: Review, call: ast.Call) -> None:
    """`getattr(x, "name")` is `x.name`."""
    attribute = review.values.text(argument(call, 1))
    name = review.names.qualify(call)
    if attribute is None or (name is None and strange_attribute(attribute)):
        review.findings.append(opaque(_L, "takes an attribute whose name is made while it runs"))
    elif name is not None:
        finding = meaning(name, bare=True)
        review.findings.extend([finding] if finding is not None else [])
        review.done.update(id(one) for one in call.args)


def _change_folder(review: Review, call: ast.Call) -> None:
    text = review.values.text(argument(call, 0, "path"))
    review.moved |= text is None or text.startswith(("/", "~")) or ".." in text.split("/")


def _is_endless(node: ast.AST) -> bool:
    """A comprehension, or a loop, over what never ends: `iter(int, 1)`, `itertools.count()`, `cycle`, `repeat`."""
    sources = [each.iter for each in getattr(node, "generators", ())] + (
        [node.iter] if isinstance(node, ast.For) else []
    )
    names = [ast.unparse(source.func).rpartition(".")[2] for source in sources if isinstance(source, ast.Call)]
    return any(name in ("iter", "count", "cycle", "repeat") for name in names)


def _fork(review: Review, call: ast.Call) -> None:
    endless = id(call) in review.looped()
    review.findings.append(fork_bomb(_L) if endless else opaque(_L, "makes a copy of its own process"))


def _without_place(finding: Finding) -> Finding:
    """Its folder is not known any more, so a relative path says nothing."""
    path = finding.write or finding.change
    if path is not None and not path.startswith(("/", "~")):
        return writes(_L, None)
    if finding.delete is not None and not finding.delete.startswith(("/", "~")):
        return msgspec.structs.replace(finding, delete=None)
    return finding


_SPECIAL = {
    "builtins.exec": _evaluate,
    "builtins.eval": _evaluate,
    "builtins.compile": _evaluate,
    "builtins.__import__": _import,
    "importlib.import_module": _import,
    "importlib.__import__": _import,
    "builtins.getattr": _get_attribute,
    "os.chdir": _change_folder,
    "contextlib.chdir": _change_folder,
    "os.fork": _fork,
    "os.forkpty": _fork,
}
