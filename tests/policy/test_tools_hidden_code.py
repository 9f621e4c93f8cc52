"""Commands that stand in the code of tools: they are found, and what only looks like them is not."""

from __future__ import annotations

import pytest

from limpet.policy.code import scan

FOUND = [
    ("awk", 'BEGIN { print "id -u" | "sh" }'),
    ("awk", 'END { printf("id -u") | "/bin/bash -e" }'),
    ("sed", "s/.*/id -u/e"),
    ("vim", 'call system("id -u")'),
    ("vim", "execute '!id -u'"),
    ("make", "all:; id -u"),
    ("make", "all: x\n\t@id -u"),
]


@pytest.mark.parametrize(("language", "text"), FOUND)
def test_a_command_in_the_code_of_a_tool_is_found(language: str, text: str) -> None:
    assert "id -u" in {(finding.script or "").strip() for finding in scan(language, text)}


@pytest.mark.parametrize(
    "text",
    [
        "/^## /{p=0} /^## Usage/{p=1} p",
        "{ print a/b, c/d }",
        "{ x = sqrt(s/NR - (t/NR)^2) }\n/end/ { print x }",
        "{ n++ } END { print n/2, m/3 }",
    ],
)
def test_awk_divides_behind_a_name_and_matches_behind_a_block(text: str) -> None:
    assert list(scan("awk", text)) == []


@pytest.mark.parametrize("text", ["a=1\nSHELL=/tmp/x", "x:\n\tid", "include /tmp/x"])
def test_whatever_make_is_told_is_worth_a_question(text: str) -> None:
    assert "make.opaque" in {finding.rule for finding in scan("make", text)}


@pytest.mark.parametrize(
    ("text", "rule"),
    [("install httpfs", "sql.eval"), ("select 1; load x", "sql.eval"), ("from 's3://a/b'", "sql.network")],
)
def test_duckdb_loads_code_and_reads_the_network(text: str, rule: str) -> None:
    assert rule in {finding.rule for finding in scan("duckdb", text)}


def test_what_duckdb_copies_to_is_written() -> None:
    assert [finding.write for finding in scan("duckdb", "copy t to '../x'")] == ["../x"]
    assert list(scan("sql", "select 'https://a.example'")) == []


def test_sqlite_writes_what_it_vacuums_into() -> None:
    assert [finding.write for finding in scan("sql", "vacuum main into '../x'")] == ["../x"]


def test_a_folder_that_lisp_deletes_goes_with_all_that_is_in_it() -> None:
    assert [(finding.delete, finding.recursive) for finding in scan("emacs", '(delete-directory "/x" t)')] == [
        ("/x", True)
    ]


@pytest.mark.parametrize("text", ["[os.fork() for _ in iter(int, 1)]", "for _ in itertools.count(): os.fork()"])
def test_a_loop_over_what_never_ends_is_endless(text: str) -> None:
    rules = {finding.rule for finding in scan("python", f"import os, itertools\n{text}")}
    assert "python.fork-bomb" in rules
