"""A word of shfmt's, in JSON -> its form, with places."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from oracle import quoting
from oracle.form import Form, expansions, joined, kept, literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from oracle.shfmt import Json

_QUOTING = ("SglQuoted", "DblQuoted")
_EXPANSIONS = frozenset({"ParamExp", "CmdSubst", "ProcSubst", "ArithmExp"})


def place(node: Json) -> tuple[int, int]:
    """Where it stands."""
    return (node["Pos"]["Offset"], node["End"]["Offset"])


def text(node: Json) -> str:
    """What a literal says."""
    value: str = node["Value"]
    return value


def plain(node: Json) -> str:
    """The text of a word that is nothing but text, else nothing."""
    parts = node["Parts"]
    return text(parts[0]) if len(parts) == 1 and parts[0]["Type"] == "Lit" else ""


def word(node: Json) -> Form:
    """A word."""
    return ("word", *place(node), joined(_parts(node["Parts"], "")))


def loose(node: Json) -> Form:
    """A word of which only the place and the expansions matter."""
    start, end = place(node)
    bare = node.get("Append") and not node.get("Value") and not node.get("Array")
    return ("word", start, end + bool(bare), _nested(node))


def without_text(form: Form) -> Form:
    """The same, of a form."""
    return (*form[:-1], expansions(form[-1]))


def expression(node: Json | None) -> Form:
    """Arithmetic: the expansions in it."""
    return ("expression", _nested(node, quoted=True) if node else ())


def assignment(node: Json) -> Form:
    """`name=value`."""
    subscript = expression(node["Index"]) if node.get("Index") else None
    return ("=", text(node["Name"]), bool(node.get("Append")), subscript, _assigned(node))


def _assigned(node: Json) -> Form:
    if node.get("Array"):
        return ("array", *map(_element, node["Array"].get("Elems") or []))
    if node.get("Value"):
        return word(node["Value"])
    end = node["End"]["Offset"] + bool(node.get("Append"))  # theirs forgets the plus sign
    return ("word", end, end, ())


def _element(node: Json) -> Form:
    subscript = expression(node["Index"]) if node.get("Index") else None
    end = node["End"]["Offset"]
    return (subscript, bool(node.get("Append")), word(node["Value"]) if node.get("Value") else ("word", end, end, ()))


def redirect(node: Json) -> Form:
    """One redirection."""
    operator = node["Op"]
    descriptor = text(node["N"]).strip("{}") if node.get("N") else ""
    target = word(node["Word"])
    if operator not in {"<<", "<<-"}:
        return ("redirect", operator, descriptor, target)
    raw = any(part["Type"] in _QUOTING or "\\" in part.get("Value", "") for part in node["Word"]["Parts"])
    if all(part[0] == "text" for part in target[-1]):  # quotes and all, a delimiter is one text
        target = (*target[:-1], (("text", "".join(part[1] for part in target[-1]), raw),))
    body = (node.get("Hdoc") or {}).get("Parts") or []
    if operator == "<<-":
        body = _without_tabs(body)
    parts = [literal(text(part), quoted=True) for part in body] if raw else _parts(body, quoting.IN_HEREDOC)
    return ("redirect", operator, descriptor, target, joined(parts))


def _without_tabs(parts: list[Json]) -> list[Json]:
    out, fresh = [], True
    for part in parts:
        if part["Type"] != "Lit":
            out.append(part)
            fresh = False
            continue
        lines = part["Value"].split("\n")
        lines = [line.lstrip("\t") if at or fresh else line for at, line in enumerate(lines)]
        out.append({**part, "Value": "\n".join(lines)})
        fresh = False
    return [part for part in out if part.get("Value") != ""]


def _parts(nodes: Iterable[Json], inside: str) -> Iterator[Form]:
    """Parts of a word; `inside` quotes, these are the characters that a backslash quotes there."""
    for node in nodes:
        kind = node["Type"]
        if kind == "Lit":
            yield from _text(text(node), inside)
        elif kind == "SglQuoted":
            value = text(node) if "Value" in node else ""
            yield literal(quoting.ansi(value) if node.get("Dollar") else value, quoted=True)
        elif kind == "DblQuoted":
            yield literal("", quoted=True)
            yield from _parts(node.get("Parts") or [], quoting.IN_DOUBLE)
        elif kind == "Unread":
            yield ("unread",)
        elif kind == "ExtGlob":
            yield from _pattern(node["Op"] + text(node["Pattern"]) + ")", inside)
        else:
            yield _part(node, quoted=bool(inside))


def _pattern(raw: str, inside: str) -> Iterator[Form]:
    """They do not look into `@(…)`."""
    if re.search(r"[\\\"'`$]", raw):
        yield ("unread",)
    else:
        yield from _text(raw, inside)


def _text(raw: str, inside: str) -> Iterator[Form]:
    if inside:
        yield literal(quoting.double(raw, inside), quoted=True)
    else:
        yield from quoting.unquoted(raw)


def _part(node: Json, *, quoted: bool) -> Form:
    kind = node["Type"]
    if kind == "ParamExp":
        return (*_parameter(node, quoted=quoted), quoted)
    if kind == "ArithmExp":
        return ("$((", *place(node), expression(node.get("X")), quoted)
    return (*_substitution(node), quoted)


def _substitution(node: Json) -> Form:
    from oracle import theirs  # noqa: PLC0415 - a word holds scripts, which hold words

    body = theirs.script(node.get("Stmts"))
    if node["Type"] == "ProcSubst":
        return (node["Op"], *place(node), body)
    return ("`" if node.get("Backquotes") else "$(", *place(node), body)


def _parameter(node: Json, *, quoted: bool) -> Form:
    name = text(node["Param"]) if node.get("Param") else ""
    subscript = expression(node["Index"]) if node.get("Index") else None
    operator, operands = _operation(node, quoting.IN_DOUBLE + "}" if quoted else "")
    indirect = bool(node.get("Excl")) and operator != "names"
    return ("$", *place(node), name, indirect, subscript, operator, operands)


def _operation(node: Json, inside: str) -> tuple[str, Form]:
    if node.get("Length"):
        return ("length", ())
    if node.get("Names"):
        return ("names", ())
    if node.get("Slice"):
        length = node["Slice"].get("Length")
        first = expression(node["Slice"].get("Offset"))
        return (":", (first, expression(length)) if length else (first,))
    if node.get("Repl"):
        return _replacement(node["Repl"], inside)
    if node.get("Exp"):
        return _operator(node["Exp"], inside)
    return ("", ())


def _replacement(node: Json, inside: str) -> tuple[str, Form]:
    """They keep the `#` or `%` of `${a/#b/c}` in the pattern."""
    operator = "//" if node.get("All") else "/"
    operands = [_operand(one, inside) if one else () for one in (node.get("Orig"), node.get("With"))]
    if (
        operator == "/"
        and operands
        and operands[0]
        and operands[0][0][0] == "text"
        and operands[0][0][1][:1] in {"#", "%"}
    ):
        _, first, quoted = operands[0][0]
        operator += first[0]
        operands[0] = joined((literal(first[1:], quoted=quoted), *operands[0][1:])) if first[1:] else operands[0][1:]
    return (operator, kept(operands))


def _operator(node: Json, inside: str) -> tuple[str, Form]:
    if node["Op"] == "@":
        return ("@" + plain(node["Word"]), ())
    parts = (node.get("Word") or {"Parts": []})["Parts"]
    if inside and not re.match("[#%^,]", node["Op"]):
        parts = [part for one in parts for part in _with_powerless_quotes(one)]
    return (node["Op"], (_operand({"Parts": parts}, inside),))


def _with_powerless_quotes(node: Json) -> list[Json]:
    """In `"${x:-'a'}"` single quotes are text like any other, and do not keep `$` from expanding."""
    if node["Type"] != "SglQuoted" or node.get("Dollar"):
        return [node]
    value = node.get("Value", "")
    return [{"Type": "Unread"}] if re.search("[$`]", value) else [{"Type": "Lit", "Value": f"'{value}'"}]


def _operand(node: Json, inside: str) -> Form:
    return joined(_parts(node["Parts"], inside))


def _nested(node: Any, *, quoted: bool = False) -> Form:
    found = sorted(_found(node, quoted=quoted), key=lambda one: one[0])
    return tuple(form for _, form in found)


def _found(node: Any, *, quoted: bool) -> Iterator[tuple[int, Form]]:
    """The expansions in a piece of their tree, whatever shape it has."""
    if isinstance(node, list):
        for one in node:
            yield from _found(one, quoted=quoted)
    elif (
        isinstance(node, dict) and node.get("Type") in _EXPANSIONS and (node["Type"] != "ParamExp" or "Dollar" in node)
    ):
        yield (node["Pos"]["Offset"], _part(node, quoted=quoted))
    elif isinstance(node, dict):
        for one in node.values():
            yield from _found(one, quoted=quoted or node.get("Type") == "DblQuoted")
