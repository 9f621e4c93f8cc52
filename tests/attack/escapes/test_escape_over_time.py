"""What one command prepares, a later one must not profit from, nor git when its owner uses it."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from attack.escapes.stage import scene
from attack.escapes.trying_both import both_users, remembered
from attack.escapes.workspaces import answer, each, git, run

if TYPE_CHECKING:
    from attack.escapes.stage import Scene

ME = "-c user.name=me -c user.email=me@example.org"
COMMIT = f"git {ME} commit -q --allow-empty -m one"
BELOW = f"git init -q sub; cd sub; {COMMIT}; cd ..; git add sub 2>/dev/null; "
WATCH = 'core.fsmonitor "touch $OLDPWD/ran; false"'

# Each a few commands, one after the other; what they leave is then looked at by `git status`, which enters submodules.
PREPARED = {
    "a repository below": [BELOW + f"cd sub; git config {WATCH}"],
    "a submodule": [
        BELOW + "mkdir -p .git/modules; mv sub/.git .git/modules/sub; echo 'gitdir: ../.git/modules/sub' > sub/.git; "
        f"cd sub; git config core.worktree ../../../sub; git config {WATCH}"
    ],
    "a submodule, in two steps": [
        BELOW + "mkdir -p .git/modules; mv sub/.git .git/modules/sub; echo 'gitdir: ../.git/modules/sub' > sub/.git; "
        "cd sub; git config core.worktree ../../../sub",
        f"cd sub; git config {WATCH}",
    ],
    "settings by another name": [
        "ln .git/config other",
        "printf '[core]\\n\\tfsmonitor = touch %s/ran; false\\n' \"$PWD\" >> other",
    ],
    "settings of a new repository by another name": [
        "rm -rf .git; git init -q .; ln .git/config other",
        "printf '[core]\\n\\tfsmonitor = touch %s/ran; false\\n' \"$PWD\" >> other",
    ],
    "settings copied to a place that is frozen later": [
        "cp .git/config mine; mkdir -p .git/new",
        "git config -f mine " + WATCH.replace("$OLDPWD", "$PWD") + "; mv -f mine .git/config",
    ],
}  # fmt: skip


@both_users
@pytest.mark.parametrize("commands", PREPARED.values(), ids=PREPARED)
def test_git_runs_nothing_that_was_prepared(commands: list[str], who: str) -> None:
    assert (ran(who, commands, contained=False), ran(who, commands, contained=True)) == (True, False)


def ran(who: str, commands: list[str], *, contained: bool) -> bool:
    with scene(who, contained=contained) as here:
        prepare(here, fresh=any("rm -rf .git" in command for command in commands) and contained)
        for command in commands:
            run(here, command)
        git(here, "status", "--short")
        return (here.workspace / "ran").exists()


def prepare(here: Scene, *, fresh: bool) -> None:
    """A repository with a commit; or none yet, for a command that makes its own."""
    if not fresh:
        git(here, "init", "-q", ".")
        git(here, *ME.split(), "commit", "-q", "--allow-empty", "-m", "one")


OPEN = "import ctypes, struct; call = ctypes.CDLL(None).syscall; "

LENDING = {
    "by changing the mode": "cp /bin/true lent; chmod u+s lent",
    "by making it so": "python3 -c 'import os; os.open(\"lent\", os.O_CREAT | os.O_WRONLY, 0o4755)'",
    "as a node": "python3 -c 'import os; os.mknod(\"lent\", 0o104755)'",
    "by a descriptor": "cp /bin/true lent; python3 -c 'import os; os.fchmod(os.open(\"lent\", os.O_RDONLY), 0o4755)'",
    "by making it so in another way": f"python3 -c '{OPEN}"
    'call(437, -100, b"lent", struct.pack("=QQQ", 0o101, 0o4755, 0), 24)\'',
    "by changing the mode in another way": f"touch lent; python3 -c '{OPEN}call(452, -100, b\"lent\", 0o4755, 0)'",
    "without a name at first": 'python3 -c \'import os; fd = os.open(".", os.O_TMPFILE | os.O_RDWR, 0o4755); '
    'os.link(f"/proc/self/fd/{fd}", "lent", src_dir_fd=fd)\'',
    "by a copy": "cp /bin/true a; cp --preserve=mode ../../outside/lending lent",
}


@both_users
@pytest.mark.parametrize("name", LENDING)
def test_no_program_is_left_that_lends_the_rights_of_its_owner(name: str, who: str) -> None:
    """Behind the walls nobody gains by it; whoever finds it outside would."""
    assert [left(who, contained=contained)[name] for contained in (False, True)] == [True, False]


@remembered
def left(who: str, *, contained: bool) -> dict[str, bool]:
    return each(who, LENDING, contained=contained, before=lend, after=lends)


def lend(here: Scene) -> None:
    here.file(here.outside / "lending").chmod(0o4755)


def lends(here: Scene, _: None) -> bool:
    found = here.workspace / "lent"
    return found.exists() and bool(found.stat().st_mode & stat.S_ISUID)


@both_users
def test_files_in_memory_count_as_memory(who: str) -> None:
    with scene(who, contained=True) as here:
        result = answer(here, "head -c 300M /dev/zero > /tmp/x && echo all of it", "--memory", "100M")
        assert (result["ok"], result["stdout"]) == (False, "")
