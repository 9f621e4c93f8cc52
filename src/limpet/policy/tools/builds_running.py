"""Tools that run commands again, together, measured or when files change -> those commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, code, program, risk, runs, runs_stdin, script, write
from limpet.policy.tools.invocation import joined
from limpet.policy.tools.own_code import loads, runs_file, runs_place, wary_of
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.tables import reads, texts, writes
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
from limpet.syntax.values.field import Field, known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_HYPERFINE = Spec(operands="script*", options={
    **dict.fromkeys(("-p", "--prepare", "-s", "--setup", "-c", "--cleanup", "-C", "--conclude", "--reference"),
        "script"),
    "-S": "program", "--shell": "program",
    **writes("--export-json --export-csv --export-markdown --export-asciidoc --export-orgmode"), **reads("--input"),
    **texts("-w --warmup -r --runs -m --min-runs -M --max-runs -P -L --parameter-list -n --command-name --style --sort "
            "-u --time-unit --output -D --parameter-scan --reference-name"),
}, flags="-N --show-output -i --ignore-failure")  # fmt: skip
_TOGETHER = Spec(
    operands="text*",
    options=texts(
        "-n --names -c --prefix-colors -p --prefix -m --max-processes -s --success -l --prefix-length --restart-tries "
        "--restart-after --default-input-target --hide --name-separator --timings-format"
    ),
    flags="-k --kill-others -r --raw -g",
)


def _concurrently(command: Command) -> Iterator[Effect]:
    """Each word is a script for a shell, or a script of the project by its name."""
    for field in parse_spec(_TOGETHER, command).operands:
        name, colon, rest = field.prefix.partition(":")
        start = f"{name} run {rest}" if colon and name in ("npm", "yarn", "pnpm", "bun") else field.prefix
        yield script(Field((start, *field.pieces[1:]), field.many) if field.prefix else field, "concurrently")
    yield HERE


def _with_variables(command: Command) -> Iterator[Effect]:
    """`cross-env A=b CMD …` is `env A=b CMD …`."""
    yield runs(command, (known("env"), *command.arguments), "cross-env")


def _with_variables_in_shell(command: Command) -> Iterator[Effect]:
    """`cross-env-shell "A=b CMD …"`."""
    yield script(joined(command.arguments, " "), "cross-env-shell")


_WATCHED = texts(
    "-e --exts -w --watch -i --ignore -f --filter -d --debounce -s --signal --stop-signal --stop-timeout "
    "--project-origin "
    "--workdir --poll -o --on-busy-update --fs-events -E --env -W --watch-non-recursive -r --regex -R --inverse-regex "
    "-g --glob -G --inverse-glob --delay-run -j"
)


def _watching(command: Command) -> Iterator[Effect]:
    """`watchexec -e py CMD …`: one word is a script for a shell."""
    spec = Spec(operands="text*", options={**_WATCHED, "--shell": "program"}, stop_early=True)
    operands = parse_spec(spec, command).operands
    yield from describe(spec, command)
    if len(operands) == 1:
        yield script(operands[0], command.name or "")
    elif operands:
        yield runs(command, operands, command.name or "")


_PROFILED = Spec(operands="text*", stop_early=True, options={
    **writes("-o --outfile --output --output-file"), **texts("-r --renderer -t -i --interval -u -p --prof-mod "
        "--reduced-profile"),
    "-s": "text", "--setup": "text", "-c": "code:python",
}, flags="-m --module -l --line-by-line -v --view -b --builtin --html --json --cli --cpu --gpu --memory")  # fmt: skip


def _profiling(command: Command) -> Iterator[Effect]:
    """A profiler of python runs a file, or with `-m` a module."""
    parsed = parse_spec(_PROFILED, command)
    yield HERE
    yield from describe(_PROFILED, command)
    for field in parsed.values("-s", "--setup"):
        yield runs_file(field, command.name or "")
    start = ("python3", "-m") if parsed.has("-m", "--module") and command.name != "kernprof" else ("python3",)
    if parsed.operands:
        yield runs(command, (*map(known, start), *parsed.operands), command.name or "")


_MEMRAY = Verbs(table={
    **each("flamegraph table tree stats summary parse transform", Verb(spec=Spec(operands="read*",
        options=writes("-o --output")))),
    "run": _profiling,
    **each("attach live detach", asks("memray.attach", Risk.ESCAPES, "puts code into another process")),
})  # fmt: skip


def _kcov(command: Command) -> Iterator[Effect]:
    """A folder, then a command."""
    parsed = parse_spec(Spec(operands="text*", stop_early=True), command)
    if parsed.operands:
        yield write(parsed.operands[0])
    if len(parsed.operands) > 1:
        yield runs(command, parsed.operands[1:], "kcov")


def _help2man(command: Command) -> Iterator[Effect]:
    """Runs a program to see what it says of itself."""
    spec = Spec(
        operands="text*", options={**writes("-o --output"), **reads("-i --include"), **texts("-n -s -S -m -h -v")}
    )
    yield from describe(spec, command)
    for field in parse_spec(spec, command).operands:
        yield program(field, "help2man")


_CACHE = Spec(operands="text*", stop_early=True, options=texts("-k --get-config -d -l --trim-dir"))
_CACHE_ASKS = ("-C", "-c", "-z", "-o", "-M", "-F", "--clear", "--cleanup", "--zero-stats", "--set-config", "--max-size")


def _ccache(command: Command) -> Iterator[Effect]:
    """`ccache CC …` compiles; on its own it looks after its cache."""
    parsed = parse_spec(_CACHE, command)
    if parsed.operands:
        yield runs(command, parsed.operands, command.name or "ccache")
    elif parsed.has(*_CACHE_ASKS):
        yield risk("ccache.change", Risk.DESTROYS, "changes a cache outside the workspace")


def _nbqa(command: Command) -> Iterator[Effect]:
    """`nbqa TOOL NOTEBOOK …` runs the tool."""
    yield HERE
    if command.arguments:
        yield runs(command, command.arguments, "nbqa")


_OCTAVE = Spec(operands="text*", options={**texts("-p --path"), "--exec-path": "program", "--doc-cache-file": "read"})


def _octave(command: Command) -> Iterator[Effect]:
    """Octave and its like: code, a file, or what they read."""
    values = texts("--eval -c --batch-string -e")
    parsed = parse_spec(Spec(operands="text*", options={**_OCTAVE.options, **values}, stop_early=True), command)
    for field in parsed.values(*values):
        yield code(field, command.name or "")
    for field in parsed.operands[:1]:
        yield from runs_place(field, command.name or "")
    if not parsed.operands and not parsed.has(*values, "--version", "-v", "--help", "-h"):
        yield runs_stdin(command.name or "")


_LEFTHOOK = Verbs(table={
    **each("run validate dump version", CHANGES),
    **each("install uninstall add self-update", asks("hooks.install", Risk.PERSISTS,
        "installs or removes hooks of git")),
})  # fmt: skip
_LAKE = Verbs(flags="-v -q", options={"-d": "write", "--dir": "write", "-f": "text", "--file": "text"}, bare=READS,
    table={
    **each("build test lint clean exe exec lean check-build script query", CHANGES),
    "env": runs_rest("lake env"),
    **each("update new init cache upload", reaches("lake.network", "downloads packages")),
})  # fmt: skip


def _husky(command: Command) -> Iterator[Effect]:  # noqa: ARG001 - a rule takes the command
    """Points git at a folder of hooks."""
    yield risk("hooks.install", Risk.PERSISTS, "installs hooks of git")


_PROCFILE = Verbs(options=texts("-f --procfile -d --root -e --env -m -c --port -p -l --formation"), bare=CHANGES,
    table={
    **each("start check s help version", CHANGES),
    "run": runs_rest("foreman run", texts("-e --env")),
})  # fmt: skip
_SERVES = Spec(operands="text*", network="serves files to whoever asks")

RUNNING: dict[str, Spec | Rule] = {
    "hyperfine": _HYPERFINE,
    "concurrently": _concurrently,
    **dict.fromkeys(("npm-run-all", "npm-run-all2", "run-s", "run-p", "wireit"), works_here(Spec(operands="text*"))),
    "cross-env": _with_variables,
    "cross-env-shell": _with_variables_in_shell,
    "env-cmd": loads(runs_rest("env-cmd", texts("-f --file -e --environments -r --rc-file"), "--silent --use-shell"),
    "-f --file"),
    "shx": runs_rest("shx"),
    **dict.fromkeys(("rimraf", "del-cli", "del"), Spec(operands="delete-tree*", options=texts("--impl --max-retries"))),
    "mkdirp": Spec(operands="write*", options=texts("-m --mode")),
    **dict.fromkeys(("cpy", "cpx", "cpx2", "copyfiles", "ncp", "cpr"), Spec(operands="read* write", options={
        **texts("-u --up -e --exclude --rename -t -l"), "-c": "script", "--command": "script"})),
    **dict.fromkeys(("serve", "http-server", "live-server", "browser-sync", "json-server",
        "webpack-bundle-analyzer"), _SERVES),
    **dict.fromkeys(("watchexec", "reflex", "chokidar"), _watching),
    "onchange": _watching,
    "air": loads(works_here(Spec(operands="text*")), "-c"),
    "modd": loads(works_here(Spec(operands="text*")), "-f --file"),
    **dict.fromkeys(("foreman", "honcho", "overmind", "hivemind", "goreman"), loads(with_verbs(_PROCFILE),
        "-f --procfile -d --root -e --env")),
    **dict.fromkeys(("scalene", "pyinstrument", "kernprof"), _profiling),
    "memray": with_verbs(_MEMRAY),
    "kcov": _kcov,
    "bashcov": runs_rest("bashcov"),
    "scan-build": runs_rest("scan-build", {**writes("-o"), "--use-cc": "program", "--use-c++": "program",
                                           "--use-analyzer": "program", **texts("-enable-checker -maxloop")}),
    **dict.fromkeys(("bear", "intercept-build", "compiledb"), runs_rest("bear", {
        **writes("--output -o --cdb"), "--config": "read", "--libear": "program"}, "--append --verbose -n -v -f")),
    **dict.fromkeys(("emcmake", "emconfigure", "emmake"), runs_rest("emscripten")),
    "libtool": runs_rest("libtool", texts("--mode --tag"), "--silent --quiet --debug --preserve-dup-deps"),
    **dict.fromkeys(("ccache", "sccache"), _ccache),
    "help2man": _help2man,
    "xcrun": runs_rest("xcrun", texts("--sdk --toolchain -sdk")),
    "nbqa": _nbqa,
    **dict.fromkeys(("octave", "octave-cli", "maxima", "gp", "sage", "scilab", "scilab-cli", "matlab"), _octave),
    **dict.fromkeys(("lefthook", "overcommit"), with_verbs(_LEFTHOOK)),
    "husky": _husky,
    "lake": with_verbs(_LAKE),
    "ghcid": works_here(Spec(operands="text*", options={"-c": "script", "--command": "script", "-T": "text",
    "--test": "text",
        "-o": "write", "--outputfile": "write", "--setup": "ask:runs code", "-r": "text", "--run": "text"})),
    **dict.fromkeys(("sk", "peco", "percol"), Spec(operands="read*", options={
        **dict.fromkeys(("-c", "--cmd", "--preview", "--exec", "-i"), "script"), "--bind": "ask:binds commands to keys",
        **texts("-q --query -p --prompt --delimiter -d -n --nth --height --layout")})),
    "vvp": wary_of(works_here(Spec(operands="text*"), starts=True), "-M -m", "loads other code"),
    "deactivate": Spec(operands="text*"),
}  # fmt: skip
