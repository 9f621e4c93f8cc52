"""What git and the tools around it do."""

from __future__ import annotations

LOOKS = r"""
git status
git status -sb
git log --oneline -20
git log -p --stat --since=2.weeks -- src
git --no-pager log -5
git diff
git diff --cached --stat
git diff HEAD~1 -- a.py
git show HEAD:README.md
git branch
git branch -a
git clean -n
git clean -ndx
git stash list
git tag -l
git blame a
git grep -n foo
git grep -e FOO
git rev-parse --show-toplevel
git worktree list
git config --get user.email
git config -l
git submodule status
git remote -v
git reflog
git -c core.fsmonitor=false status
git
git --version
git push --help
git help log
hg status
jj st
git stash show -p
git shortlog -sn
git describe --tags
git archive HEAD
git show --stat HEAD
git tag
git tag -n
git log --format='%h %s' -n 5
git log --graph --oneline --all
git diff --name-only main...HEAD
git show abc123 --stat
git rev-list --count HEAD
git for-each-ref --sort=-committerdate
git cat-file -p HEAD
git check-ignore x
git lfs track '*.bin'
git var GIT_EDITOR
git submodule
git remote
git remote get-url origin
git -c color.ui=always status
git archive --format=tar HEAD
git stripspace
git fsck
git notes show
"""
WORKS_HERE = r"""
git add -A
git commit -m "rm -rf / is bad"
git commit -am 'x' --amend --no-edit
git branch feature
git branch -d x
git branch -M main
git checkout -b feature origin/main
git checkout main
git checkout feature/x
git checkout v1.2
git checkout v1.2.3
git checkout -
git checkout $b
git switch -c x
git restore --staged a
git reset HEAD~1
git reset --soft HEAD~1
git stash
git stash -u
git stash push -m wip
git stash pop
git tag v1
git tag -a v1 -m 'x'
git merge main
git rebase main
git rebase -i HEAD~3
git cherry-pick -x abc
git revert HEAD
git rm --cached a
git init
git config user.email a@b
git bisect start
git gc
git -c user.name=x commit -m y
git notes add -m x
pre-commit run --all-files
git commit --fixup=HEAD
git commit --allow-empty -m x
git merge --abort
git rebase --continue
git stash push -u -m "x"
git reset
git reset HEAD -- a
git am < x.patch
git revert --no-edit HEAD
git switch main
git switch -
git sparse-checkout set a
git -c advice.detachedHead=false checkout v1
git -c commit.gpgsign=false commit -m x
git -c core.hooksPath=/dev/null commit -m x
git symbolic-ref HEAD
git gc --aggressive
git repack -ad
git update-ref refs/heads/x abc
"""
EFFECTS: list[tuple[str, list[str]]] = [
    ("git diff --no-index a ~/.ssh/id_rsa", ["read a", "read /home/dev/.ssh/id_rsa"]),
    ("git log --outp=/etc/x", ["write /etc/x"]),
    ("git log --output x", ["write x"]),
    ("git show --ext-diff", ["risk git--ext-diff"]),
    ("git commit -F msg.txt", ["write .", "read msg.txt"]),
    ("git branch -D x", ["write .", "risk git.branch-delete"]),
    ("git branch -d --force x", ["write .", "risk git.branch-delete"]),
    ("git branch -df x", ["write .", "risk git.branch-delete"]),
    ("git checkout .", ["write .", "risk git.checkout-paths"]),
    ("git checkout -- a.py", ["write .", "risk git.checkout-paths"]),
    ("git checkout a.py", ["write .", "risk git.checkout-paths"]),
    ("git checkout HEAD a.py", ["write .", "risk git.checkout-paths"]),
    ("git checkout -f main", ["write .", "risk git.checkout-force"]),
    ("git switch --disc main", ["write .", "risk git.switch-force"]),
    ("git restore a", ["write .", "risk git.restore"]),
    ("git restore -SW a", ["write .", "risk git.restore"]),
    ("git reset --har", ["write .", "risk git.reset-hard"]),
    ("git clean -fdx", ["risk git.clean"]),
    ("git stash drop", ["risk git.stash-drop", "write ."]),
    ("git tag -d v1", ["write .", "risk git.tag-delete"]),
    ("git merge -s evil main", ["write .", "risk git.strategy"]),
    ("git rebase -x 'make test' main", ["write .", "script make test"]),
    ("git rebase --exec='rm -rf /' -i main", ["write .", "script rm -rf /"]),
    ("git rebase -m -x 'evil' main", ["write .", "script evil"]),
    ("git mv a b", ["write .", "write a", "write b"]),
    ("git rm -r src", ["write .", "delete-tree src"]),
    ("git grep -O foo", ["risk git.grep-pager"]),
    ("git grep --open-files-in-pager='sh -c id' foo", ["script sh -c id", "risk git.runs"]),
    ("git worktree add ../x", ["write .", "write ../x"]),
    ("git init /tmp/x", ["write .", "write /tmp/x"]),
    ("git config --global user.email a@b", ["risk git.config-global"]),
    ("git config core.pager 'sh -c id'", ["write .", "risk git.config", "script sh -c id", "risk git.runs"]),
    ("git config alias.x '!id'", ["write .", "risk git.config", "script id", "risk git.runs"]),
    ("git config core.hooksPath .githooks", ["write .", "risk git.config", "risk git.config"]),
    ("git config set alias.co checkout", ["write .", "risk git.config"]),
    ("git bisect run make test", ["write .", "command make test"]),
    ("git submodule foreach 'git pull'", ["script git pull"]),
    ("git submodule foreach rm -rf x", ["command rm -rf x"]),
    ("git submodule update --init", ["risk git.submodule"]),
    ("git format-patch -1 -o /tmp/p", ["write .", "write /tmp/p"]),
    ("git apply a.patch", ["write .", "read a.patch"]),
    ("git archive -o /tmp/x.tar HEAD", ["write /tmp/x.tar"]),
    ("git archive --remote=h --exec=id HEAD", ["risk git.network", "script id", "risk git.runs"]),
    ("git push", ["risk git.push"]),
    ("git push -f", ["risk git.push-force"]),
    ("git push origin :x", ["risk git.push-delete"]),
    ("git push origin +x", ["risk git.push-force"]),
    ("git push --force-with-lease origin main", ["risk git.push-force"]),
    ("git push --receive-pack='sh -c id' origin", ["risk git.push", "script sh -c id", "risk git.runs"]),
    ("git pull", ["risk git.pull", "write ."]),
    ("git fetch --all", ["risk git.fetch", "write ."]),
    ("git fetch --upload-pack=id", ["risk git.fetch", "write .", "script id", "risk git.runs"]),
    ("git clone https://x/y", ["risk git.clone", "write ."]),
    ("git clone ext::sh\\ -c\\ id x", ["risk git.clone", "script sh -c id", "risk git.runs", "write x"]),
    ("git clone -c core.pager=id https://x", ["risk git.clone", "write .", "script id", "risk git.runs"]),
    ("git clone ./a b", ["read ./a", "write b"]),
    ("git remote add o url", ["risk git.remote", "write ."]),
    ("git remote update", ["risk git.remote-update"]),
    ("git ls-remote", ["risk git.ls-remote", "write ."]),
    ("git lfs pull", ["risk git.lfs"]),
    ("git gc --prune=now", ["write .", "risk git.prune"]),
    ("git prune", ["risk git.prune"]),
    ("git reflog expire --all", ["risk git.reflog", "write ."]),
    ("git filter-branch --tree-filter 'rm x' HEAD", ["risk git.rewrite", "script rm x", "risk git.runs"]),
    ("git -C sub status", ["command git status"]),
    ("git -C /tmp/x commit -m x", ["command git commit -m x"]),
    ("git -c core.pager='sh -c id' log", ["script sh -c id", "risk git.runs"]),
    ("git -c core.pager=cat log", ["script cat"]),
    ("git -c alias.x='!id' x", ["script id", "risk git.runs", "script id", "risk git.runs"]),
    ("git -c alias.x='!rm' x -rf /", ["script rm", "risk git.runs", "script rm '-rf' '/'", "risk git.runs"]),
    ("git -c alias.x='status -s' x -b", ["command git status -s -b"]),
    ("git -c core.fsmonitor='id' status", ["script id", "risk git.runs"]),
    ("git --config-env=core.editor=X commit", ["script …", "risk git.runs", "write ."]),
    ("git --exec-path=/tmp status", ["risk git.exec-path"]),
    ("git --git-dir=/tmp/x/.git commit", ["program /tmp/x/.git/config", "write .", "write /tmp/x/"]),
    ("git --git-dir=.git --work-tree=. commit", ["program ./.git/config", "read .", "write .", "write .", "write ."]),
    ("git worktree remove --force wt", ["write .", "risk git.worktree-remove", "delete-tree wt"]),
    ("git worktree remove wt", ["write .", "delete-tree wt"]),
    ("git remote show", []),
    ("git remote show origin", ["risk git.remote-update"]),
    ("git submodule init", ["write ."]),
    ("git reset --keep HEAD~1", ["write ."]),
    ("git blame --contents ~/x f", ["read /home/dev/x"]),
    ("git grep --no-index a /tmp/x", ["read /tmp/x"]),
    ("git merge-index /tmp/p -a", ["write .", "program /tmp/p"]),
    ("git foo", ["risk git.unknown"]),
    ("git difftool -x id", ["risk git.tool", "script id", "risk git.runs"]),
    ("git credential fill", ["risk git.credential"]),
    ("git $x", ["risk git.unknown"]),
    ("git hook run x", ["risk git.hook"]),
    ("git -c protocol.ext.allow=always ls-remote x", ["risk git.config", "risk git.ls-remote", "write ."]),
    ("git -c foo.bar.cmd=id status", ["script id", "risk git.runs"]),
    ("git update-ref -d x", ["write .", "risk git.update-ref"]),
    ("git maintenance start", ["risk git.maintenance"]),
    ("gh pr list", ["risk gh.read"]),
    ("gh pr create", ["risk gh.publish"]),
    ("gh api x", ["risk gh.api"]),
    ("gh auth token", ["risk gh.secrets"]),
    ("hg push", ["risk hg.push"]),
    ("svn up", ["risk svn.network"]),
    ("pre-commit install", ["risk pre-commit.install"]),
    ("git -c http.proxy=x fetch", ["risk git.config", "risk git.fetch", "write ."]),
    ("git branch -rD x", ["write .", "risk git.branch-delete"]),
    ("git stash -- a", ["risk git.unknown"]),
    ("git config -f /etc/gitconfig user.name x", ["write /etc/gitconfig"]),
    ("git -c include.path=/tmp/x status", ["risk git.config"]),
    ("git push origin HEAD", ["risk git.push"]),
    ("git push -u origin feature", ["risk git.push"]),
    ("git fetch origin", ["risk git.fetch", "write ."]),
    ("git pull --rebase origin main", ["risk git.pull", "write ."]),
    ("git worktree remove ../x", ["write .", "delete-tree ../x"]),
    ("git worktree remove wt", ["write .", "delete-tree wt"]),
    ("git clone /srv/repo.git", ["read /srv/repo.git", "write ."]),
    ("git clone host:repo", ["risk git.clone", "write ."]),
    ("git checkout --ours a", ["write .", "risk git.checkout-paths"]),
    ("git restore --source=HEAD~1 --staged --worktree a", ["write .", "risk git.restore"]),
    ("git apply --check a.patch", ["write .", "read a.patch"]),
    ("git switch -f main", ["write .", "risk git.switch-force"]),
    ("git remote show origin", ["risk git.remote-update"]),
    ("git -c credential.helper= fetch", ["risk git.fetch", "write ."]),
    (
        "git -c credential.helper='!f() { id; }; f' fetch",
        ["script f() { id; }; f", "risk git.runs", "risk git.fetch", "write ."],
    ),
    ("git -c diff.external=./x diff", ["script ./x", "risk git.runs"]),
    ("git -c filter.x.clean='sh -c id' add .", ["script sh -c id", "risk git.runs", "write ."]),
    ('git -c "core.sshCommand=$x" fetch', ["script …", "risk git.runs", "risk git.fetch", "write ."]),
    ("git -c $x log", ["risk git.config"]),
    ("git -c remote.origin.uploadpack=id fetch", ["script id", "risk git.runs", "risk git.fetch", "write ."]),
    ("git -c uploadpack.packObjectsHook=id fetch", ["script id", "risk git.runs", "risk git.fetch", "write ."]),
    ("git --no-pager -c core.pager=less log", ["script less"]),
    ("git instaweb", ["risk git.serve"]),
    ("git daemon", ["risk git.serve"]),
    ("git svn fetch", ["risk git.network"]),
    ("git p4 sync", ["risk git.network"]),
    ("git send-email x", ["risk git.mail"]),
    ("git replace -d x", ["write .", "risk git.replace"]),
    ("git reflog delete HEAD@{1}", ["risk git.reflog", "write ."]),
    ("git-filter-repo --path x --force", ["risk git.rewrite"]),
    ("git filter-repo --commit-callback 'import os'", ["risk git.rewrite", "code python import os"]),
    ("git checkout-index -f -a", ["write .", "risk git.checkout-index"]),
    ("git bundle create x.bundle HEAD", ["write x.bundle"]),
    ("git mergetool", ["risk git.tool"]),
]
