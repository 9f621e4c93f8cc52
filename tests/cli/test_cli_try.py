"""`limpet try`, `undo` and `recover`, as a person and a program call them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from terminal import Terminal

if TYPE_CHECKING:
    from commandline import Cli

CHANGING = "echo more >> README.md; rm numbers.txt; mkdir new; echo n > new/file"

ASKED = "python3 -c 'import pathlib; pathlib.Path(\"made\").touch()'"


def attempt(cli: Cli, *args: str) -> dict[str, object]:
    done = cli("try", "--sandbox", "native", "--json", *args)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def test_nothing_is_kept_where_nobody_can_be_asked(cli: Cli, workspace: Path) -> None:
    done = cli("try", "--sandbox", "native", "--", CHANGING)
    assert (done.returncode, done.stdout, (workspace / "numbers.txt").exists()) == (0, "", True)
    assert "2 added, 1 modified, 1 deleted" in done.stderr
    assert "  - numbers.txt  292 B" in done.stderr
    assert "dropped: nobody was there to be asked" in done.stderr


def test_what_is_kept_can_be_undone_by_the_id_of_the_run(cli: Cli, workspace: Path) -> None:
    result = attempt(cli, "--commit", "--", CHANGING)
    assert (result["commit_id"], (workspace / "new" / "file").exists()) == (result["operation_id"], True)
    done = cli("undo", str(result["operation_id"]), "--json")
    assert (done.returncode, json.loads(done.stdout)["restored"]) == (0, ["README.md", "numbers.txt"])
    assert (workspace / "numbers.txt").exists()
    assert not (workspace / "new").exists()


@pytest.mark.parametrize("code", [0, 1, 3, 124])
def test_the_exit_status_is_the_commands_own(cli: Cli, code: int) -> None:
    assert cli("try", "--sandbox", "native", "--discard", "--", f"exit {code}").returncode == code


def test_a_command_that_fails_is_not_kept(cli: Cli, workspace: Path) -> None:
    result = attempt(cli, "--commit", "--", "touch made; exit 3")
    assert ("dropped" in str(result["error"]), (workspace / "made").exists()) == (True, False)
    attempt(cli, "--commit", "--rollback-on", "7", "--", "touch made; exit 3")
    assert (workspace / "made").exists()


def test_only_what_fits_is_kept(cli: Cli, workspace: Path) -> None:
    attempt(cli, "--commit", "--only", "src/*", "--", "touch src/a b")
    assert ((workspace / "src" / "a").exists(), (workspace / "b").exists()) == (True, False)


def test_what_is_hidden_is_counted_and_kept_all_the_same(cli: Cli, workspace: Path) -> None:
    done = cli("try", "--commit", "--hide", "build/", "--hide", "*.log", "--", "mkdir build; touch build/o a.log src/a")
    assert "  not shown: 3 that fit build/, *.log\n" in done.stderr
    assert ("build" in done.stderr.split("changed:")[1].split("not shown")[0], "+ a" in done.stderr) == (False, True)
    assert (workspace / "build" / "o").exists()


def test_an_undo_that_would_lose_something_is_refused(cli: Cli, workspace: Path) -> None:
    result = attempt(cli, "--commit", "--", "echo one > made")
    (workspace / "made").write_text("two\n")
    done = cli("undo", str(result["operation_id"]))
    assert (done.returncode, (workspace / "made").read_text()) == (1, "two\n")
    assert "made" in done.stderr
    assert cli("undo", str(result["operation_id"]), "--overwrite").returncode == 0
    assert not (workspace / "made").exists()


def test_undo_lists_what_it_can_take_back_and_takes_the_last(cli: Cli, workspace: Path) -> None:
    for name in ("one", "two"):
        attempt(cli, "--commit", "--", f"touch {name}")
    listed = cli("undo", "--list").stdout.splitlines()
    assert [line.split()[-2:] for line in listed] == [["touch", "one"], ["touch", "two"]]
    assert cli("undo").returncode == 0
    assert ((workspace / "one").exists(), (workspace / "two").exists()) == (True, False)


def test_there_may_be_nothing_to_undo(cli: Cli) -> None:
    done = cli("undo")
    assert (done.returncode, "nothing" in done.stderr) == (125, True)
    assert cli("undo", "r1m7jd7gjsfcadfg4").returncode == 125
    assert cli("recover").stdout == "nothing was half done\n"


def test_a_person_is_asked(cli: Cli, workspace: Path) -> None:
    argv = cli.argv("try", "--sandbox", "native", "--", "touch made other")
    with Terminal(argv, cwd=workspace, env=cli.environment()) as screen:
        screen.until(lambda text: "Keep it?" in text)
        screen.type("d\r")
        screen.until(lambda text: "diff --git a/other b/other" in text and text.count("Keep it?") == 2)
        screen.type("mad*\r")
        assert screen.wait() == 0
        assert "kept: 1 added" in screen.shown
    assert ((workspace / "made").exists(), (workspace / "other").exists()) == (True, False)


def test_ctrl_c_is_a_no(cli: Cli, workspace: Path) -> None:
    argv = cli.argv("try", "--sandbox", "native", "--", "touch made")
    with Terminal(argv, cwd=workspace, env=cli.environment()) as screen:
        screen.until(lambda text: "Keep it?" in text)
        screen.type("\x03")
        assert screen.wait() == 130
    assert not (workspace / "made").exists()


def test_nothing_that_was_changed_can_move_the_cursor_of_who_looks(cli: Cli) -> None:
    done = cli("try", "--sandbox", "native", "--diff", "--", "printf 'a\\033]0;x\\007\\n' > $'odd\\033[2J'")
    assert "\x1b" not in done.stderr
    assert "odd" in done.stderr


def test_the_log_says_what_was_undone(cli: Cli) -> None:
    cli("run", "--transaction", "--sandbox", "native", "--", "touch made; exit 3")
    assert "exit 3, undone" in cli("log").stdout


def test_to_keep_and_to_drop_at_once_is_refused_before_anything_runs(cli: Cli, workspace: Path) -> None:
    done = cli("try", "--sandbox", "native", "--commit", "--discard", "--", "touch made")
    assert (done.returncode, "give one of them" in done.stderr, (workspace / "made").exists()) == (2, True, False)


@pytest.mark.parametrize("pattern", ["./new", "new/", "new/../new/*"])
def test_a_path_to_keep_may_be_written_in_several_ways(cli: Cli, workspace: Path, pattern: str) -> None:
    attempt(cli, "--commit", "--only", pattern, "--", CHANGING)
    assert ((workspace / "new" / "file").exists(), (workspace / "numbers.txt").exists()) == (True, True)


def test_what_cannot_be_kept_is_no_success_and_the_output_is_there_all_the_same(cli: Cli, workspace: Path) -> None:
    state = Path(cli.environment()["LIMPET_STATE_DIR"])
    attempt(cli, "--commit", "--", "touch made")
    (state / "commits").rename(state / "elsewhere")
    (state / "commits").symlink_to("nowhere/at/all")
    for words in (["try", "--commit"], ["run", "--transaction"]):
        done = cli(*words, "--sandbox", "native", "--json", "--", "echo out; touch other")
        answer = json.loads(done.stdout)
        assert (done.returncode, answer["exit_code"], answer["stdout"]) == (125, 0, "out\n")
        assert ("cannot be kept" in answer["error"], (workspace / "other").exists()) == (True, False)


def test_the_log_says_what_was_kept_as_long_as_it_can_be_undone(cli: Cli) -> None:
    result = attempt(cli, "--commit", "--", "touch made")
    assert result["commit_id"] is not None, result["error"]
    assert "ok, kept" in cli("log").stdout
    cli("undo")
    assert "ok, kept" not in cli("log").stdout


def test_effects_that_nobody_is_there_to_judge_are_dropped_at_once(cli: Cli, workspace: Path) -> None:
    limits = {"LIMPET_EFFECTS_FILES": "0", "LIMPET_APPROVAL_PATIENCE": "100"}
    done = cli("run", "--profile", "strict", "--sandbox", "native", "--effects", "--", ASKED, env=limits)
    assert (done.returncode, "not approved" in done.stderr, (workspace / "made").exists()) == (125, True, False)
    assert cli("try", "--effects", "--", "true").returncode == 2
