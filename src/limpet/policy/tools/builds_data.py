"""Tools that query and convert JSON, YAML, CSV and tables -> what their calls read, write and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, code, read, risk, runs_stdin, write
from limpet.policy.tools.builds_media import perhaps_fetching
from limpet.policy.tools.own_code import loads, wary_of
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.tables import reads, texts, writes
from limpet.policy.tools.verbs import (
    CHANGES,
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
from limpet.syntax.late import late
from limpet.syntax.values.field import Field

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_CSV = Spec(operands="read*", options={
    **texts("-d --delimiter -q --quotechar -c --columns -C --not-columns -e --encoding -m --match -r --regex -u "
        "--quoting "
            "-K --skip-lines -n --tables --query -i --dialect -y --snifflimit -t --format -s --sheet -k --key -p -x"),
    **writes("-o --output"), **reads("-f --file"),
    "--db": "ask:talks to a database", "--insert": "ask:changes a database",
})  # fmt: skip
_QUERY = Spec(operands="text read*", options={**texts("-f --filter -p -r -w -d"), **writes("-o --output")})


def _jo(command: Command) -> Iterator[Effect]:
    """`name=@file` and `name=:file` take what a file holds."""
    for field in command.arguments:
        _, _, value = field.prefix.partition("=")
        if value[:1] in ("@", ":", "%") and len(value) > 1:
            yield read(Field((value[1:], *field.pieces[1:]), field.many))


_MILLER_DOES = late(r"\b(system|exec)\b|\b(tee|emit[a-z1]*|dump|print[a-z]*)\b[^;]*[>|]|^(split|tee|case)$")


def _miller(command: Command) -> Iterator[Effect]:
    """Its language can run programs and write files."""
    in_place = "-I" in command.texts
    for field in command.arguments:
        text = field.text
        if text is None or _MILLER_DOES.search(text):
            yield risk("mlr.code", Risk.OPAQUE, "has mlr run programs or write files, or cannot be read")
        elif not text.startswith("-"):
            yield (write if in_place else read)(field)


_DUCKDB = Spec(operands="write text*", options={
    **dict.fromkeys(("-c", "-s", "-cmd"), "code:duckdb"), **texts("-init -f -separator -nullvalue"),
}, single_dash=True)  # fmt: skip


def _duckdb(command: Command) -> Iterator[Effect]:
    """A database, then statements; without any it runs what it reads."""
    parsed = parse_spec(_DUCKDB, command)
    yield from describe(_DUCKDB, command)
    for field in parsed.operands[1:]:
        yield code(field, "duckdb")
    if len(parsed.operands) < 2 and not parsed.has("-c", "-s", "-f", "-help", "-version", "--version"):
        yield runs_stdin("duckdb")


_CUE = Verbs(
    table={
        **each("eval export vet fmt def import trim fix version help", Verb(CHANGES.does, Spec(
            operands="text*", options=writes("-o --out --outfile")))),
        "cmd": asks("cue.cmd", Risk.UNKNOWN, "runs commands that its files define"),
        **each("mod get login refactor", reaches("cue.network", "downloads modules")),
    },
)  # fmt: skip

DATA: dict[str, Spec | Rule] = {
    **dict.fromkeys(("xq", "tomlq", "jless", "jp", "jmespath", "jpgrep", "json5", "yj", "jsonpp", "json_pp", "json_xs",
                     "json_reformat", "json_verify", "htmlq", "pup", "hxselect", "hxnormalize", "hxextract", "xpath",
                     "html2text", "xml2", "2xml", "xmlformat", "ini2json", "hjson", "jsonschema", "csvtotable"),
                     _QUERY),
    "gron": perhaps_fetching(Spec(operands="read*")),
    "dasel": with_verbs(Verbs(
        options={**texts("-s --selector -r --read -w --write -p --parser"), **reads("-f --file")},
        table={**each("select validate", READS), **each("put delete", Verb(spec=Spec(
            operands="text*", options={**writes("-f --file -o --out"), **texts("-s -r -w -t -v -p")})))},
        flags="-c --compact --colour --plain -m --multiple -n", other=READS,
    )),
    "jo": _jo,
    "jc": runs_rest("jc", flags="-p -r -q -d -a -h -v"),
    **dict.fromkeys(("csvcut", "csvgrep", "csvlook", "csvstat", "csvsql", "csvjoin", "csvsort", "csvformat", "in2csv",
                     "csvjson", "csvclean", "csvstack", "sql2csv", "csvtk", "xsv", "xan", "tsv-filter", "tsv-select",
                     "tsv-summarize"), _CSV),
    "mlr": _miller,
    "datamash": Spec(operands="text*"),
    "duckdb": loads(_duckdb, "-init -f", glued=False),
    **dict.fromkeys(("jsonnet", "jrsonnet"), Spec(operands="read*", options={
        **writes("-o --output-file -m --multi"), **texts("-V --ext-str -A --tla-str -J --jpath -e --exec --max-stack"),
        **reads("--ext-str-file --tla-str-file")})),
    "jsonnet-fmt": Spec(operands="write*", options=writes("-o --output-file")),
    "cue": with_verbs(_CUE),
    "ytt": wary_of(perhaps_fetching(Spec(operands="read*", options={
        **reads("-f --file --data-values-file"), **texts("-v --data-value -o --output"),
        **writes("--output-files --dangerous-emptied-output-directory")})),
        "--dangerous-emptied-output-directory --dangerous-allow-all-symlink-destinations", "empties a folder"),
    "sd": Spec(operands="text text write*", options=texts("-n --max-replacements -f --flags")),
    **dict.fromkeys(("choose", "hck", "fselect", "ministat", "spark", "termgraph", "asciigraph"),
                    Spec(operands="text*")),
    **dict.fromkeys(("icdiff", "ydiff", "json-diff", "jd", "dyff", "graphtage", "csvdiff", "daff"),
                    Spec(operands="read*", options={**writes("-o --output"), **texts("--cols -U -L")})),
    **dict.fromkeys(("glow", "mdcat", "mdv"), perhaps_fetching(Spec(operands="read*"))),
    **dict.fromkeys(("callgrind_annotate", "ms_print", "cg_annotate", "cg_diff", "cg_merge", "heaptrack_print", "gprof",
                     "gprof2dot", "bloaty", "flamegraph.pl", "stackcollapse.pl", "stackcollapse-perf.pl",
                     "difffolded.pl", "inferno-flamegraph", "inferno-collapse-perf", "eu-readelf", "eu-nm", "checksec",
                     "wasm-objdump", "avr-size", "avr-nm", "avr-objdump", "arm-none-eabi-size", "arm-none-eabi-nm",
                     "arm-none-eabi-objdump", "eu-objdump", "llvm-size", "llvm-dwarfdump", "llvm-cxxfilt",
                     "llvm-symbolizer", "jfr", "onefetch", "duf", "dua", "tre", "llvm-cov"),
                    Spec(operands="read*", options={**writes("-o --output --output-dir"),
                        "--plugin": "ask:loads code"})),
    "pprof": perhaps_fetching(wary_of(Spec(operands="read*", options=writes("-output -o"), single_dash=True),
                                      "-http --http -tools", "opens a port, or runs other tools")),
    "llvm-profdata": Spec(operands="text read*", options=writes("-o --output")),
    **dict.fromkeys(("z3", "cvc5", "cvc4", "yices", "yices-smt2", "boolector", "minisat", "kissat", "cadical",
                     "glpsol", "cbc"), Spec(operands="read*", options=writes("-o --output --log"))),
}  # fmt: skip
