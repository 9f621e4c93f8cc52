"""Tools that print and rearrange text -> what they read, write and run."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, write
from limpet.policy.options import parse_options
from limpet.policy.tools.fieldpaths import has_unclear_option
from limpet.policy.tools.running import wary
from limpet.policy.tools.spec import Spec, describe
from limpet.policy.tools.tables import reads, texts, writes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule

_NOTHING = Spec(operands="text*")
_READS = Spec()

_SORT = Spec(
    options=texts("-k --key -t --field-separator -S --buffer-size --batch-size --parallel --sort")
    | reads("--files0-from --random-source")
    | writes("-o --output -T --temporary-directory")
    | {"--compress-program": "script"},
    flags="--ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting "
    "--month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --check --debug --merge "
    "--stable --unique --zero-terminated --help --version",
)


def _sort(command: Command) -> Iterator[Effect]:
    if has_unclear_option(command.arguments, "ktSoT"):
        yield risk("sort.option", Risk.UNKNOWN, "one of its options is not known, and sort can write files")
    yield from describe(_SORT, command)


def _uniq(command: Command) -> Iterator[Effect]:
    """`uniq IN OUT`, where an old-style `+N` is neither."""
    parsed = parse_options(
        command.arguments, values="fsw", long_values=("--skip-fields", "--skip-chars", "--check-chars"),
        long_flags=("--all-repeated", "--count", "--group", "--ignore-case", "--repeated", "--unique"),
    )  # fmt: skip
    operands = [field for field in parsed.operands if not re.fullmatch(r"\+[0-9]+", field.text or "")]
    yield from map(read, operands[:1])
    yield from map(write, operands[1:])


_XXD_VALUES = frozenset(
    f"{dashes}{name}"
    for dashes in ("-", "--")
    for name in ("c", "cols", "g", "groupsize", "l", "len", "n", "name", "o", "offset", "s", "seek", "skip", "R")
)


def _xxd(command: Command) -> Iterator[Effect]:
    """`xxd IN OUT`; its long options have one dash, so they are no clusters."""
    operands = []
    words = iter(command.arguments)
    for field in words:
        if field.text in _XXD_VALUES:
            next(words, None)
        elif not field.prefix.startswith("-") or field.text == "-":
            operands.append(field)
    yield from map(read, operands[:1])
    yield from map(write, operands[1:])


def _shuf(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="ino",
        long_values=("--input-range", "--head-count", "--output", "--random-source"),
        long_flags=("--echo", "--repeat", "--zero-terminated", "--help", "--version"),
    )  # fmt: skip
    yield from map(write, parsed.values("-o", "--output"))
    yield from map(read, parsed.values("--random-source"))
    if not parsed.has("-e", "--echo"):
        yield from map(read, parsed.operands)


def _ptx(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="FMSWbgiow",
        long_values=(
            "--flag-truncation", "--macro-name", "--sentence-regexp", "--word-regexp", "--break-file", "--gap-size",
            "--ignore-file", "--only-file", "--width", "--format",
        ),
        long_flags=("--auto-reference", "--traditional", "--right-side-refs", "--ignore-case", "--references"),
    )  # fmt: skip
    yield from map(read, parsed.values("-b", "--break-file", "-i", "--ignore-file", "-o", "--only-file"))
    old = parsed.has("-G", "--traditional")
    yield from map(read, parsed.operands[:1] if old else parsed.operands)
    yield from map(write, parsed.operands[1:] if old else ())


def _in_place(command: Command) -> Iterator[Effect]:
    """`dos2unix` and its kin: files are changed; with `-n` each second one is new."""
    parsed = parse_options(command.arguments, values="cD", long_values=("--convmode", "--display-enc"))
    new, shows = parsed.has("-n", "--newfile"), parsed.has("-i", "--info", "-O", "--to-stdout")
    for index, field in enumerate(parsed.operands):
        if shows or (new and index % 2 == 0):
            yield read(field)
        else:
            yield write(field)


_SUMS = Spec(
    options=texts("-a --algorithm -l --length"),
    flags="--binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --untagged --raw "
    "--base64 --debug --help --version",
)
_BASE = Spec(options=texts("-w --wrap"), flags="--decode --ignore-garbage")
_OD = Spec(
    options=texts("-A --address-radix -j --skip-bytes -N --read-bytes -S -t --format --endian"),
    flags="--strings --width --output-duplicates --traditional",
)

TOOLS: dict[str, Spec | Rule] = {
    **dict.fromkeys(("seq", "yes", "expr", "factor", "numfmt", "tr", "cal", "ncal", "clear"), _NOTHING),
    **dict.fromkeys(("echo", "printf", "true", "false", "test", "["), _NOTHING),
    **dict.fromkeys(("cat", "rev", "tsort", "sum", "isutf8", "vis", "unvis", "ul", "col", "colrm"), _READS),
    **dict.fromkeys(
        ("md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "b3sum", "cksum", "shasum",
         "md5", "xxhsum", "xxh64sum", "xxh128sum", "crc32", "sha256", "sha1", "gmd5sum", "gsha256sum"),
        _SUMS,
    ),
    **dict.fromkeys(("base64", "base32", "basenc"), _BASE),
    **dict.fromkeys(("dos2unix", "unix2dos", "mac2unix", "unix2mac", "fromdos", "todos"), _in_place),
    "head": Spec(options=texts("-c --bytes -n --lines"), flags="--quiet --silent --verbose --zero-terminated"),
    "ghead": Spec(options=texts("-c --bytes -n --lines")),
    "tail": Spec(
        options=texts("-c --bytes -n --lines -s --sleep-interval --pid --max-unchanged-stats"),
        flags="--follow --retry --quiet --silent --verbose --zero-terminated",
    ),
    "gtail": Spec(options=texts("-c --bytes -n --lines -s --sleep-interval --pid")),
    "tac": Spec(options=texts("-s --separator"), flags="--before --regex"),
    "nl": Spec(options=texts(
        "-b --body-numbering -d --section-delimiter -f --footer-numbering -h --header-numbering -i --line-increment "
        "-l --join-blank-lines -n --number-format -s --number-separator -v --starting-line-number -w --number-width"
    ), flags="--no-renumber"),
    "wc": Spec(options=reads("--files0-from") | texts("--total"), flags="--bytes --chars --lines --words"),
    "gwc": Spec(options=reads("--files0-from") | texts("--total")),
    "cut": Spec(
        options=texts("-b --bytes -c --characters -d --delimiter -f --fields --output-delimiter -F -O"),
        flags="--complement --only-delimited --zero-terminated",
    ),
    "paste": Spec(options=texts("-d --delimiters"), flags="--serial --zero-terminated"),
    "sort": wary(_sort),
    "gsort": wary(_sort),
    "uniq": _uniq,
    "guniq": _uniq,
    "comm": Spec(options=texts("--output-delimiter"), flags="--check-order --nocheck-order --total --zero-terminated"),
    "join": Spec(options=texts("-a -e -j -o -t -v -1 -2"), flags="--ignore-case --header --zero-terminated"),
    "fold": Spec(options=texts("-w --width"), flags="--bytes --spaces"),
    "fmt": Spec(
        options=texts("-g --goal -p --prefix -w --width"),
        flags="--crown-margin --split-only --tagged-paragraph --uniform-spacing",
    ),
    "par": Spec(operands="text*"),
    "pr": Spec(
        options=texts("--columns -D --date-format -h --header -l --length -N --first-line-number -o --indent -W "
                      "--page-width -w --width --pages"),
        flags="--across --show-control-chars --double-space --expand-tabs --form-feed --join-lines --merge "
        "--number-lines --no-file-warnings --separator --sep-string --omit-header --omit-pagination",
    ),
    "expand": Spec(options=texts("-t --tabs"), flags="--initial"),
    "unexpand": Spec(options=texts("-t --tabs"), flags="--all --first-only"),
    "od": _OD,
    "hexdump": Spec(options=texts("-e -n -s --length --skip --format") | reads("-f --format-file")),
    "hd": Spec(options=texts("-e -n -s --length --skip --format") | reads("-f --format-file")),
    "hexyl": Spec(options=texts("-n --length -c --bytes -s --skip --block-size --color --border -o --display-offset")),
    "xxd": _xxd,
    "strings": Spec(options=texts(
        "-n --bytes -t --radix -e --encoding -T --target -s --output-separator -U --unicode"
    ), flags="--all --data --print-file-name --include-all-whitespace"),
    "shuf": _shuf,
    "gshuf": _shuf,
    "ptx": _ptx,
    "column": Spec(options=texts(
        "-c --output-width -s --separator -o --output-separator -N --table-columns -H --table-hide -n --table-name "
        "-R --table-right -T --table-truncate -W --table-wrap -E --table-noextreme -O --table-order -l "
        "--table-columns-limit -r --tree -i --tree-id -p --tree-parent"
    ), flags="--table --json --fillrows --table-noheadings --keep-empty-lines --table-header-repeat"),
    "look": Spec(operands="text read", options=texts("-t --terminate"), flags="--alternative --alphanum --ignore-case"),
    "iconv": Spec(
        options=texts("-f --from-code -t --to-code --byte-subst --widechar-subst --unicode-subst")
        | writes("-o --output"),
        flags="--list --silent --verbose",
    ),
    "recode": Spec(operands="text write*"),
    "uconv": Spec(options=texts("-f --from-code -t --to-code -x --callback") | writes("-o --output")),
    "envsubst": _NOTHING,
    "gettext": _NOTHING,
    "ngettext": _NOTHING,
    "pv": Spec(options=texts(
        "-B --buffer-size -D --delay-start -F --format -H --height -L --rate-limit -N --name -W -d --watchfd "
        "-i --interval -m --average-rate-window -s --size -w --width"
    ) | writes("-P --pidfile -o --output") | reads("-R --remote"), flags="--bytes --bits --wait --rate --line-mode"),
    "bat": wary(Spec(options=texts(
        "-l --language -H --highlight-line --file-name --diff-context --tabs --wrap --terminal-width --color "
        "--italic-text --decorations --paging -m --map-syntax --ignored-suffix --theme --style -r --theme-light "
        "--theme-dark --line-range --binary --completion --nonprintable-notation --strip-ansi --squeeze-limit"
    ) | {"--pager": "script"} | writes("--target") | reads("--source"), flags="--list-themes --list-languages --diff")),
}  # fmt: skip
TOOLS["batcat"] = TOOLS["bat"]
for _name in ("cat", "tr", "cut", "paste", "comm", "join", "seq", "expr", "base64", "echo", "printf", "nl", "fold"):
    TOOLS[f"g{_name}"] = TOOLS[_name]
