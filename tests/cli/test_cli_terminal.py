"""What a person sees on a real terminal, and what a terminal is spared."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest

from living import marker, sleeping, wait_for, wait_gone
from terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

ID = r"r[0-9a-z]{10,}"
PLAIN = {"NO_COLOR": "1"}
BARE = {"TERM": "dumb"}
SPINNER = re.compile(r"[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] ([^\r]*)")


def on_terminal(cli: Cli, *arguments: str, columns: int = 240, env: dict[str, str] | None = None) -> Terminal:
    usual = {"TERM": "xterm-256color", "NO_COLOR": ""}
    return Terminal(cli.argv(*arguments), cwd=cli.cwd, env=cli.environment(usual | (env or {})), columns=columns)


def drawn(cli: Cli, *arguments: str, columns: int = 240, env: dict[str, str] | None = None) -> str:
    with on_terminal(cli, *arguments, columns=columns, env=env) as terminal:
        terminal.wait()
        return terminal.text


@pytest.mark.req("TU-17")
def test_a_run_has_a_heading_its_output_and_a_line_of_status(cli: Cli, workspace: Path) -> None:
    with on_terminal(
        cli, "run", "--description", "Try it", "--", "echo out; sleep 0.1; echo err >&2; exit 3"
    ) as terminal:
        assert terminal.wait() == 3
        lines = terminal.shown.splitlines()
    assert lines[:-1] == [
        "$ echo out; sleep 0.1; echo err >&2; exit 3",
        f"  Try it | in {workspace} | time limit 120 s",
        "out",
        "err",
    ]
    assert re.fullmatch(rf"exit 3  \d\.\d s \| 1 line out, 1 line err \| not contained \| {ID}", lines[-1])


@pytest.mark.req("TU-17")
def test_heading_stderr_and_end_have_their_colors(cli: Cli) -> None:
    text = drawn(cli, "run", "--", "echo fine; sleep 0.1; echo 'two lines'; printf 'of\\ntrouble\\n' >&2")
    assert text.startswith("\x1b[1m$ echo fine; sleep 0.1;")
    assert "\nfine\n" in text
    assert "\x1b[31mof\x1b[0m\n\x1b[31mtrouble\x1b[0m\n" in text
    assert "\x1b[1;32mok\x1b[0m\x1b[2m  0." in text
    assert "\x1b[1;31mexit 1\x1b[0m" in drawn(cli, "run", "--", "false")


@pytest.mark.req("TU-17")
def test_json_and_diffs_are_recognised_as_they_come(cli: Cli) -> None:
    text = drawn(cli, "run", "--", """echo '{"a": 1}'; printf -- 'diff --git a b\\n-old\\n+new\\nplain\\n'""")
    assert '{\x1b[36m"a"\x1b[0m: \x1b[35m1\x1b[0m}\n' in text
    assert "\x1b[1mdiff --git a b\x1b[0m\n\x1b[31m-old\x1b[0m\n\x1b[32m+new\x1b[0m\nplain\n" in text


@pytest.mark.parametrize("env", [PLAIN, BARE], ids=["NO_COLOR", "dumb"])
def test_without_color_the_same_text_is_there(cli: Cli, workspace: Path, env: dict[str, str]) -> None:
    text = drawn(cli, "run", "--", "echo out; sleep 0.1; echo err >&2", env=env)
    assert "\x1b" not in text
    assert text.startswith(f"$ echo out; sleep 0.1; echo err >&2\n  in {workspace} | time limit 120 s\nout\nerr\nok  ")


def test_a_dumb_terminal_has_nothing_that_is_drawn_again(cli: Cli) -> None:
    assert "\r" not in drawn(cli, "run", "--", "sleep 1.2", env=BARE)


def test_while_it_runs_the_description_is_shown_with_a_sign_of_life(cli: Cli) -> None:
    with on_terminal(
        cli, "run", "--description", "Wait a little", "--", "echo begun; read -t 60 < <(sleep 61)"
    ) as terminal:
        terminal.until(lambda text: len(set(SPINNER.findall(text))) >= 1 and text.count("Wait a little") > 4)
        assert "\nbegun\n" in terminal.shown
        terminal.type("\x03")
        assert terminal.wait() == 130
        lines = terminal.shown.splitlines()
    assert lines[2] == "begun"
    assert re.fullmatch(rf"(\^C)?cancelled  \d+\.\d s \| 1 line out, 0 lines err \| not contained \| {ID}", lines[3])


@pytest.mark.parametrize("columns", [40, 25])
def test_on_a_narrow_terminal_the_sign_of_life_stays_on_one_line(cli: Cli, columns: int) -> None:
    long = "A description that is longer than such a terminal is wide"
    text = drawn(cli, "run", "--description", long, "--", "sleep 1.2", columns=columns)
    turning = SPINNER.findall(text)
    assert turning
    assert {len(one) + 2 < columns for one in turning} == {True}
    assert text.split("\n")[0] == "\x1b[1m$ sleep 1.2\x1b[0m"


def test_the_sign_of_life_follows_the_size_of_the_terminal(cli: Cli) -> None:
    with on_terminal(cli, "run", "--description", "d" * 70, "--", "read -t 60 < <(sleep 61)", columns=100) as terminal:
        terminal.until(lambda text: re.search("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] d{50}", text))
        terminal.resize(30)
        terminal.until(lambda text: re.search("[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] d{10,24}…", text))
        terminal.type("\x03")
        terminal.wait()


def test_a_long_command_is_shortened_and_its_lines_are_counted(cli: Cli) -> None:
    first = drawn(cli, "run", "--", "echo " + "x" * 100, columns=40, env=PLAIN).split("\n")[0]
    assert first == "$ echo " + "x" * 32 + "…"
    first = drawn(cli, "run", "--", "echo a\necho b\necho c", env=PLAIN).split("\n")[0]
    assert first == "$ echo a (+2 lines)"


def test_ten_thousand_lines_are_all_shown_and_counted(cli: Cli) -> None:
    text = drawn(cli, "run", "--", "seq 10000", env=PLAIN)
    lines = text.splitlines()
    assert lines[2:-2] == [str(n) for n in range(1, 10001)]
    found = re.fullmatch(rf"ok  \d+\.\d s \| 10,000 lines out, 0 lines err \| not contained \| ({ID})", lines[-2])
    assert found
    assert lines[-1] == f"  truncated for a model; all of it: limpet logs {found[1]}"
    assert cli("logs", found[1]).stdout == "".join(f"{n}\n" for n in range(1, 10001))


def test_a_progress_bar_moves_and_leaves_its_last_state(cli: Cli) -> None:
    bar = "printf 0%%; for n in 20 40 60 80 100; do sleep 0.3; printf '\\r%s%%' $n; done; echo; echo done"
    with on_terminal(cli, "run", "--", bar) as terminal:
        assert terminal.wait() == 0
        text, lines = terminal.text, terminal.shown.splitlines()
    assert lines[2:-1] == ["0%", "100%", "done"]
    assert "\r\x1b[2K80%" in text


HOSTILE = {
    "title": r"\033]0;owned\007",
    "clipboard": r"\033]52;c;b3duZWQ=\007",
    "clear": r"\033[2J\033[H",
    "alternate screen": r"\033[?1049h",
    "answer back": r"\033[6n\033[c\005",
    "eight bit": r"\302\2332J",
    "unfinished": r"\033]0;",
    "device control": r"\033P+q544e\033\\",
}


@pytest.mark.parametrize("sequence", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("where", ["", " >&2"], ids=["stdout", "stderr"])
def test_what_a_command_prints_cannot_steer_the_terminal(cli: Cli, sequence: str, where: str) -> None:
    text = drawn(cli, "run", "--", f"printf 'a{sequence}\\nb\\n'{where}", env=BARE)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)
    assert text.split("\n")[2][:1] == "a"
    assert text.split("\n")[3] == "b"


def test_neither_command_nor_description_can_steer_the_terminal(cli: Cli) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\u202e"
    text = drawn(cli, "run", "--description", evil, "--", f"true '{evil}'", env=BARE)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)
    assert text.startswith("$ true '<U+001B>]0;owned<U+0007><U+001B>[2J<U+202E>'\n")


def test_a_last_line_without_its_end_is_not_run_into(cli: Cli) -> None:
    lines = drawn(cli, "run", "--", "printf half", env=BARE).splitlines()
    assert (lines[2], lines[3][:3]) == ("half", "ok ")


def test_what_was_left_running_and_a_guess_are_told(cli: Cli) -> None:
    mark = marker()
    lines = drawn(cli, "run", "--", f"sleep {mark} & no-such-command", env=BARE).splitlines()
    assert re.fullmatch(r"  still running when the shell had exited, and ended: sleep \(\d+\)", lines[4])
    assert lines[5].startswith("  guess: `no-such-command` is not installed")
    assert wait_gone(mark)


@pytest.mark.req("ZE-16", "TK-09")
def test_ctrl_c_ends_the_command_and_says_so(cli: Cli) -> None:
    mark = marker()
    with on_terminal(cli, "run", "--", f"echo begun; sleep {mark}") as terminal:
        wait_for(lambda: sleeping(mark), 20)
        terminal.type("\x03")
        assert terminal.wait() == 130
        assert terminal.shown.splitlines()[2:3] == ["begun"]
        assert "cancelled  " in terminal.shown
    assert wait_gone(mark)


def test_ctrl_c_twice_ends_what_will_not_end(cli: Cli) -> None:
    mark = marker()
    command = f"trap 'echo heard' TERM; while :; do sleep {mark}; done"
    with on_terminal(cli, "run", "--", command, env={"LIMPET_RUN_GRACE": "300"}) as terminal:
        wait_for(lambda: sleeping(mark), 20)
        terminal.type("\x03")
        terminal.until(lambda text: "\nheard\n" in text)
        terminal.type("\x03")
        assert terminal.wait() == 130
    assert wait_gone(mark)


def test_with_stdin_a_person_can_type_and_nothing_is_drawn_over_that(cli: Cli) -> None:
    with on_terminal(cli, "run", "--stdin", "--", "echo ready; read name; sleep 1; echo hello $name") as terminal:
        terminal.until(lambda text: "\nready\n" in text)
        terminal.type("bob\n")
        assert terminal.wait() == 0
        text = terminal.text
    assert not SPINNER.search(text)
    assert "\nhello bob\n" in text


def test_a_question_without_a_line_end_stays_readable(cli: Cli) -> None:
    text = drawn(cli, "run", "--", "printf 'name? '; sleep 1")
    assert not SPINNER.search(text)
    assert "\nname? \n" in text


@pytest.mark.parametrize("other", [1, 2])
def test_with_one_stream_elsewhere_the_other_has_only_what_the_command_wrote(cli: Cli, other: int) -> None:
    """A heading would garble a pager, and a file should hold what was printed."""
    command = " ".join(cli.argv("run", "--", "'echo out; echo err >&2; sleep 0.8'"))
    with Terminal(
        ["bash", "-c", f"{command} {other}>elsewhere"],
        cwd=cli.cwd,
        env=cli.environment({"TERM": "xterm", "NO_COLOR": "1"}),
    ) as terminal:
        assert terminal.wait() == 0
        shown = terminal.text
    elsewhere = (cli.cwd / "elsewhere").read_text()
    assert (shown, elsewhere) == (("err\n", "out\n") if other == 1 else ("out\n", "err\n"))


def test_stored_output_is_made_safe_for_a_terminal(cli: Cli) -> None:
    cli("run", "--", r"printf 'a\033]0;owned\007b\n'")
    run = cli("log", "--jsonl", "--limit", "1").stdout.split('"operation_id":"')[1].split('"')[0]
    assert drawn(cli, "logs", run) == "ab\n"
    piped = subprocess.run(cli.argv("logs", run), capture_output=True, cwd=cli.cwd, env=cli.environment())
    assert piped.stdout == b"a\x1b]0;owned\x07b\n"
