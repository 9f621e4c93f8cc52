"""Containers, clusters and virtual machines -> what their calls do: looking at this machine's own is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, write
from limpet.policy.tools.clusters import HELM, KUBECTL
from limpet.policy.tools.own_code import asking, explained
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.verbs import READS, Verbs, asks, each, parse_spec, reaches, with_verbs
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.options import Parsed
    from limpet.policy.tools.spec import Rule
    from limpet.policy.tools.verbs import Meaning
    from limpet.syntax.values.field import Field

_ENDPOINT = "works on another machine"
_RUN_VALUES = dict.fromkeys(
    [
        "-v",
        "--volume",
        "--mount",
        "-e",
        "--env",
        "--env-file",
        "-p",
        "--publish",
        "--name",
        "--network",
        "--net",
        "-w",
        "--workdir",
        "-u",
        "--user",
        "--entrypoint",
        "-l",
        "--label",
        "-m",
        "--memory",
        "--cpus",
        "-h",
        "--hostname",
        "--add-host",
        "--device",
        "--cap-add",
        "--cap-drop",
        "--security-opt",
        "--pid",
        "--ipc",
        "--uts",
        "--userns",
        "--cgroupns",
        "--restart",
        "--platform",
        "--pull",
        "--ulimit",
        "--tmpfs",
        "--volumes-from",
        "--gpus",
        "--shm-size",
        "--log-driver",
        "--log-opt",
        "--dns",
        "--expose",
        "--group-add",
        "--health-cmd",
        "--init-path",
        "--ip",
        "--isolation",
        "--link",
        "--runtime",
        "--stop-signal",
        "--storage-opt",
        "--sysctl",
        "--cidfile",
        "--annotation",
        "--blkio-weight",
        "--cpu-shares",
        "--cpuset-cpus",
        "--oom-score-adj",
        "-c",
        "-a",
        "--attach",
        "--detach-keys",
        "--label-file",
        "--network-alias",
        "--volume-driver",
        "--device-cgroup-rule",
        "--cgroup-parent",
        "--pod",
    ],
    "text",
)
_RUN = Spec(
    operands="text*", stop_early=True, options=_RUN_VALUES,
    flags="--rm --interactive --tty --detach --privileged --init --read-only --publish-all --no-healthcheck --quiet "
        "--sig-proxy "
    "--disable-content-trust --oom-kill-disable --use-api-socket --replace",
)  # fmt: skip
_OPEN = ("host",)
_SOCKETS = ("docker.sock", "podman.sock", "containerd.sock", "crio.sock")


def _runs(tool: str) -> Meaning:
    """`run` and `create`: what of this machine the container gets decides."""

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_spec(_RUN, command)
        why = _escape(parsed)
        if why:
            yield risk(f"{tool}.escape", Risk.ESCAPES, why, suggestion="mount only folders of the workspace")
        else:
            yield risk(f"{tool}.run", Risk.UNKNOWN, "runs a container, downloading its image if it is not there")
        yield from map(read, _mounted(parsed))
        for field in parsed.values("--cidfile"):
            yield write(field)
        for field in parsed.values("--env-file", "--label-file"):
            yield read(field)

    return rule


def _escape(parsed: Parsed) -> str:
    """Why the container would be no boundary; empty when it is one."""
    sources = [source.prefix for source in _mounted(parsed)]
    if parsed.has("--privileged"):
        return "runs a container with all rights over this machine"
    if any(source.rstrip("/") == "" and source for source in sources):
        return "gives a container the whole file system"
    if any(source.endswith(_SOCKETS) for source in sources) or parsed.has("--use-api-socket"):
        return "gives a container control over all containers"
    if any(field.prefix.startswith(_OPEN) for field in parsed.values("--pid", "--ipc", "--userns", "--uts")):
        return "runs a container among the processes of this machine"
    if parsed.has("--device", "--cap-add", "--security-opt"):
        return "gives a container devices or rights of this machine"
    return ""


def _mounted(parsed: Parsed) -> Iterator[Field]:
    """Folders of this machine that the container gets; a name without a slash is a volume."""
    for field in parsed.values("-v", "--volume"):
        source, colon, _ = field.prefix.partition(":")
        if (colon and "/" in source) or source.startswith("."):
            yield known(source)
        elif not field.prefix:
            yield field
    for field in parsed.values("--mount"):
        for item in field.prefix.split(","):
            name, _, source = item.partition("=")
            if name in ("source", "src") and "/" in source:
                yield known(source)


def _engine(tool: str) -> Rule:
    """docker, podman, nerdctl."""
    changes = asks(f"{tool}.change", Risk.UNKNOWN, "starts, stops or changes containers")
    removes = asks(f"{tool}.remove", Risk.DESTROYS, "removes containers, images, volumes or networks")
    downloads = reaches(f"{tool}.pull", "downloads images")
    publishes = asks(f"{tool}.push", Risk.PUBLISHES, "sends images to a registry")
    runs_in = asks(f"{tool}.exec", Risk.UNKNOWN, "runs a command in a container")
    copies = asks(f"{tool}.copy", Risk.ESCAPES, "copies files between containers and this machine")
    builds = asks(f"{tool}.build", Risk.NETWORK, "builds an image, running its steps", spec=Spec(operands="text*",
        options={
        "-o": "text", "--output": "text", "--iidfile": "write", "--metadata-file": "write", "-f": "text",
        "--file": "text",
        "--secret": "text", "--ssh": "text"}))  # fmt: skip
    about: dict[str, Meaning] = {
        **each("ls list ps inspect logs top stats port diff history exists df info events du", READS),
        **each("rm remove rmi prune", removes),
        **each("run create", _runs(tool)),
        **each(
            "start stop restart kill pause unpause rename update wait attach resize connect disconnect mount "
            "unmount tag use "
            "annotate add set demote promote leave init join checkpoint restore scale rollback",
            changes,
        ),
        "exec": runs_in,
        **each("cp export save import load commit", copies),
        **each("pull", downloads),
        **each("push publish", publishes),
        **each("build bake", builds),
    }
    objects = Verbs(table=about)
    made = Verbs(table={**about, "create": changes})
    return with_verbs(Verbs(
        options={"--config": "text", "-l": "text", "--log-level": "text", "--tlscacert": "text", "--tlscert": "text",
                 "--tlskey": "text", "-H": f"ask:{_ENDPOINT}", "--host": f"ask:{_ENDPOINT}", "-c": f"ask:{_ENDPOINT}",
                 "--context": f"ask:{_ENDPOINT}", "--url": f"ask:{_ENDPOINT}", "--connection": f"ask:{_ENDPOINT}",
                 "--root": "text", "--runroot": "text", "--namespace": "text", "-n": "text",
                 "--address": f"ask:{_ENDPOINT}"},
        flags="-D --debug -r --remote --tls --tlsverify -v",
        anywhere=False,
        table={
            **about,
            **each("images version info help", READS),
            **each("container image", objects),
            **each("volume network pod node service stack secret config context buildx builder manifest system trust",
                made),
            "search": reaches(f"{tool}.search", "asks a registry"),
            **each("login logout", asks(f"{tool}.login", Risk.SECRETS, "changes log-ins of registries")),
            **each("swarm plugin machine", asks(f"{tool}.admin", Risk.PRIVILEGE, "changes the container engine")),
            "compose": _compose(tool),
            **each("play kube generate", changes),
            "scout": reaches(f"{tool}.network"),
        },
    ))  # fmt: skip


def _compose(tool: str) -> Verbs:
    return Verbs(
        options={"-f": "read", "--file": "read", "-p": "text", "--project-name": "text", "--project-directory": "read",
                 "--profile": "text", "--env-file": "text", "--parallel": "text", "--progress": "text",
                 "--ansi": "text",
                 "-H": f"ask:{_ENDPOINT}", "--host": f"ask:{_ENDPOINT}", "-c": f"ask:{_ENDPOINT}",
                 "--context": f"ask:{_ENDPOINT}"},
        flags="--compatibility --dry-run --all-resources --verbose --no-ansi -v",
        anywhere=False,
        table={
            **each("ps config convert logs ls images top port version events stats volumes help", READS),
            **each("up start restart stop create scale watch pause unpause kill wait attach publish", asks(
                f"{tool}.compose", Risk.UNKNOWN, "starts, stops or changes containers")),
            **each("down rm", asks(f"{tool}.remove", Risk.DESTROYS, "removes containers and networks")),
            **each("run exec", asks(f"{tool}.exec", Risk.UNKNOWN, "runs a command in a container")),
            **each("build pull", asks(f"{tool}.build", Risk.NETWORK, "builds or downloads images")),
            "push": asks(f"{tool}.push", Risk.PUBLISHES, "sends images to a registry"),
            **each("cp export commit", asks(f"{tool}.copy", Risk.ESCAPES,
                "copies files between containers and this machine")),
        },
    )  # fmt: skip


def _machines(tool: str, reads: str) -> Rule:
    """Tools that keep clusters or machines."""
    return with_verbs(Verbs(
        options={"-p": "text", "--profile": "text", "--name": "text", "-c": f"ask:{_ENDPOINT}",
            "--connect": f"ask:{_ENDPOINT}"},
        flags="-v -q --quiet",
        table=each(reads + " help version", READS),
        other=asks(f"{tool}.change", Risk.UNKNOWN, "creates, changes, enters or deletes machines"),
    ))  # fmt: skip


TOOLS: dict[str, Spec | Rule] = explained({
    **{tool: _engine(tool) for tool in ("docker", "podman", "nerdctl", "finch")},
    **dict.fromkeys(("docker-compose", "podman-compose"), with_verbs(_compose("docker"))),
    **dict.fromkeys(("kubectl", "oc", "kubecolor"), with_verbs(KUBECTL)),
    "helm": with_verbs(HELM),
    "minikube": _machines("minikube", "status profile ip logs options"),
    "kind": _machines("kind", "get"),
    "k3d": _machines("k3d", ""),
    "k3s": _machines("k3s", "check-config"),
    "vagrant": _machines("vagrant", "status global-status validate port ssh-config"),
    "virsh": _machines("virsh", "list dominfo domstate net-list pool-list vol-list nodeinfo dumpxml"),
    **dict.fromkeys(("lxc", "incus"), _machines("lxc", "list info ls")),
    **dict.fromkeys(("lima", "limactl", "colima", "multipass"), _machines("lima", "list ls info status")),
    "buildah": _machines("buildah", "images containers inspect info"),
    "skopeo": Spec(operands="text*", network="talks to registries"),
    **dict.fromkeys(("crictl", "ctr", "runc", "crun"), asking("works with containers as root")),
    **dict.fromkeys(("kustomize", "kubeval", "kubeconform", "kube-linter", "conftest", "opa"), Spec(
        operands="text*", options={"-o": "write", "--output": "text"})),
    **dict.fromkeys(("k9s", "kubectx", "kubens", "stern", "argocd", "flux", "istioctl", "skaffold", "tilt", "eksctl",
        "kops", "kubeadm",
                     "velero", "devspace", "telepresence", "kubeseal"), Spec(operands="text*",
                     network="talks to a cluster")),
    "dive": asking("downloads an image if it is not there"),
    "trivy": Spec(operands="text*", network="downloads its database"),
})  # fmt: skip
