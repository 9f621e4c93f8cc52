"""A rule as somebody wrote it -> the rule, or a ConfigError that says what is wrong with it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from limpet.config.broad import too_broad
from limpet.config.examples import check_examples
from limpet.config.source import Layer
from limpet.config.values import shown
from limpet.model.decision import Verdict
from limpet.policy.pattern import GAPS, BadPatternError, check_pattern, parse_pattern
from limpet.policy.rules import Rule
from limpet.syntax.late import late

if TYPE_CHECKING:
    from limpet.config.rule_files import Written
    from limpet.policy.pattern import Pattern

FLOOR = frozenset({
    "floor.account", "floor.approve", "floor.change", "floor.delete", "floor.device", "floor.exfiltration",
    "floor.fork-bomb", "floor.power", "floor.remote-code", "floor.reverse-shell", "floor.system-file",
})  # fmt: skip
"""The built-in rules of that name; a misspelt one would allow nothing and nobody would know."""
MOST_TEXT = 2000
_NAME = late(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_KINDS = ("pattern", "argv", "builtin")
_TEXTS = ("name", "verdict", "pattern", "builtin", "workspace", "reason", "suggestion")
_KEYS = ("name", "verdict", *_KINDS, "lifts", "workspace", "reason", "suggestion", "match", "not_match", "sure")


def rule_of(written: Written, *, elsewhere: str, name: str = "") -> Rule:
    """The rule. `elsewhere` is where a rule belongs that a project may not have; `name` stands in for none."""
    _check_keys(written)
    verdict = _verdict(written, elsewhere)
    pattern = _pattern(written, verdict)
    rule = Rule(
        name=_name(written, name),
        verdict=verdict,
        pattern=pattern,
        builtin=_builtin(written, verdict),
        lifts=_lifts(written, verdict),
        reason=_text(written, "reason"),
        suggestion=_text(written, "suggestion"),
        source=str(written) if written.line else "",
    )
    if verdict is Verdict.ALLOW and pattern and not written.table.get("sure"):
        _check_breadth(written, pattern)
    check_examples(rule, written)
    return rule


def _check_keys(written: Written) -> None:
    for key, value in written.table.items():
        if key not in _KEYS:
            raise written.error(f"unknown key {shown(key)}; a rule has: {', '.join(_KEYS)}", str(key))
        if key in _TEXTS and not (isinstance(value, str) and value):
            raise written.error(f"{key} must be a text, not {shown(value)}", key)
        if isinstance(value, str) and len(value) > MOST_TEXT:
            raise written.error(f"{key} has more than {MOST_TEXT} characters; shorten it", key)
    if not os.path.isabs(str(written.table.get("workspace", "/"))):
        raise written.error("workspace must be the whole path of the folder that the rule is for", "workspace")
    if not isinstance(written.table.get("sure", False), bool):
        raise written.error("sure must be true or false", "sure")


def _name(written: Written, otherwise: str) -> str:
    name = _text(written, "name") or otherwise
    if not name:
        raise written.error("a rule has no name; give it one, for the reasons that it will be named in")
    if name != otherwise and not _NAME.fullmatch(name):
        raise written.error("its name must be short and of letters, digits, '.', '_' and '-'", "name")
    return name


def _text(written: Written, key: str) -> str:
    return _on_one_line(str(written.table.get(key, "")))


def _on_one_line(text: str) -> str:
    """A text that will be shown as it is: on one line, safe to print."""
    return "".join(one if one.isprintable() else " " for one in text)


def _verdict(written: Written, elsewhere: str) -> Verdict:
    said = written.table.get("verdict")
    if said not in ("allow", "ask", "deny"):
        raise written.error(f'verdict must be "allow", "ask" or "deny", not {shown(said)}', "verdict")
    verdict = Verdict(str(said))
    if verdict is Verdict.ALLOW and written.layer is Layer.PROJECT:
        raise written.error(f"a project may only ask or deny; a rule that allows belongs in {elsewhere}", "verdict")
    return verdict


def _pattern(written: Written, verdict: Verdict) -> Pattern:
    kinds = [key for key in _KINDS if key in written.table]
    if len(kinds) != 1:
        raise written.error(f"it must have one of pattern, argv and builtin; it has {' and '.join(kinds) or 'none'}")
    if kinds == ["builtin"]:
        return ()
    try:
        if kinds == ["argv"]:
            return check_pattern(_argv(written, written.table["argv"]))
        return parse_pattern(str(written.table["pattern"]), beginning=verdict is not Verdict.ALLOW)
    except BadPatternError as error:
        raise written.error(f"{kinds[0]} {error}", kinds[0]) from None


def _argv(written: Written, value: object) -> Pattern:
    if not isinstance(value, list | tuple):
        raise written.error(f'argv must be a list such as ["git", "push", "**"], not {shown(value)}', "argv")
    return tuple(_entry(written, entry) for entry in value)


def _entry(written: Written, entry: object) -> str | tuple[str, ...]:
    if isinstance(entry, str):
        return entry
    texts = tuple(entry) if isinstance(entry, list | tuple) else ()
    if not texts or not all(isinstance(text, str) for text in texts):
        message = f"argv must be a list of words, or of lists of words to choose from, and {shown(entry)} is none"
        raise written.error(message, "argv")
    if not set(GAPS).isdisjoint(texts):
        raise written.error('argv: "**" stands for any number of words, so it cannot be one of several', "argv")
    return texts


def _builtin(written: Written, verdict: Verdict) -> str:
    builtin = _text(written, "builtin")
    if builtin and verdict is not Verdict.ALLOW:
        raise written.error('builtin names a built-in rule to switch off, so its verdict is "allow"', "verdict")
    if builtin.startswith("floor.") and builtin not in FLOOR:
        raise written.error(f"there is no {shown(builtin)}; there are {', '.join(sorted(FLOOR))}", "builtin")
    return builtin


def _lifts(written: Written, verdict: Verdict) -> tuple[str, ...]:
    names = written.table.get("lifts", ())
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) and name for name in names):
        raise written.error(f'lifts must be a list of built-in rules such as ["git.push"], not {shown(names)}', "lifts")
    if "lifts" in written.table and (verdict is not Verdict.ALLOW or "builtin" in written.table):
        raise written.error("lifts says what an allow with a pattern or argv is about; this is none", "lifts")
    if any(name.startswith("floor.") for name in names):
        raise written.error("lifts: the floor is lifted by builtin, and by nothing else", "lifts")
    return tuple(names)


def _check_breadth(written: Written, pattern: Pattern) -> None:
    broad = too_broad(pattern)
    if broad:
        raise written.error(f"it {broad}, or write sure = true", "argv" if "argv" in written.table else "pattern")
