"""Commands that a person approved -> the bounded prefixes that need no question again, as rules of the session."""

from __future__ import annotations

import re
import zlib
from types import MappingProxyType
from typing import TYPE_CHECKING

from limpet.model.decision import Verdict
from limpet.policy.pattern import REST
from limpet.policy.rules import NO_RULES, Rule, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from limpet.model.decision import Decision

Prefix = tuple[str, ...]

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:@+-]*")
"""Nothing that is an option, a path, a glob or invisible."""


def _each(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split(",")]


_BY_WORDS = {
    2: """
        apt, apt-get, brew, bun, bundle, cargo, composer, conda, deno, docker, dotnet, gem, git, go, hatch, helm,
        kubectl, mamba, npm, pip, pip3, pipenv, pipx, pnpm, podman, poetry, rustup, terraform, tofu, uv, yarn
    """,
    3: """
        aws, az, bun run, composer run-script, conda env, deno task, docker buildx, docker compose, docker container,
        docker image, docker network, docker system, docker volume, dotnet tool, gcloud, gh, git lfs, git notes,
        git remote, git stash, git submodule, git worktree, go mod, helm repo, kubectl rollout, npm run,
        npm run-script, pnpm run, podman compose, podman container, podman image, podman network, podman volume,
        poetry env, poetry self, rustup component, rustup target, rustup toolchain, systemctl, terraform state,
        terraform workspace, tofu state, tofu workspace, uv pip, uv tool, yarn run
    """,
    4: "az network, az storage, gcloud compute, gcloud container, gcloud iam",
}
_WORDS = MappingProxyType({prefix: words for words, prefixes in _BY_WORDS.items() for prefix in _each(prefixes)})
"""How many words say what a tool does. What is not here is not remembered."""

_EVERY_TIME = frozenset(
    _each("""
        aws configure, aws ssm, az config, bun create, bun x, bundle config, bundle exec, composer config,
        composer exec, conda config, conda run, deno eval, deno run, docker compose exec, docker compose run,
        docker container exec, docker container run, docker context, docker exec, docker run, dotnet exec,
        dotnet script, gcloud compute ssh, gcloud config, gh alias, gh api, gh auth, gh codespace, gh config,
        gh extension, git bisect, git clean, git config, git credential, git difftool, git filter-branch,
        git for-each-repo, git hook, git mergetool, git rebase, git submodule foreach, go env, go generate, go run,
        go tool, hatch run, hatch shell, helm plugin, kubectl config, kubectl debug, kubectl exec, kubectl run,
        mamba config, mamba run, npm config, npm create, npm exec, npm explore, npm init, npm set, npm x, pip config,
        pip3 config, pipenv run, pipenv shell, pipx run, pnpm config, pnpm create, pnpm dlx, pnpm exec,
        podman compose exec, podman compose run, podman container exec, podman container run, podman exec,
        podman machine, podman run, podman unshare, poetry config, poetry run, poetry shell, rustup run,
        systemctl edit, systemctl halt, systemctl poweroff, systemctl reboot, uv run, uv tool run, yarn config,
        yarn create, yarn dlx, yarn exec, yarn node
    """)
)
"""What follows these is a command, code or a setting that names one, or they go too far to be waved through."""


def prefix_to_remember(argv: tuple[str | None, ...]) -> Prefix | None:
    """The words that say what such a command does; None for one that has to be asked about every time.

    Shells, interpreters, `rm`, `sudo`, `xargs`, `find` and all that runs other commands are asked about every time, and
    so is a tool without its verb, with options before it, named by its path, or with words that are not known.
    """
    known = [word for word in argv if word is not None]
    if len(known) < len(argv):
        return None
    wanted = max((_WORDS.get(" ".join(known[:count]), 0) for count in (1, 2)), default=0)
    prefix = tuple(known[:wanted])
    if not wanted or len(prefix) < wanted or not all(_WORD.fullmatch(word) for word in prefix):
        return None
    begun = {" ".join(prefix[: count + 1]) for count in range(wanted)}
    return None if begun & _EVERY_TIME else prefix


def rules_to_remember(decision: Decision) -> tuple[Rule, ...]:
    """What to remember so that nothing of this is asked again; empty when some of it has to be asked every time.

    Each rule covers what was asked about and no more: who approved `git push` was not asked about `--force`.
    """
    asked: dict[Prefix, dict[str, None]] = {}
    for reason in decision.reasons if decision.verdict is Verdict.ASK else ():
        if reason.verdict is Verdict.ASK:
            about = [prefix_to_remember(command.argv) for command in decision.commands if command.span == reason.span]
            for prefix in about or [None]:
                if prefix is None:
                    return ()
                asked.setdefault(prefix, {})[reason.rule] = None
    return tuple(_rule(prefix, tuple(names)) for prefix, names in asked.items())


def _rule(prefix: Prefix, lifts: tuple[str, ...]) -> Rule:
    """Its name is that of no other: the same command may be approved again, with options that go further."""
    words = re.sub("[^A-Za-z0-9]+", "-", " ".join(prefix))[:40].strip("-")
    number = zlib.crc32(repr((prefix, lifts)).encode())
    name = f"approved.{words}.{number:08x}"
    return Rule(name=name, verdict=Verdict.ALLOW, pattern=(*prefix, REST), lifts=lifts, reason="approved before")


def covered(rules: Iterable[Rule]) -> str:
    """What such rules are about, for a person."""
    return ", ".join(" ".join(map(str, rule.pattern[:-1])) + " …" for rule in rules)


class Remembered:
    """The rules that hold, with what was approved since for the rest of the session."""

    def __init__(self, rules: Rules = NO_RULES) -> None:
        self.rules = rules
        """For the judge, each time it judges."""

    def remember(self, rules: Iterable[Rule]) -> None:
        """Do not ask about such commands again."""
        new = tuple(rule for rule in rules if rule not in self.rules.rules)
        if new:
            self.rules = self.rules.plus(Rules(new))
