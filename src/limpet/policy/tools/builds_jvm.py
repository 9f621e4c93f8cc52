"""Gradle and Maven -> what their calls run and publish."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk
from limpet.policy.tools.own_code import named, runs_file, runs_place, runs_settings
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import (
    HERE,
    parse_spec,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command

_GRADLE = Spec(
    operands="text*",
    options={
        "-p": "write", "--project-dir": "write", "-b": "text", "--build-file": "text", "-c": "text",
        "--settings-file": "text",
        "-I": "text", "--init-script": "text", "-g": "write", "--gradle-user-home": "write",
        "--project-cache-dir": "write",
        "-x": "text", "--exclude-task": "text", "--tests": "text", "--include-build": "text", "--console": "text",
        "--system-prop": "text", "--project-prop": "text", "-D": "text", "-P": "text", "--max-workers": "text",
    },
    flags="--info --debug --stacktrace --full-stacktrace --offline --continue --daemon --no-daemon --parallel --scan "
        "--status "
    "--stop --build-cache --no-build-cache --rerun-tasks --warning-mode --quiet --refresh-dependencies --version",
)  # fmt: skip


def gradle(command: Command) -> Iterator[Effect]:
    """Runs tasks of the build files of its folder."""
    parsed = parse_spec(_GRADLE, command)
    yield HERE
    yield from describe(_GRADLE, command)
    for field in parsed.values("-b", "--build-file", "-c", "--settings-file", "-I", "--init-script"):
        yield runs_file(field, "gradle")
    for field in parsed.values("--include-build"):
        yield from runs_place(field, "gradle")
    if parsed.has("--refresh-dependencies", "-U"):
        yield risk("gradle.network", Risk.NETWORK, "downloads packages")
    if parsed.has("--scan"):
        yield risk("gradle.scan", Risk.PUBLISHES, "uploads a report of the build")
    for field in parsed.operands:
        if "publish" in field.prefix.lower() or "upload" in field.prefix.lower():
            yield risk("gradle.publish", Risk.PUBLISHES, "publishes what was built")


_MVN = Spec(
    operands="text*",
    options={
        "-f": "write", "--file": "write", "-s": "text", "--settings": "text", "-pl": "text", "-P": "text", "-D": "text",
        "-T": "text", "-l": "write", "--log-file": "write", "-gs": "text", "-t": "text", "--projects": "text",
    },
    flags="--offline --quiet --batch-mode --update-snapshots --also-make --fail-fast --version --help --errors",
)  # fmt: skip
_MVN_PUBLISHES = ("deploy", "release:", "site-deploy", "deploy:", "gpg:")
_MVN_RUNS = ("exec:exec", "antrun:", "groovy:", "dependency:get", "archetype:", "org.codehaus.mojo:exec")


def mvn(command: Command) -> Iterator[Effect]:
    """Runs the phases and goals of the build file of its folder."""
    yield HERE
    yield from describe(_MVN, command)
    for field in named(command.arguments, ("-s", "--settings", "-gs", "--global-settings", "-t"), glued=False):
        yield from runs_settings(field, "mvn")
    for field in parse_spec(_MVN, command).operands:
        if field.prefix.startswith(_MVN_PUBLISHES):
            yield risk("mvn.publish", Risk.PUBLISHES, "publishes what was built")
        elif field.prefix.startswith(("dependency:resolve", "dependency:go-offline", "dependency:copy", "versions:")):
            yield risk("mvn.network", Risk.NETWORK, "downloads packages, or asks for newer ones")
        elif field.prefix.startswith(_MVN_RUNS) or field.prefix.count(":") > 1:
            yield risk("mvn.plugin", Risk.UNKNOWN, "runs a plugin that the build does not name")
