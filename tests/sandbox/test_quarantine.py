"""What would make other programs act later cannot be changed, and is taken out again where a command has made it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import limpet
from limpet import sync
from limpet.sandbox.finding import Finder
from limpet.sandbox.gitconfig import is_harmless
from limpet.sandbox.later import Later
from limpet.sandbox.quarantine import Watch

if TYPE_CHECKING:
    from limpet import Result

GIT = "git -c user.name=a -c user.email=b -c init.defaultBranch=main"
FINDER = Finder([".envrc", ".git/config*", ".git/hooks", ".vscode", ".git/modules"])


def contained(command: str, workspace: Path, **options: object) -> Result:
    return sync.run(command, workspace=workspace, sandbox="native", **options)  # type: ignore[arg-type]  # checked there


def test_a_new_repository_works_and_stays(workspace: Path) -> None:
    made = contained(f"{GIT} init -q && {GIT} add . && {GIT} commit -qm first && git status --short", workspace)
    assert (made.ok, made.stdout, made.error) == (True, "", None)
    more = f"git checkout -qb side && echo x > x && git add x && {GIT} commit -qm x && git checkout -q main"
    again = contained(f"{more} && {GIT} merge -q side && git log --oneline | wc -l && git status --short", workspace)
    assert (again.ok, again.stdout.strip(), again.error) == (True, "2", None)


def test_settings_and_hooks_of_a_repository_cannot_be_changed(workspace: Path) -> None:
    contained(f"{GIT} init -q", workspace)
    before = (workspace / ".git/config").read_bytes()
    for attempt in (
        "git config core.fsmonitor evil",
        "git remote add origin /x",
        "echo x > .git/hooks/pre-commit",
        "echo x >> .git/config",
        "rm -f .git/config",
        "mv .git/config elsewhere",
        "mv .git elsewhere",
        "rm -rf .git/hooks && mkdir .git/hooks",
        "ln -sf /x .git/config",
    ):
        assert contained(attempt, workspace).exit_code not in (0, None), attempt
    assert (workspace / ".git/config").read_bytes() == before
    assert not (workspace / ".git/hooks/pre-commit").exists()


def test_what_is_new_and_runs_later_is_taken_out_and_kept(workspace: Path) -> None:
    result = contained("echo evil > .envrc; mkdir .vscode; echo {} > .vscode/tasks.json; echo fine > a.txt", workspace)
    assert result.ok
    assert sorted(set(os.listdir(workspace)) & {".envrc", ".vscode", "a.txt"}) == ["a.txt"]
    assert ".envrc was made" in (result.error or "")
    kept = os.path.join(os.environ["LIMPET_STATE_DIR"], "quarantine", result.operation_id or "")
    assert (sorted(os.listdir(kept)), os.listdir(f"{kept}/.vscode")) == ([".envrc", ".vscode"], ["tasks.json"])


def test_a_hook_of_a_new_repository_is_taken_out_and_its_samples_stay(workspace: Path) -> None:
    result = contained(f"{GIT} init -q; echo evil > .git/hooks/pre-commit; touch .git/hooks/x.sample", workspace)
    assert ".git/hooks/pre-commit was made" in (result.error or "")
    assert not (workspace / ".git/hooks/pre-commit").exists()
    assert (workspace / ".git/hooks/x.sample").exists()


@pytest.mark.parametrize("evil", ["core.fsmonitor", "core.sshCommand", "core.hooksPath", "alias.x", "filter.x.clean"])
def test_settings_of_a_new_repository_that_run_something_are_taken_out(workspace: Path, evil: str) -> None:
    result = contained(f"{GIT} init -q; git config {evil} evil", workspace)
    assert ".git/config was made" in (result.error or "")
    assert not (workspace / ".git/config").exists()


def test_what_was_there_before_is_left_alone(workspace: Path) -> None:
    (workspace / ".envrc").write_text("mine\n")
    (workspace / ".vscode").mkdir()
    result = contained("cat .envrc; echo evil >> .envrc; touch .vscode/x", workspace)
    assert (result.stdout, result.ok) == ("mine\n", False)
    assert ((workspace / ".envrc").read_text(), os.listdir(workspace / ".vscode")) == ("mine\n", [])
    assert "was made" not in (result.error or "")


def test_one_grant_lets_it_be(workspace: Path) -> None:
    settings = {"sandbox.allow": [".envrc", ".git/config"]}
    with sync.open(workspace, settings=settings, sandbox="native") as shell:
        assert shell.run(f"echo x > .envrc; {GIT} init -q; git config core.fsmonitor mine").error is None
        assert shell.run("echo y >> .envrc; git config core.fsmonitor other").ok
    assert (workspace / ".envrc").read_text() == "x\ny\n"


@pytest.mark.parametrize("value", ["/etc", "..", "a/../b", "", "a//b", "~/x"])
def test_a_grant_names_a_path_in_the_workspace(workspace: Path, value: str) -> None:
    with pytest.raises(limpet.ConfigError, match=r"sandbox\.allow must be a list of paths inside the workspace"):
        sync.open(workspace, settings={"sandbox.allow": [value]})


def watched(workspace: Path) -> Watch:
    return Watch(Later(FINDER), str(workspace), keep_in=str(workspace.parent / "kept"))


def settled(watch: Watch) -> list[str]:
    return [said.split(" ")[0] for said in watch.settle(lambda _: "why")]


def test_a_folder_that_was_replaced_has_replaced_what_is_in_it(workspace: Path) -> None:
    (workspace / ".git").mkdir()
    (workspace / ".git/config").write_text("[core]\n")
    watch = watched(workspace)
    (workspace / ".git").rename(workspace / "old")
    (workspace / ".git").mkdir()
    (workspace / ".git/config").write_text("[core]\nfsmonitor = evil\n")
    assert settled(watch) == [".git/config"]


def test_a_file_that_somebody_outside_replaced_is_theirs(workspace: Path) -> None:
    (workspace / ".git").mkdir()
    (workspace / ".git/config").write_text("[core]\n")
    watch = watched(workspace)
    (workspace / "new").write_text("[core]\nfsmonitor = mine\n")
    (workspace / "new").rename(workspace / ".git/config")
    assert settled(watch) == []


def test_links_and_odd_files_are_taken_out_as_they_are(workspace: Path) -> None:
    watch = watched(workspace)
    (workspace / ".envrc").symlink_to("/nowhere")
    os.mkfifo(workspace / ".vscode")
    assert settled(watch) == [".envrc", ".vscode"]
    assert os.readlink(workspace.parent / "kept/.envrc") == "/nowhere"


def test_what_cannot_be_taken_out_is_told(workspace: Path) -> None:
    (workspace.parent / "kept").write_text("")
    watch = watched(workspace)
    (workspace / ".envrc").write_text("")
    (said,) = watch.settle(lambda _: "it runs")
    assert said.startswith(".envrc was made, it runs, and could not be taken out: ")


@pytest.mark.parametrize(
    ("text", "harmless"),
    [
        ("[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n", True),
        ('[remote "origin"]\n\turl = git@github.com:a/b.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n', True),
        ('[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n[user]\n\tname = A B\n', True),
        ("# nothing\n\n; else\n", True),
        ("[core]\n\tfsmonitor = x\n", False),
        ("[core]\n\thooksPath = x\n", False),
        ("[CORE]\n\tSSHCommand = x\n", False),
        ("[core] sshCommand = x\n", False),
        ("[core]\n\tbare = \\\nfalse\n", False),
        ("[include]\n\tpath = x\n", False),
        ('[includeIf "gitdir:x"]\n\tpath = x\n', False),
        ('[remote "x"]\n\turl = ext::sh -c x\n', False),
        ('[remote "x"]\n\tuploadpack = x\n', False),
        ("[alias]\n\tx = !y\n", False),
        ("core.fsmonitor = x\n", False),
    ],
)
def test_only_plain_settings_are_harmless(tmp_path: Path, text: str, *, harmless: bool) -> None:
    (tmp_path / "config").write_text(text)
    assert is_harmless(str(tmp_path / "config")) is harmless


def test_settings_that_are_no_plain_text_are_not_harmless(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    (tmp_path / "link").symlink_to(tmp_path / "plain")
    (tmp_path / "plain").write_text("")
    (tmp_path / "large").write_text("#\n" * 100_000)
    os.mkfifo(tmp_path / "pipe")
    names = ("binary", "link", "large", "pipe", "missing", "plain")
    assert {name: is_harmless(str(tmp_path / name)) for name in names} == dict.fromkeys(names[:-1], False) | {
        "plain": True
    }


def test_paths_are_found_as_they_are_there(tmp_path: Path) -> None:
    for name in ("a/b", "a/c", "x1", "x2", "y"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "dangling").symlink_to("nowhere")
    finder = Finder(["a/b", "a/z", "x*", "dangling", "y/below", "missing", "*/c"])
    assert sorted(path.removeprefix(f"{tmp_path}/") for path in finder.find(str(tmp_path))) == [
        "a/b", "a/c", "dangling", "x1", "x2",
    ]  # fmt: skip


def test_what_comes_and_goes_is_seen_however_soon(tmp_path: Path) -> None:
    finder = Finder(["a/b", "x*"])
    for number in range(100):
        (tmp_path / "a").mkdir()
        assert list(finder.find(str(tmp_path))) == []
        (tmp_path / "a/b").touch()
        assert list(finder.find(str(tmp_path))) == [f"{tmp_path}/a/b"]
        (tmp_path / f"x{number}").touch()
        assert list(finder.find(str(tmp_path))) == [f"{tmp_path}/a/b", f"{tmp_path}/x{number}"]
        (tmp_path / f"x{number}").unlink()
        (tmp_path / "a/b").unlink()
        (tmp_path / "a").rmdir()


def made(workspace: Path, command: str) -> list[str]:
    """What a command made that was taken out again."""
    error = contained(command, workspace).error or ""
    return [part.split(" was made")[0] for part in error.split("; ") if " was made" in part]


def test_a_repository_that_is_elsewhere_is_not_led_to(workspace: Path) -> None:
    other = f"{GIT} init -q g; mv g/.git g2; git config -f g2/config core.fsmonitor evil"
    assert made(workspace, f"{other}; echo 'gitdir: g2' > .git") == [".git"]
    assert made(workspace, "ln -s g2 .git") == [".git"]
    contained(f"{GIT} init -q", workspace)
    assert made(workspace, "echo ../g2 > .git/commondir") == [".git/commondir"]


def test_a_folder_does_not_become_a_repository_by_itself(workspace: Path) -> None:
    assert made(workspace, f"{GIT} init -q g; mv g/.git/* .") == ["HEAD", "config", "hooks"]


def test_what_a_protected_link_leads_to_is_protected(workspace: Path) -> None:
    (workspace / "npmrc").write_text("mine")
    (workspace / ".npmrc").symlink_to("npmrc")
    assert not contained("echo evil >> npmrc", workspace).ok
    assert made(workspace, "echo evil > x; ln -sf x .npmrc") == [".npmrc"]
    assert os.readlink(workspace / ".npmrc") == "npmrc"
    assert (workspace / "npmrc").read_text() == "mine"


def test_a_folder_that_is_closed_is_taken_out_all_the_same(workspace: Path) -> None:
    assert made(workspace, "mkdir -p .idea/a; touch .idea/a/x; chmod 0 .idea/a .idea") == [".idea"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody whom a closed folder stops")
def test_hooks_that_are_closed_to_all_are_taken_out_and_the_answer_is_not_lost() -> None:
    with tempfile.TemporaryDirectory() as place:
        workspace = Path(place) / "workspace"
        for folder in (Path(place), workspace, Path(place) / "kept"):
            folder.mkdir(exist_ok=True)
            folder.chmod(0o777)
        pid = os.fork()
        if pid == 0:
            os._exit(_closed_hooks(workspace))
        assert os.waitpid(pid, 0)[1] == 0


def _closed_hooks(workspace: Path) -> int:
    """As somebody else: 0 when they were taken out."""
    try:
        os.setuid(65534)
        watch = watched(workspace)
        hooks = workspace / ".git/hooks"
        hooks.mkdir(parents=True)
        hooks.chmod(0)
        return 0 if settled(watch) == [".git/hooks"] and not hooks.exists() else 1
    except BaseException:  # noqa: BLE001 - the copy of pytest must not go on
        return 2
