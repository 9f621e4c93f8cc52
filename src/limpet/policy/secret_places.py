"""Tables: files and folders that hold secrets, and names that such files have anywhere."""

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
