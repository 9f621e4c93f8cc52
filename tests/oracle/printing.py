"""A form without places -> the form that is left when bash has printed the script and it was read again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from oracle.form import Form

ALL_ARGUMENTS: Form = ("word", (("text", "", True), ("$", "@", False, None, "", (), True)))
ONE: Form = ("expression", (("text", "1", False),))
TO_STDOUT: Form = ("redirect", ">&", "2", ("word", (("text", "1", False),)))
CLOSED: Form = ("word", (("text", "-", False),))


def settled(form: Any) -> Any:
    """A form in which everything that bash prints in another spelling has that spelling."""
    if not isinstance(form, tuple):
        return form
    settle = _SPELLINGS.get(form[0]) if form and isinstance(form[0], str) else None
    form = tuple(map(settled, form))
    return settle(form) if settle else form


def _loop(form: Form) -> Form:
    """`for x; do` is printed as `for x in "$@"; do`."""
    word, name, words, *rest = form
    return (word, name, (ALL_ARGUMENTS,) if words is None else words, *rest)


def _arithmetic_loop(form: Form) -> Form:
    """`for ((;;))` is printed as `for ((1; 1; 1))`."""
    word, expressions, *rest = form
    return (word, tuple(one if one[1] else ONE for one in expressions), *rest)


def _function(form: Form) -> Form:
    """`f() (a)` is printed as `f () { ( a ) }`."""
    word, name, body = form
    return form if body[0] == "group" else (word, name, ("group", ("script", body), ()))


def _pipeline(form: Form) -> Form:
    """`a |& b` is printed as `a 2>&1 | b`."""
    word, negated, timed, operators, stages = form
    if len(stages) == 1 and not negated and not timed:  # ! ! a
        only: Form = stages[0]
        return only
    if not stages:
        return form
    both = [*(one == "|&" for one in operators), False]
    stages = tuple(_with_errors(one) if joins else one for one, joins in zip(stages, both, strict=True))
    return (word, negated, timed, ("|",) * len(operators), stages)


def _with_errors(stage: Form) -> Form:
    """The redirections are the last of every command that can have any."""
    if stage[0] == "function":
        return (*stage[:-1], _with_errors(stage[-1]))
    return (*stage[:-1], (*stage[-1], TO_STDOUT)) if stage[0] not in _BARE else stage


def _test(form: Form) -> Form:
    """`[[ x ]]` is printed as `[[ -n x ]]`."""
    word, terms, redirects = form
    return (word, tuple(("-n", *one[1:]) if one[0] == "" else one for one in terms), redirects)


def _case(form: Form) -> Form:
    """The last arm is printed with `;;`."""
    word, subject, arms, redirects = form
    return (word, subject, tuple((*arm[:-1], arm[-1] or ";;") for arm in arms), redirects)


def _redirect(form: Form) -> Form:
    """`>&2` is printed as `1>&2`, `1>a` as `> a`, `<&-` as `0>&-`, and the delimiter of a heredoc as `'E F'`."""
    word, operator, descriptor, target, *body = form
    number = descriptor.lstrip("0") or "0" if descriptor.isdecimal() else descriptor
    number = number or ("0" if operator.startswith("<") else "1")
    if operator == "<>" and number == "1":  # which bash prints as if it were 0
        number = "0"
    if operator == "<&" and target == CLOSED:
        operator = ">&"
    return (word, operator, number, _delimiter(target) if body else target, *body)


def _delimiter(target: Form) -> Form:
    parts = target[-1]
    if any(part[0] != "text" for part in parts):
        return target
    return ("delimiter", "".join(part[1] for part in parts), any(part[2] for part in parts))


_BARE = frozenset({"pipe", "list", "&", "coproc", "opaque"})
_SPELLINGS: dict[str, Callable[[Form], Form]] = {
    "for": _loop,
    "select": _loop,
    "for ((": _arithmetic_loop,
    "function": _function,
    "case": _case,
    "pipe": _pipeline,
    "redirect": _redirect,
    "[[": _test,
}
