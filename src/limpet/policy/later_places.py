"""Tables: files and folders of the system, or anywhere, that make something run later."""

from __future__ import annotations

from limpet.policy.place_tables import Names, Places

LATER_IN_THE_SYSTEM = Places.of(
    (
        Places("""
etc/profile
etc/profile.d
etc/bash.bashrc
etc/bashrc
etc/bash_completion.d
etc/zsh*
etc/zprofile
etc/fish
etc/skel
etc/environment*
"""),
        "every shell that starts reads it",
    ),
    (
        Places("""
etc/cron*
etc/anacrontab
var/spool/cron
var/spool/at
var/spool/anacron
"""),
        "it runs on a schedule",
    ),
    (
        Places("""
etc/systemd
lib/systemd
usr/lib/systemd
usr/local/lib/systemd
run/systemd
etc/init.d
etc/init
etc/rc*
etc/xdg/autostart
etc/X11/xinit
etc/X11/Xsession.d
etc/xdg/systemd
etc/network/if-*
etc/NetworkManager/dispatcher.d
etc/dhcp
etc/update-motd.d
etc/inetd.conf
etc/xinetd*
Library/LaunchAgents
Library/LaunchDaemons
Library/StartupItems
System/Library/LaunchAgents
System/Library/LaunchDaemons
"""),
        "the system starts what it says",
    ),
    (
        Places("""
etc/ld.so.preload
etc/ld.so.conf*
etc/pam.d
etc/sudoers*
etc/udev
lib/udev
usr/lib/udev
etc/modprobe.d
etc/modules*
etc/apt/apt.conf*
etc/dpkg
etc/logrotate*
etc/binfmt.d
etc/sysctl*
etc/gitconfig
etc/ssh
etc/hosts.equiv
etc/alternatives
"""),
        "programs of the system act on it",
    ),
)

LATER_ANYWHERE = Places.of(
    (
        Places("""
.git/config*
.git/hooks
.git/info/attributes
.git/modules
.git/commondir
.git/gitdir
.git/worktrees
.git/objects/info/alternates
.githooks
.husky
.hg/hgrc
"""),
        "git runs what its settings and hooks say",
    ),
    (
        Places("""
.envrc
.npmrc
.yarnrc*
.pnpmfile.cjs
.vscode
.idea
.devcontainer
.devcontainer.json
.exrc
.nvimrc
.gdbinit
.lldbinit
.dir-locals.el
"""),
        "a program acts on it when the folder is opened or used",
    ),
    (
        Places("""
.claude
.codex
.gemini
.cursor
.cursorrules
.qwen
.github/hooks
.mcp.json
.limpet*
.windsurf
.roo
.kilocode
.opencode
opencode.json*
.continue
.aider.conf.yml
"""),
        "it changes what agents may do",
    ),
)

PYTHON_START = Names("*.pth", "sitecustomize.py", "usercustomize.py")
