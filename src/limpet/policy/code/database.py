"""What is given to the shell of SQLite -> the commands it runs and the files it reads and writes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.policy.code.finding import Finding, connects, evaluates, opaque, reads, spawns, writes
from limpet.policy.code.vocabulary import words

if TYPE_CHECKING:
    from collections.abc import Iterator

_L = "sql"
_SAFE = words("""
    .auth .bail .binary .changes .check .databases .dbconfig .dbinfo .dump .echo .eqp .exit .explain .fullschema
    .headers .help .indexes .indices .intck .limit .lint .mode .nullvalue .parameter .print .progress .quit .recover
    .schema .separator .sha3sum .show .stats .tables .timeout .timer .version .vfsinfo .vfslist .vfsname .width .prompt
    .scanstats .selftest .crlf
""")
_RUNS = words(".shell .system")
_WRITES = words(".output .once .backup .save .clone .log .trace .open")
_READS = words(".restore .import .read")
_OTHER = words(
    ".load .excel .www .archive .cd .session .connection .testcase .unmodule .testctrl .filectrl .expert .iotrace"
)
_DOT = re.compile(r"[ \t]*(\.[A-Za-z0-9_]*)[ \t]*([^\n]*)")
_TEXT = r"[ \t\n]*'((?:[^']|'')*)'"
_FUNCTIONS = re.compile(
    rf"\b(load_extension|fts3_tokenizer|edit|readfile|writefile)[ \t\n]*\((?:{_TEXT})?"
    rf"|\b(attach(?:[ \t\n]+database)?|vacuum[^;]{{0,200}}?into)\b(?:{_TEXT}|[ \t\n]*\"([^\"]*)\")?",
    re.IGNORECASE,
)


def scan_sql(text: str) -> list[Finding]:
    """What SQL and dot-commands would do."""
    found: list[Finding] = []
    for line in text.split("\n"):
        dot = _DOT.fullmatch(line)
        if dot is not None:
            found.extend(_command(dot[1].lower(), dot[2].strip()))
    for match in _FUNCTIONS.finditer(text):
        found.extend(_call(match))
    return found


def scan_duckdb(text: str) -> list[Finding]:
    """What SQL of DuckDB would do, to which a file may lie anywhere, on the network as well."""
    found = scan_sql(text)
    found.extend(writes(_L, match[1]) for match in _COPIES.finditer(text))
    if _LOADS.search(text):
        found.append(evaluates(_L))
    if _ADDRESS.search(text):
        found.append(connects(_L))
    return found


_COPIES = re.compile(rf"\b(?:copy\b[^;]{{0,1000}}?\bto|export[ \t\n]+database)\b(?:{_TEXT})?", re.IGNORECASE)
"""Statements that write files."""
_LOADS = re.compile(r"(?:^|;)[ \t\n]*(?:force[ \t\n]+)?(?:install|load)[ \t\n]", re.IGNORECASE)
_ADDRESS = re.compile(r"'(?:https?|s3|gcs|gs|r2|az|azure|abfss|hf)://", re.IGNORECASE)


def _command(name: str, rest: str) -> Iterator[Finding]:
    """A dot-command, which may be abbreviated."""
    last = rest.rsplit(None, 1)[-1].strip("'\"") if rest else ""
    if _may_be(name, _RUNS):
        yield spawns(_L, rest or None)
    elif rest.lstrip("'\"").startswith("|") or "|" in last[:1]:
        yield spawns(_L, rest.strip("'\"|"))
    elif _may_be(name, _OTHER):
        yield evaluates(_L) if _may_be(name, words(".load")) else opaque(_L, f"the command {name}")
    elif _may_be(name, _WRITES):
        yield from _written(last, rest)
    elif _may_be(name, _READS):
        yield from _taken(name, rest)
    elif not _may_be(name, _SAFE):
        yield opaque(_L, f"the command {name} is not known")


def _may_be(name: str, names: frozenset[str]) -> bool:
    return len(name) > 1 and any(one.startswith(name) for one in names)


def _written(last: str, rest: str) -> Iterator[Finding]:
    if re.search(r"(?:^|[ \t])-+[ewx]", rest):
        yield spawns(_L)
    elif last and last not in ("stdout", "off", "on", "stderr", ":memory:"):
        yield writes(_L, last)


def _taken(name: str, rest: str) -> Iterator[Finding]:
    plain = [word.strip("'\"") for word in rest.split() if not word.startswith("-")]
    path = plain[0] if plain else ""
    if _may_be(name, words(".read")) and path.startswith(("/", "~", "..")):
        yield evaluates(_L)
    elif path:
        yield reads(_L, path)


def _call(match: re.Match[str]) -> Iterator[Finding]:
    function, path = (match[1] or "").lower(), match[2]
    target = match[4] if match[4] is not None else match[5]
    if function in ("load_extension", "fts3_tokenizer"):
        yield evaluates(_L)
    elif function == "edit":
        yield spawns(_L)
    elif function == "readfile":
        yield from [reads(_L, path)] if path is not None else []
    elif function == "writefile":
        yield writes(_L, path)
    elif target not in (":memory:", ""):
        yield writes(_L, target)
