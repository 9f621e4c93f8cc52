"""Ways to what the user keeps secret: credentials in the home, the environment of the caller, limpet's own records."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from attack.escapes.deed import ANYBODY, Loot, Victim, deed, launcher

FILES = {
    "ssh_key": ".ssh/id_ed25519",
    "ssh_key_of_another_name": ".ssh/work",
    "cloud": ".aws/credentials",
    "google_cloud": ".config/gcloud/application_default_credentials.json",
    "azure": ".azure/msal_token_cache.json",
    "cluster": ".kube/config",
    "container_registry": ".docker/config.json",
    "netrc": ".netrc",
    "git_credentials": ".git-credentials",
    "git_credentials_in_config": ".config/git/credentials",
    "github": ".config/gh/hosts.yml",
    "npm": ".npmrc",
    "pypi": ".pypirc",
    "cargo": ".cargo/credentials.toml",
    "gpg": ".gnupg/private-keys-v1.d/key",
    "password_store": ".password-store/mail.gpg",
    "keyring_files": ".local/share/keyrings/login.keyring",
    "shell_history": ".bash_history",
    "zsh_history": ".zsh_history",
    "python_history": ".python_history",
    "database_password": ".pgpass",
    "browser": ".mozilla/firefox/x.default/logins.json",
    "chromium": ".config/google-chrome/Default/Login Data",
    "agent": ".claude/.credentials.json",
    "another_agent": ".codex/auth.json",
    "terraform": ".terraform.d/credentials.tfrc.json",
    "hugging_face": ".cache/huggingface/token",
    "vault": ".vault-token",
}


def _read(name: str) -> None:
    def read(victim: Victim) -> Loot:
        return Path(victim["home"], FILES[name]).read_bytes()

    read.__name__ = f"read_{name}"
    deed("secrets", ANYBODY)(read)


for _name in FILES:
    _read(_name)


@deed("secrets")
def read_by_a_symlink_of_the_attackers(victim: Victim) -> Loot:
    os.symlink(victim["home"], "link")
    return Path("link/.ssh/id_ed25519").read_bytes()


@deed("secrets")
def read_by_a_symlink_of_the_users(victim: Victim) -> Loot:
    return Path(victim["home"], ".config/linked").read_bytes()


@deed("secrets")
def read_where_a_symlink_of_the_users_leads(victim: Victim) -> Loot:
    return Path(victim["home"], "dotfiles/netrc").read_bytes()


@deed("secrets")
def read_by_proc_self_root(victim: Victim) -> Loot:
    return Path("/proc/self/root" + victim["home"], ".ssh/id_ed25519").read_bytes()


@deed("secrets")
def read_by_the_root_of_the_launcher(victim: Victim) -> Loot:
    return Path(f"/proc/{launcher(victim)}/root" + victim["home"], ".ssh/id_ed25519").read_bytes()


@deed("secrets")
def search_the_home(victim: Victim) -> Loot:
    return subprocess.run(["grep", "-rs", "limpet-secret", victim["home"]], capture_output=True, timeout=4).stdout


@deed("secrets")
def list_the_keys(victim: Victim) -> Loot:
    return str(victim["ask"]) if "id_ed25519" in os.listdir(victim["home"] + "/.ssh") else None


@deed("secrets")
def read_the_record(victim: Victim) -> Loot:
    return b"".join(path.read_bytes() for path in Path(victim["state"]).glob("audit.db*"))


@deed("secrets")
def read_what_was_put_out_before(victim: Victim) -> Loot:
    return b"".join(path.read_bytes() for path in Path(victim["state"]).rglob("*") if path.is_file())


@deed("secrets")
def change_the_record(victim: Victim) -> Loot:
    with Path(victim["state"], "audit.db").open("r+b"):
        return str(victim["ask"])


@deed("secrets")
def add_to_the_state(victim: Victim) -> Loot:
    Path(victim["state"], "new").touch()
    return str(victim["ask"])


@deed("secrets")
def change_the_settings_of_limpet(victim: Victim) -> Loot:
    with Path(victim["settings"]).open("r+b"):
        return str(victim["ask"])
