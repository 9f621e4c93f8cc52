"""Tables: files and folders that hold secrets, that make something run later, or that decide who may do what."""

from __future__ import annotations

from limpet.policy.place_tables import Names, Places

PUBLIC = Names("*.pub", "known_hosts", "known_hosts.old")
"""Names that are no secret wherever they are."""

SECRETS_OF_A_HOME = Places("""
.ssh
.gnupg
.pgp
.aws
.azure
.boto
.s3cfg
.kube
.minikube
.oci
.databrickscfg
.snowsql
.pulumi/credentials.json
.terraform.d
.terraformrc
.vault-token
.vault_pass*
.config/gcloud
.config/doctl
.config/hcloud
.config/linode-cli
.config/heroku
.config/netlify
.netlify
.fly
.vercel
.local/share/com.vercel.cli
.config/stripe
.config/rclone
.rclone.conf
.config/ngrok
.ngrok2
.cloudflared
.config/tailscale
.docker/config.json
.docker/contexts
.dockercfg
.config/containers/auth.json
.netrc
.authinfo*
.git-credentials*
.config/git/credentials
.config/gh
.config/hub
.config/glab-cli
.circleci
.npmrc
.yarnrc.yml
.pypirc
.config/pypoetry/auth.toml
.cargo/credentials*
.gem/credentials
.m2/settings*.xml
.gradle/gradle.properties
.composer/auth.json
.config/composer/auth.json
.nuget/NuGet/NuGet.Config
.huggingface
.cache/huggingface/token
.kaggle
.pgpass
.my.cnf
.mylogin.cnf
.msmtprc
.fetchmailrc
.mutt
.Xauthority
.ICEauthority
.op
.config/op
.config/1Password
.config/Bitwarden*
.config/keepassxc
.password-store
.local/share/keyrings
.local/share/kwalletd
.local/share/gopass
.config/sops
.config/age
.age
.mozilla
.thunderbird
.config/google-chrome*
.config/chromium
.config/BraveSoftware
.config/microsoft-edge*
.config/vivaldi
.config/opera
.electrum
.bitcoin
.ethereum
.config/solana
.claude
.claude.json*
.codex/auth.json
.gemini
.config/github-copilot
.copilot
.cursor
.anthropic
.openai
.config/openai
.aider*
.continue
.bash_history
.zsh_history
.sh_history
.python_history
.node_repl_history
.psql_history
.mysql_history
.sqlite_history
.rediscli_history
.irb_history
.*_history
.histfile
.zhistory
.local/share/fish/fish_history
.local/share/atuin
Library/Keychains
Library/Cookies
Library/Application Support/Google/Chrome
Library/Application Support/Firefox
Library/Application Support/BraveSoftware
Library/Application Support/Code/User/globalStorage
Library/Application Support/1Password
""")

SECRETS_OF_THE_SYSTEM = Places("""
etc/shadow*
etc/gshadow*
etc/sudoers*
etc/master.passwd
etc/security/opasswd
etc/ssh/ssh_host_*
etc/ssl/private
etc/pki/tls/private
etc/krb5.keytab
etc/ipsec.secrets
etc/ppp/*secrets
etc/wireguard
etc/NetworkManager/system-connections
etc/letsencrypt
etc/kubernetes
etc/rancher
etc/docker/key.json
etc/mysql/debian.cnf
run/secrets
var/run/secrets
var/backups/*shadow*
var/lib/kubelet/pki
var/lib/samba/private
var/lib/sss
var/db/dslocal
proc/*/environ
proc/*/mem
proc/*/task/*/environ
proc/*/task/*/mem
""")

MEMORY_FILES = Places("""
proc/kcore
proc/kmem
""")
"""Files, so that nothing lies in them."""

NOT_TO_BE_SENT = Places("""
etc/passwd*
etc/group*
etc/ssh
etc/ssl
proc/*/cmdline
""")
"""Not secret to a reader on this machine."""

AROUND_SECRETS = ("home", "Users", "root", "etc")
"""Folders with secrets somewhere in them."""

SECRET_NAMES = Names(
    ".env", ".env.*", "*.env", ".envrc", "*.pem", "*.key", "*.p12", "*.pfx", "*.p8", "*.jks", "*.keystore", "*.kdbx",
    "*.ppk", "*.ovpn", "*.tfstate", "*.tfstate.backup", "*.tfvars", "*.kubeconfig", "kubeconfig", "id_rsa*", "id_dsa*",
    "id_ecdsa*", "id_ed25519*", "credentials", "credentials.*", "client_secret*.json", "service-account*.json",
    "service_account*.json", "secrets.*", ".secrets", "secret.*", ".npmrc", ".pypirc", ".netrc", ".pgpass", ".my.cnf",
    ".htpasswd", ".git-credentials", ".vault_pass*", "vault_pass*", "wallet.dat", ".dockercfg", ".dockerconfigjson",
)  # fmt: skip
SAMPLES = Names(
    "*.example", "*.sample", "*.template", "*.dist", "*.pub", "*.py", "*.ts", "*.js", "*.go", "*.rs", "*.md",
)  # fmt: skip
"""What only shows how such a file looks, or is code about it."""

ACCOUNTS = Places("""
etc/passwd*
etc/shadow*
etc/group*
etc/gshadow*
etc/subuid*
etc/subgid*
etc/master.passwd
etc/sudoers*
etc/doas.conf
etc/fstab
etc/crypttab
etc/mdadm*
etc/ssh/sshd_config*
etc/ssh/ssh_host_*
etc/pam.d
etc/pam.conf
etc/security
etc/login.defs
etc/securetty
etc/nsswitch.conf
etc/ld.so.preload
etc/ld.so.conf*
etc/inittab
etc/default/grub*
etc/grub*
etc/polkit-1
etc/selinux
etc/apparmor.d
boot
efi
EFI
proc/sysrq-trigger
proc/sys/kernel
proc/sys/fs/binfmt_misc
proc/*/mem
sys/power
sys/firmware
sys/kernel
sys/block
sys/class/block
sys/fs/cgroup/release_agent
""")

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

LATER_IN_A_HOME = Places.of(
    (
        Places("""
.bashrc*
.bash_profile
.bash_login
.bash_logout
.bash_aliases
.bash_completion
.bash_functions
.bashrc.d
.bash.d
.profile
.inputrc
.zshrc*
.zshenv
.zprofile
.zlogin
.zlogout
.zsh
.oh-my-zsh
.kshrc
.mkshrc
.cshrc
.tcshrc
.login
.logout
.shrc
.shinit
.config/fish
.config/bash
.config/zsh
.config/nushell
.config/environment.d
.pam_environment
.config/direnv
.xprofile
.xinitrc
.xsession*
.xserverrc
.Xresources
"""),
        "a shell or a login runs it",
    ),
    (
        Places("""
.config/autostart*
.config/systemd
.local/share/systemd
.local/share/applications
.config/plasma-workspace
.config/upstart
.config/openbox/autostart
.config/i3
.config/sway
.config/hypr
Library/LaunchAgents
.anacron
.crontab
"""),
        "the session starts what it says",
    ),
    (
        Places("""
.local/bin
bin
.cargo/bin
go/bin
.npm-global/bin
.bun/bin
.deno/bin
.pyenv
.rbenv
.nvm
.asdf
.local/share/mise
.local/share/nvm
"""),
        "programs there are run by their name",
    ),
    (
        Places("""
.ssh/authorized_keys*
.ssh/config*
.ssh/rc
.ssh/environment
.ssh
.rhosts
.shosts
"""),
        "it decides who may log in and what ssh runs",
    ),
    (
        Places("""
.gitconfig*
.config/git
.git-templates
.gitattributes
.config/hub
.config/gh
.hgrc
"""),
        "git runs what its settings say",
    ),
    (
        Places("""
.config/limpet*
.limpet*
.claude
.claude.json*
.codex
.gemini
.cursor
.continue
.qwen
.config/opencode
.aider*
.config/goose
.config/github-copilot
.copilot
"""),
        "it changes what agents may do",
    ),
    (
        Places("""
.vimrc
.gvimrc
.vim
.exrc
.config/nvim
.emacs*
.config/emacs
.nanorc
.config/Code
.vscode
.vscode-server
.tmux.conf
.config/tmux
.screenrc
.lessfilter
.lesskey
.wgetrc
.curlrc
.npmrc
.yarnrc*
.pypirc
.config/pip
.pip
.cargo/config*
.cargo/env
.gemrc
.irbrc
.pryrc
.gdbinit
.config/gdb
.lldbinit
.pdbrc*
.pythonrc*
.pystartup
.ipython
.jupyter
.psqlrc
.sqliterc
.mongorc.js
.m2
.gradle
.sbt
.config/go
.Rprofile
.julia/config
.perldb
.dbxrc
.mailcap
.procmailrc
.forward
.docker/config.json
.docker/cli-plugins
.kube/config
.aws/config
.config/ranger
.config/lf
.config/mpv
.config/containers
.terraformrc
.my.cnf
.netrc
.mime.types
"""),
        "a program reads it as settings when it starts",
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
