"""Filters leave out lines of progress, nothing else, and say exactly how much."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

import limpet
from limpet import sync
from limpet.output.sift.choose import Patterns, patterns_for
from limpet.output.sift.sieve import Sieve
from limpet.output.sift.tables import PRINTERS

if TYPE_CHECKING:
    from limpet.model.decision import FoundCommand

PIP = b"""\
Collecting requests
  Downloading requests-2.31.0-py3-none-any.whl (62 kB)
     \xe2\x94\x81\xe2\x94\x81\xe2\x94\x81\xe2\x94\x81 62.6/62.6 kB 1.2 MB/s eta 0:00:00
Installing collected packages: requests
Successfully installed requests-2.31.0
"""
TRIMMED = {
    "pip install requests": (PIP, "Successfully installed requests-2.31.0\n"),
    "python3 -m pytest -v": (
        b"t.py::test_a PASSED     [ 50%]\nt.py::test_b FAILED     [100%]\nE   assert 1 == 2\n=== 1 failed ===\n",
        "t.py::test_b FAILED     [100%]\nE   assert 1 == 2\n=== 1 failed ===\n",
    ),
    "cargo test": (
        b"   Compiling a v0.1.0\nerror[E0308]: mismatched types\ntest x ... ok\ntest y ... FAILED\n",
        "error[E0308]: mismatched types\ntest y ... FAILED\n",
    ),
    "git clone https://example.com/x": (
        b"Cloning into 'x'...\nremote: Counting objects: 9\nReceiving objects: 1\rReceiving objects: 100%\nfatal: no\n",
        "Cloning into 'x'...\nfatal: no\n",
    ),
    "cd sub && make -j2": (
        b"make[1]: Entering directory '/x'\ncc -c a.c\na.c:1: error: no\nmake: *** [a.o] Error 1\n",
        "cc -c a.c\na.c:1: error: no\nmake: *** [a.o] Error 1\n",
    ),
}
UNTOUCHED = ["cat log && pip install x", "pip install x | tee log", "$TOOL install", "echo hello", "git log", "cd x"]


def commands(text: str) -> tuple[FoundCommand, ...]:
    return limpet.check(text).commands


def sifted(patterns: Patterns, pieces: list[tuple[int, bytes]]) -> tuple[Sieve, dict[int, bytes]]:
    kept = {1: b"", 2: b""}

    def keep(stream: int, data: bytes) -> None:
        kept[stream] += data

    sieve = Sieve(patterns, keep)
    for stream, data in pieces:
        sieve.write(stream, data)
    sieve.finish()
    return sieve, kept


def pip() -> Patterns:
    patterns = patterns_for(commands("pip install x"))
    assert patterns is not None
    return patterns


@pytest.mark.req("ZE-19")
@pytest.mark.parametrize("command", TRIMMED)
def test_progress_is_left_out_and_what_matters_stays(command: str) -> None:
    printed, left = TRIMMED[command]
    patterns = patterns_for(commands(command))
    assert patterns is not None
    assert sifted(patterns, [(1, printed)])[1][1].decode() == left


@pytest.mark.parametrize("command", UNTOUCHED)
def test_where_something_else_may_print_nothing_is_left_out(command: str) -> None:
    assert patterns_for(commands(command)) is None


@given(st.lists(st.tuples(st.sampled_from([1, 2]), st.binary(max_size=30)), max_size=8), st.data())
def test_how_output_is_cut_into_pieces_makes_no_difference(
    pieces: list[tuple[int, bytes]], data: st.DataObject
) -> None:
    whole = [(1, PIP + b"".join(piece for stream, piece in pieces if stream == 1))]
    text = whole[0][1]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    parts = [(1, text[a:b]) for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    one, other = sifted(pip(), whole), sifted(pip(), parts)
    assert one[1] == other[1]
    assert one[0].told() == other[0].told()


@given(st.lists(st.sampled_from([b"Collecting a", b"Successfully installed a", b"odd", b"", b"x" * 9000]), max_size=30))
def test_what_was_left_out_is_counted_exactly(lines: list[bytes]) -> None:
    raw = b"\n".join(lines)
    sieve, kept = sifted(pip(), [(1, raw)])
    told = sieve.told()
    noise = [line for line in lines if line.startswith(b"Collecting")]
    assert (told is not None) == bool(noise)
    if told is not None:
        assert (told.raw_chars, told.filtered_chars) == (len(raw), len(kept[1]))
        assert told.raw_lines - told.filtered_lines == len(noise)
        assert sum(last - first + 1 for first, last in told.kept_lines) == told.filtered_lines


def test_how_well_the_lines_were_known_is_told() -> None:
    def confidence(more: bytes) -> str:
        told = sifted(pip(), [(1, PIP + more)])[0].told()
        assert told is not None
        return told.confidence

    assert [confidence(b""), confidence(b"odd\n"), confidence(b"odd\n" * 9)] == ["full", "partial", "low"]


@pytest.mark.parametrize("printer", PRINTERS, ids=[printer.name for printer in PRINTERS])
def test_no_complaint_is_ever_taken_for_progress(printer: object) -> None:
    assert isinstance(printer, type(PRINTERS[0]))
    noise = re.compile("|".join(printer.noise))
    for word in ("error", "Error:", "ERROR", "fatal: no", "warning: x", "FAILED", "Traceback (most recent", "panic: x"):
        assert not noise.match(word), word


@pytest.mark.req("ZE-19")
def test_a_run_shows_less_keeps_everything_and_says_so(workspace: Path) -> None:
    (workspace / "bin").mkdir()
    fake = workspace / "bin" / "pip"
    fake.write_text("#!/bin/sh\ncat <<'END'\n" + PIP.decode() + "END\necho 'ERROR: odd' >&2\n")
    fake.chmod(0o755)
    with sync.open(workspace, settings={"output.filter": True}) as shell:
        result = shell.run("bin/pip install requests")
    assert (result.stdout, result.stderr) == ("Successfully installed requests-2.31.0\n", "ERROR: odd\n")
    assert result.filtered is not None
    assert (result.filtered.raw_lines, result.filtered.filtered_lines, result.truncated) == (6, 2, True)
    assert 50 < result.filtered.savings < 90
    assert result.stdout_bytes == len(PIP)
    assert result.output_file is not None
    assert PIP in Path(result.output_file).read_bytes()


def test_without_being_asked_nothing_is_left_out(workspace: Path) -> None:
    (workspace / "pip").write_text("#!/bin/sh\necho Collecting x\n")
    (workspace / "pip").chmod(0o755)
    with sync.open(workspace) as shell:
        result = shell.run("./pip install x")
    assert (result.stdout, result.filtered) == ("Collecting x\n", None)
