"""Tools that tell about files -> what they read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from limpet.policy.effect import Effect, read, write
from limpet.policy.options import parse_options
from limpet.policy.tools.spec import Spec
from limpet.policy.tools.tables import texts
from limpet.syntax.values.field import known

if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.policy.command import Command
    from limpet.policy.tools.spec import Rule


def _file(command: Command) -> Iterator[Effect]:
    parsed = parse_options(
        command.arguments, values="mfFeP",
        long_values=("--exclude", "--exclude-quiet", "--files-from", "--magic-file", "--parameter", "--separator"),
        long_flags=("--compile", "--mime", "--mime-type", "--mime-encoding", "--brief", "--dereference"),
    )  # fmt: skip
    yield from map(read, parsed.values("-m", "--magic-file", "-f", "--files-from"))
    if parsed.has("-C", "--compile"):
        yield write(known("magic.mgc"))
    yield from map(read, parsed.operands)


_LS = Spec(
    options=texts(
        "-I --ignore --hide -w --width -T --tabsize --block-size --format --sort --time --time-style --quoting-style "
        "--indicator-style"
    ),
    flags="--all --almost-all --author --color --directory --group-directories-first --human-readable --hyperlink",
)
_EZA = Spec(
    options=texts(
        "-s --sort -L --level -I --ignore-glob -t --time --time-style -w --width --color-scale-mode --smart-group "
        "--git-repos-no-status"
    )
)
_STAT = Spec(options=texts("-c --format --printf"), flags="--file-system --terse --dereference")
_ABOUT_NAMES = Spec(operands="text*", options=texts("-s --suffix"), flags="--multiple --zero")

TOOLS: dict[str, Spec | Rule] = {
    "ls": _LS,
    "gls": _LS,
    "dir": _LS,
    "vdir": _LS,
    "ll": _LS,
    "eza": _EZA,
    "exa": _EZA,
    "lsd": Spec(options=texts(
        "--color --icon --icon-theme --size --date --depth --permission --sort -I --ignore-glob --blocks --group-dirs"
    ) | {"--config-file": "read"}),
    "tree": Spec(
        options=texts(
            "-L -P -I -H -T --charset --filelimit --timefmt --sort --hintro --houtro --metafirst"
        ) | {"-o": "write", "--gitfile": "read", "--infofile": "read"},
        ask={"-R": "writes an index into each folder"},
    ),
    "stat": _STAT,
    "gstat": _STAT,
    "du": Spec(
        options=texts("-d --max-depth -B --block-size -t --threshold --exclude --time-style")
        | {"-X": "read", "--exclude-from": "read", "--files0-from": "read"},
        flags="--all --apparent-size --bytes --total --human-readable --summarize --time --one-file-system",
    ),
    "df": Spec(options=texts("-B --block-size -t --type -x --exclude-type"), flags="--output --total"),
    "dust": Spec(options=texts("-d --depth -n --number-of-lines -X --ignore-directory -v -e -t -z --min-size")),
    "ncdu": Spec(options={"-o": "write", "-f": "read", "--exclude": "text", "-X": "read", "--color": "text"}),
    "realpath": Spec(operands="text*", options=texts("--relative-to --relative-base")),
    "grealpath": Spec(operands="text*", options=texts("--relative-to --relative-base")),
    "readlink": Spec(operands="text*"),
    "greadlink": Spec(operands="text*"),
    "basename": _ABOUT_NAMES,
    "dirname": _ABOUT_NAMES,
    "pathchk": Spec(operands="text*"),
    "namei": Spec(operands="text*"),
    "mountpoint": Spec(operands="text*"),
    "findmnt": Spec(operands="text*"),
    "getfacl": Spec(),
    "getfattr": Spec(options=texts("-n --name -e --encoding -m --match")),
    "lsattr": Spec(),
    "file": _file,
}  # fmt: skip
