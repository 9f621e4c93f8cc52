"""What a command finds around it: variables, descriptors, locale, home; and what it must not find."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

import limpet
from limpet import sync

if TYPE_CHECKING:
    from pathlib import Path

    from commandline import Cli

SECRETS = {
    "AWS_SECRET_ACCESS_KEY": "aws-secret-4711",
    "GITHUB_TOKEN": "hub-token-4711",
    "MY_PASSWORD": "pass-word-4711",
    "UNSUSPICIOUS": "unsuspicious-4711",
    "SSH_AUTH_SOCK": "/run/agent-4711",
}
HARDENED = {
    "TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "MANPAGER": "cat", "GH_PAGER": "cat", "SYSTEMD_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0", "DEBIAN_FRONTEND": "noninteractive", "PIP_NO_INPUT": "1", "NO_COLOR": "1",
}  # fmt: skip
NAMELESS = "for file in passwd nsswitch.conf; do mount --bind nobody /etc/$file || exit; done; ! whoami 2>&-"
OWN_NAMESPACE = ["unshare", "--map-root-user", "--mount", "bash", "-c"]


def bare(cli: Cli, extra: dict[str, str] | None = None, *, drop: tuple[str, ...] = ()) -> dict[str, str]:
    """The environment of a caller with little in it."""
    full = cli.environment()
    names = ("PATH", "HOME", "LIMPET_STATE_DIR", "LIMPET_POLICY_PROFILE", "LIMPET_SANDBOX_MODE", "PYTHONPATH")
    kept = {name: full[name] for name in names if name not in drop}
    return {**kept, **(extra or {})}


def answer(cli: Cli, command: str, env: dict[str, str], *options: str) -> dict[str, Any]:
    argv = cli.argv("run", "--json", *options, "--", command)
    done = subprocess.run(argv, capture_output=True, cwd=cli.cwd, env=env, timeout=30)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def in_namespace(cli: Cli, prepare: str, *args: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """limpet where mounts can be changed without anybody else noticing."""
    if subprocess.run([*OWN_NAMESPACE, "true"], capture_output=True).returncode != 0:
        pytest.skip("no mount namespace to be had")
    argv = [*OWN_NAMESPACE, f'{prepare} && exec "$@"', "-", *cli.argv(*args)]
    return subprocess.run(argv, capture_output=True, cwd=cli.cwd, env=env, timeout=30)


@pytest.mark.req("CH-07", "MY-12", "ZE-12")
def test_a_command_gets_the_listed_variables_and_nothing_else(cli: Cli) -> None:
    env = bare(
        cli, {"LANG": "C.UTF-8", "TZ": "UTC", "SHELL": "/bin/zsh", "USER": "somebody", "TERM": "xterm", **SECRETS}
    )
    found = answer(cli, "env -0", env)
    variables = dict(line.split("=", 1) for line in found["stdout"].split("\ufffd") if line)
    inside = {"SHLVL", "_", "PWD"}
    wanted = {"LANG": "C.UTF-8", "TZ": "UTC", "SHELL": "/bin/zsh", "USER": "somebody", "HOME": env["HOME"]}
    assert {key: value for key, value in variables.items() if key not in inside | {"PATH"}} == {**wanted, **HARDENED}
    assert (variables["PWD"], variables["PATH"]) == (str(cli.cwd), env["PATH"])
    assert found["withheld_env"] == sorted(
        [*SECRETS, "LIMPET_POLICY_PROFILE", "LIMPET_SANDBOX_MODE", "LIMPET_STATE_DIR", "PYTHONPATH"]
    )


@pytest.mark.req("CH-07", "MY-12")
def test_no_secret_of_the_caller_is_found_in_the_processes_above_the_command(cli: Cli) -> None:
    above = "for pid in $$ $PPID $(ps -o ppid= -p $PPID); do tr '\\0' '\\n' </proc/$pid/environ; done"
    done = cli("run", "--", f"{above}; echo; tr '\\0' ' ' </proc/$PPID/cmdline; set; declare -f; export", env=SECRETS)
    assert [value for value in SECRETS.values() if value in done.stdout + done.stderr] == []
    assert "PIP_NO_INPUT=1" in done.stdout  # it did look


@pytest.mark.parametrize(
    "variables",
    [
        {"BASH_ENV": "{mark}"},
        {"ENV": "{mark}"},
        {"PROMPT_COMMAND": ". {mark}", "PS1": "$(. {mark})", "PS4": "$(. {mark})", "SHELLOPTS": "xtrace"},
        {"BASH_FUNC_echo%%": "() {{ . {mark}; }}", "BASH_FUNC_ls%%": "() {{ . {mark}; }}"},
        {"BASHOPTS": "extdebug", "BASH_XTRACEFD": "1", "IFS": "x", "CDPATH": "/", "GLOBIGNORE": "*"},
    ],
    ids=lambda variables: next(iter(variables)),
)
def test_nothing_in_the_callers_environment_makes_the_shell_run_or_say_more(
    variables: dict[str, str], cli: Cli, tmp_path: Path
) -> None:
    mark = tmp_path / "mark.sh"
    mark.write_text(f"touch {tmp_path}/ran")
    env = {name: value.format(mark=mark) for name, value in variables.items()}
    done = cli("run", "--", "ls numbers.txt; echo *.md; f=axb; echo $f", env=env)
    assert (done.stdout, done.stderr, (tmp_path / "ran").exists()) == ("numbers.txt\nREADME.md\naxb\n", "", False)
    assert set(env) <= set(json.loads(cli("run", "--json", "--", "true", env=env).stdout)["withheld_env"])


def test_a_preloaded_library_and_start_files_stay_outside(cli: Cli, workspace: Path) -> None:
    for name in (".bashrc", ".profile", ".bash_profile", ".bash_login", ".bash_logout"):
        (workspace / name).write_text("echo sourced; touch sourced\n")
    env = {"HOME": str(workspace), "LD_PRELOAD": "/nonexistent-4711.so", "LD_LIBRARY_PATH": str(workspace)}
    found = answer(cli, "echo $LD_PRELOAD $LD_LIBRARY_PATH; cat /dev/null; shopt -q login_shell || echo plain", cli.environment(env))  # fmt: skip  # noqa: E501
    assert (found["stdout"], found["stderr"], (workspace / "sourced").exists()) == ("\nplain\n", "", False)


@pytest.mark.req("TK-04", "TU-06")
@pytest.mark.parametrize(
    "variables",
    [
        {"A": "new\nline = '\"`$(touch ran)\t"},
        {"A": ""},
        {"A": "\udcff\udcfe"},
        {"a.b-c": "dots", "1": "digit", "\u00e9": "\u20ac", "%%": "x", " ": "space"},
        {f"V{n}": "x" * 100_000 for n in range(10)},
        {"A": "x" * 131_069},
    ],
    ids=["newline", "empty", "not UTF-8", "odd names", "1 MB", "longest"],
)
def test_variables_given_for_a_command_arrive_exactly(variables: dict[str, str], workspace: Path) -> None:
    found_by = "import os; os.write(1, b''.join(k + b'=' + v + b'\\0' for k, v in os.environb.items()))"
    result = sync.run(
        f"exec python3 -c {limpet.quote(found_by)} > found", workspace=workspace, env=variables, empty_env=True
    )
    found = dict(pair.split(b"=", 1) for pair in (workspace / "found").read_bytes().split(b"\0") if pair)
    given = {os.fsencode(name): os.fsencode(value) for name, value in variables.items()}
    assert result.ok
    assert {name: value for name, value in found.items() if name in given} == given


@pytest.mark.req("TU-06")
@pytest.mark.parametrize(
    "env",
    [
        {"A": 1}, {1: "a"}, {"A": None}, {"A": b"x"}, {"": "x"}, {"A=B": "x"}, {"A\0": "x"}, {"A": "x\0"},
        {"A": "\ud800"}, {"\ud800": "x"}, {"A": "x" * 131_072}, "A=1", ["A=1"], [("A",)], 3,
    ],
    ids=lambda env: repr(env)[:30],
)  # fmt: skip
def test_variables_that_cannot_be_are_refused(env: Any, workspace: Path) -> None:
    with pytest.raises(limpet.InvalidRequestError) as caught:
        sync.run("touch ran", workspace=workspace, env=env)
    assert (caught.value.field, (workspace / "ran").exists()) == ("env", False)


def test_more_variables_than_the_kernel_takes_are_refused_and_said(workspace: Path) -> None:
    with pytest.raises(limpet.LaunchError, match="Argument list too long"):
        sync.run("touch ran", workspace=workspace, env={f"V{n}": "x" * 100_000 for n in range(40)})
    assert not (workspace / "ran").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LANG", "xx_YY.UTF-8"),
        ("LC_ALL", "xx_YY.UTF-8"),
        ("LC_CTYPE", "xx_YY.UTF-8"),
        ("LC_ALL", "/etc/passwd"),
        ("LC_ALL", "C.UTF-8\n"),
        ("LANG", "x" * 5000),
    ],
)
def test_a_locale_that_is_missing_makes_nobody_complain(name: str, value: str, cli: Cli) -> None:
    found = answer(cli, "bash -c true; perl -e 1; printf '%s' ${#LANG}${#LC_ALL}${#LC_CTYPE}", bare(cli, {name: value}))
    assert (found["stderr"], found["exit_code"]) == ("", 0)


@pytest.mark.parametrize(
    ("drop", "extra", "command", "wanted"),
    [
        (("HOME",), {}, "echo ${HOME-none}; cd ~; pwd", None),
        ((), {"HOME": "/nonexistent"}, "echo $HOME; cd ~ 2>/dev/null || echo no home", "/nonexistent\nno home\n"),
        ((), {"HOME": ""}, "echo \"'$HOME'\"", "''\n"),
        (("PATH",), {}, "cat numbers.txt | head -1", "1\n"),
        ((), {"PATH": ""}, "echo builtin", "builtin\n"),
        ((), {"PATH": "/nonexistent"}, "echo $PATH; cat x 2>/dev/null; echo $?", "/nonexistent\n127\n"),
        ((), {"TMPDIR": "/nonexistent"}, "cat <<<$(seq 1 9); rm $(mktemp); echo ${TMPDIR-none}", None),
        ((), {"TMPDIR": "/etc/passwd"}, "rm $(mktemp) && echo ${TMPDIR-none}", "none\n"),
        ((), {"TMPDIR": ""}, "rm $(mktemp) && echo fine", "fine\n"),
    ],
    ids=str,
)
def test_a_caller_who_lacks_the_usual_can_run_commands(
    drop: tuple[str, ...], extra: dict[str, str], command: str, wanted: str | None, cli: Cli
) -> None:
    found = answer(cli, command, bare(cli, extra, drop=drop))
    assert (found["ok"], found["stderr"], wanted in (None, found["stdout"])) == (True, "", True)


def test_without_any_home_and_state_folder_limpet_says_what_to_set(cli: Cli, workspace: Path) -> None:
    (workspace / "nobody").touch()
    env = bare(cli, drop=("HOME", "LIMPET_STATE_DIR"))
    refused = in_namespace(cli, NAMELESS, "run", "--", "touch ran", **env)
    assert (refused.returncode, refused.stdout, (workspace / "ran").exists()) == (125, b"", False)
    assert refused.stderr == b"limpet: no home directory to keep state in; set $LIMPET_STATE_DIR to a directory\n"


def test_a_user_without_a_name_can_run_commands(cli: Cli, workspace: Path) -> None:
    (workspace / "nobody").touch()
    env = bare(cli, drop=("HOME",))
    done = in_namespace(cli, NAMELESS, "run", "--", "whoami; echo $?; id -u", **env)
    assert (done.returncode, done.stdout.split()[-2:]) == (0, [b"1", b"0"])


@pytest.mark.req("TU-14")
@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [("", 0o644, b"bash was not found in "), ("\x7fELF", 0o755, b"cannot start the shell: Exec format error")],
)
def test_a_shell_that_is_missing_or_broken_is_told(
    content: str, mode: int, words: bytes, cli: Cli, workspace: Path
) -> None:
    broken = workspace / "broken"
    broken.write_text(content)
    broken.chmod(mode)
    # The real one goes on under another name, so that it can be limpet's own starter here.
    prepare = "for place in /bin/bash /usr/bin/bash; do mount --bind broken $(readlink -f $place); done"
    done = in_namespace(cli, prepare, "run", "--", "touch ran", **bare(cli))
    assert (done.returncode, done.stdout, words in done.stderr) == (125, b"", True)
    assert not (workspace / "ran").exists()


@pytest.mark.req("TU-14")
@pytest.mark.parametrize("shell", ["/nonexistent/bash", "bash", "/etc", "/etc/passwd", "./bash"])
def test_a_configured_shell_that_cannot_be_used_is_named(shell: str, cli: Cli, workspace: Path) -> None:
    done = cli("run", "--", "touch ran", env={"LIMPET_RUN_SHELL": shell})
    assert (done.returncode, done.stdout, (workspace / "ran").exists()) == (125, "", False)
    assert (repr(shell) in done.stderr or shell in done.stderr, "Traceback" in done.stderr) == (True, False)


@pytest.mark.parametrize("umask", ["0000", "0022", "0027", "0077", "0777"])
def test_the_umask_of_the_caller_is_the_commands(umask: str, cli: Cli) -> None:
    argv = ["bash", "-c", f'umask {umask}; exec "$@"', "-", *cli.argv("run", "--", "umask")]
    done = subprocess.run(argv, capture_output=True, text=True, cwd=cli.cwd, env=cli.environment(), timeout=30)
    assert (done.stdout, done.stderr) == (f"{umask}\n", "")


@pytest.mark.parametrize("way", ["cli", "library"])
def test_only_the_three_streams_are_open_in_a_command(way: str, cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    look = "ls /proc/self/fd; ls /proc/$$/fd; readlink /proc/$$/fd/0"
    opened = [os.open(path, os.O_RDONLY) for path in (tmp_path / "secret", tmp_path, "/dev/null")]
    high = [fcntl.fcntl(opened[0], fcntl.F_DUPFD, least) for least in (9, 200)]
    try:
        for fd in (*opened, *high):
            os.set_inheritable(fd, True)
        if way == "cli":
            argv = cli.argv("run", "--", look)
            found = subprocess.run(
                argv, stdout=subprocess.PIPE, cwd=cli.cwd, env=cli.environment(), close_fds=False, timeout=30, text=True
            ).stdout
        else:
            found = sync.run(look, workspace=cli.cwd).stdout
    finally:
        for fd in (*opened, *high):
            os.close(fd)
    assert found == "0\n1\n2\n3\n0\n1\n2\n/dev/null\n"  # 3 is what ls itself reads
