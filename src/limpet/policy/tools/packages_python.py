"""pip, uv, poetry, conda and their kin -> what their calls do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, risk, runs
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.verbs import (
    CHANGES,
    HERE,
    READS,
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
    from limpet.policy.tools.spec import Rule

_PIP_SPEC = Spec(
    operands="text*",
    options={
        "-t": "write", "--target": "write", "-d": "write", "--dest": "write", "--prefix": "write", "--root": "write",
        "--src": "write", "-w": "write", "--wheel-dir": "write", "-r": "read", "--requirement": "read", "-c": "read",
        "--constraint": "read", "--log": "write", "--report": "write", "--python": "program", "-e": "text",
        "--editable": "text", "-i": "text", "--index-url": "text", "--extra-index-url": "text", "-f": "text",
    },
    flags="--user --upgrade --force-reinstall --no-deps --pre --quiet --verbose --no-cache-dir --dry-run",
)  # fmt: skip
_PIP_INSTALL = reaches("pip.install", "downloads packages and may run their code", spec=_PIP_SPEC)
_PIP = Verbs(
    options={"--python": "program", "--log": "write", "--cache-dir": "write", "--proxy": "text", "--cert": "text",
             "--timeout": "text", "--retries": "text", "--trusted-host": "text", "--keyring-provider": "text"},
    flags="-v -vv -vvv --verbose -q --quiet --isolated --no-input --no-color --disable-pip-version-check "
        "--require-virtualenv "
    "--no-cache-dir --debug --no-python-version-warning",
    table={
        **each("freeze list show check help debug inspect hash completion tree", Verb(spec=Spec(operands="text*"))),
        **each("install download wheel index search lock sync compile", _PIP_INSTALL),
        "uninstall": asks("pip.uninstall", Risk.DESTROYS, "removes packages"),
        "config": Verbs(table=each("list get debug", READS), flags="--user --global --site",
                        other=asks("pip.config", Risk.PERSISTS, "changes the settings of pip")),
        "cache": Verbs(table=each("dir info list", READS), other=asks("pip.cache", Risk.DESTROYS,
        "empties the cache of pip")),
    },
)  # fmt: skip
_LISTED_LATE = Spec(operands="text*", ask={"--outdated": "asks the package index", "-o": "asks the package index"})
_PIP = Verbs(options=_PIP.options, flags=_PIP.flags, table={**_PIP.table, "list": Verb(spec=_LISTED_LATE)})

_RUN_OPTIONS = {
    "--with": "ask:downloads a package", "--with-requirements": "ask:downloads packages",
    "--with-editable": "ask:installs a package",
    "--python": "program", "-p": "program", "--env-file": "read", "--extra": "text", "--group": "text",
    "--only-group": "text",
    "--package": "text", "--index": "ask:uses another index", "--index-url": "ask:uses another index",
    "--refresh-package": "text",
    "--no-group": "text", "--no-extra": "text", "--color": "text", "--config-file": "read", "--cache-dir": "write",
}  # fmt: skip
_RUN_FLAGS = (
    "--frozen --locked --no-sync --no-dev --dev --all-extras --isolated --active --exact --quiet --verbose --offline "
    "--all-groups "
    "--no-project --no-config --no-cache --no-env-file --script --module --gui-script --refresh --only-dev "
    "--no-default-groups"
)
_UV_RUN = Spec(
    operands="text*", stop_early=True, flags=_RUN_FLAGS,
    options={**_RUN_OPTIONS, "--project": "write", "--directory": "write"},
)  # fmt: skip


def _uv_run(command: Command) -> Iterator[Effect]:
    """`uv run CMD …`, `uv run x.py`, `uv run -m MODULE …`; it may first install what the project names."""
    parsed = parse_spec(_UV_RUN, command)
    yield HERE
    yield from describe(_UV_RUN, command)
    if not parsed.operands:
        return
    if parsed.has("-m", "--module"):
        yield runs(command, (_PYTHON, known("-m"), *parsed.operands), "uv run")
    else:
        is_file = parsed.operands[0].suffix.endswith(".py") or parsed.operands[0].text == "-"
        yield runs(command, (_PYTHON, *parsed.operands) if is_file else parsed.operands, "uv run")


_PYTHON = known("python3")


_UV_NETWORK = reaches("uv.network", "downloads packages")
_UV = Verbs(
    options={"--python": "text", "--color": "text", "--cache-dir": "write", "--config-file": "read",
        "--project": "write"},
    folder=("--directory",),
    flags="-q --quiet -v --verbose --offline --no-cache -n --no-config --no-progress --native-tls --system",
    table={
        "run": _uv_run,
        "pip": Verbs(flags=_PIP.flags, options=_PIP.options, table=_PIP.table),
        **each("version tree help export", CHANGES),
        **each("venv", Verb(CHANGES.does, Spec(operands="write*", options={"--python": "text", "-p": "text",
            "--prompt": "text"}))),
        **each("init", Verb(CHANGES.does, Spec(operands="write*", options={"--name": "text", "--python": "text"}))),
        **each("build format", CHANGES),
        **each("sync add remove lock", _UV_NETWORK),
        "tool": Verbs(table={**each("list dir", READS)}, other=_UV_NETWORK),
        "python": Verbs(table={**each("list find dir", READS), "pin": CHANGES}, other=_UV_NETWORK),
        "publish": asks("uv.publish", Risk.PUBLISHES, "publishes a package"),
        "auth": asks("uv.login", Risk.SECRETS, "changes log-ins"),
        "cache": Verbs(table=each("dir size", READS), other=asks("uv.cache", Risk.DESTROYS, "empties the cache of uv")),
        "self": asks("uv.self", Risk.NETWORK, "changes uv itself"),
    },
)  # fmt: skip


def _project_tool(tool: str) -> Rule:
    """poetry, pdm, hatch, pipenv: they share most verbs."""
    network = reaches(f"{tool}.network", "downloads packages")
    return with_verbs(Verbs(
        options={"-P": "write", "--project": "write", "-p": "write", "-e": "text", "--env": "text",
            "--python": "program"},
        folder=("-C", "--directory"),
        flags="-q --quiet -v -vv -vvv --verbose --no-ansi --ansi -n --no-interaction --no-plugins --no-cache",
        table={
            "run": runs_rest(f"{tool} run", {"-p": "write", "--project": "write", "--site-packages": "text"}),
            **each("show check version env list about info help graph tree dep status --venv requirements which",
                READS),
            **each("test new init fmt build export project verify", CHANGES),
            **each("install update add remove lock sync upgrade uninstall search outdated self plugin cache source "
                "use python import "
                   "clean scripts fix audit", network),
            "publish": asks(f"{tool}.publish", Risk.PUBLISHES, "publishes a package"),
            "config": Verbs(table=each("list get show find", READS), flags="--list", options={"--local": "text"},
            other=asks(
                f"{tool}.config", Risk.PERSISTS, f"changes the settings of {tool}")),
            "shell": asks(f"{tool}.shell", Risk.UNKNOWN, "opens a shell"),
        },
    ))  # fmt: skip


_CONDA_RUN = runs_rest("conda run", {"-n": "text", "--name": "text", "-p": "write", "--prefix": "write",
    "--cwd": "write"},
                       "--no-capture-output --live-stream -v")  # fmt: skip
_CONDA = Verbs(
    flags="-V -q -v --no-plugins",
    table={
        **each("list info help compare doctor notices package shell.posix shell.bash", READS),
        **each("activate deactivate", READS),
        "run": _CONDA_RUN,
        "env": Verbs(table={**each("list export", READS)}, other=reaches("conda.network", "downloads packages")),
        "config": Verb(spec=Spec(operands="text*", ask=dict.fromkeys(
            ("--add", "--set", "--append", "--prepend", "--remove", "--remove-key"), "changes the settings of conda"))),
        **each("remove uninstall clean rename", asks("conda.remove", Risk.DESTROYS,
            "removes packages or environments")),
        **each("create install update upgrade search build index", reaches("conda.network", "downloads packages")),
        "init": asks("conda.init", Risk.PERSISTS, "changes the start-up files of the shell"),
    },
)  # fmt: skip
_PIPX = Verbs(
    flags="-q --quiet -v --verbose",
    table={
        **each("list environment help completions", READS),
        **each("run install upgrade upgrade-all inject reinstall reinstall-all ensurepath uninstall uninstall-all "
            "runpip",
               reaches("pipx.network", "downloads packages and runs them")),
    },
)  # fmt: skip
_TWINE = Verbs(table={
    "check": READS,
    **each("upload register", asks("twine.publish", Risk.PUBLISHES, "publishes a package")),
})  # fmt: skip
_VERSIONS = Verbs(
    flags="--version",
    table={
        **each("version versions which whence root prefix commands list current where local shell ls completions "
            "help init "
               "rehash hooks shims --version info", READS),
        "exec": runs_rest("pyenv exec"),
    },
    other=reaches("versions.install", "downloads or changes versions of a language"),
)  # fmt: skip


def _build(command: Command) -> Iterator[Effect]:
    """Downloads what the build needs, unless that is to be there."""
    yield HERE
    if not {"-n", "--no-isolation"} & {*command.texts}:
        yield risk("build.network", Risk.NETWORK, "downloads what the build needs")


PYTHON: dict[str, Spec | Rule] = {
    **dict.fromkeys(("pip", "pip2", "pip3", *(f"pip3.{minor}" for minor in range(6, 16))), with_verbs(_PIP)),
    "uv": with_verbs(_UV),
    "uvx": Spec(operands="text*", network="downloads a package and runs it"),
    **{tool: _project_tool(tool) for tool in ("poetry", "pdm", "hatch", "pipenv", "rye", "pixi", "flit")},
    **dict.fromkeys(("conda", "mamba", "micromamba"), with_verbs(_CONDA)),
    "pipx": with_verbs(_PIPX),
    "twine": with_verbs(_TWINE),
    **dict.fromkeys(("pyenv", "rbenv", "asdf", "sdk", "jenv", "goenv", "mise", "rtx", "rvm", "tfenv", "nodebrew"),
        with_verbs(_VERSIONS)),
    **dict.fromkeys(("virtualenv",), Spec(operands="write*", options={
        "-p": "program", "--python": "program", "--prompt": "text", "--app-data": "write"})),
    **dict.fromkeys(("pip-compile", "pip-sync", "pip-audit", "safety", "pip-review"), Spec(operands="text*",
        network="asks the package index")),
    **dict.fromkeys(("pipdeptree", "pip-licenses"), Spec(operands="text*")),
    "easy_install": Spec(operands="text*", network="downloads packages"),
    "pyproject-build": _build,
    "bumpversion": Spec(operands="write*"),
    "cookiecutter": Spec(operands="text*", network="downloads a template and runs its hooks"),
}  # fmt: skip
