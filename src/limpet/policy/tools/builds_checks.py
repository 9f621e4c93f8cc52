"""Test runners, linters, formatters, bundlers, task runners -> what their calls run and write."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, runs, write
from limpet.policy.tools.builds_names import BUNDLERS, FORMATTERS, LINTERS, RUNNERS
from limpet.policy.tools.builds_pytest import pytest
from limpet.policy.tools.own_code import loads, runs_place, runs_settings, wary_of
from limpet.policy.tools.spec import Spec, describe, play
from limpet.policy.tools.tables import texts, writes
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

_CODE = texts("""
    --config -c --conf --config-file --rcfile --require -r --import --loader --plugin --plugins --rulesdir --rules-dir
    --globalSetup --globalTeardown --setupFiles --setupFilesAfterEnv --resolve-plugins-relative-to --custom-syntax
    --custom-formatter --bootstrap --formatter --format -f --resolver --transform --preset --presets --testEnvironment
    --reporters --reporter --rootDir --root --options -O -I --gulpfile --gruntfile --tasks --use --extends --template
    --load --load-plugins --autoload-file -p --project --tsconfig --configPlugin --include-path --source-dir
    --external-checks-dir --extra-path --pluginList --custom-rules
""")
"""Options that name settings or plugins, which are code in most of these tools."""


def _checking(spec: Spec, *, starts: bool = False) -> Rule:
    """A tool that works on the files it is given, or those of its folder, and may run them.

    Any option that is not known better may name settings or plugins: a path that it names is taken for code.
    """
    spec = Spec(operands=spec.operands, options={**_CODE, **spec.options}, flags=spec.flags)

    def rule(command: Command) -> Iterator[Effect]:
        parsed = parse_spec(spec, command)
        yield HERE
        yield from describe(spec, command)
        for name, value in parsed.options:
            if value is None or name in _DATA or spec.options.get(name, "text") != "text":
                continue
            yield from runs_place(value, command.name or "")
            if len(name) == 2:
                yield from play(spec.operands.rstrip("*"), value, command)  # in some of these tools it is a mere flag
        for field in parsed.operands if starts else ():
            yield from runs_place(field, command.name or "")
        fixes = parsed.has("--fix", "--write") and not spec.operands.startswith("write")
        yield from map(write, parsed.operands if fixes else ())

    return rule


def _task_runner(options: dict[str, str], files: tuple[str, ...]) -> Rule:
    """`just`, `task`: recipes of a file of the folder, or of one that is named."""
    spec = Spec(operands="text*", options={**options, **dict.fromkeys(files, "text")})

    def rule(command: Command) -> Iterator[Effect]:
        yield HERE
        yield from describe(spec, command)
        for field in parse_spec(spec, command).values(*files):
            yield from runs_settings(field, command.name or "")

    return rule


_DATA = texts("""
    --mode --port --host --grep --testNamePattern --testPathPattern --max-warnings --ext --browser --workers
    --line-length --select --ignore --extend-ignore --exclude --target-version --python-version
""")
"""Options whose value names no code."""
_REPORTS = {
    **_DATA,
    **dict.fromkeys(
        ("-o", "--output", "--output-file", "--outfile", "--out", "--outDir", "--out-dir", "--outdir", "--out-file",
         "--dist-dir", "--output-path", "--outputFile", "--declarationDir", "--tsBuildInfoFile", "--generateTrace",
         "--generateCpuProfile", "--metafile", "--report-file", "--coverageDirectory", "--coverage-directory",
         "--log-file", "--cacheDirectory", "--cache-dir", "--cache-location", "--cache-file", "--reports-dir",
         "--junit-xml", "--log-junit", "--coverage-html", "--coverage-clover", "--coverage-xml", "--target-dir",
         "--outputFolder", "--output-folder", "--output-dir", "--coverage.reportsDirectory"), "write"),
    **dict.fromkeys(
        ("--config", "--project", "--format", "--reporter", "--parser", "--profile"), "text"),
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
        "--python-executable": "program", "--config-file": "text", "-m": "text", "-p": "text", "-c": "text",
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
            "-o": "write", "-d": "write", "--directory": "write", "--data-file": "write"}))),
        **each("help debug", READS),
    },
)  # fmt: skip


def _coverage_run(command: Command) -> Iterator[Effect]:
    """`coverage run -m pytest …` and `coverage run x.py` are python's."""
    spec = Spec(
        operands="text*", stop_early=True, flags="--module",
        options={"--source": "text", "--omit": "text", "--include": "text", "--rcfile": "text",
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
    options={"-f": "text", "--config-file": "text"},
    table={
        **each("build serve new get-deps", Verb(CHANGES.does, Spec(operands="text*", options={"-d": "write",
            "--site-dir": "write"}))),
        "gh-deploy": asks("mkdocs.deploy", Risk.PUBLISHES, "publishes the documentation"),
    },
)  # fmt: skip
_APP = Verbs(
    flags="--no-lint --turbo --experimental-app-only --minify --gc -D --buildDrafts -F --buildFuture --drafts --watch "
    "--livereload --verbose -v --quiet --incremental --cleanDestinationDir --printI18nWarnings --help --open --strict",
    options={**texts("-p --port --host -b --baseURL -e --environment --bind -s --source -c --config --mode"),
             **writes("-d --destination --outDir --cacheDir")},
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
_DOXYGEN = Spec(operands="text*", options={"-f": "text", "-e": "text", "-l": "write"})


def _doxygen(command: Command) -> Iterator[Effect]:
    """Its settings name filters, which are programs; with `-g` and its like it writes what it is told."""
    parsed = parse_spec(_DOXYGEN, command)
    yield HERE
    for field in parsed.operands:
        yield from [write(field)] if parsed.has("-g", "-w", "-u", "-l") else runs_settings(field, "doxygen")


_TOX_OPTIONS = {
    "-e": "text", "--workdir": "write", "--root": "write", "--result-json": "write", "-p": "text", "-k": "text",
    "-m": "text", "-x": "ask:changes the settings, which name commands",
    "--override": "ask:changes the settings, which name commands", "-c": "text", "--conf": "text", "-f": "text",
}  # fmt: skip


def _tox(command: Command) -> Iterator[Effect]:
    """Runs what its settings say; `tox exec -- CMD` runs a command."""
    texts = command.texts
    end = texts.index("--") if "--" in texts else len(texts)
    yield from _task_runner(_TOX_OPTIONS, ("-c", "--conf"))(
        msgspec.structs.replace(command, argv=command.argv[: end + 1])
    )
    if {"exec", "e"} & {*texts[:end]} and command.arguments[end + 1 :]:
        yield runs(command, command.arguments[end + 1 :], "tox exec")


CHECKS: dict[str, Spec | Rule] = {
    **dict.fromkeys(("pytest", "py.test", "pytest-3"), pytest),
    **dict.fromkeys(RUNNERS, _checking(_CHECK, starts=True)),
    **dict.fromkeys(LINTERS, _checking(_CHECK)),
    "phpstan": loads(_checking(_CHECK), "-a"),
    **dict.fromkeys(FORMATTERS, _checking(_FIX)),
    **dict.fromkeys(BUNDLERS, _checking(_CHECK)),
    **dict.fromkeys(("mypy", "dmypy"), loads(works_here(_MYPY), "--config-file")),
    "ruff": with_verbs(_RUFF),
    **dict.fromkeys(("coverage", "coverage3"), loads(
        with_verbs(Verbs(table={**_COVERAGE.table, "run": _coverage_run})), "--rcfile")),
    **dict.fromkeys(("playwright", "cypress"), loads(
        with_verbs(_BROWSER_TESTS), "-c --config --config-file -C --project")),
    **dict.fromkeys(("next", "nuxt", "nuxi", "astro", "remix", "vite", "gatsby", "svelte-kit", "ng", "vue-cli-service",
                     "react-scripts", "expo", "docusaurus", "hugo", "jekyll", "eleventy", "hexo", "mdbook", "zola"),
                     loads(with_verbs(_APP), "-c --config --plugins -s --source --root")),
    "mkdocs": loads(with_verbs(_SITE), "-f --config-file"),
    "sphinx-build": loads(works_here(Spec(operands="read write text*", options={
        "-b": "text", "-d": "write", "-c": "text", "-D": "text", "-A": "text", "-j": "text", "-w": "write",
        "-t": "text"})), "-c"),
    **dict.fromkeys(("sphinx-apidoc", "sphinx-autogen"), Spec(operands="read*", options={"-o": "write",
        "--output-dir": "write"})),
    "doxygen": _doxygen,
    "tox": _tox,
    "nox": _task_runner(
        {"-e": "text", "--envdir": "write", "-s": "text", "-p": "text", "-k": "text", "-t": "text", "-P": "text",
         "--report": "write", "--extra-pythons": "text", "--force-python": "text"}, ("-f", "--noxfile")),
    "just": _task_runner({"-d": "write", "--working-directory": "write", "--shell": "program", "--shell-arg": "text",
                          "-c": "ask:runs a command", "--command": "ask:runs a command", "--chooser": "script",
                          "--set": "text"}, ("-f",
                          "--justfile")),
    **dict.fromkeys(("task", "go-task"), _task_runner({"-d": "write", "--dir": "write", "-o": "text", "-c": "text"},
        ("-t", "--taskfile"))),
    **dict.fromkeys(("mage", "invoke", "inv", "doit", "waf", "poe"), _task_runner(
        {"-d": "write", "-w": "write"}, ("-f", "--file", "-r", "--search-root"))),
    "rake": _task_runner({"-C": "write", "-I": "text", "-e": "ask:runs inline code",
    "-E": "ask:runs inline code",
                          "-p": "ask:runs inline code", "--execute": "ask:runs inline code"}, ("-f",
                          "--rakefile", "-R", "--rakelibdir", "-r", "--require")),
    "fab": Spec(operands="text*", network="runs commands on other machines"),
    **dict.fromkeys(("c8", "nyc"), runs_rest("coverage", dict.fromkeys(("-r", "-x", "-n", "-o", "--reporter"),
        "text"))),
    **dict.fromkeys(("turbo", "nx", "lerna"), with_verbs(_MONOREPO)),
    "prove": works_here(Spec(operands="read*", options={"-e": "script", "--exec": "script", "-I": "text",
    "-j": "text"}), starts=True),
    "semgrep": Spec(operands="read*", network="downloads its rules"),
    **dict.fromkeys(("uvicorn", "gunicorn", "hypercorn", "daphne", "streamlit", "flask"), wary_of(loads(works_here(Spec(
        operands="text*", options=dict.fromkeys(("--app-dir", "--chdir", "-c", "--config", "--app", "-A"), "text"))),
        "--app-dir --chdir -c --config --app -A --pythonpath"), "shell --worker-class -k", "runs other code")),
}  # fmt: skip
