"""npm, pnpm, yarn, bun, deno and what runs packages -> what their calls do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, code, risk, runs, runs_stdin, script
from limpet.policy.tools.own_code import named, parse_exact, runs_place
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import (
    CHANGES,
    HERE,
    READS,
    RUNS,
    Verb,
    Verbs,
    asks,
    each,
    parse_spec,
    reaches,
    runs_rest,
    with_verbs,
)
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule
    from limpet.policy.tools.verbs import Meaning

_OPTIONS = {
    "--script-shell": "program", "--prefix": "write", "-C": "write", "--dir": "write", "--cwd": "write",
    "--filter": "text",
    "-w": "text", "--workspace": "text", "--registry": "ask:uses another registry",
    "--userconfig": "ask:takes its settings from a file",
    "--globalconfig": "ask:takes its settings from a file", "--node-options": "ask:makes node load other code",
    "--loglevel": "text",
    "--cache": "write", "--pack-destination": "write",
    "--init-module": "ask:runs a file", "--shell": "program", "--git": "program", "--editor": "program",
    "--viewer": "program",
    "--modules-folder": "write", "--use-yarnrc": "ask:takes its settings from a file", "-F": "text",
    "--reporter": "text",
}  # fmt: skip
_FLAGS = (
    "-s --silent -q --quiet -d -dd -ddd --verbose -v --if-present --ignore-scripts --workspaces -ws "
    "--include-workspace-root "
    "-r --recursive --offline --prefer-offline --no-audit --no-fund --json --parallel --stream --workspace-root -A "
    "--top-level "
    "--aggregate-output --color --no-color --production --frozen-lockfile --no-progress --bun -b --hot --watch "
    "--smol -i"
)


_SHELLS = ("sh", "bash", "/bin/sh", "/bin/bash", "/usr/bin/bash")


def _in_usual_shell(tool: Rule) -> Rule:
    """The tool, with a question when its scripts are given to something that is no shell."""

    def rule(command: Command) -> Iterator[Effect]:
        yield from tool(command)
        for field in named(command.arguments, ("--script-shell", "--shell")):
            if field.text not in _SHELLS:
                yield risk(f"{command.name}.shell", Risk.UNKNOWN, "gives the project's scripts to another program")

    return rule


def _package_manager(tool: str, **more: Meaning) -> Verbs:
    """The verbs that npm and its siblings share."""
    return Verbs(
        options=_OPTIONS,
        flags=_FLAGS,
        table={
            **each("test t tst run run-script rum urn start stop restart build dev lint serve", CHANGES),
            **each("ls list la ll root bin prefix why explain help help-search completion query sbom licenses get fund",
                READS),
            **each("version pkg pack rebuild rb prune dedupe ddp shrinkwrap set-script patch patch-commit", CHANGES),
            **each("install i in ins inst isntall add ci clean-install ic install-test it install-ci-test cit update "
                "up upgrade "
                   "udpate link ln unlink remove rm r un uninstall audit fetch import dedup setup", _installs(tool)),
            **each("view info show v outdated ping search find s se doctor docs repo bugs home issues diff stars "
                "whoami "
                   "upgrade-interactive", reaches(f"{tool}.network", "asks the registry")),
            **each("publish unpublish deprecate undeprecate dist-tag dist-tags tag star unstar stage", asks(
                f"{tool}.publish", Risk.PUBLISHES, "changes what is published on the registry")),
            **each("login logout adduser add-user token access owner author team org hook profile trust", asks(
                f"{tool}.login", Risk.SECRETS, "changes log-ins or rights on the registry")),
            **each("exec x dlx create", _fetches_and_runs(tool)),
            **each("init innit", _init(tool)),
            **each("config c set env", _SETTINGS),
            **each("cache store", Verbs(table=each("ls verify dir path list status", READS), other=asks(
                f"{tool}.cache", Risk.DESTROYS, "changes the cache"))),
            "edit": asks(f"{tool}.edit", Risk.UNKNOWN, "opens an editor"),
            "explore": asks(f"{tool}.explore", Risk.UNKNOWN, "opens a shell"),
            **more,
        },
    )  # fmt: skip


def _installs(tool: str) -> Verb:
    return asks(
        f"{tool}.install", Risk.NETWORK, "downloads packages and may run their scripts", spec=Spec(operands="text*",
            flags="-g"),
    )  # fmt: skip


def _init(tool: str) -> Rule:
    """Without the name of a template it only writes a package.json."""

    def rule(command: Command) -> Iterator[Effect]:
        yield HERE
        if any(text is None or not text.startswith("-") for text in command.texts):
            yield risk(f"{tool}.exec", Risk.NETWORK, "downloads a template and runs it")

    return rule


def _fetches_and_runs(tool: str) -> Verb:
    return asks(f"{tool}.exec", Risk.NETWORK, "runs a package, downloaded if it is not there")


_SETTINGS = Verbs(
    flags="-g --global --json -l --long",
    options={"--location": "text", "-L": "text"},
    table={**each("get list ls", READS)},
    other=asks("npm.config", Risk.PERSISTS, "changes the settings of the package manager"),
)


def _workspace(command: Command) -> Iterator[Effect]:
    """`yarn workspace NAME …` does in a folder of the project what yarn does."""
    yield HERE
    yield runs(command, (known("yarn"), *command.arguments[1:]), "yarn workspace")


_NPM = _package_manager("npm")
_PNPM = _package_manager(
    "pnpm",
    exec=runs_rest("pnpm exec", {"--filter": "text"}, "-r --recursive --parallel -c --shell-mode"),
    deploy=asks("pnpm.deploy", Risk.ESCAPES, "copies the project elsewhere"),
)
_PNPM = Verbs(options=_PNPM.options, flags=_PNPM.flags, table=_PNPM.table, other=CHANGES)
_YARN = _package_manager(
    "yarn",
    exec=runs_rest("yarn exec"),
    workspace=_workspace,
    npm=asks("yarn.publish", Risk.PUBLISHES, "changes what is published on the registry"),
    workspaces=Verbs(table={**each("info list", READS), **each("foreach run", CHANGES)}),
    constraints=CHANGES,
    **{"global": asks("yarn.install", Risk.NETWORK, "changes the programs of the user")},
    plugin=asks("yarn.plugin", Risk.PERSISTS, "installs code into the package manager"),
)
_YARN = Verbs(options=_YARN.options, flags=_YARN.flags, table=_YARN.table, other=CHANGES, bare=_installs("yarn"))
"""A word that yarn or pnpm does not know is a script of the project."""


def _stdin(command: Command) -> Iterator[Effect]:  # noqa: ARG001 - a rule takes the command
    yield runs_stdin("node")


_BUN = Verbs(
    options={**_OPTIONS, "-e": "code:node", "--eval": "code:node", "-p": "code:node",
             "--print": "code:node", "--preload": "program", "-c": "text", "--config": "text", "--env-file": "text"},
    flags=_FLAGS,
    table={
        **each("run test build start dev lint", RUNS),
        **each("- repl", _stdin),
        **each("install i add a update remove rm link unlink outdated upgrade patch ci audit info", _installs("bun")),
        **each("pm", Verbs(table=each("ls bin hash cache why", READS), other=asks("bun.pm", Risk.UNKNOWN,
            "changes packages"))),
        **each("publish", asks("bun.publish", Risk.PUBLISHES, "publishes a package")),
        **each("x create init exec", _fetches_and_runs("bun")),
    },
    other=RUNS,
)  # fmt: skip
_DENO_VALUES = {
    "-c", "-config", "-import-map", "-lock", "-cert", "-o", "-output", "-filter", "-ext", "-env-file", "-seed", "-L",
    "-log-level",
    "-target", "-include", "-location",
}  # fmt: skip


def deno(command: Command) -> Iterator[Effect]:
    """Runs files, checks them, or downloads them when they are addresses."""
    parsed = parse_exact(command.arguments, _DENO_VALUES)
    verb = parsed.operands[0].text if parsed.operands else ""
    if verb == "eval":
        yield from (code(field, "node") for field in parsed.operands[1:2])
    elif verb in (
        "test",
        "bench",
        "fmt",
        "lint",
        "check",
        "run",
        "task",
        "compile",
        "doc",
        "coverage",
        "serve",
        "info",
        "init",
    ):
        yield HERE
        for field in parsed.operands[1 : 2 if verb in ("run", "serve", "compile") else None]:
            yield from _deno_file(field.prefix, command)
            yield from runs_place(field, "deno")
    elif verb in ("", "repl"):
        yield runs_stdin("node")
    elif verb not in ("types", "completions", "help", "version"):
        yield risk("deno.network", Risk.NETWORK, "downloads, installs or publishes code")


def _deno_file(start: str, command: Command) -> Iterator[Effect]:
    if start == "-":
        yield runs_stdin("node")
    elif start.startswith(("http:", "https:", "npm:", "jsr:", "data:")):
        yield risk(f"{command.name}.remote", Risk.NETWORK, "runs code from the network")


def npx(command: Command) -> Iterator[Effect]:
    """Runs a program of the project; what is not there is downloaded, unless it is told not to."""
    parsed = parse_spec(_NPX, command)
    if parsed.has("--no-install", "--no", "--offline") and not parsed.has("-p", "--package", "-y", "--yes"):
        yield from describe(_NPX, command)
        yield from _local(parsed, command)
    else:
        yield risk(f"{command.name}.exec", Risk.NETWORK, "runs a package, downloaded if it is not there")
        yield from (script(field, "npx -c") for field in parsed.values("-c", "--call"))
        if parsed.operands and parsed.operands[0].text in ("rimraf", "del-cli", "shx", "cross-env", "concurrently"):
            yield runs(command, parsed.operands, command.name or "npx")


_NPX = Spec(
    operands="text*",
    options={**_OPTIONS, "-p": "text", "--package": "text", "-c": "script", "--call": "script"},
    flags="--no-install --no --offline --yes -y -q --quiet",
    stop_early=True,
)


def _local(parsed: Parsed, command: Command) -> Iterator[Effect]:
    """A program of `node_modules/.bin`: code of the workspace, known under its own name or not."""
    yield HERE
    first = parsed.operands[0] if parsed.operands else None
    if first is None:
        return
    text = first.text
    if text is None or text.startswith(("/", "~")) or ".." in text or ":" in text or "@" in text[1:]:
        yield risk(f"{command.name}.exec", Risk.NETWORK, "runs a package that is not of the project")
    else:
        binary = known(f"./node_modules/.bin/{text}")
        yield runs(command, (binary, *parsed.operands[1:]), command.name or "npx")


def _npm(command: Command) -> Iterator[Effect]:
    """`npm exec -c` has a shell run a text."""
    yield from _in_usual_shell(with_verbs(_NPM))(command)
    if {"exec", "x"} & {*command.texts}:
        yield from (script(field, "npm exec -c") for field in named(command.arguments, ("-c", "--call")))


def _of_version(command: Command) -> Iterator[Effect]:
    """`nvm exec 20 CMD`, `volta run CMD`: a version may stand before the command."""
    rest = parse_spec(_RUN, command).operands
    if rest and re.fullmatch("v?[0-9][0-9.]*|lts/.*|node|default", rest[0].text or ""):
        rest = rest[1:]
    if rest:
        yield runs(command, rest, f"{command.name} exec")


_RUN = Spec(operands="text*", options={"--node": "text", "--npm": "text", "--using": "text"}, stop_early=True)
_VOLTA = reaches("node.install", "downloads versions of node")
JAVASCRIPT: dict[str, Spec | Rule] = {
    "npm": _npm,
    "pnpm": _in_usual_shell(with_verbs(_PNPM)),
    "yarn": _in_usual_shell(with_verbs(_YARN)),
    **dict.fromkeys(("yarnpkg",), with_verbs(_YARN)),
    "bun": with_verbs(_BUN),
    "deno": deno,
    **dict.fromkeys(("npx", "bunx", "pnpx", "pnpm-dlx"), npx),
    "corepack": with_verbs(Verbs(table={}, other=reaches("corepack.network", "downloads package managers"))),
    **dict.fromkeys(("nvm", "fnm", "n", "volta", "nodenv"), with_verbs(Verbs(
        table={
            **each("ls list current which version versions env use alias --version default", READS),
            **each("exec run", _of_version),
        },
        flags="--multi --shell",
        other=_VOLTA,
    ))),
}  # fmt: skip
