"""Tools that search and query text -> what they read, write and run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, Kind, read, risk, script, write
from limpet.policy.options import parse_options
from limpet.policy.tools.fieldpaths import HERE, below, has_unclear_option, is_address, read_tree
from limpet.policy.tools.own_code import loads
from limpet.policy.tools.running import wary
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.tables import reads, texts, writes
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule
    from limpet.syntax.values.field import Field

_GREP = Spec(
    operands="text read*",
    first_is_option=("-e", "-f", "--regexp", "--file"),
    options=texts(
        "-e --regexp -m --max-count -A --after-context -B --before-context -C --context -d --directories -D --devices "
        "--include --exclude --exclude-dir --binary-files --label --group-separator"
    )
    | reads("-f --file --exclude-from"),
    flags="--basic-regexp --byte-offset --color --colour --count --dereference-recursive --extended-regexp "
    "--files-with-matches --files-without-match --fixed-strings --help --ignore-case --initial-tab --invert-match "
    "--line-buffered --line-number --line-regexp --no-filename --no-group-separator --no-ignore-case --no-messages "
    "--null --null-data --only-matching --perl-regexp --quiet --recursive --silent --text --unix-byte-offsets "
    "--version --with-filename --word-regexp --binary",
)


def _grep(command: Command) -> Iterator[Effect]:
    parsed = parse_options(command.arguments, values="efmABCdD", long_flags=("--recursive", "--dereference-recursive"))
    tree = parsed.has("-r", "-R", "--recursive", "--dereference-recursive") and command.name != "zgrep"
    for effect in describe(_GREP, command):
        yield msgspec.structs.replace(effect, recursive=True) if tree and effect.kind is Kind.READ else effect


_RG_VALUES = texts(
    "-A --after-context -B --before-context -C --context -E --encoding -e --regexp -g --glob --iglob -j --threads "
    "-M --max-columns -m --max-count -d --max-depth --maxdepth -r --replace -t --type -T --type-not --type-add "
    "--type-clear --color --colors --context-separator --dfa-size-limit --engine --field-context-separator "
    "--field-match-separator --generate --hyperlink-format --max-filesize --path-separator --pre-glob "
    "--regex-size-limit --sort --sortr"
)
_RG = Spec(
    operands="text read*",
    first_is_option=("-e", "-f", "--regexp", "--file", "--files", "--type-list"),
    options=_RG_VALUES | reads("-f --file --ignore-file") | {"--pre": "script", "--hostname-bin": "program"},
    flags="--files --type-list --count --text --files-with-matches --files-without-match --null --null-data --no-pre "
    "--pretty --multiline --max-columns-preview --sort-files --stop-on-nonmatch --heading --hidden --hyperlink",
)


def _rg(command: Command) -> Iterator[Effect]:
    letters = "".join(name[1] for name in _RG.options if len(name) == 2)
    if has_unclear_option(command.arguments, letters):
        yield risk("rg.option", Risk.UNKNOWN, "one of its options is not known, and rg can run a program")
    for effect in describe(_RG, command):
        yield msgspec.structs.replace(effect, recursive=True) if effect.kind is Kind.READ else effect


_AG = Spec(
    operands="text read*",
    first_is_option=("-g",),
    options=texts(
        "-A --after -B --before -C --context -G --file-search-regex -g -m --max-count -W --width --depth --ignore "
        "--ignore-dir --workers --color-line-number --color-match --color-path"
    )
    | reads("-p --path-to-ignore")
    | {"--pager": "script"},
    flags="--ackmate --color --count --ignore-case",
)
_ACK = Spec(
    operands="text read*",
    first_is_option=("-f", "-g", "--match", "-x"),
    options=texts(
        "-A --after-context -B --before-context -C --context -m --max-count -g --match --type --ignore-file "
        "--ignore-dir --ignore-directory --type-add --type-set --type-del --color-filename --color-match "
        "--color-lineno --sort-by"
    )
    | reads("--ackrc --files-from")
    | {"--output": "code:perl", "--pager": "script"},
    flags="--color --count --dump --env --noenv --column --cathy --create-ackrc --passthru --print0",
)
_UGREP = Spec(
    operands="text read*",
    first_is_option=("-e", "-f", "--regexp", "--file", "--files"),
    options=_GREP.options
    | texts(
        "-g --glob -t --file-type -O --file-extension -M --file-magic -J --jobs -K --range -N --neg-regexp --format"
    )
    | {"--pager": "script", "--filter": "script", "--view": "script"},
    flags=f"{_GREP.flags} --files --fuzzy --query --pretty --json --csv --xml",
    ask={"--save-config": "writes a file of settings"},
)


def _jq(command: Command) -> Iterator[Effect]:
    """It runs nothing and writes nothing; some of its options take two values."""
    rest, files = _jq_pairs(command.arguments)
    parsed = parse_options(
        rest, values="Lf", long_values=("--from-file", "--indent"), long_flags=("--args", "--jsonargs")
    )
    yield from map(read, (*files, *parsed.values("-f", "--from-file", "-L")))
    if parsed.has("--args", "--jsonargs"):
        return
    yield from map(read, parsed.operands if parsed.has("-f", "--from-file") else parsed.operands[1:])


def _jq_pairs(arguments: tuple[Field, ...]) -> tuple[list[Field], list[Field]]:
    """The arguments without options of two values, and the files among those values."""
    rest: list[Field] = []
    files: list[Field] = []
    index = 0
    while index < len(arguments):
        text = arguments[index].text
        if text in ("--slurpfile", "--rawfile"):
            files.extend(arguments[index + 2 : index + 3])
        if text in ("--arg", "--argjson", "--slurpfile", "--rawfile"):
            index += 3
            continue
        rest.append(arguments[index])
        index += 1
    return rest, files


_YQ_LOADS = re.compile(r"""\bload(?:_[a-z0-9]+)?\([ \t]*["']([^"']+)""")
_YQ_VERBS = frozenset(
    {"e", "eval", "ea", "eval-all", "r", "w", "d", "m", "merge", "prefix", "validate", "shell-completion"}
)


def _yq(command: Command) -> Iterator[Effect]:
    """Two tools share the name; with `-i` both change the files they are given."""
    rest, given = _jq_pairs(command.arguments)
    parsed = parse_options(
        rest, values="oIfpsLwt",
        long_values=(
            "--output-format", "--input-format", "--indent", "--expression", "--from-file", "--front-matter",
            "--split-exp", "--split-exp-file", "--width", "--xml-attribute-prefix",
        ),
        long_flags=("--inplace", "--in-place", "--null-input", "--prettyPrint", "--unwrapScalar", "--exit-status"),
    )  # fmt: skip
    yield from map(read, (*given, *parsed.values("--from-file", "--split-exp-file")))
    for field in command.arguments:
        yield from (read(known(path)) for path in _YQ_LOADS.findall(field.prefix))
    if parsed.has("--security-enable-system-operator"):
        yield risk("yq.system", Risk.UNKNOWN, "lets the expression run programs")
    if parsed.has("-s", "--split-exp", "--split-exp-file"):
        yield write(below(HERE))
    operands = [field for field in parsed.operands if field.text not in _YQ_VERBS]
    files = operands if parsed.has("--expression", "--from-file") or len(operands) == 1 else operands[1:]
    yield from map(write if parsed.has("-i", "--inplace", "--in-place") else read, files)


def _xml(command: Command, values: dict[str, str], asks: dict[str, str]) -> Iterator[Effect]:
    """Tools of libxml2: long options have one dash or two, and an address is fetched."""
    both = {f"{dash}{name}": role for name, role in values.items() for dash in ("-", "--")}
    why = {f"{dash}{name}": reason for name, reason in asks.items() for dash in ("-", "--")}
    yield from describe(Spec(options=both, ask=why, single_dash=True), command)
    if any(is_address(field) for field in command.arguments):
        yield risk(f"{command.name}.network", Risk.NETWORK, "fetches a file from the network")


def _xmllint(command: Command) -> Iterator[Effect]:
    values = texts("xpath pattern encode maxmem path pretty max-ampl") | writes("output o")
    values |= reads("schema relaxng schematron dtdvalid")
    yield from _xml(command, values, {"shell": "runs commands that it reads, which can write files"})


def _xsltproc(command: Command) -> Iterator[Effect]:
    words: list[Field] = []
    index = 0
    while index < len(command.arguments):
        field = command.arguments[index]
        two = (field.text or "").lstrip("-") in ("param", "stringparam") and field.prefix.startswith("-")
        words.extend(() if two else (field,))
        index += 3 if two else 1
    values = texts("encoding maxdepth maxvars dtdvalid path") | writes("output o writesubtree")
    yield from _xml(msgspec.structs.replace(command, argv=(command.argv[0], *words)), values, {})


def _xmlstarlet(command: Command) -> Iterator[Effect]:
    """`ed -L` changes its file; the rest only prints."""
    verb, *rest = (field.text for field in command.arguments) if command.arguments else ("",)
    inplace = verb in ("ed", "edit") and any(text in ("-L", "--inplace") for text in rest)
    for field in command.arguments[-1:] if len(command.arguments) > 1 else ():
        yield write(field) if inplace else read(field)


def _fzf(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="dnqf",
        long_values=("--preview", "--bind", "--delimiter", "--nth", "--with-nth", "--query", "--filter", "--history"),
        long_flags=("--preview-window", "--listen", "--listen-unsafe", "--history-size", "--height"),
    )  # fmt: skip
    yield from map(write, parsed.values("--history"))
    for text in parsed.values("--preview"):
        yield script(text, "fzf --preview")
    acts = ("execute", "become", "reload", "transform", "preview")
    for keys in parsed.values("--bind"):
        if keys.text is None or any(act in keys.text for act in acts):
            yield risk("fzf.bind", Risk.UNKNOWN, "runs commands when keys are pressed")
    if parsed.has("--listen", "--listen-unsafe"):
        yield risk("fzf.listen", Risk.NETWORK, "takes commands from the network")


def _counter(command: Command) -> Iterator[Effect]:
    spec = Spec(
        options=texts(
            "--by-percent --exclude-dir --exclude-ext --exclude-lang --include-lang --include-ext --force-lang "
            "--fullpath --match-f --not-match-f --match-d --not-match-d --max-file-size --timeout --processes "
            "--lang-no-ext --script-lang --read-binary-files --diff-timeout --csv-delimiter --sql-project --sql-style"
        )
        | reads("--config --exclude-list-file --list-file --read-lang-def --force-lang-def")
        | writes(
            "--out --report-file --sql --counted --ignored --categorized --found --write-lang-def --diff-alignment "
            "--diff-list-files --unique-lines-file --write-lang-def-incl-dup -o"
        )
        | {"--extract-with": "script", "--vcs": "script"},
        flags="--diff --git --json --csv --yaml --xml --md --quiet --by-file --by-file-by-lang --skip-uniqueness",
        ask={"--strip-comments": "writes a file for each one it reads", "--strip-str-comments": "writes files"},
    )
    for effect in describe(spec, command):
        yield read_tree(effect.field) if effect.kind is Kind.READ and effect.field is not None else effect


TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(
        ("grep", "egrep", "fgrep", "ggrep", "zgrep", "zegrep", "zfgrep", "bzgrep", "bzegrep", "bzfgrep", "xzgrep",
         "xzegrep", "xzfgrep", "lzgrep", "zstdgrep", "lz4grep", "rgrep", "pcregrep", "pcre2grep"),
        _grep,
    ),
    "rg": wary(_rg),
    "ripgrep": wary(_rg),
    "ag": wary(_AG),
    "pt": wary(_AG),
    **dict.fromkeys(("ack", "ack-grep"), loads(wary(_ACK), "--ackrc")),
    "ugrep": wary(_UGREP),
    "ug": wary(_UGREP),
    "pdfgrep": Spec(
        operands="text read*", first_is_option=("-e", "--regexp", "-f", "--file"),
        options=texts("-e --regexp -A -B -C -m --max-count --page-range --include --exclude --password")
        | reads("-f --file"),
    ),
    "agrep": _GREP,
    "jq": _jq,
    "gojq": _jq,
    "jaq": _jq,
    "yq": _yq,
    "xmllint": _xmllint,
    "xsltproc": _xsltproc,
    "xmlstarlet": _xmlstarlet,
    "fzf": _fzf,
    "cloc": wary(_counter),
    "sloccount": Spec(operands="read*", options=texts("--effort --schedule --personcost --overhead")),
    "tokei": Spec(options=texts("-c --columns -e --exclude -o --output -s --sort -r --rsort -t --type -n --num-format")
                  | reads("-i --input")),
    "scc": Spec(
        options=texts(
            "-f --format -i --include-ext -x --exclude-ext -M --not-match --exclude-dir -n --exclude-file -s --sort "
            "--avg-wage --cocomo-project-type --count-as --currency-symbol --size-unit"
        ) | writes("-o --output --format-multi"),
        flags="--no-cocomo --no-complexity --by-file --wide",
    ),
}  # fmt: skip
