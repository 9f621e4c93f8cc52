"""Secrets are looked for only where a sign of one is: what is found is what looking everywhere would find."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from limpet.output import redact
from limpet.output.key_shapes import KEY_SHAPES, pattern_of
from limpet.output.redact import MARK, Redactor

KEYS = re.compile(pattern_of(KEY_SHAPES))
HINTS = [*redact._HINTS, "KEY", "Token", "API_KEY", "apiKey", "passwd", "keyé", "\u017fecret"]
PIECES = st.sampled_from(
    [
        *HINTS, "=", ":", ": ", " = ", "--", "-", "_", " ", "\n", '"', "'", "$", "(", ")", "[", "é", "İ", "\u212a",
        "x" * 61, "x" * 70, "x" * 50 + "_",
        "hunter22", "S3cr3tV4lu3", "a1b2c3d4e5f6a7b8", "0", "Authorization: Bearer ", "x-api-key: ",
        "https://me:", "@host",
        "sk-", "sk-ant-", "ghp_", "AKIA", "eyJ", "A1" * 12, "a1B2" * 10, ".", "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----", "\\n", "task-", "[redacted]", "${TOKEN}",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=24).map("".join)


def everywhere(text: str) -> str:
    """The same patterns, tried at every character."""
    text = KEYS.sub(_readable, text)
    text = redact._USERINFO.sub(rf"\1{MARK}", redact._HEADER.sub(rf"\1{MARK}", text))
    parts, done, at = [], 0, 0
    while found := redact._NAMED.search(text, at):
        at = found.start("value")
        rest = redact._REST.match(text, found.end()) if redact._is_telling(found) else None
        if rest and not rest["code"]:
            parts += [text[done:at], MARK]
            done = rest.end()
        at = rest.end() if rest else at
    return "".join([*parts, text[done:]])


def _readable(found: re.Match[str]) -> str:
    index = found.lastindex or 0
    return found[index - 1] + MARK if found[index] else found[0]


@settings(max_examples=1500, deadline=None)
@given(TEXTS)
@example("\u212aEY=S3cr3tV4lu3x")
@example("İ" * 30 + " API_KEY=S3cr3tV4lu3x")
@example("x" * 58 + "_key=S3cr3tV4lu3x")
@example("x" * 59 + "_key=S3cr3tV4lu3x")
@example("x" * 60 + "_key=S3cr3tV4lu3x")
@example("x" * 61 + "key=S3cr3tV4lu3x key=S3cr3tV4lu3x")
@example("token=token=S3cr3tV4lu3x")
def test_what_is_found_is_what_looking_everywhere_finds(text: str) -> None:
    assert Redactor().text(text) == everywhere(text)


SIGNS = [
    "key",
    "key ",
    "key=",
    "token: ",
    "sk-",
    "-----BEGIN PRIVATE KEY-----",
    "eyJ",
    "https://",
    "https://a:",
    "é key=",
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("sign", SIGNS)
def test_a_text_of_nothing_but_signs_is_gone_through_once(sign: str) -> None:
    text = sign * ((1 << 20) // len(sign))  # gone through for each sign anew, it would take an hour
    assert len(Redactor().text(text)) > 0


SENTENCE = "what is asked for here is " * 9


@pytest.mark.timeout(60)
@pytest.mark.parametrize("text", [f'password: "{SENTENCE}1"', "token=" + "a-" * 100 + "1", "key: " + "Aa/" * 80 + "é"])
def test_many_words_after_a_name_are_gone_through_once(text: str) -> None:
    assert Redactor().text(text)[:3] == text[:3]  # each word tried in two ways, it would take for ever
