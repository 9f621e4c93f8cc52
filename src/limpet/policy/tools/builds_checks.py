"""Test runners, linters, formatters, bundlers, task runners -> what their calls run and write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, delete, runs, write
from limpet.policy.tools.builds_names import BUNDLERS, FORMATTERS, LINTERS, RUNNERS
from limpet.policy.tools.own_code import runs_file, runs_place
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
    works_here,
)
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_PYTEST = Spec(
    operands="text*",
    options={
        "-k": "text", "-m": "text", "-n": "text", "-o": "text", "-p": "text", "-c": "read", "--config-file": "read",
        "-W": "text", "-r": "text", "--rootdir": "text", "--basetemp": "text", "--junitxml": "write",
        "--junit-xml": "write",
        "--log-file": "write", "--result-log": "write", "--html": "write", "--json-report-file": "write",
        "--csv": "write",
        "--cov": "text", "--cov-report": "text", "--cov-config": "read", "--maxfail": "text", "--durations": "text",
        "--tb": "text", "--ignore": "text", "--ignore-glob": "text", "--deselect": "text", "--import-mode": "text",
        "--override-ini": "text", "--timeout": "text", "--dist": "text", "--pdbcls": "text", "--capture": "text",
        "--confcutdir": "text", "--log-level": "text", "--log-cli-level": "text", "--color": "text", "--pyargs": "text",
        "--override": "text", "--pastebin": "ask:uploads the failures", "--report-log": "write",
    },
    flags="--pdb --lf --last-failed --ff --failed-first --nf --sw --stepwise --collect-only --co --fixtures --markers "
    "--cache-clear --cache-show --no-header --no-summary --verbose --quiet --exitfirst --strict-markers "
    "--strict-config "
    "--doctest-modules --runxfail --setup-show --showlocals --no-cov --trace --version --help --debug --strict "
    "--reruns",
)  # fmt: skip


def pytest(command: Command) -> Iterator[Effect]:
    """Runs the tests of its folder; `--basetemp` empties a folder first."""
    parsed = parse_spec(_PYTEST, command)
    yield HERE
    for field in parsed.values("--basetemp"):
        yield delete(field, recursive=True)
        yield write(field)
    yield from describe(_PYTEST, command)
    for field in (*parsed.operands, *parsed.values("--rootdir", "--confcutdir")):
        yield from runs_place(field, "pytest")


_CODE = ("--config", "-c", "--require", "-r", "--import", "--loader", "--plugin", "--rulesdir", "--globalSetup",
    "--setupFiles",
         "--resolve-plugins-relative-to", "--custom-syntax", "--custom-formatter", "--bootstrap")  # fmt: skip
"""Options that name settings or plugins, which are code in most of these tools."""


def _checking(spec: Spec, *, starts: bool = False) -> Rule:
    """A tool that works on the files it is given, or those of its folder, and may run them."""
    spec = Spec(operands=spec.operands, options={**dict.fromkeys(_CODE, "text"), **spec.options}, flags=spec.flags)

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_spec(spec, command)
        yield HERE
        yield from describe(spec, command)
        for field in (*parsed.values(*_CODE), *(parsed.operands if starts else ())):
            yield from runs_place(field, command.name or "")

    return rule


def _task_runner(options: dict[str, str], files: tuple[str, ...]) -> Rule:
    """`just`, `task`: recipes of a file of the folder, or of one that is named."""
    spec = Spec(operands="text*", options={**options, **dict.fromkeys(files, "text")})

    def rule(command: Command) -> Iterator[Effect]:
        yield HERE
        yield from describe(spec, command)
        for field in parse_spec(spec, command).values(*files):
            yield runs_file(field, command.name or "")

    return rule


_REPORTS = {
    **dict.fromkeys(
        ("-o", "--output", "--output-file", "--outfile", "--out", "--outDir", "--out-dir", "--outdir", "--out-file",
         "--dist-dir", "--output-path", "--outputFile", "--declarationDir", "--tsBuildInfoFile", "--generateTrace",
         "--generateCpuProfile", "--metafile", "--report-file", "--coverageDirectory", "--coverage-directory",
         "--log-file", "--cacheDirectory", "--cache-dir", "--cache-location", "--cache-file", "--reports-dir",
         "--junit-xml", "--log-junit", "--coverage-html", "--coverage-clover", "--coverage-xml", "--target-dir",
         "--outputFolder", "--output-folder", "--output-dir", "--coverage.reportsDirectory"), "write"),
    **dict.fromkeys(
        ("--config", "--project", "--mode", "--port", "--host", "--format", "--reporter", "--grep", "--testNamePattern",
         "--testPathPattern", "--max-warnings", "--ext", "--parser", "--browser", "--workers", "--line-length",
         "--select",
         "--ignore", "--extend-ignore", "--exclude", "--profile", "--target-version", "--python-version"), "text"),
    "--runner": "script", "--init-hook": "code:python", "--python-executable": "program", "--pythonpath": "program",
}  # fmt: skip
_CHECK = Spec(
    operands="read*",
    options=_REPORTS,
    flags="--fix --check --write --diff --quiet --verbose --watch --help --version --noEmit --strict --json",
)
_FIX = Spec(operands="write*", options=_REPORTS, flags=_CHECK.flags)
"""A formatter: what it is given, it may change."""
_MYPY = Spec(
    operands="read*",
    options={
        **dict.fromkeys(
            ("--junit-xml", "--cache-dir", "--any-exprs-report", "--cobertura-xml-report", "--html-report",
             "--linecount-report", "--linecoverage-report", "--lineprecision-report", "--txt-report", "--xml-report",
             "--xslt-html-report", "--xslt-txt-report", "--package-root", "--shadow-file"), "write"),
        "--python-executable": "program", "--config-file": "read", "-m": "text", "-p": "text", "-c": "text",
        "--module": "text", "--package": "text", "--python-version": "text", "--platform": "text", "--exclude": "text",
        "--custom-typeshed-dir": "read", "--follow-imports": "text", "--enable-error-code": "text",
        "--disable-error-code": "text",
    },
    flags="--strict --install-types --non-interactive --show-error-codes --pretty --no-incremental "
        "--ignore-missing-imports",
    ask={"--install-types": "downloads packages"},
)  # fmt: skip
_RUFF = Verbs(
    options={"--config": "text", "--color": "text"},
    flags="-v --verbose -q --quiet -s --silent --isolated",
    table={
        **each("check format lint", Verb(CHANGES.does, _FIX)),
        **each("rule config linter version help analyze", READS),
        **each("clean server", CHANGES),
    },
    other=Verb(CHANGES.does, _FIX),
)
_COVERAGE = Verbs(
    table={
        **each("report html xml json lcov combine erase annotate", Verb(CHANGES.does, Spec(operands="text*", options={
            "-o": "write", "-d": "write", "--directory": "write", "--data-file": "write", "--rcfile": "read"}))),
        **each("help debug", READS),
    },
)  # fmt: skip


def _coverage_run(command: Command) -> Iterator[Effect]:
    """`coverage run -m pytest …` and `coverage run x.py` are python's."""
    spec = Spec(
        operands="text*", stop_early=True, flags="--module",
        options={"--source": "text", "--omit": "text", "--include": "text", "--rcfile": "read",
                 "--data-file": "write", "--concurrency": "text", "--context": "text"},
    )  # fmt: skip
    parsed = parse_spec(spec, command)
    yield HERE
    yield from describe(spec, command)
    start = ("python3", "-m") if parsed.has("-m", "--module") else ("python3",)
    if parsed.operands:
        yield runs(command, (*map(known, start), *parsed.operands), "coverage run")


_BROWSER_TESTS = Verbs(
    flags="--version",
    table={
        **each(
            "test run open codegen show-report show-trace merge-reports verify info cache version help component",
            CHANGES,
        ),
        **each("install uninstall install-deps", reaches("browser.install", "downloads browsers")),
    },
)
_SITE = Verbs(
    flags="-q --quiet -v --verbose",
    options={"-f": "read", "--config-file": "read"},
    table={
        **each("build serve new get-deps", Verb(CHANGES.does, Spec(operands="text*", options={"-d": "write",
            "--site-dir": "write"}))),
        "gh-deploy": asks("mkdocs.deploy", Risk.PUBLISHES, "publishes the documentation"),
    },
)  # fmt: skip
_APP = Verbs(
    flags="--no-lint --turbo --experimental-app-only",
    options={"-p": "text", "--port": "text"},
    bare=CHANGES,
    table={
        **each("build dev start serve preview lint check generate prepare typecheck info analyze export sync test "
            "inspect "
               "optimize watch run-script storybook", Verb(CHANGES.does, _CHECK)),
        **each("telemetry", asks("app.telemetry", Risk.PERSISTS, "changes what is reported")),
        **each("add upgrade update module create init", reaches("app.network", "downloads packages")),
        **each("deploy publish", asks("app.deploy", Risk.PUBLISHES, "publishes what was built")),
    },
    other=Verb(CHANGES.does, _CHECK),
)  # fmt: skip
_MONOREPO = Verbs(
    options={"--cwd": "write", "--filter": "text", "--scope": "text"},
    flags="--verbose --parallel",
    table={
        **each("run build test lint affected run-many graph list ls dev start format changed typecheck clean", CHANGES),
        **each("show report daemon info", READS),
        "exec": runs_rest("exec", dict.fromkeys(("--scope", "--concurrency", "--projects"), "text")),
        **each("publish version release", asks("monorepo.publish", Risk.PUBLISHES,
            "publishes packages or pushes commits")),
        **each("login link unlink telemetry", asks("monorepo.login", Risk.SECRETS, "changes log-ins")),
    },
    other=reaches("monorepo.network", "may download or migrate packages"),
)  # fmt: skip
CHECKS: dict[str, Spec | Rule] = {
    **dict.fromkeys(("pytest", "py.test", "pytest-3"), pytest),
    **dict.fromkeys(RUNNERS, _checking(_CHECK, starts=True)),
    **dict.fromkeys(LINTERS, _checking(_CHECK)),
    **dict.fromkeys(FORMATTERS, _checking(_FIX)),
    **dict.fromkeys(BUNDLERS, _checking(_CHECK)),
    **dict.fromkeys(("mypy", "dmypy"), works_here(_MYPY)),
    "ruff": with_verbs(_RUFF),
    **dict.fromkeys(("coverage", "coverage3"), with_verbs(Verbs(table={**_COVERAGE.table, "run": _coverage_run}))),
    **dict.fromkeys(("playwright", "cypress"), with_verbs(_BROWSER_TESTS)),
    **dict.fromkeys(("next", "nuxt", "nuxi", "astro", "remix", "vite", "gatsby", "svelte-kit", "ng", "vue-cli-service",
                     "react-scripts", "expo", "docusaurus", "hugo", "jekyll", "eleventy", "hexo", "mdbook", "zola"),
                     with_verbs(_APP)),
    "mkdocs": with_verbs(_SITE),
    "sphinx-build": works_here(Spec(operands="read write text*", options={
        "-b": "text", "-d": "write", "-c": "program", "-D": "text", "-A": "text", "-j": "text", "-w": "write",
        "-t": "text"})),
    **dict.fromkeys(("sphinx-apidoc", "sphinx-autogen"), Spec(operands="read*", options={"-o": "write",
        "--output-dir": "write"})),
    "doxygen": works_here(),
    **dict.fromkeys(("tox", "nox"), _task_runner(
        {"-e": "text", "--workdir": "write", "--root": "write", "-s": "text", "-x": "text", "--result-json": "write",
         "--envdir": "write", "-p": "text", "-k": "text", "-t": "text"}, ("-c", "--conf", "-f", "--noxfile"))),
    "just": _task_runner({"-d": "write", "--working-directory": "write", "--shell": "program", "--shell-arg": "text",
                          "-c": "ask:runs a command", "--command": "ask:runs a command", "--chooser": "script",
                          "--set": "text"}, ("-f",
                          "--justfile")),
    **dict.fromkeys(("task", "go-task"), _task_runner({"-d": "write", "--dir": "write", "-o": "text", "-c": "text"},
        ("-t", "--taskfile"))),
    **dict.fromkeys(("mage", "invoke", "inv", "doit", "waf", "poe"), _task_runner(
        {"-d": "write", "-w": "write", "-r": "program", "--search-root": "program"}, ("-f", "--file"))),
    "rake": _task_runner({"-C": "write", "-I": "text", "-r": "program", "-e": "ask:runs inline code",
    "-E": "ask:runs inline code",
                          "-p": "ask:runs inline code", "--execute": "ask:runs inline code", "-R": "program"}, ("-f",
                          "--rakefile")),
    "fab": Spec(operands="text*", network="runs commands on other machines"),
    **dict.fromkeys(("c8", "nyc"), runs_rest("coverage", dict.fromkeys(("-r", "-x", "-n", "-o", "--reporter"),
        "text"))),
    **dict.fromkeys(("turbo", "nx", "lerna"), with_verbs(_MONOREPO)),
    "prove": works_here(Spec(operands="read*", options={"-e": "script", "--exec": "script", "-I": "text",
    "-j": "text"}), starts=True),
    "semgrep": Spec(operands="read*", network="downloads its rules"),
    **dict.fromkeys(("uvicorn", "gunicorn", "hypercorn", "daphne", "streamlit", "flask"), works_here(Spec(
        operands="text*", options={"--app-dir": "program", "--chdir": "program", "-c": "read", "--config": "read"}))),
    **dict.fromkeys(("airflow", "dbt", "celery", "alembic", "django-admin", "jupyter", "papermill", "dvc", "mlflow"),
                    Spec(operands="ask:starts a service or changes data text*")),
    "jupyter-nbconvert": works_here(_CHECK),
}  # fmt: skip
