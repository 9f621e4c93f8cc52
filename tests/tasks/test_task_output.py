"""What a task printed, read while it grows and after: every byte has its place for good."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import sync
from limpet.engine.following import follow
from limpet.engine.ids import TASK, new_id
from limpet.engine.store import Store
from limpet.engine.stored import StoredLog
from limpet.output.blank import Blanker
from limpet.output.redact import Redactor
from living import wait_for

if TYPE_CHECKING:
    from commandline import Cli

LIMIT = 64 * 1024


@pytest.mark.req("MY-05")
def test_output_is_read_whole_by_its_end_from_an_offset_by_pattern_and_by_stream(workspace: Path) -> None:
    task = sync.open(workspace).start("seq 100; sleep 0.1; echo oops >&2; sleep 0.1; echo end")
    task.wait(30)
    assert task.output() == "".join(f"{n}\n" for n in range(1, 101)) + "oops\nend\n"
    assert task.output(tail=2) == "oops\nend\n"
    assert task.output(since=288) == "100\noops\nend\n"
    assert task.output(grep="^[79]5$") == "75\n95\n"
    assert (task.output(stream="stderr"), task.output(stream="stdout", tail=1)) == ("oops\n", "end\n")
    part = task.read(since=292)
    assert (part.text, part.next_offset, part.dropped_bytes) == ("oops\nend\n", 301, 0)
    with pytest.raises(limpet.InvalidRequestError, match="since"):
        task.output(since=-1)
    with pytest.raises(limpet.InvalidRequestError, match="no stream"):
        task.output(stream="stdin")


def test_read_again_and_again_while_it_grows_nothing_is_missing_or_double(workspace: Path) -> None:
    task = sync.open(workspace).start("for n in $(seq 60); do printf 'zeile %s äöü€\\n' $n; sleep 0.005; done")
    text, at = "", 0
    while True:
        over = task.status().over
        part = task.read(since=at)
        text, at = text + part.text, part.next_offset
        if over:
            break
    assert text == "".join(f"zeile {n} äöü€\n" for n in range(1, 61))
    assert at == len(text.encode())


def test_streams_are_told_apart_while_it_still_runs(workspace: Path) -> None:
    os.mkfifo(workspace / "go")
    task = sync.open(workspace).start(
        "echo o1; sleep 0.05; echo e1 >&2; sleep 0.05; echo o2; read -r x < go; echo e2 >&2"
    )
    wait_for(lambda: "o2" in task.output(), 20)
    assert (task.output(stream="stdout"), task.output(stream="stderr")) == ("o1\no2\n", "e1\n")
    (workspace / "go").write_text("on\n")
    task.wait(30)
    assert (task.output(stream="stdout"), task.output(stream="stderr")) == ("o1\no2\n", "e1\ne2\n")


def test_the_newest_output_is_kept_within_its_limit_and_what_is_gone_is_counted(workspace: Path) -> None:
    shell = sync.open(workspace, settings={"tasks.output": LIMIT})
    task = shell.start("seq 100000")
    result = task.wait(30)
    whole = "".join(f"{n}\n" for n in range(1, 100_001)).encode()
    log = task.log()
    folder = Path(task.output_file).parent
    stored = sum(file.stat().st_size for file in folder.iterdir() if file.name.startswith("output"))
    assert LIMIT // 2 <= stored <= LIMIT
    assert (log.size, result.stdout_bytes, task.status().output_bytes) == (len(whole),) * 3
    assert b"".join(log.read()) == whole[log.first :]
    assert b"".join(log.read(since=len(whole) - 10)) == whole[-10:]
    part = task.read(since=100)
    assert (part.dropped_bytes, part.next_offset) == (log.first - 100, len(whole))
    assert f"the first {log.first:,} of {len(whole):,} bytes of output are gone" in (result.error or "")


def test_logs_say_how_many_bytes_are_gone(cli: Cli) -> None:
    task = sync.open(cli.cwd, settings={"tasks.output": LIMIT}).start("seq 100000")
    task.wait(30)
    first = task.log().first
    shown = cli("logs", task.id)
    assert shown.stdout.splitlines()[-1] == "100000"
    assert f"{first:,} bytes before this are gone" in shown.stderr
    assert cli("logs", task.id, "--since", str(first)).stderr == ""


def test_a_reader_gets_every_byte_in_place_while_files_take_turns(tmp_path: Path) -> None:
    store, name = Store(str(tmp_path)), new_id(TASK)
    output = store.open(name, LIMIT)
    chance = random.Random(7)
    pieces = [(chance.choice((1, 2)), chance.randbytes(chance.randint(1, 700))) for _ in range(3000)]
    whole = b"".join(data for _, data in pieces)
    done = threading.Event()
    got: list[tuple[int, bytes]] = []

    def read() -> None:
        at = 0
        log = StoredLog(name, store.path(name))
        for piece in follow(lambda: log, since=0, stream=None, over=done.is_set):
            at += piece.dropped
            got.append((at, piece.data))
            at += len(piece.data)

    reader = threading.Thread(target=read)
    reader.start()
    for stream, data in pieces:
        output.write(stream, data)
    output.finish()
    done.set()
    reader.join(30)
    assert got[-1][0] + len(got[-1][1]) == len(whole)
    assert all(whole[at : at + len(data)] == data for at, data in got)
    log = StoredLog(name, store.path(name))
    mine = b"".join(data for stream, data in pieces if stream == 2)
    kept = b"".join(log.read(stream="stderr"))
    assert len(kept) > LIMIT // 8
    assert mine.endswith(kept)


def test_a_secret_cut_by_a_change_of_files_is_blanked_in_both(tmp_path: Path) -> None:
    store, name, secret = Store(str(tmp_path)), new_id(TASK), "s3cr3t-value-of-length"
    output = store.open(name, 8192, Blanker(Redactor([secret]).mask_spans))
    output.write(1, b"x" * 4090 + secret[:6].encode())
    output.write(1, secret[6:].encode() + b"!")
    output.finish()
    everything = b"".join(StoredLog(name, store.path(name)).read())
    assert everything == b"x" * 4090 + b"*" * len(secret) + b"!"


def test_following_ends_with_the_task_and_shows_all_of_it(cli: Cli) -> None:
    task = sync.open(cli.cwd).start("for n in 1 2 3; do echo $n; sleep 0.1; done; echo end >&2")
    assert cli("logs", "-f", task.id).stdout == "1\n2\n3\nend\n"
    assert cli("logs", "-f", task.id, "--grep", "[13]").stdout == "1\n3\n"
    assert cli("logs", "-f", task.id, "--tail", "1", "--stream", "stdout").stdout == "3\n"
    assert cli("logs", "-f", "--json", task.id).returncode == 2


def test_an_id_can_be_shortened_as_long_as_it_is_the_only_one(cli: Cli) -> None:
    task = sync.open(cli.cwd).start("echo hi")
    task.wait(30)
    assert cli("logs", task.id[:12]).stdout == "hi\n"
    refused = cli("logs", "t000000000")
    assert (refused.returncode, "there is no task" in refused.stderr) == (2, True)
