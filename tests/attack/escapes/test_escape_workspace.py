"""What is in the workspace and makes other programs run things later: not changed, not swapped, not added to.

The workspace itself may be written, so this is not about where but about what. Each attempt has a workspace of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from attack.escapes.stage import Scene, scene
from attack.escapes.trying_both import both_users, remembered
from attack.escapes.victims_files import look
from attack.escapes.workspaces import each, git, run

NEW_HOOK = "printf '#!/bin/sh\\nevil\\n' > {path}; chmod +x {path}"
EXCHANGE = """python3 -c 'import ctypes; ctypes.CDLL(None).renameat2(-100, b".git", -100, b"mine", 2)'"""

ATTEMPTS = {
    "a line more in the settings of git": "echo '# evil' >> .git/config",
    "a setting by git": "git config core.fsmonitor evil",
    "an alias by git": "git config --local alias.st '!evil'",
    "settings replaced by a file": "echo '# evil' > mine; mv -f mine .git/config",
    "settings replaced by a symlink": "echo '# evil' > mine; ln -sf ../mine .git/config",
    "settings moved away": "mv .git/config .git/old; echo '# evil' > .git/config",
    "settings by another name": "ln .git/config other; echo '# evil' >> other",
    "settings by proc": "echo '# evil' >> /proc/self/cwd/.git/config",
    "a hook changed": "echo evil >> .git/hooks/pre-commit",
    "a hook switched on": "chmod +x .git/hooks/post-merge; echo evil >> .git/hooks/post-merge",
    "a new hook": NEW_HOOK.format(path=".git/hooks/post-checkout"),
    "a hook with an odd name": "printf evil > $'.git/hooks/post-\\n\\377'",
    "hooks replaced": "rm -rf .git/hooks; mkdir -p .git/hooks; " + NEW_HOOK.format(path=".git/hooks/post-checkout"),
    "hooks swapped": f"mkdir mine; {NEW_HOOK.format(path='mine/x')}; mv .git/hooks old; mv mine .git/hooks",
    "the repository swapped": "mv .git old && cp -r old .git && echo '# evil' >> .git/config",
    "the repository behind a symlink": "mv .git old && ln -s old .git && echo '# evil' >> old/config",
    "the repository exchanged": f"cp -r .git mine; echo '# evil' >> mine/config; {EXCHANGE}",
    "attributes that name a filter": "mkdir -p .git/info; echo '* filter=evil' > .git/info/attributes",
    "attributes swapped": "mv .git/info old; mkdir .git/info; echo '* evil' > .git/info/attributes",
    "settings of another kind of repository": "echo evil >> .hg/hgrc",
    "another kind of repository swapped": "mv .hg old; mkdir .hg; echo evil > .hg/hgrc",
    "another common folder": "cp -r .git common; echo '# evil' >> common/config; echo ../common > .git/commondir",
    "a shell in the folder": "echo evil >> .envrc",
    "a shell in the folder, anew": "rm -f .envrc; echo evil > .envrc",
    "tasks of an editor": "echo evil > .vscode/tasks.json",
    "tasks of an editor, anew": "mv .vscode old; mkdir .vscode; echo evil > .vscode/tasks.json",
    "servers of an agent": "echo evil > mine; mv -f mine .mcp.json",
    "settings of an agent": "sed -i 's/{}/evil/' .claude/settings.json",
    "more settings of an agent": "echo evil > .claude/settings.local.json",
    "settings of limpet": "echo '# evil' >> .limpet.toml",
    "hooks by a tool": "echo evil > .husky/pre-commit",
    "settings by a symlink that is there": "echo evil > npmrc",
    "settings by another symlink": "echo evil > mine; ln -sf mine .npmrc",
    "a repository below": "echo '# evil' >> below/.git/config; echo evil > below/.git/hooks/post-checkout",
    "where there was none": "echo evil > .gdbinit",
    "where there was none, in a folder": "mkdir -p .idea; echo evil > .idea/runConfigurations.xml",
    "where there was none, by a symlink": "echo evil > mine; ln -s mine .gdbinit",
    "where there was none, moved": "mkdir mine; echo evil > mine/x; mv mine .idea",
    "where there was none, closed to all": "mkdir .idea; echo evil > .idea/x; chmod 0 .idea",
    "where there was none, by a hard link": "echo evil > mine; ln mine .gdbinit",
    "where there was none, in the end": "(trap '' TERM; sleep 0.3; echo evil > .gdbinit) & echo evil > .exrc",
}  # fmt: skip

PROTECTED = [
    *(".git", "below/.git", ".envrc", ".vscode", ".mcp.json", ".claude", ".limpet.toml", ".husky", ".npmrc"),
    *(".gdbinit", ".idea", ".exrc", ".hg"),
]
UNIMPORTANT = ("index", "COMMIT_EDITMSG", "logs")


MAKE = "git init -q g; git -C g config limpet.evil 1; " + NEW_HOOK.format(path="g/.git/hooks/post-checkout") + "; "

NEW_REPOSITORIES = {
    "one like any other": "git init -q .; git config limpet.evil 1; "
    + NEW_HOOK.format(path=".git/hooks/post-checkout"),
    "one that is moved there": MAKE + "mv g/.git .git",
    "one behind a symlink": MAKE + "mv g/.git h; ln -s h .git",
    "one behind a file": MAKE + "mv g/.git h; echo 'gitdir: h' > .git",
    "one without a folder of its own": MAKE + "mv g/.git/* .",
    "one with a common folder elsewhere": MAKE + "git init -q .; mv g/.git h; echo ../h > .git/commondir",
    "one with settings elsewhere": MAKE + "git init -q .; git config include.path ../g/.git/config",
    "one with settings behind a symlink": MAKE + "git init -q .; ln -sf ../g/.git/config .git/config",
    "one with hooks behind a symlink": MAKE + "git init -q .; rm -rf .git/hooks; ln -s ../g/.git/hooks .git/hooks",
    "one with settings for a work tree": "git init -q .; git config extensions.worktreeConfig true; "
    "git config --worktree limpet.evil 1",
    "one whose settings read otherwise": "git init -q .; "
    "printf '[limpet]\\n# \\r[branch]\\n\\tremote = 1\\n' >> .git/config",
    "one whose settings read otherwise still": "git init -q .; "
    "printf '[limpet]\\n# \\342\\200\\250[branch]\\n\\tremote = 1\\n' >> .git/config",
}


@both_users
@pytest.mark.parametrize("name", NEW_REPOSITORIES)
def test_a_new_repository_runs_nothing(name: str, who: str) -> None:
    assert [obeyed(who, contained=contained)[name] for contained in (False, True)] == [True, False]


@remembered
def obeyed(who: str, *, contained: bool) -> dict[str, bool]:
    return each(who, NEW_REPOSITORIES, contained=contained, before=lambda _: None, after=acts)


def acts(here: Scene, _: None) -> bool:
    """Whether git, as the user, would act on what the attempt has left."""
    hook = git(here, "rev-parse", "--git-path", "hooks/post-checkout").strip()
    script = here.workspace / hook if hook else None
    has_hook = script is not None and script.is_file() and "evil" in script.read_text()
    return has_hook or bool(git(here, "config", "--get-regexp", "^limpet[.]"))


@both_users
@pytest.mark.parametrize("name", ATTEMPTS)
def test_what_runs_later_is_as_it_was(name: str, who: str) -> None:
    assert [armed(who, contained=contained)[name] for contained in (False, True)] == [True, False]


@remembered
def armed(who: str, *, contained: bool) -> dict[str, bool]:
    """Whether an attempt has put anything where it will be run, or taken anything from there."""
    return each(who, ATTEMPTS, contained=contained, before=furnished, after=lambda here, seen: will_run(here) != seen)


def furnished(here: Scene) -> dict[str, object]:
    furnish(here)
    return will_run(here)


def furnish(here: Scene) -> None:
    """A project with everything in it that others act on."""
    for name in (".", "below"):
        git(here, "init", "-q", "--template=", name)
    files = {
        ".git/hooks/pre-commit": "#!/bin/sh\n", ".git/hooks/post-merge": "", ".envrc": "", ".mcp.json": "{}",
        ".vscode/tasks.json": "{}", ".claude/settings.json": "{}", ".limpet.toml": "", ".husky/pre-commit": "",
        ".git/info/attributes": "", ".hg/hgrc": "", "below/.git/hooks/pre-commit": "",
        "npmrc": "",
    }  # fmt: skip
    for name, text in files.items():
        here.folder((here.workspace / name).parent)
        here.file(here.workspace / name, text)
    (here.workspace / ".npmrc").symlink_to("npmrc")
    here.own(here.workspace / ".npmrc")


def will_run(here: Scene) -> dict[str, object]:
    """Everything that other programs act on: where it is, what it is, and what it says when it is opened."""
    return {
        str(path): (path.is_symlink(), path.stat().st_mode & 0o111, path.read_bytes() if path.is_file() else b"")
        for name in PROTECTED
        for path in below(here.workspace / name)
    }


def below(path: Path) -> list[Path]:
    if not os.path.lexists(path):
        return []
    found = [path, *path.rglob("*")] if path.is_dir() else [path]
    return [one for one in found if one.name not in UNIMPORTANT]


TAKEN = {
    "a folder": "ln -s {outside} .vscode",
    "a repository": "ln -s {outside}/.git .git",
    "hooks": "mkdir .git; ln -s {outside}/.git/hooks .git/hooks",
    "a file": "ln -s {outside}/.git/config .envrc",
    "something in a folder": "mkdir .idea; ln -s {outside} .idea/there; ln -s {outside}/.git/config .idea/file",
    "a folder that is a symlink later": "mkdir .idea; touch .idea/x; mv .idea i; ln -s {outside} .idea",
}


@both_users
@pytest.mark.parametrize("text", TAKEN.values(), ids=TAKEN)
def test_nothing_outside_is_taken_for_something_that_was_made(text: str, who: str) -> None:
    """limpet takes out what a command has made; a symlink must not lead it to what lies elsewhere."""
    with scene(who, contained=True) as here:
        argv = [*here.prefix, "git", "init", "-q", str(here.outside)]
        subprocess.run(argv, cwd=here.workspace, env=here.environment(), check=True, timeout=20)
        before = [look(path) for path in sorted(here.outside.rglob("*"))]
        run(here, text.format(outside=here.outside))
        assert [look(path) for path in sorted(here.outside.rglob("*"))] == before


AWKWARD = {
    "a pipe": "mkdir .idea; mkfifo .idea/p; echo evil > .idea/x",
    "a socket": "mkdir .idea; python3 -c 'import socket; socket.socket(1).bind(\".idea/s\")'; echo evil > .idea/x",
    "many folders in each other": "mkdir .idea; cd .idea; d=$(printf %0200d 0); "
    "for n in {1..60}; do mkdir -p $d/$d/$d; cd $d/$d/$d; done; echo evil > x",
    "a large hole": "mkdir .idea; truncate -s 1G .idea/x; echo evil > .idea/y",
    "folders closed to all": "mkdir -p .idea/a/b; echo evil > .idea/a/b/x; chmod 0 .idea/a/b .idea/a .idea",
}


@both_users
@pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
def test_what_was_made_is_taken_out_though_it_is_kept_on_another_disk(text: str, who: str) -> None:
    kept = Path(tempfile.mkdtemp(prefix="limpet-state-", dir="/dev/shm"))
    try:
        with scene(who, contained=True) as here:
            here.own(kept)
            run(here, text, LIMPET_STATE_DIR=str(kept))
            assert not (here.workspace / ".idea").exists()
            assert sum(path.stat().st_blocks for path in kept.rglob("*")) * 512 < 100 << 20
    finally:
        shutil.rmtree(kept)
