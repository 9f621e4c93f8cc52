"""A tree of shfmt's, in JSON -> its form, with places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle import quoting
from oracle import theirwords as words
from oracle.form import LOOSE, Form, joined, literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle.shfmt import Json


def script(statements: list[Json] | None) -> Form:
    """Commands one after the other."""
    return ("script", *map(statement, statements or []))


def statement(node: Json) -> Form:
    """A command with all that stands around it."""
    form = _pipeline(node)
    return ("&", form) if node.get("Background") else form


def _pipeline(node: Json) -> Form:
    command = node.get("Cmd")
    negated, timed = bool(node.get("Negated")), False
    while command and command["Type"] == "TimeClause":
        timed = True
        node = command.get("Stmt") or {}
        command = node.get("Cmd")
        negated = negated != bool(node.get("Negated"))
    if timed and not node:
        return ("pipe", negated, timed, (), ())
    if command and command["Type"] == "BinaryCmd" and command["Op"] in {"|", "|&"}:
        operators, stages = _chain(node, {"|", "|&"})
        return ("pipe", negated, timed, operators, tuple(map(statement, stages)))
    form = _without_dashes(_command(node)) if timed else _command(node)
    return ("pipe", negated, timed, (), (form,)) if negated or timed else form


def _without_dashes(form: Form) -> Form:
    """They take the `--` of `time -- a` for a word of the command."""
    if form[0] == "simple" and not form[1] and form[2] and form[2][0][-1] == (literal("--", quoted=False),):
        return ("simple", (), form[2][1:], form[3])
    return form


def _chain(node: Json, joining: set[str]) -> tuple[tuple[str, ...], list[Json]]:
    """`a | b | c`, which is `(a | b) | c` in their tree."""
    operators, rest = [], []
    command = node["Cmd"]
    while True:
        operators.append(command["Op"])
        rest.append(command["Y"])
        left = command["X"]
        command = left.get("Cmd") or {}
        bare = not left.get("Negated") and not left.get("Redirs")
        if not (bare and command.get("Type") == "BinaryCmd" and command["Op"] in joining):
            return tuple(reversed(operators)), [left, *reversed(rest)]


def _command(node: Json) -> Form:
    redirects = tuple(map(words.redirect, node.get("Redirs") or []))
    command = node.get("Cmd")
    if command is None:
        return ("simple", (), (), redirects)
    return _FORMS[command["Type"]](command, redirects)


def _call(node: Json, redirects: Form) -> Form:
    assigned = tuple(map(words.assignment, node.get("Assigns") or []))
    given = node.get("Args") or []
    loose = bool(given) and words.plain(given[0]) in LOOSE
    return ("simple", assigned, tuple((words.loose if loose else words.word)(one) for one in given), redirects)


def _declare(node: Json, redirects: Form) -> Form:
    variant = node["Variant"]
    first = ("word", *words.place(variant), (literal(variant["Value"], quoted=False),))
    given = (words.assignment(one) if one.get("Array") else words.loose(one) for one in node.get("Args") or [])
    return ("simple", (), (words.without_text(first), *given), redirects)


def _let(node: Json, redirects: Form) -> Form:
    start = node["Let"]["Offset"]
    return ("simple", (), (("word", start, start + 3, ()), *map(words.loose, node["Exprs"])), redirects)


def _binary(node: Json, redirects: Form) -> Form:
    operators, members = _chain({"Cmd": node}, {"&&", "||"})
    return _flat(operators, [statement(one) for one in members], redirects)


def _flat(operators: tuple[str, ...], members: list[Form], redirects: Form) -> Form:
    """A list in a list comes from a function that had taken what follows it."""
    joined_by: list[str] = []
    flat: list[Form] = []
    for operator, member in zip(("", *operators), members, strict=True):
        inner = member[0] == "list"
        joined_by += [operator, *(member[1] if inner else ())]
        flat += member[2] if inner else [member]
    return ("list", tuple(joined_by[1:]), tuple(flat), *([redirects] if redirects else []))


def _if(node: Json, redirects: Form) -> Form:
    after = node.get("Else")
    otherwise = None
    if after is not None:
        otherwise = ("script", _if(after, ())) if after.get("Cond") else script(after.get("Then"))
    return ("if", script(node["Cond"]), script(node["Then"]), otherwise, redirects)


def _while(node: Json, redirects: Form) -> Form:
    return ("until" if node.get("Until") else "while", script(node["Cond"]), script(node["Do"]), redirects)


def _for(node: Json, redirects: Form) -> Form:
    loop, body = node["Loop"], script(node.get("Do"))
    if loop["Type"] == "CStyleLoop":
        expressions = tuple(words.expression(loop.get(one)) for one in ("Init", "Cond", "Post"))
        return ("for ((", expressions, body, redirects)
    items = tuple(map(words.word, loop.get("Items") or [])) if loop.get("InPos") else None
    return ("select" if node.get("Select") else "for", words.text(loop["Name"]), items, body, redirects)


def _case(node: Json, redirects: Form) -> Form:
    arms = tuple(
        (tuple(map(words.word, one["Patterns"])), script(one.get("Stmts")), one["Op"] if _ended(one) else "")
        for one in node.get("Items") or []
    )
    return ("case", words.word(node["Word"]), arms, redirects)


def _ended(arm: Json) -> bool:
    """The last arm has the operator `;;` even when none was written; it then stands nowhere of its own."""
    return bool(arm.get("OpPos")) and arm["End"]["Offset"] > arm["OpPos"]["Offset"]


def _test(node: Json, redirects: Form) -> Form:
    return ("[[", tuple(_terms(node["X"])), redirects)


def _terms(node: Json) -> list[Form]:
    if node["Type"] == "ParenTest" or (node["Type"] == "UnaryTest" and node["Op"] == "!"):
        return _terms(node["X"])
    if node["Type"] == "BinaryTest" and node["Op"] in {"&&", "||"}:
        return [*_terms(node["X"]), *_terms(node["Y"])]
    if node["Type"] == "Word":
        return [("", (words.word(node),))]
    return [(node["Op"], tuple(words.word(node[side]) for side in ("X", "Y") if side in node))]


def _function(node: Json, redirects: Form) -> Form:
    """They put what follows a function, as in `f() { a; } | b`, into its body."""
    inner = node["Body"].get("Cmd") or {}
    if inner.get("Type") == "BinaryCmd":
        return _pipeline(_turned(node, node["Body"]))
    body = _pipeline(node["Body"])
    name = node["Name"]
    form = ("word", *words.place(name), joined(quoting.unquoted(words.text(name))))
    return ("function", form, (*body[:-1], (*body[-1], *redirects)) if redirects else body)


def _turned(function: Json, body: Json) -> Json:
    command = body.get("Cmd") or {}
    if command.get("Type") != "BinaryCmd":
        return {"Cmd": {**function, "Body": body}}
    return {**body, "Cmd": {**command, "X": _turned(function, command["X"])}}


def _coproc(node: Json, redirects: Form) -> Form:
    body = dict(node["Stmt"])
    name = words.plain(node["Name"]) if node.get("Name") else "COPROC"
    form = statement(body)
    return ("coproc", name, (*form[:-1], (*form[-1], *redirects)) if redirects else form)


_FORMS: dict[str, Callable[[Json, Form], Form]] = {
    "CallExpr": _call,
    "DeclClause": _declare,
    "LetClause": _let,
    "BinaryCmd": _binary,
    "IfClause": _if,
    "WhileClause": _while,
    "ForClause": _for,
    "CaseClause": _case,
    "TestClause": _test,
    "FuncDecl": _function,
    "CoprocClause": _coproc,
    "Subshell": lambda node, redirects: ("subshell", script(node.get("Stmts")), redirects),
    "Block": lambda node, redirects: ("group", script(node.get("Stmts")), redirects),
    "ArithmCmd": lambda node, redirects: ("((", words.expression(node.get("X")), redirects),
    "TimeClause": lambda node, redirects: _pipeline({"Cmd": node, "Redirs": redirects}),
}
