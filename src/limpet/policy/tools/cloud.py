"""Cloud, infrastructure, secrets and databases -> what their calls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk, script, write
from limpet.policy.tools.own_code import asking, explained, parse_exact, play_options, sending
from limpet.policy.tools.secrets_tools import SECRETS
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import (
    CHANGES,
    HERE,
    READS,
    Verbs,
    asks,
    each,
    elsewhere,
    parse_spec,
    reaches,
    with_verbs,
)
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule
    from limpet.syntax.values.field import Field

_TERRAFORM_OPTIONS = {"-out": "write", "-state": "write", "-state-out": "write", "-backup": "write",
    "-var-file": "read",
                      "-generate-config-out": "write", "-plugin-dir": "program"}  # fmt: skip
_TERRAFORM_READS = frozenset(["version", "validate", "graph", "output", "providers", "show", "metadata"])
_TERRAFORM: dict[str, tuple[str, Risk, str]] = {
    **dict.fromkeys(("plan", "refresh", "init", "get", "test", "query", "stacks"), ("network", Risk.NETWORK,
        "asks providers, or downloads them")),
    **dict.fromkeys(("apply", "import", "taint", "untaint"), ("apply", Risk.PUBLISHES, "changes real infrastructure")),
    "destroy": ("destroy", Risk.DESTROYS, "destroys real infrastructure"),
    **dict.fromkeys(("login", "logout"), ("login", Risk.SECRETS, "changes log-ins")),
    **dict.fromkeys(("state", "force-unlock", "workspace"), ("state", Risk.DESTROYS,
        "changes what is known of the infrastructure")),
    "console": ("console", Risk.UNKNOWN, "evaluates expressions"),
}  # fmt: skip


def terraform(command: Command) -> Iterator[Effect]:
    """Formatting and validating is local; planning asks, applying changes."""
    first = parse_exact(command.arguments, ("-chdir",), stop_early=True)
    if first.has("-chdir"):
        yield elsewhere(command, first, ("-chdir",))
        return
    verb = first.operands[0].text if first.operands else "version"
    rest = parse_exact(first.operands[1:], _TERRAFORM_OPTIONS)
    yield from play_options(rest, _TERRAFORM_OPTIONS, command)
    sub = rest.operands[0].text if rest.operands else ""
    if verb == "fmt":
        yield from map(write, rest.operands) if rest.operands else (HERE,)
    elif verb == "apply" and rest.has("-destroy"):
        yield risk("terraform.destroy", Risk.DESTROYS, "destroys real infrastructure")
    elif (verb, sub) in _TERRAFORM_LISTS or verb in _TERRAFORM_READS or rest.has("-help"):
        return
    else:
        what = _TERRAFORM.get(verb or "", ("unknown", Risk.UNKNOWN, "does something with terraform that is not known"))
        yield risk(f"terraform.{what[0]}", what[1], what[2])


_TERRAFORM_LISTS = frozenset({("state", "list"), ("state", "show"), ("workspace", "list"), ("workspace", "show")})


def _cloud(tool: str, reads: str = "", login: str = "login logout auth") -> Rule:
    """A command line of a cloud: it talks to its servers, and most of what it does is seen there."""
    return with_verbs(Verbs(
        options=dict.fromkeys((
            "--profile", "--region", "--output", "--project", "-p", "--account", "--cwd", "--app", "-a", "--token",
            "-t", "--query", "--endpoint-url", "--config", "-c", "--env", "-e", "--format",
        ), "text"),
        flags="-v --verbose -q --quiet --debug --json -y --yes --no-cli-pager --no-verify-ssl",
        anywhere=False,
        table={
            **each(f"{reads} help version completion", READS),
            **each(login, asks(f"{tool}.login", Risk.SECRETS, "reads or changes log-ins")),
            **each("deploy publish release promote up push", asks(f"{tool}.deploy", Risk.PUBLISHES,
                "publishes or deploys")),
            **each("destroy delete rm remove down rollback", asks(f"{tool}.destroy", Risk.DESTROYS,
                "removes something in the cloud")),
        },
        bare=asks(f"{tool}.network", Risk.NETWORK, "talks to the cloud"),
        other=asks(f"{tool}.network", Risk.NETWORK, "talks to the cloud"),
    ))  # fmt: skip


_PULUMI = Verbs(
    options={"-C": "write", "--cwd": "write", "-s": "text", "--stack": "text"},
    flags="-e --emoji --non-interactive --logtostderr",
    table={
        **each("version about help schema", READS),
        **each("preview refresh stack config watch install import new console logs plugin package org policy state "
            "whoami",
               reaches("pulumi.network", "asks providers or the service")),
        **each("up update", asks("pulumi.apply", Risk.PUBLISHES, "changes real infrastructure")),
        **each("destroy down cancel", asks("pulumi.destroy", Risk.DESTROYS, "destroys real infrastructure")),
        **each("login logout env", asks("pulumi.login", Risk.SECRETS, "reads or changes log-ins")),
    },
)  # fmt: skip
_ANSIBLE = Spec(
    operands="text*",
    options={"-i": "text", "-m": "text", "-a": "text", "-e": "text", "-u": "text", "-l": "text", "-t": "text"},
    network="runs tasks on other machines",
)


def _playbook(command: Command) -> Iterator[Effect]:
    """Only looks at its files when it is told so."""
    if not {"--syntax-check", "--list-tasks", "--list-tags"} & {*command.texts}:
        yield from describe(_ANSIBLE, command)


_CDK = Verbs(
    options={"-a": "script", "--app": "script", "-c": "text", "--context": "text", "-o": "write", "--output": "write",
             "--profile": "text"},
    flags="-v --verbose --no-color --ci --json --strict --debug",
    table={
        **each("synth synthesize list ls version docs acknowledge", CHANGES),
        **each("init", CHANGES),
        **each("deploy import bootstrap watch", asks("cdk.deploy", Risk.PUBLISHES, "changes real infrastructure")),
        "destroy": asks("cdk.destroy", Risk.DESTROYS, "destroys real infrastructure"),
        **each("diff metadata doctor migrate gc drift rollback", reaches("cdk.network", "asks the cloud")),
    },
)  # fmt: skip
_PACKER = Verbs(table={
    **each("fmt validate version inspect help", CHANGES),
    **each("build init plugins console", asks("packer.build", Risk.NETWORK, "builds machine images in the cloud")),
})  # fmt: skip
_VALIDATE_ONLY = {"sam": "validate build local", "serverless": "print package", "wrangler": "dev types",
    "vercel": "build dev",
                  "netlify": "build dev", "firebase": "emulators:start emulators:exec"}  # fmt: skip


def _client(tool: str, options: dict[str, str]) -> Rule:
    """A database client: what it sends changes data that no workspace holds."""
    spec = Spec(operands="text*", options=options)

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_spec(spec, command)
        if parsed.has("--version", "-V", "--help", "-?"):
            return
        yield risk(f"{tool}.client", Risk.NETWORK, "works with a database")
        yield from describe(spec, command)
        yield from _escapes(command)

    return rule


def _escapes(command: Command) -> Iterator[Effect]:
    r"""`\! cmd` in psql, `system cmd` in mysql, `COPY … TO PROGRAM` run commands here or there."""
    for text in command.texts:
        if text is None:
            continue
        start, _, rest = text.lstrip().partition(" ")
        if start in ("\\!", "system", "!") or text.lstrip().startswith("\\!"):
            yield script(_after(text, rest), command.name or "")
        elif " program " in f" {text.lower()} " or "sys_exec" in text.lower():
            yield risk(f"{command.name}.program", Risk.UNKNOWN, "has the database run a program")


def _after(text: str, rest: str) -> Field:
    stripped = text.lstrip()
    return known(stripped[2:] if stripped.startswith("\\!") else rest)


_SQL = {"-f": "read", "--file": "read", "-o": "write", "--output": "write", "-L": "write", "--log-file": "write",
    "-c": "text",
        "--command": "text", "-h": "text", "-U": "text", "-d": "text", "-p": "text"}  # fmt: skip
_MYSQL = {"--tee": "write", "--pager": "script", "-e": "text", "--execute": "text", "-h": "text", "-u": "text",
    "-P": "text",
          "-D": "text", "--init-command": "text", "--plugin-dir": "program"}  # fmt: skip
_DUMP = {"-f": "write", "--file": "write", "-r": "write", "--result-file": "write", "-o": "write", "--out": "write",
    "--archive": "write",
         "-h": "text", "-U": "text", "-u": "text", "-d": "text", "-T": "write", "--tab": "write"}  # fmt: skip

TOOLS: dict[str, Spec | Rule] = explained({
    **dict.fromkeys(("terraform", "tofu", "terragrunt"), terraform),
    "pulumi": with_verbs(_PULUMI),
    **dict.fromkeys(("ansible", "ansible-pull", "ansible-console", "ansible-galaxy"), _ANSIBLE),
    "ansible-playbook": _playbook,
    "ansible-vault": asking("reads or changes secrets"),
    **dict.fromkeys(("ansible-doc", "ansible-config", "ansible-inventory"), Spec(operands="text*")),
    **{tool: sending(_cloud(tool, _VALIDATE_ONLY.get(tool, ""))) for tool in (
        "aws", "gcloud", "gsutil", "bq", "az", "doctl", "heroku", "fly", "flyctl", "vercel", "netlify", "wrangler",
        "firebase", "supabase",
        "stripe", "serverless", "sls", "sam", "linode-cli", "hcloud", "oci", "ibmcloud", "scw", "railway", "render",
        "surge", "now",
        "amplify", "eb", "copilot", "nomad", "consul", "boundary", "waypoint", "sentry-cli", "datadog-ci", "newrelic",
        "circleci", "travis",
        "planetscale", "pscale", "turso", "neonctl", "snyk", "codecov",
        "sonar-scanner", "shopify",
        "twilio", "eas", "fastlane", "mc", "azcopy", "huggingface-cli", "hf", "kaggle",
        "wandb", "modal", "ollama",
        "gh-pages", "semantic-release", "release-it", "np", "changeset", "goreleaser", "jreleaser",
    )},
    "cdk": with_verbs(_CDK),
    "packer": with_verbs(_PACKER),
    "cfn-lint": Spec(operands="read*"),
    **dict.fromkeys(("psql", "pgcli"), _client("psql", _SQL)),
    **dict.fromkeys(("mysql", "mariadb", "mycli"), _client("mysql", _MYSQL)),
    **dict.fromkeys(("mongo", "mongosh", "redis-cli", "valkey-cli", "cqlsh", "clickhouse-client", "sqlcmd", "sqlplus",
        "influx",
                     "cypher-shell", "snowsql", "etcdctl", "mongoimport", "mongorestore", "pg_restore", "mysqladmin",
                     "createdb", "dropdb",
                     "createuser", "dropuser", "pg_ctl", "pg_isready", "initdb", "mysqlimport", "vacuumdb", "pgbench"),
                    _client("database", {"--eval": "text", "-h": "text", "-f": "read", "-x": "text"})),
    **dict.fromkeys(("pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport", "pg_basebackup"),
        _client("database", _DUMP)),
    **SECRETS,
})  # fmt: skip
