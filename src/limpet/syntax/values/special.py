"""Names of variables -> whether bash changes them on its own, so that what was assigned says nothing."""

from __future__ import annotations

RESTLESS = frozenset(
    (
        "_", "BASHOPTS", "BASHPID", "BASH_ALIASES", "BASH_ARGC", "BASH_ARGV", "BASH_ARGV0", "BASH_CMDS",
        "BASH_COMMAND", "BASH_COMPAT", "BASH_EXECUTION_STRING", "BASH_LINENO", "BASH_REMATCH", "BASH_SOURCE",
        "BASH_SUBSHELL", "BASH_VERSINFO", "BASH_VERSION", "BASH_XTRACEFD", "COLUMNS", "COMPREPLY", "COMP_CWORD",
        "COMP_KEY", "COMP_LINE", "COMP_POINT", "COMP_TYPE", "COMP_WORDBREAKS", "COMP_WORDS", "COPROC",
        "COPROC_PID", "DIRSTACK", "EPOCHREALTIME", "EPOCHSECONDS", "EUID", "FUNCNAME", "GROUPS", "HISTCMD",
        "LINENO", "LINES", "MAPFILE", "OPTARG", "OPTERR", "OPTIND", "PIPESTATUS", "POSIXLY_CORRECT", "PPID",
        "RANDOM", "READLINE_ARGUMENT", "READLINE_LINE", "READLINE_MARK", "READLINE_POINT", "REPLY", "SECONDS",
        "SHELLOPTS", "SHLVL", "SRANDOM", "UID",
    )
)  # fmt: skip
