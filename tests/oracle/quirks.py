"""Where shfmt and bash part -> the name of the quirk; each has a reason and an example, and the tests try them all."""

from __future__ import annotations

import re

import msgspec


class Quirk(msgspec.Struct, frozen=True):
    """Something that shfmt is known to refuse, or to read in another way than bash."""

    name: str
    reason: str
    example: str
    complaint: str = ""
    """What it says when it refuses; a pattern."""
    text: str = ""
    """What stands in a script that it reads in another way; a pattern."""


REFUSALS = (
    Quirk("! inside time", "bash takes any number of ! and time in any order", "time ! a",
          complaint="`!` can only be used in full statements"),
    Quirk("several !", "bash counts them", "! ! a", complaint="cannot negate a command multiple times"),
    Quirk("lone !", "bash lets ! stand before nothing", "!", complaint="`!` cannot form a statement alone"),
    Quirk("arithmetic is read early", "bash looks into arithmetic only when it computes it", "(( a # b ))",
          complaint="not a valid arithmetic operator"),
    Quirk("missing operand", "bash looks into arithmetic only when it computes it", "$((1+))",
          complaint=r"`[^`(\[]+` must be followed by an expression|ternary operator missing|must follow a name"),
    Quirk("no arithmetic inside", "bash computes nothing as 0, and looks into subscripts late", "$(())",
          complaint=r"`(\$\(\(|\[)` must be followed by an expression"),
    Quirk("continuation inside an operator", "to bash a backslash and a line end are not there", "a &\\\n& b",
          complaint="`[&;]` can only immediately follow a statement|`[|<>]` must be followed by a (statement|word)"
          "|not a valid test operator: `[&|]`|case patterns must consist of words"),
    Quirk("continuation after a dollar", "to bash a backslash and a line end are not there", "a$\\\n((1))",
          complaint=r"`\(\(` can only be used to open an arithmetic cmd|not a valid parameter expansion operator"),
    Quirk("arithmetic that is a subshell", "bash reads `((` again as two subshells when no `))` ends it", "((a) | b)",
          complaint=r"reached `(\)|EOF)` without matching `(\$\(\(|\(\()`"),
    Quirk("${##b}", "bash removes b from $#", "${##b}",
          complaint="cannot combine multiple parameter expansion operators"),
    Quirk("operator that is found out late", "bash refuses an unknown `${a@Z}` only when it expands it", "${a@Z}",
          complaint="invalid @ expansion operator"),
    Quirk("expansion in a delimiter", "bash takes the delimiter of a heredoc as it is written", "a <<$b\nc\n$b",
          complaint="expansions not allowed in heredoc words"),
    Quirk("heredoc without an end", "bash warns, and the end of the text ends it", "a <<E\nb",
          complaint="unclosed here-document"),
    Quirk("select with braces", "bash takes { } for do and done here too", "select x in a; { b; }",
          complaint="`select foo .in words.` must be followed by `do`"),
    Quirk("function without braces", "bash takes any compound command as the body", "function f while a; do b; done",
          complaint=r"multi-name functions|`function foo\(` must be followed by|anonymous functions"),
    Quirk("odd function name", "bash takes any word here, and may refuse it when it is run", "'f'() { a; }",
          complaint="invalid func name|`function` must be followed by a name"),
    Quirk("array before a command", "bash reads them, and ignores or exports them", "x[1]=a b",
          complaint="inline variables cannot be arrays"),
    Quirk("subscript without =", "to bash this is just a word", "x[1]a=b",
          complaint=r"`(a\[b\]|\[x\])` must be followed by"),
    Quirk("array in an element", "bash refuses it only when it assigns", "x[1]=(a)",
          complaint="arrays cannot be nested"),
    Quirk("array after eval", "bash takes name=(…) after every builtin that it knows to assign", "eval x=(a)",
          complaint=r"a command can only contain words and redirects; encountered `\(`"),
    Quirk("redirection before declare", "bash lets it stand anywhere", ">a declare x=(b)",
          complaint="redirects before compound commands are a zsh feature"),
    Quirk("backslash at the end of a comment", "to bash the comment ends there all the same", "{ a; } #\\\nb",
          complaint="statements must be separated by|`do` can only be used in a loop"),
    Quirk("= in an array", "to bash it is a character like any other", "x=(''=a)",
          complaint="array element values must be words"),
)  # fmt: skip

READINGS = (
    Quirk("carriage return", "shfmt drops it, to bash it is a character like any other", "a\r", text=r"\r"),
    Quirk("continuation inside a token", "to bash a backslash and a line end are not there", "a$\\\n{x}",
          text=r"[^\s\\]\\\n"),
    Quirk("process substitution in an operand", "bash expands it, shfmt takes it for text", "${a:-<(b)}",
          text=r"\$\{[^}\n]*[<>]\("),
    Quirk("single quotes in a subscript", "bash may yet expand what they quote, when it computes the subscript",
          "x['$a']=b", text=r"\['[^']*[$`]"),
    Quirk("nested backticks", "shfmt counts the backslashes before inner backticks in another way",
          "`a \\`b \\\\\\`c\\\\\\`\\``", text=r"`[^`]*\\[\\$`]"),
    Quirk("empty element", "shfmt takes the next word for the value", "x=([1]= a)", text=r"\]=[\s)]|\]\s+="),
    Quirk("! before (", "without extglob, !( is a negated subshell to bash", "!(a)", text=r"!\("),
    Quirk("coproc", "shfmt takes the first word before a redirection for a name, and assignments for words",
          "coproc a >b", text=r"\bcoproc\b"),
    Quirk("continuation before a delimiter", "bash joins the lines of a body before it looks for the delimiter",
          "a <<E\n\\\nE\nE", text=r"\n\\\n"),
    Quirk("# after a quoted delimiter", "to bash it is part of the delimiter", "<<'E'#\nE\n",
          text=r"""<<-?[ \t]*[^\s]*['"]#"""),
    Quirk("escaped quote in backticks", "inside double quotes the backslash is that of the backticks",
          '"`a \\"b\\"`"', text=r'`[^`]*\\"'),
    Quirk("number too large for a descriptor", "to bash it is a word", "a 2147483648>b", text=r"\b[0-9]{10,}[<>]"),
    Quirk("word after >&-", "to bash the minus is a target by itself", "a >&-2", text=r"[<>]&\s*-[^\s;&|()<>]"),
    Quirk("delimiter behind an expansion", "to bash only a whole line ends a heredoc", '<<E\n${y#""}E',
          text=r"\}\w+\Z"),
    Quirk("time in a pipe", "bash knows time only before a whole pipeline", "a | time b", text=r"\|\s*time\b"),
)  # fmt: skip


def of_complaint(complaint: str) -> str:
    """The name of the quirk that makes shfmt refuse, if it is known."""
    return next((quirk.name for quirk in REFUSALS if re.search(quirk.complaint, complaint)), "")


def of_text(text: str) -> str:
    """The names of the quirks that may make shfmt read in another way."""
    return ", ".join(quirk.name for quirk in READINGS if re.search(quirk.text, text))
