from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.syntax.quote import join, quote

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.req("TK-08")

NASTY = [
    "",
    "-n",
    "--",
    "~",
    "~root/x",
    "a=~",
    "!",
    "!!",
    "a!b'c!d",
    "it's",
    "'",
    "''",
    '"',
    "\\",
    "\\'",
    "a\\",
    "$HOME",
    "$(id)",
    "`id`",
    "${x:-y}",
    "{a,b}",
    "*",
    "?",
    "[a]",
    "a b",
    " ",
    "#x",
    "a;b",
    "a&b",
    "<",
    ">",
    "2",
    "|",
    "^a^b",
    "line\nline",
    "\n",
    "\n\n",
    "tab\there",
    "\r",
    "\r\n",
    "\x01",
    "\x7f",
    "\x01\x7f\x01",
    "\x1b[31m",
    "\x1b'\\n",
    "$'\\n'",
    "é",
    "\x80",
    "\u202erm",
    "\u2028",
    "😀",
    "\U0010ffff",
    "\udcff",
    "\udcff0",
    "\udcc3\udca9",
    "a\udc80'!\\",
    "A=1",
    "x" * 5000,
]
CHARACTERS = st.one_of(
    st.characters(exclude_characters="\0", exclude_categories=["Cs"]),
    st.sampled_from("\x01\x1b\x7f\x80\r\n\t !\"#$%&'()*;<=>?[\\]^`{|}~-0aFnx\udc80\udcc3\udcff"),
)
WORDS = st.lists(st.one_of(st.text(CHARACTERS, max_size=12), st.sampled_from(NASTY)), max_size=60)


def read_by_bash(script: str, *, locale: str = "C.UTF-8", path: str = "/nonexistent") -> list[bytes]:
    """The words that the script printed, each with a NUL. Restricted: badly quoted words must not write files."""
    done = subprocess.run(
        ["/bin/bash", "--norc", "--noprofile", "--restricted", "-s"],
        input=os.fsencode(script) + b"\n",
        capture_output=True,
        timeout=20,
        cwd="/",
        env={"PATH": path, "LC_ALL": locale, "HOME": "/nonexistent"},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.split(b"\0")[:-1]


@given(WORDS, st.sampled_from(["C", "C.UTF-8"]))
@settings(deadline=None, max_examples=120)
def test_bash_reads_back_any_words(words: list[str], locale: str) -> None:
    expected = [os.fsencode(word) for word in ["first", *words]]
    assert read_by_bash(join("printf", "%s\\0", "first", *words), locale=locale) == expected


def test_bash_with_history_expansion_reads_back_every_nasty_word() -> None:
    script = "set -o history -o histexpand\n" + join("printf", "%s\\0", *NASTY)
    assert read_by_bash(script) == [os.fsencode(word) for word in NASTY]


@given(st.text(CHARACTERS, max_size=40))
@settings(deadline=None)
def test_what_is_quoted_can_be_shown_and_stored(word: str) -> None:
    shown = quote(word)
    assert shown.encode().decode() == shown
    assert all(char.isprintable() or char in "\n\t" for char in shown)


@pytest.mark.parametrize(
    ("word", "quoted"),
    [
        ("plain", "plain"),
        ("src/a_b-c.py:10,20", "src/a_b-c.py:10,20"),
        ("--color=auto", "--color=auto"),
        ("user@host", "user@host"),
        ("", "''"),
        ("two words", "'two words'"),
        ("~", "'~'"),
        ("it's", "'it'\\''s'"),
        ("a\nb", "'a\nb'"),
        ("a\tb", "'a\tb'"),
        ("größe", "'größe'"),
        ("😀", "'😀'"),
        ("\x1b[0m", "$'\\x1b[0m'"),
        ("a\r\nb", "$'a\\r\\nb'"),
        ("it's\a", "$'it\\'s\\a'"),
        ("\udcff", "$'\\xff'"),
        ("\u202e", "$'\\xe2\\x80\\xae'"),
    ],
)
def test_the_quoted_form_is_the_most_readable_one(word: str, quoted: str) -> None:
    assert quote(word) == quoted


@pytest.mark.parametrize("program", ["if", "time", "!", "{", "[[", "A=1", "a+=1", "function", "two words", "-x", "ls"])
def test_a_program_is_run_whatever_its_name(program: str, tmp_path: Path) -> None:
    script = tmp_path / program
    script.write_text('#!/bin/sh\nprintf "%s\\0" "${0##*/}" "$@"\n')
    script.chmod(0o755)
    assert read_by_bash(join(program, "a b", "-n"), path=str(tmp_path)) == [os.fsencode(program), b"a b", b"-n"]


def test_a_program_without_arguments_stands_alone() -> None:
    assert (join("ls"), join("my prog"), join("time"), join("")) == ("ls", "'my prog'", "'time'", "''")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("ab\0c\0", "an argument cannot hold NUL, found at position 2; leave it out"),
        ("\0", "an argument cannot hold NUL, found at position 0; leave it out"),
        ("a\ud800", "an argument cannot hold a lone surrogate (U+D800), found at position 1; leave it out"),
        ("\udc7f", "an argument cannot hold a lone surrogate (U+DC7F), found at position 0; leave it out"),
    ],
)
def test_what_no_argument_can_hold_is_refused_with_its_position(word: str, message: str) -> None:
    with pytest.raises(ValueError, match="cannot hold") as one:
        quote(word)
    with pytest.raises(ValueError, match="cannot hold") as other:
        join("echo", word)
    assert (str(one.value), str(other.value)) == (message, message)
