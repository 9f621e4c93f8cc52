"""Secrets go, ordinary text stays."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.output.key_shapes import is_secret_name
from limpet.output.redact import Redactor

# Put together here, so that no scanner takes this file for a leak.
LETTERS = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7"
KEYS = {
    "sk-ant-": "api03-" + LETTERS,
    "sk-proj-": LETTERS + "_" + LETTERS,
    "sk-": LETTERS * 2,
    "ghp_": LETTERS + "x" * 9,
    "gho_": LETTERS + "x" * 9,
    "github_pat_": "11" + LETTERS + "_" + LETTERS,
    "glpat-": LETTERS,
    "AKIA": "IOSFODNN7EXAMPLE",
    "xoxb-": "123456789012-" + LETTERS,
    "AIza": "Sy" + LETTERS + "x" * 6,
    "npm_": LETTERS + "x" * 9,
    "hf_": LETTERS + "x" * 7,
    "sk_live_": LETTERS,
    "eyJ": "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLXNpZ25hdHVyZQ",
}


@pytest.mark.parametrize("prefix", KEYS)
@pytest.mark.parametrize("around", ["{}", "key {} there", "K={}\n", '{{"k":"{}"}}', "line\\n{}\\n", "({})"])
def test_keys_are_known_by_their_shape(prefix: str, around: str) -> None:
    text = around.format(prefix + KEYS[prefix])
    assert Redactor().text(text) == around.format(prefix + "[redacted]")
    start = text.index(KEYS[prefix])
    assert Redactor().mask_spans(text.encode()) == [(start, start + len(KEYS[prefix]))]


@pytest.mark.parametrize(
    "text",
    [
        "pip install sk-learn scikit-learn",
        "sk-learn-contrib-imbalanced-package-name-here",
        "git checkout task-sk-abcdefghijklmnop",
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "use token= to pass the token",
        "unexpected token: identifier42",
        "the --token argument is required",
        "  --password PASSWORD  the password to use",
        "  --api-key <key>      the key to use",
        "foo(token=token, password=None, api_key=get_api_key())",
        "password=getpass.getpass()",
        "token_count=123456 max_tokens=4096000 token_ratio=0.123456",
        "primary_key=user_id1 sort_key=created2 cache-key: linux-deadbeef1234",
        "TOKENIZERS_PARALLELISM=false12",
        "export TOKEN=$GITHUB_TOKEN",
        "-H 'Authorization: Bearer $TOKEN'",
        "-H 'Authorization: Bearer <your-token>'",
        "https://example.com/path@v1.2.3 git@github.com:a/b ssh://git@host/x",
        "http://user@host/ http://[::1]:8080/",
        "https://$USER:$PASS@host/",
        "eyJust a word, hf_hub_download, npm_config_registry, AKIAK",
        "The secret: there is none. Password reset sent.",
        "password='enter your password here'",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "-----BEGIN PGP PUBLIC KEY BLOCK-----",
        "keyboard=german42 author=someone99 passing=15of20x",
    ],
)
def test_ordinary_text_survives(text: str) -> None:
    assert Redactor().text(text) == text
    assert Redactor().mask_spans(text.encode()) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("API_KEY=abc123def456", "API_KEY=[redacted]"),
        ("export DB_PASSWORD=correcthorse\n", "export DB_PASSWORD=[redacted]\n"),
        ("password=hunter2!", "password=[redacted]"),
        ("my password token=abc123x", "my password token=[redacted]"),
        ("auth: password=hunter2x", "auth: password=[redacted]"),
        ("API_KEY=" + "x1" * 500 + " y", "API_KEY=[redacted] y"),
        ("curl --token tok_12345 x", "curl --token [redacted] x"),
        ("curl --token=tok_12345", "curl --token=[redacted]"),
        ('{"client_secret": "x9x9x9x9x9x9x9"}', '{"client_secret": "[redacted]"}'),
        ("PASSWORD='p@$$w0rd;x'", "PASSWORD='[redacted]'"),
        ("Authorization: Bearer abcdefgh12345", "Authorization: Bearer [redacted]"),
        ("authorization: basic dXNlcjpwYXNz", "authorization: basic [redacted]"),
        ("X-Api-Key: abcdefgh", "X-Api-Key: [redacted]"),
        ("git clone https://me:s3cret@host/r.git", "git clone https://me:[redacted]@host/r.git"),
        ("postgres://u:p4ss@db:5432/x", "postgres://u:[redacted]@db:5432/x"),
    ],
)
def test_assignments_headers_and_urls(text: str, shown: str) -> None:
    assert Redactor().text(text) == shown


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("mysql --password correcthorse", "mysql --password [redacted]"),
        ("TOKEN=plainword ./deploy", "TOKEN=[redacted] ./deploy"),
        ("curl -d token=plainword x", "curl -d token=[redacted] x"),
        ("PASSWORD='with some spaces' x", "PASSWORD='[redacted]' x"),
        ("echo the token stays", "echo the token stays"),
        ("TOKEN=$(cat f) x", "TOKEN=$(cat f) x"),
        (f"OPENAI_API_KEY=sk-{LETTERS} x", "OPENAI_API_KEY=sk-[redacted] x"),
        ("gh secret set --body hello", "gh secret set --body hello"),
    ],
)
def test_in_a_command_whatever_a_secret_name_is_given_goes(command: str, shown: str) -> None:
    assert Redactor().command(command) == shown


def test_known_values_go_wherever_they_are() -> None:
    redactor = Redactor(["s3cr3t-value", "s3cr3t-value-longer", "short", "production", ""])
    text = "a s3cr3t-value b s3cr3t-value-longer short production"
    assert redactor.text(text) == "a [redacted] b [redacted] short production"
    assert redactor.mask_spans(text.encode()) == [(2, 14), (17, 36)]


def test_a_private_key_goes_whole_or_cut() -> None:
    body = "\n".join(["MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7" + "x" * 12] * 5)
    begin, end = "-----BEGIN RSA PRIVATE " + "KEY-----", "-----END RSA PRIVATE " + "KEY-----"
    assert Redactor().text(f"a\n{begin}\n{body}\n{end}\nb") == f"a\n{begin}[redacted]\nb"
    assert Redactor().text(f"a\n{begin}\n{body}\n(cut here)") == f"a\n{begin}[redacted]\n(cut here)"
    data = f"a\n{begin}\n{body}\n{end}\nb".encode()
    assert Redactor().mask_spans(data) == [(2 + len(begin), len(data) - 2)]


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.text(max_size=12) | st.sampled_from([p + b for p, b in KEYS.items()] + ["known-secret", "=", " ", "token"]),
        max_size=8,
    ).map("".join)
)
def test_no_known_value_is_left_and_spans_are_apart(text: str) -> None:
    redactor = Redactor(["known-secret"])
    assert "known-secret" not in redactor.text(text)
    assert "known-secret" not in redactor.command(text)
    data = text.encode("utf-8", "replace")
    spans = redactor.mask_spans(data)
    masked = bytearray(data)
    for start, end in spans:
        masked[start:end] = b"*" * (end - start)
    assert all(one[1] < two[0] for one, two in pairwise(spans))
    assert all(0 <= start < end <= len(data) for start, end in spans)
    assert b"known-secret" not in masked


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "unit",
    [b"eyJ", b"eyJ.", b"-eyJ", b"sk-", b"sk-ant-", b"-----BEGIN PRIVATE KEY-----",
     b"-----BEGIN RSA PRIVATE KEY-----\n", b"ghp_ ", b"a", b"token=", b"://a:",
     b"--token ", b"password", b"Authorization: Bearer ", b"eyJaaaaaaaaaaaaaaaa.", b"-----BEGIN ", b"key_",
     b"key=", b"API_KEY="],
)  # fmt: skip
def test_hostile_output_takes_linear_time(unit: bytes) -> None:
    """Quadratic work would take hours here."""
    data = unit * ((2 << 19) // len(unit)) + b"("
    redactor = Redactor(["known-secret"])
    redactor.mask_spans(data)
    redactor.text(data.decode())
    redactor.command(data.decode())


@pytest.mark.parametrize(
    "name",
    ["TOKEN", "GITHUB_TOKEN", "githubToken", "AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID", "OPENAI_API_KEY",
     "api-key", "--api-key", "apikey", "DB_PASSWORD",
     "PGPASSWORD", "MYSQL_PWD", "DB_PASS", "CLIENT_SECRET", "GOOGLE_CREDENTIALS", "STRIPE_KEY", "SENTRY_DSN",
     "NPM_CONFIG__AUTH", "SESSION_COOKIE"],
)  # fmt: skip
def test_secret_names(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["", "PATH", "HOME", "PWD", "OLDPWD", "KEY", "MAX_TOKENS", "TOKENIZERS_PARALLELISM", "SSH_AUTH_SOCK",
     "PASSWORD_STORE_DIR", "TOKEN_FILE", "PRIMARY_KEY",
     "PUBLIC_KEY", "KEYBOARD", "AUTHOR", "COMPASS", "TOKEN_URL", "GIT_ASKPASS", "SECRET_NAME", "PASS"],
)  # fmt: skip
def test_names_that_hold_no_secret(name: str) -> None:
    assert not is_secret_name(name)
