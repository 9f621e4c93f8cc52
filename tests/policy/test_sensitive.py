"""Which paths hold secrets, make something run later, or decide who may do what."""

from __future__ import annotations

from limpet.policy.sensitive import holds_secrets, is_secret_to_send, is_trusted, names_of, runs_later

HOME = "/home/dev"
WORKSPACE = "/home/dev/proj"


def is_credential(path: str, home: str, workspace: str = "/nowhere") -> bool:
    return holds_secrets(names_of(path), names_of(home), names_of(workspace))


def is_account_file(path: str) -> bool:
    return is_trusted(names_of(path))


def lines(text: str) -> list[str]:
    """One path a line."""
    return text.split("\n")[1:-1]


SECRETS = """
/home/dev/.ssh
/home/dev/.ssh/id_rsa
/home/dev/.ssh/work/id_ed25519
/home/dev/.ssh/*
/home/dev/.s*/id*
/home/dev/.[s]sh/id_rsa
/home/dev/.ss?/id_rsa
/home/dev/.ssh/…
/home/dev/.s…/x
/home/*/.ssh/id_rsa
/h*/d*/.ssh/id_rsa
/home/other/.aws/credentials
/Users/dev/.aws/credentials
/home/dev/.gnupg/private-keys-v1.d/a.key
/home/dev/.config/gcloud/application_default_credentials.json
/home/dev/.kube/config
/home/dev/.docker/config.json
/home/dev/.npmrc
/home/dev/.netrc
/home/dev/.git-credentials
/home/dev/.config/gh/hosts.yml
/home/dev/.cargo/credentials.toml
/home/dev/.bash_history
/home/dev/.z*
/home/dev/.*
/home/dev/.python_history
/home/dev/.mozilla/firefox/x.default/logins.json
/home/dev/.claude/.credentials.json
/home/dev/.codex/auth.json
/home/dev/Library/Application Support/Google/Chrome/Default/Cookies
/etc/shadow
/etc/sh?dow
/???/shadow
/etc/shadow-
/etc/sudoers
/etc/sudoers.d/dev
/etc/ssh/ssh_host_rsa_key
/root/notes.txt
/proc/self/environ
/proc/1/environ
/proc/*/environ
/proc/kcore
/proc/self/root/etc/shadow
/proc/1/root/home/dev/.ssh/id_rsa
/private/etc/master.passwd
"""

ORDINARY = """
/
/etc
/etc/passwd
/etc/hosts
/etc/os-release
/etc/*release
/etc/*.conf
/etc/ssh/ssh_config
/etc/ssh/ssh_host_rsa_key.pub
/home/dev
/home/dev/*
/home/dev/…
/home/dev/.bashrc
/home/dev/.gitconfig
/home/dev/.ssh/id_rsa.pub
/home/dev/.ssh/*.pub
/home/dev/.ssh/known_hosts
/home/dev/.config
/home/dev/.cargo/registry/src/lib.rs
/home/dev/.docker/daemon.json
/home/dev/proj/.env
/home/dev/proj/*.key
/home/dev/proj/src/*.py
/home/dev/proj/…/main.py
/proc/cpuinfo
/proc/*/status
/proc/self/fd/1
/usr/share/doc/ssh/.ssh
/tmp/x
"""


def test_credential_stores_are_recognised_however_they_are_spelled() -> None:
    assert [path for path in lines(SECRETS) if not is_credential(path, HOME)] == []


def test_ordinary_files_are_no_credentials() -> None:
    assert [path for path in lines(ORDINARY) if is_credential(path, HOME)] == []


def test_the_home_of_root_is_ordinary_for_root() -> None:
    assert not is_credential("/root/proj/main.py", "/root")
    assert is_credential("/root/.ssh/id_rsa", "/root")


def test_root_s_home_is_nobody_else_s_business_but_for_a_workspace_in_it() -> None:
    assert is_credential("/root/notes", HOME)
    assert not is_credential("/root/proj/main.py", HOME, "/root/proj")
    assert is_credential("/root/other/main.py", HOME, "/root/proj")
    assert is_credential("/root/.ssh/id_rsa", HOME, "/root")


NOT_TO_SEND = """
/home/dev/.ssh/id_rsa
/home/dev/proj/.env
/home/dev/proj/.env.local
/home/dev/proj/.e*
/home/dev/proj/deploy/server.pem
/home/dev/proj/id_ed25519
/home/dev/proj/secrets.yaml
/etc/passwd
/home/dev/proj/*.key
/home/dev
/home
/
/etc
/home/dev/proj/terraform.tfstate
/tmp/x.p12
"""


def test_what_should_not_leave_the_machine() -> None:
    assert [path for path in lines(NOT_TO_SEND) if not is_secret_to_send(path, HOME, WORKSPACE)] == []


FREE_TO_SEND = """
/home/dev/proj
/home/dev/proj/payload.json
/home/dev/proj/.env.example
/home/dev/proj/secrets.py
/home/dev/proj/src
/home/dev/.ssh/id_rsa.pub
/home/dev/proj/data-*.csv
/home/dev/proj/*
/home/dev/proj/*.json
/home/dev/proj/…
"""


def test_what_may_leave_the_machine() -> None:
    assert [path for path in lines(FREE_TO_SEND) if is_secret_to_send(path, HOME, WORKSPACE)] == []


LATER = """
/home/dev/.bashrc
/home/dev/.b*
/home/other/.profile
/home/dev/.zshenv
/home/dev/.config/autostart/x.desktop
/home/dev/.config/systemd/user/x.service
/home/dev/.config/fish/config.fish
/home/dev/.local/bin/ls
/home/dev/bin/git
/home/dev/.ssh/authorized_keys
/home/dev/.ssh/config
/home/dev/.gitconfig
/home/dev/.config/git/config
/home/dev/.config/limpet/policy.toml
/home/dev/.claude/settings.json
/home/dev/Library/LaunchAgents/x.plist
/home/dev/proj/.git/config
/home/dev/proj/.git/hooks/pre-commit
/home/dev/proj/.git/hooks
/home/dev/proj/.git/…
/home/dev/proj/.git/modules/lib/config
/home/dev/proj/sub/.git/info/attributes
/home/dev/proj/.githooks/pre-push
/home/dev/proj/.husky/pre-commit
/home/dev/proj/.envrc
/home/dev/proj/.vscode/tasks.json
/home/dev/proj/.devcontainer/devcontainer.json
/home/dev/proj/.claude/settings.local.json
/home/dev/proj/.mcp.json
/home/dev/proj/.limpet.toml
/home/dev/proj/.npmrc
/home/dev/proj/.*
/etc/profile
/etc/profile.d/x.sh
/etc/crontab
/etc/cron.daily/x
/etc/systemd/system/x.service
/etc/init.d/x
/etc/rc.local
/etc/ld.so.preload
/etc/sudoers.d/x
/etc/xdg/autostart/x.desktop
/etc/environment
/etc/udev/rules.d/x.rules
/etc/modprobe.d/x.conf
/etc/apt/apt.conf.d/99x
/var/spool/cron/crontabs/dev
/usr/lib/python3/dist-packages/x.pth
/home/dev/.local/lib/python3.11/site-packages/usercustomize.py
"""

NEVER_LATER = """
/home/dev/proj/Makefile
/home/dev/proj/package.json
/home/dev/proj/CLAUDE.md
/home/dev/proj/AGENTS.md
/home/dev/proj/.gitignore
/home/dev/proj/.gitmodules
/home/dev/proj/.git/index
/home/dev/proj/.github/workflows/ci.yml
/home/dev/proj/.pre-commit-config.yaml
/home/dev/proj/.env
/home/dev/proj/bin/run
/home/dev/proj/src/profile
/home/dev/proj/.venv/lib/python3.11/site-packages/x.pth
/home/dev/proj/*
/home/dev/proj/…/x.txt
/home/dev/notes.txt
/tmp/x
/dev/null
"""


def test_what_runs_later_says_why() -> None:
    assert [path for path in lines(LATER) if not runs_later(path, HOME, WORKSPACE)] == []


def test_what_does_not_run_later_says_nothing() -> None:
    assert [path for path in lines(NEVER_LATER) if runs_later(path, HOME, WORKSPACE)] == []


ACCOUNTS = """
/etc/passwd
/etc/pass*
/etc/shadow
/etc/sudoers
/etc/sudoers.d/x
/etc/fstab
/etc/pam.d/su
/etc/ssh/sshd_config
/etc/ssh/sshd_config.d/x.conf
/etc/default/grub
/boot/grub/grub.cfg
/boot
/proc/sysrq-trigger
/proc/sys/kernel/core_pattern
/sys/power/state
/sys/firmware/efi/efivars/x
/proc/self/root/etc/passwd
"""


def test_files_that_decide_who_may_do_what() -> None:
    assert [path for path in lines(ACCOUNTS) if not is_account_file(path)] == []


NO_ACCOUNTS = """
/etc
/etc/hosts
/etc/motd
/proc/self/fd/1
/sys/class/net
/home/dev/boot
"""


def test_other_files_of_the_system() -> None:
    assert [path for path in lines(NO_ACCOUNTS) if is_account_file(path)] == []
