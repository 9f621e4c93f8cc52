"""kubectl and helm -> what their calls do to a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import risk
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.verbs import CHANGES, READS, Verb, Verbs, asks, each, reaches

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect

_CLUSTER = reaches("kubectl.read", "asks a cluster")


def _version(command: Command) -> Iterator[Effect]:
    """Its own version, or also that of the cluster."""
    if "--client" not in command.texts and "--client=true" not in command.texts:
        yield risk("kubectl.read", Risk.NETWORK, "asks a cluster")


KUBECTL = Verbs(
    options=dict.fromkeys((
        "-n", "--namespace", "--context", "--cluster", "--user", "--kubeconfig", "-s", "--server", "--token", "--as",
        "--request-timeout", "-v", "-l", "-o", "-f", "--output", "--selector", "--filename", "--cache-dir",
    ), "text"),
    flags="-A --all-namespaces --insecure-skip-tls-verify --match-server-version",
    anywhere=False,
    table={
        **each("help completion options kustomize", READS),
        "version": _version,
        "config": Verbs(table=each("view get-contexts current-context get-clusters get-users", READS), other=asks(
            "kubectl.config", Risk.PERSISTS, "changes which cluster is meant")),
        **each("get describe logs top explain api-resources api-versions cluster-info events diff auth wait", _CLUSTER),
        **each("delete drain cordon uncordon taint", asks("kubectl.destroy", Risk.DESTROYS,
            "deletes or empties parts of a cluster")),
        **each("exec attach port-forward proxy run debug cp", asks("kubectl.exec", Risk.NETWORK,
            "runs or opens something in a cluster")),
    },
    other=asks("kubectl.change", Risk.PUBLISHES, "changes a cluster"),
)  # fmt: skip
HELM = Verbs(
    options=dict.fromkeys((
        "-n", "--namespace", "--kube-context", "--kubeconfig", "--kube-token", "--registry-config",
    ), "text"),
    flags="--debug",
    table={
        **each("version help env completion", READS),
        **each("template lint package create", Verb(CHANGES.does, Spec(operands="text*", options={
            "--post-renderer": "program", "--output-dir": "write", "-d": "write", "--destination": "write"}))),
        **each("list ls status get history search show inspect repo dependency dep pull verify registry test",
               reaches("helm.network", "asks a cluster or a registry")),
        **each("uninstall delete del un rollback", asks("helm.destroy", Risk.DESTROYS,
            "removes something from a cluster")),
        "plugin": Verbs(table=each("list ls", READS), other=asks("helm.plugin", Risk.PERSISTS,
        "installs or removes plugins")),
        **each("install upgrade push", asks("helm.change", Risk.PUBLISHES, "changes a cluster", spec=Spec(
            operands="text*", options={"--post-renderer": "program"}))),
    },
)  # fmt: skip
