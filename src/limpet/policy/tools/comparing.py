"""Tools that compare files, and `patch` which changes them -> what they read, write and run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.model.decision import Risk
from limpet.policy.effect import Effect, read, risk, write
from limpet.policy.options import parse_options
from limpet.policy.tools.fieldpaths import HERE, below, join
from limpet.policy.tools.running import wary
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.tables import texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule


_PATCH_LONG_VALUES = (
    "--strip", "--fuzz", "--prefix", "--suffix", "--basename-prefix", "--ifdef", "--input", "--output",
    "--reject-file", "--reject-format", "--directory", "--get", "--version-control", "--quoting-style", "--read-only",
)  # fmt: skip
_PATCH_LONG_FLAGS = (
    "--backup", "--backup-if-mismatch", "--batch", "--binary", "--context", "--debug", "--dry-run", "--ed",
    "--follow-symlinks", "--force", "--forward", "--help", "--ignore-whitespace", "--merge",
    "--no-backup-if-mismatch", "--normal", "--posix", "--quiet", "--remove-empty-files", "--reverse", "--set-time",
    "--set-utc", "--silent", "--unified", "--unset", "--verbose", "--version",
)  # fmt: skip


def _patch(command: Command) -> Iterator[Effect]:
    """It changes the file it is given, else whichever the patch names below its folder."""
    parsed = parse_options(
        command.arguments, values="pFBzYDiordgVx", long_values=_PATCH_LONG_VALUES, long_flags=_PATCH_LONG_FLAGS
    )
    folder = next(parsed.values("-d", "--directory"), None)
    if parsed.has("-e", "--ed"):
        yield risk("patch.ed", Risk.UNKNOWN, "has the editor ed run the patch as a script")
    for given in (*parsed.values("-i", "--input"), *parsed.operands[1:2]):
        yield read(join(folder, given))
    outputs = tuple(parsed.values("-o", "--output"))
    yield from (write(join(folder, field)) for field in (*outputs, *parsed.values("-r", "--reject-file")))
    if not parsed.has("--dry-run", "--help", "--version", "-v") and not outputs:
        named = parsed.operands[:1]
        yield write(join(folder, named[0]) if named else below(folder or HERE))


_DIFF = Spec(
    options=texts(
        "-C -U -W --width -D --ifdef -F --show-function-line -I --ignore-matching-lines -L --label "
        "-x --exclude -S --starting-file --horizon-lines --tabsize --palette --line-format "
        "--old-line-format --new-line-format --unchanged-line-format --old-group-format --new-group-format "
        "--unchanged-group-format --changed-group-format"
    )
    | {"-X": "read", "--exclude-from": "read", "--from-file": "read", "--to-file": "read"},
    flags="--brief --color --context --unified --ed --expand-tabs --ignore-all-space --ignore-blank-lines "
    "--ignore-case --minimal --ignore-space-change --initial-tab --left-column --new-file --no-dereference --normal "
    "--paginate --rcs --recursive --report-identical-files --show-c-function --side-by-side --speed-large-files --text "
    "--strip-trailing-cr --suppress-blank-empty --suppress-common-lines --unidirectional-new-file --help --version",
)
TOOLS: dict[str, Spec | Rule] = {
    "diff": _DIFF,
    "gdiff": _DIFF,
    "colordiff": Spec(options=_DIFF.options | {"--difftype": "text"}, flags=_DIFF.flags),
    "diff3": wary(Spec(
        options={"--diff-program": "program", "-L": "text", "--label": "text"},
        flags="--easy-only --ed --merge --overlap-only --show-all --show-overlap --text --strip-trailing-cr",
    )),
    "sdiff": wary(Spec(
        options=texts("-w --width -I --ignore-matching-lines --tabsize")
        | {"-o": "write", "--output": "write", "--diff-program": "program"},
        flags="--expand-tabs --ignore-all-space --ignore-blank-lines --ignore-case --ignore-space-change --left-column "
        "--ignore-tab-expansion --ignore-trailing-space --minimal --speed-large-files --strip-trailing-cr "
        "--suppress-common-lines --text --help --version",
    )),
    "cmp": Spec(
        operands="read read text*", options=texts("-i --ignore-initial -n --bytes"),
        flags="--print-bytes --verbose --quiet --silent",
    ),
    "wdiff": Spec(
        options=texts("-w --start-delete -x --end-delete -y --start-insert -z --end-insert"),
        flags="--auto-pager --avoid-wraps --copyright --diff-input --ignore-case --less-mode --no-common --no-deleted",
    ),
    "dwdiff": Spec(options=texts("-d --delimiters -A --algorithm -c --color -C --context -m --match-context")),
    "difft": Spec(options=texts(
        "--color --background --display --width --context --tab-width --parse-error-limit --byte-limit --graph-limit "
        "--sort-paths --override --syntax-highlight"
    )),
    "delta": wary(Spec(options=texts(
        "--width -w --line-numbers-left-format --features --syntax-theme --max-line-length --tabs --diff-args --paging "
        "--minus-style --plus-style --file-style --hunk-header-style --commit-style --wrap-max-lines"
    ) | {"--pager": "script", "--config": "read"})),
    "diff-so-fancy": Spec(ask={"--set-defaults": "changes the configuration of git"}),
    "diffstat": Spec(options=texts("-f -n -N -p -r -w") | {"-D": "read", "-e": "write", "-o": "write"}),
    "lsdiff": Spec(options=texts("-p --strip -i --include -x --exclude -F --files")),
    "filterdiff": Spec(options=texts("-p --strip -i --include -x --exclude -F --files -# --hunks --lines")),
    "interdiff": Spec(options=texts("-p --strip-match -U --unified -d")),
    "patch": _patch,
    "gpatch": _patch,
}  # fmt: skip
