"""What keys look like: the shapes of credentials that can be told from ordinary text without knowing them."""

from __future__ import annotations

import re

import msgspec

from limpet.syntax.late import late


class KeyShape(msgspec.Struct, frozen=True, kw_only=True):
    """A credential that starts with fixed text."""

    literals: tuple[str, ...]
    """Every match starts with one of these: cheap to look for in bulk."""
    prefix: str
    """Pattern of the part that stays readable."""
    body: str
    """Pattern of the part that is secret. Runs are possessive or bounded: no input makes it go back far."""


def _word(*literals: str, body: str) -> KeyShape:
    return KeyShape(literals=literals, prefix="|".join(map(re.escape, literals)), body=body)


_BASE64_BODY = r"(?:[A-Za-z0-9+/=:,\s\\]|-(?!----)){0,20000}+-----END [A-Z ]{0,40}PRIVATE KEY-----"
_BASE64_LINES = r"(?:(?:\s|\\[nr]){0,4}[A-Za-z0-9+/=]{16,}+)*+"

KEY_SHAPES = (
    KeyShape(
        literals=("sk-",),
        prefix="sk-(?:(?:ant|proj|svcacct|admin|or|lf)-)?",
        # Plain `sk-` needs one long run with a digit: hyphenated names such as package or branch names are no keys.
        body=r"(?:(?<=[a-z]-)(?<!sk-)(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{16,}+|(?=[A-Za-z]*[0-9])[A-Za-z0-9]{20,}+)",
    ),
    _word("sk_live_", "rk_live_", "sk_test_", body="[A-Za-z0-9]{16,}+"),
    _word("ghp_", "gho_", "ghu_", "ghs_", "ghr_", body="[A-Za-z0-9]{20,}+"),
    _word("github_pat_", body="[A-Za-z0-9_]{20,}+"),
    _word("glpat-", body="[A-Za-z0-9_-]{16,}+"),
    _word("AKIA", "ASIA", body="[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _word("xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-", body="[A-Za-z0-9-]{10,}+"),
    _word("AIza", body="[A-Za-z0-9_-]{30,}+"),
    _word("npm_", body="[A-Za-z0-9]{30,}+"),
    _word("hf_", body="[A-Za-z0-9]{30,}+"),
    _word("pypi-AgE", body="[A-Za-z0-9_-]{40,}+"),
    _word("eyJ", body=r"[A-Za-z0-9_-]{10,}+\.[A-Za-z0-9_-]{10,}+(?:\.[A-Za-z0-9_-]*+)?"),
    KeyShape(
        literals=("-----BEGIN",),
        prefix="-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----",
        body=f"(?:{_BASE64_BODY}|{_BASE64_LINES})",
    ),
)

# A key starts where a word does; an escaped line end, as JSON has it, is no part of a word.
_START = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt]))"


def pattern_of(shapes: tuple[KeyShape, ...]) -> str:
    """One pattern for several shapes: the readable part is group 1, 3, 5, ..., the secret one 2, 4, 6, ..."""
    return _START + "(?:" + "|".join(f"({shape.prefix})({shape.body})" for shape in shapes) + ")"


_SECRET_WORDS = frozenset(
    {
        "APIKEY",
        "COOKIE",
        "CREDENTIAL",
        "CREDENTIALS",
        "CREDS",
        "JWT",
        "PASSPHRASE",
        "PASSWD",
        "PASSWORD",
        "PASSWORDS",
        "SECRET",
        "SECRETS",
        "TOKEN",
    }
)
_RUN_TOGETHER = ("APIKEY", "PASSWD", "PASSWORD", "SECRET", "TOKEN")
"""As in PGPASSWORD."""
_SECRET_ENDINGS = frozenset({"AUTH", "DSN", "KEY", "PASS", "PWD"})
_OPEN_KEYS = frozenset(
    {
        "CACHE",
        "FOREIGN",
        "GROUP",
        "HOST",
        "HOT",
        "INDEX",
        "LOOKUP",
        "PARTITION",
        "PRIMARY",
        "PUBLIC",
        "ROUTING",
        "SORT",
        "UNIQUE",
    }
)
_ABOUT_A_SECRET = frozenset(
    {
        "COUNT",
        "DIR",
        "ENDPOINT",
        "EXPIRES",
        "EXPIRY",
        "FILE",
        "HELPER",
        "LENGTH",
        "LIMIT",
        "NAME",
        "PATH",
        "POLICY",
        "SIZE",
        "SOCK",
        "STORE",
        "TTL",
        "TYPE",
        "URI",
        "URL",
        "USER",
    }
)
_SPLIT = late(r"[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])")


def is_secret_name(name: str) -> bool:
    """Whether a variable, option or header of this name holds a secret, as opposed to a place or number about one."""
    words = [word.upper() for word in _SPLIT.split(name[:200]) if word]
    if not words or words[-1] in _ABOUT_A_SECRET:
        return False
    if len(words) > 1 and words[-1] in _SECRET_ENDINGS:
        return words[-2] not in _OPEN_KEYS
    known = not _SECRET_WORDS.isdisjoint(words) or any(word.endswith(_RUN_TOGETHER) for word in words)
    return known or "ACCESS_KEY" in "_".join(words)
