"""python -> its code, its module, its file, or what it reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import code, read, risk, runs, runs_stdin, write
from limpet.policy.tools.invocation import read_leading, runs_file, unread_options
from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from limpet.policy.command import Command
    from limpet.policy.effect import Effect

_VALUES = ("-c", "-m", "-W", "-X", "--check-hash-based-pycs")
_MODULE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")

_COMMANDS = {
    **{name: name for name in (
        "pip", "pytest", "black", "mypy", "ruff", "isort", "flake8", "pylint", "coverage", "tox", "nox", "twine",
        "poetry", "pipx", "pdm", "hatch", "flit", "uv", "virtualenv", "pipenv", "jupyter", "mkdocs", "gunicorn",
        "uvicorn", "flask", "celery", "unittest", "bandit", "autopep8", "yapf", "pyright", "pydocstyle", "pycodestyle",
        "vulture", "radon", "codespell", "alembic", "behave", "robot", "invoke", "streamlit", "papermill", "yamllint",
        "pyupgrade", "autoflake", "sqlfluff", "semgrep", "interrogate", "docformatter", "nose2", "trial", "hypercorn",
        "daphne", "keyring", "pip_audit", "pipdeptree", "cookiecutter", "conda", "ansible", "yt_dlp", "httpie",
        "safety", "pyflakes", "dvc", "limpet",
    )},
    "py.test": "pytest", "pre_commit": "pre-commit", "build": "pyproject-build", "sphinx": "sphinx-build",
    "pip_tools": "pip-compile", "pip_audit": "pip-audit", "yt_dlp": "yt-dlp", "httpie": "http",
    "django": "django-admin",
    "easy_install": "easy_install",
}  # fmt: skip
"""Modules that are commands as well."""

_NETWORK = {
    "http.server": "serves files to the network", "SimpleHTTPServer": "serves files to the network",
    "smtpd": "serves mail", "xmlrpc.server": "listens on the network", "wsgiref.simple_server": "listens on the "
    "network",
    "webbrowser": "opens a page in a browser", "ftplib": "talks to a server", "telnetlib": "talks to a server",
    "poplib": "talks to a server", "imaplib": "talks to a server", "nntplib": "talks to a server",
    "smtplib": "talks to a server", "antigravity": "opens a page in a browser", "ensurepip": "installs pip",
    "pyftpdlib": "serves files to the network", "pydoc": "serves documentation",
}  # fmt: skip
_RUNS_FILE = ("pdb", "cProfile", "profile", "trace", "runpy", "ipdb", "pudb", "debugpy", "doctest", "memory_profiler",
              "line_profiler", "kernprof", "scalene", "viztracer", "pyinstrument", "bdb", "tabnanny")  # fmt: skip
_READS_CODE = ("code", "asyncio", "IPython", "ptpython", "bpython", "idlelib")


def python(command: Command) -> Iterator[Effect]:
    """python: `-c`, `-m`, a file, or what it reads."""
    leading = read_leading(command.arguments, values=_VALUES, last=("-c", "-m"))
    yield from unread_options(leading, command.name)
    if leading.has("-i"):
        yield runs_stdin("python")
    if leading.has("-c"):
        yield code(leading.values("-c")[-1], "python")
    elif leading.has("-m"):
        yield from _module(leading.values("-m")[-1], leading.rest, command)
    elif leading.has("-V", "--version", "-h", "--help", "-?", "--help-env", "--help-all", "--help-xoptions"):
        return
    elif leading.rest:
        yield from runs_file(leading.rest[0], command.name or "", "python", "__main__.py")
        yield from _setup(leading.rest)
    elif not leading.has("-i"):
        yield runs_stdin("python")


def _setup(rest: tuple[Field, ...]) -> Iterator[Effect]:
    """`setup.py` of a project: some of what it can do leaves the project."""
    if (rest[0].text or "").rpartition("/")[2] != "setup.py":
        return
    verbs = {field.text for field in rest[1:]}
    if verbs & {"upload", "register"}:
        yield risk("python.upload", Risk.PUBLISHES, "publishes the package")
    elif verbs & {"install", "develop", "easy_install"}:
        yield risk(
            "python.install", Risk.ESCAPES, "installs the package", suggestion="use pip inside a virtual environment"
        )


def _module(module: Field, rest: tuple[Field, ...], command: Command) -> Iterator[Effect]:
    name = module.text
    if name is None or not _MODULE.fullmatch(name):
        yield risk("python.module", Risk.OPAQUE, "runs a module whose name is not known")
    elif name in _COMMANDS:
        yield runs(command, (known(_COMMANDS[name]), *rest), "python -m")
    elif name in _NETWORK:
        yield from _served(name, rest)
    elif name in _RULES:
        yield from _RULES[name](rest)
    elif name in _RUNS_FILE:
        yield from _profiled(name, rest, command)
    elif name in _READS_CODE:
        yield runs_stdin("python")


def _served(name: str, rest: tuple[Field, ...]) -> Iterator[Effect]:
    if name == "pydoc" and not any((field.text or "-").startswith("-") for field in rest):
        return
    yield risk(f"python.{name}", Risk.NETWORK, _NETWORK[name])


def _profiled(name: str, rest: tuple[Field, ...], command: Command) -> Iterator[Effect]:
    """`cProfile -o out x.py …`, `pdb -m module …`."""
    values = ("-o", "-s", "-m", "-c", "-f", "-C", "--listen", "--connect", "--outfile", "--file")
    leading = read_leading(rest, values=values, last=("-m",))
    for field in leading.values("-o", "--outfile"):
        yield write(field)
    if leading.has("--listen", "--connect"):
        yield risk(f"python.{name}", Risk.NETWORK, "opens a port for a debugger")
    if name in ("pdb", "ipdb", "pudb"):
        yield runs_stdin("python")
    if leading.has("-m"):
        yield from _module(leading.values("-m")[-1], leading.rest, command)
    elif leading.rest:
        yield from runs_file(leading.rest[0], f"python -m {name}", "python", "__main__.py")


def _timeit(rest: tuple[Field, ...]) -> Iterator[Effect]:
    leading = read_leading(rest, values=("-n", "-r", "-s", "-u", "-p", "--setup", "--number", "--repeat", "--unit"))
    for field in (*leading.values("-s", "--setup"), *leading.rest):
        yield code(field, "python")


def _venv(rest: tuple[Field, ...]) -> Iterator[Effect]:
    leading = read_leading(rest, values=("--prompt",))
    for field in leading.rest:
        yield write(field)


def _json_tool(rest: tuple[Field, ...]) -> Iterator[Effect]:
    leading = read_leading(rest, values=("--indent",))
    for index, field in enumerate(leading.rest):
        yield write(field) if index else read(field)


def _reads(rest: tuple[Field, ...]) -> Iterator[Effect]:
    for field in rest:
        if not field.prefix.startswith("-"):
            yield read(field)


def _writes(rest: tuple[Field, ...]) -> Iterator[Effect]:
    for field in rest:
        if not field.prefix.startswith("-"):
            yield write(field)


def _unpickles(_rest: tuple[Field, ...]) -> Iterator[Effect]:
    yield risk("python.pickle", Risk.OPAQUE, "loads a pickle, which can run code")


def _spawns(_rest: tuple[Field, ...]) -> Iterator[Effect]:
    yield risk("python.spawn", Risk.OPAQUE, "starts a shell")


def _sqlite(rest: tuple[Field, ...]) -> Iterator[Effect]:
    operands = [field for field in rest if not field.prefix.startswith("-")]
    for field in operands[:1]:
        yield write(field)
    if len(operands) > 1:
        yield code(operands[1], "sql")
    elif not rest or (rest[0].text or "").startswith("-") is False:
        yield runs_stdin("sql")


_RULES: dict[str, Callable[[tuple[Field, ...]], Iterator[Effect]]] = {
    "timeit": _timeit, "venv": _venv, "json.tool": _json_tool, "json": _json_tool, "ast": _reads, "tokenize": _reads,
    "dis": _reads, "inspect": _reads, "base64": _reads, "zipfile": _writes, "tarfile": _writes, "gzip": _writes,
    "zipapp": _writes, "compileall": _writes, "py_compile": _writes, "lib2to3": _writes,
    "pickle": _unpickles, "pty": _spawns,
    "sqlite3": _sqlite, "pickletools": _reads,
}  # fmt: skip

_NAMES = (
    "python", "python2", "python3", "pypy", "pypy3", "pythonw", "micropython", "ipython", "ipython3", "python2.7",
    *(f"python3.{minor}" for minor in range(5, 21)), *(f"pypy3.{minor}" for minor in range(6, 13)),
)  # fmt: skip
TOOLS = dict.fromkeys(_NAMES, python)
