"""The file that has everything a command printed, and what is done to it meanwhile."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from limpet import sync
from limpet.engine.ids import new_id
from limpet.engine.store import Store
from limpet.engine.stored import streams_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from commandline import Cli

# Slow enough that the order of the two streams is certain.
ALTERNATING = """
import os, time
for number in range(12):
    os.write(1 + number % 2, b"line %d of \\xff stream\\n\\n" % number + b"torn " * (number % 3))
    time.sleep(0.02)
"""


def state() -> Path:
    return Path(os.environ["LIMPET_STATE_DIR"])


def stored(result: limpet.Result) -> bytes:
    assert result.output_file is not None
    return Path(result.output_file).read_bytes()


def finding(command: str) -> str:
    """A command that finds its own stored output as $file before it goes on."""
    look = 'until file=$(ls "$STATE"/outputs/*/r* 2>/dev/null) && [ -s "$file" ]; do sleep 0.01; done'
    return f"echo first; {look}; {command}"


def run(workspace: Path, command: str, **options: Any) -> limpet.Result:
    return sync.run(command, workspace=workspace, env={"STATE": str(state())}, **options)


def last_lines(data: bytes, count: int) -> bytes:
    return b"".join(data.splitlines(keepends=True)[-count:]) if count else b""


def test_a_log_is_read_whole_by_stream_by_offset_by_tail_and_by_match_exactly(cli: Cli, workspace: Path) -> None:
    (workspace / "print.py").write_text(ALTERNATING)
    result = sync.run("python3 print.py", workspace=workspace)
    parts = [b"line %d of \xff stream\n\n" % n + b"torn " * (n % 3) for n in range(12)]
    whole, by_stream = b"".join(parts), {"stdout": b"".join(parts[::2]), "stderr": b"".join(parts[1::2])}
    assert (stored(result), result.stdout_bytes, result.stderr_bytes) == (whole, *map(len, by_stream.values()))

    def read(*options: str) -> bytes:
        return cli.raw("logs", result.operation_id, *options).stdout

    half = len(whole) // 2
    assert read() == whole
    assert [read("--since", str(at)) for at in (0, 1, half, len(whole), 10**12)] == [
        whole, whole[1:], whole[half:], b"", b"",
    ]  # fmt: skip
    assert [read("--tail", str(count)) for count in (0, 1, 3, 10**9)] == [
        last_lines(whole, count) for count in (0, 1, 3, 10**9)
    ]
    assert {name: read("--stream", name) for name in by_stream} == by_stream
    assert {name: read("--stream", name, "--tail", "2") for name in by_stream} == {
        name: last_lines(data, 2) for name, data in by_stream.items()
    }
    matching = [line for line in whole.splitlines(keepends=True) if re.search(rb"\D[17] of", line)]
    assert read("--grep", r"\D[17] of") == b"".join(matching)
    assert read("--grep", r"\D[17] of", "--tail", "1") == matching[-1]
    assert read("--grep", "^$") == b"\n" * whole.splitlines().count(b"")


@pytest.mark.parametrize("count", [1, 3, 100])
def test_tail_and_offset_together_give_the_tail_of_what_comes_after_the_offset(count: int, cli: Cli) -> None:
    result = sync.run("seq 1 9", workspace=cli.cwd)
    done = cli.raw("logs", result.operation_id, "--since", "9", "--tail", str(count))
    assert done.stdout == last_lines(stored(result)[9:], count)


@pytest.mark.parametrize("options", [(), ("--tail", "1"), ("--grep", "x"), ("--json",), ("--stream", "stderr")])
def test_the_log_of_a_run_that_printed_nothing_is_empty(options: tuple[str, ...], cli: Cli) -> None:
    result = sync.run("true", workspace=cli.cwd)
    done = cli("logs", result.operation_id, *options)
    empty = f'{{"run":"{result.operation_id}","text":"","next_offset":0,"dropped_bytes":0}}\n'
    text = empty if "--json" in options else ""
    assert (done.returncode, done.stdout, done.stderr, result.output_file) == (0, text, "", None)


@pytest.mark.parametrize("name", ["", "x", "../../etc/passwd", "r" + "z" * 16, "r" + "0" * 16, "\x00", "\u0660" * 17])
def test_a_log_that_is_not_there_is_told_in_a_line(name: str, cli: Cli) -> None:
    done = cli("logs", "--", name.replace("\x00", "\x01"))
    assert (done.returncode in (2, 125), done.stdout, done.stderr.count("\n")) == (True, "", 1)
    assert "bug in limpet" not in done.stderr


def test_a_reader_of_the_log_that_leaves_is_no_trouble(cli: Cli) -> None:
    result = sync.run("seq 1 300000", workspace=cli.cwd)
    line = '"$@" | head -1; exit "${PIPESTATUS[0]}"'
    argv = ["bash", "-c", line, "-", *cli.argv("logs", result.operation_id)]
    done = subprocess.run(argv, capture_output=True, cwd=cli.cwd, env=cli.environment(), timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (141, b"1\n", b"")


@pytest.mark.req("TK-11")
@pytest.mark.parametrize("limit", [0, 1, 999, 1000, 1001])
def test_the_limit_of_stored_output_holds_and_is_told_only_when_it_is_passed(limit: int, workspace: Path) -> None:
    command = "head -c 1000 /dev/zero | tr '\\0' x"
    result = sync.run(command, workspace=workspace, limits=limpet.Limits(output_disk=limit))
    told = f"only the first {limit:,} bytes of output were stored (limit output.disk)" if limit < 1000 else None
    kept = 0 if result.output_file is None else os.path.getsize(result.output_file)
    assert (kept, result.error, result.stdout_bytes, result.ok) == (min(limit, 1000), told, 1000, True)


def test_a_quota_holds_against_a_flood_on_both_streams(workspace: Path) -> None:
    command = "head -c 30000000 /dev/zero; head -c 30000000 /dev/zero >&2; exit 3"
    result = sync.run(command, workspace=workspace, limits=limpet.Limits(output_disk=1_000_000))
    files = [path for path in (state() / "outputs").rglob("r*") if path.is_file()]
    assert sum(path.stat().st_blocks * 512 for path in files) < 1_100_000
    assert (len(stored(result)), result.stdout_bytes, result.stderr_bytes) == (1_000_000, 30_000_000, 30_000_000)
    assert (result.exit_code, result.error) == (3, "only the first 1,000,000 bytes of output were stored (limit output.disk)")  # fmt: skip  # noqa: E501


@pytest.mark.parametrize("gone", ["the file", "the folder", "everything"])
def test_stored_output_that_is_deleted_while_the_command_runs_is_told(gone: str, workspace: Path) -> None:
    what = {"the file": '"$file"', "the folder": '"$STATE"/outputs', "everything": '"$STATE"'}[gone]
    result = run(workspace, finding(f"rm -rf {what}; echo second; echo third >&2; exit 3"))
    assert (result.exit_code, result.stdout, result.stderr) == (3, "first\nsecond\n", "third\n")
    assert "the stored output was deleted" in (result.error or "")


def test_a_folder_that_becomes_read_only_meanwhile_loses_nothing(workspace: Path) -> None:
    result = run(workspace, finding('chmod 500 "$STATE" "$STATE"/outputs "$STATE"/outputs/*; echo second; exit 3'))
    assert (result.exit_code, result.stdout, stored(result)) == (3, "first\nsecond\n", b"first\nsecond\n")


def test_a_file_that_is_put_in_the_place_of_the_stored_output_is_not_written_to(
    workspace: Path, tmp_path: Path
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("untouched")
    result = run(workspace, finding(f'rm "$file"; ln -s {victim} "$file"; echo second; sleep 0.1; echo e >&2; exit 3'))
    assert (victim.read_text(), result.exit_code, result.stdout) == ("untouched", 3, "first\nsecond\n")
    assert "stored output" in (result.error or "")


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "file"])
def test_what_is_planted_where_the_output_would_be_stored_is_never_used(kind: str, tmp_path: Path) -> None:
    store, name, victim = Store(str(tmp_path / "state")), new_id(), tmp_path / "victim"
    place = Path(store.path(name))
    place.parent.mkdir(parents=True)
    victim.write_text("untouched")
    planting: dict[str, Callable[[], object]] = {
        "link": lambda: place.symlink_to(victim),
        "pipe": lambda: os.mkfifo(place),
        "folder": place.mkdir,
        "file": lambda: os.link(victim, place),
    }
    planting[kind]()
    output = store.open(name, 1000)
    output.write(1, b"data")
    output.finish()
    assert (victim.read_text(), output.size, output.path) == ("untouched", 0, None)
    assert output.trouble.startswith("only the first 0 bytes of output could be stored")


def test_bytes_are_stored_even_if_their_streams_cannot_be(tmp_path: Path) -> None:
    store, name = Store(str(tmp_path / "state")), new_id()
    output = store.open(name, 1 << 20)
    output.write(1, b"o")
    Path(store.path(name) + ".streams").symlink_to(tmp_path / "planted")
    for _ in range(10_000):
        output.write(2, b"e")
        output.write(1, b"o")
    output.finish()
    assert (os.path.getsize(store.path(name)), (tmp_path / "planted").exists()) == (20_001, False)
    assert output.trouble == "which bytes are stderr could not be stored: File exists"


def test_streams_that_alternate_for_long_are_told_apart(tmp_path: Path) -> None:
    store, name = Store(str(tmp_path / "state")), new_id()
    output = store.open(name, 1 << 20)
    for _ in range(20_000):
        output.write(2, b"ee")
        output.write(1, b"o")
    output.finish()
    assert (streams_of(store.path(name)), output.trouble) == ([(2, 2), (1, 1)] * 20_000, "")


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_everything_that_is_kept_is_private_whatever_the_umask(umask: int, cli: Cli) -> None:
    shutil.rmtree(state())
    argv = [
        "bash",
        "-c",
        f'umask {umask:o}; exec "$@"',
        "-",
        *cli.argv("run", "--", "echo out; echo err >&2; sleep 0.1"),
    ]
    assert subprocess.run(argv, capture_output=True, cwd=cli.cwd, env=cli.environment(), timeout=30).returncode == 0
    found = {path: stat.S_IMODE(path.lstat().st_mode) for path in [state(), *state().rglob("*")]}
    assert {oct(mode) for path, mode in found.items() if path.is_dir()} == {"0o700"}
    assert {oct(mode) for path, mode in found.items() if path.is_file()} == {"0o600"}
    assert len(found) >= 6
