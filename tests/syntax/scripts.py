"""Random choices -> scripts of bash: every command, nested, with odd blanks, comments, heredocs and disguises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st

from syntax.scriptwords import Words

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

DEPTH = 3
GENERATED = settings(derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
"""The same ones each time, however long one takes."""
NOT_SHRUNK = settings(GENERATED, phases=[Phase.generate])
"""For tests that have a way of their own to make a fault small."""
COMMENTS = ("# c", "#", "# it's", '# "open', "# $(a", "# `", "# <<E", "#\\")


class Scripts(Words):
    """Writes scripts. Bodies of heredocs wait until the line on which they were announced is over."""

    def __init__(self, draw: DrawFn) -> None:
        super().__init__(draw, self.script_inside)
        self.waiting: list[str] = []
        self.heredocs = 0
        self.inside = 0

    # --- what stands between

    def blank(self) -> str:
        """Between two words."""
        return self.pick(" ", " ", " ", "  ", "\t", " \\\n", " \\\n\t ", "\\\n ") if self.rarely(3) else " "

    def maybe(self) -> str:
        """Beside an operator."""
        return self.pick("", " ", "\t", "\\\n") if self.rarely(4) else ""

    def line_end(self) -> str:
        """The end of a line, with the bodies that wait for it."""
        bodies, self.waiting = "".join(self.waiting), []
        comment = " " + self.pick(*COMMENTS) if self.rarely(6) else ""
        end = self.pick("", " ", "\t") + comment + "\n" + bodies
        return end + (self.pick("", "\n", "\t", self.pick(*COMMENTS) + "\n") if self.rarely(4) else "")

    def end(self) -> str:
        """Ends a command: a semicolon or a line."""
        return self.line_end() if self.rarely(2) else self.maybe() + ";" + self.blank()

    def break_after(self) -> str:
        """After an operator that lets the line end."""
        return self.line_end() if self.rarely(4) else self.blank()

    # --- lists

    def script_inside(self, depth: int) -> str:
        """A script in a substitution: whatever it announces, it also brings."""
        outer, self.waiting = self.waiting, []
        self.inside += 1
        text = self.list(depth, 2)
        text += self.line_end() if self.waiting or self.rarely(4) else ""
        self.waiting = outer
        self.inside -= 1
        return text

    def script(self, depth: int) -> str:
        """A whole script."""
        return self.list(depth, 4) + self.line_end()

    def list(self, depth: int, most: int) -> str:
        """Commands one after the other."""
        text = self.and_or(depth)
        for _ in range(self.number(0, most - 1)):
            text += (
                self.pick(self.end(), self.end(), self.maybe() + "&" + self.blank())
                if not self.waiting
                else self.line_end()
            )
            text += self.and_or(depth)
        return text

    def and_or(self, depth: int) -> str:
        """Pipelines joined by `&&` and `||`."""
        text = self.pipeline(depth)
        while self.rarely(5):
            text += (
                self.maybe()
                + (self.pick("&&", "||") if not self.rarely(20) else "&\\\n&")
                + self.break_after()
                + self.pipeline(depth)
            )
        return text

    def pipeline(self, depth: int) -> str:
        """Commands joined by pipes."""
        # In a substitution bash takes no reserved word after time.
        times = () if self.inside else ("time ", "time -p ", "! time ")
        text = self.pick("", "", "", "", "", "! ", *times) + self.command(depth)
        while self.rarely(5):
            text += self.maybe() + self.pick("|", "|", "|&") + self.break_after() + self.command(depth)
        return text

    # --- commands

    def command(self, depth: int) -> str:
        """Any command."""
        if depth <= 0 or self.rarely(2):
            return self.simple(depth)
        makers = (
            self.subshell, self.group, self.if_, self.while_, self.for_, self.for_arithmetic, self.case,
            self.function, self.test, self.calculation,
        )  # fmt: skip
        text = makers[self.number(0, len(makers) - 1)](depth - 1)
        while self.rarely(5):
            text += self.blank() + self.redirect(depth - 1)
        return text

    def simple(self, depth: int) -> str:
        """Assignments, words and redirections."""
        parts = [self.assignment(depth) for _ in range(self.number(0, 2))] if self.rarely(4) else []
        parts += [self.redirect(depth)] if self.rarely(8) else []
        parts += [self.command_name(depth)]
        for _ in range(self.number(0, 3)):
            parts.append(self.redirect(depth) if self.rarely(5) else self.word(depth))
        text = parts[0]
        for part in parts[1:]:
            text += self.blank() + part
        return text

    def assignment(self, depth: int) -> str:
        """`name=value`."""
        name = self.pick("a", "x1", "_y") if not self.rarely(12) else self.pick("a[0]", "a[$b]")
        if "[" not in name and self.rarely(12):
            words = [self.word(depth) for _ in range(self.number(0, 2))]
            return name + self.pick("=", "+=") + "(" + " ".join(words) + ")"
        return name + self.pick("=", "+=") + (self.word(depth) if self.rarely(2) else "")

    def redirect(self, depth: int) -> str:
        """A redirection, or a heredoc whose body is to follow."""
        if self.rarely(4):
            return self.heredoc(depth)
        if self.rarely(4):
            return self.pick("2>&1", ">&2", "<&-", "2>&-", "3<&0", ">& 2", "{fd}>&1", "3>&1-")
        number = self.pick("", "", "", "2", "12", "{fd}")
        operator = (
            self.pick("<", ">", ">>", ">|", "<>", "<<<") if number else self.pick("<", ">", ">>", "&>", "&>>", "<<<")
        )
        return number + operator + (self.pick(" ", "\\\n") if self.rarely(4) else "") + self.target(depth)

    def target(self, depth: int) -> str:
        """What a redirection opens."""
        word = self.word(depth)
        return f"''{word}" if word[0] in "-&<>(" else word

    def heredoc(self, depth: int) -> str:
        """`<<E`; its body waits for the end of the line."""
        self.heredocs += 1
        name = f"E{self.heredocs}"
        tabs = self.rarely(3)
        spelled = self.pick(name, name, f"'{name}'", f'"{name}"', f"\\{name}", f"E\\\n{self.heredocs}")
        expanded = spelled.replace("\\\n", "") == name
        lines = [self._line(depth, expanded=expanded) for _ in range(self.number(0, 2))]
        indent = self.pick("", "\t", "\t\t") if tabs else ""
        self.waiting.append("".join(f"{indent}{line}\n" for line in [*lines, name]))
        return self.pick("", "3") + ("<<-" if tabs else "<<") + self.pick("", " ") + spelled

    def _line(self, depth: int, *, expanded: bool) -> str:
        if not expanded:
            return self.pick("a", "$b", "$(c", "`", '"', "'", "\\", "a\\b", "# c", "")
        if depth > 0 and self.rarely(3):
            return "a" + self._parameter(0) + self._braced(0)
        return self.pick("a", "\\$b", '"', "'", "\\\\", "a\\b", "# c", "", "a\\`", "a\\\nb", "$(c)", "`c`", "$((1))")

    def subshell(self, depth: int) -> str:
        """`( … )`."""
        body = self.list(depth, 2)
        return "( " + body + self._closing() + ")"

    def _closing(self) -> str:
        return self.line_end() if self.waiting else self.maybe()

    def group(self, depth: int) -> str:
        """`{ …; }`."""
        return "{" + self.break_after() + self.list(depth, 2) + self.end_of_body() + "}"

    def end_of_body(self) -> str:
        """Before a reserved word that closes."""
        return self.line_end() if self.waiting else self.end()

    def _then(self, word: str, depth: int) -> str:
        broken = word[:2] + "\\\n" + word[2:] if self.rarely(12) else word
        return broken + self.break_after() + self.list(depth, 2) + self.end_of_body()

    def if_(self, depth: int) -> str:
        """`if … fi`."""
        text = self._then("if", depth) + self._then("then", depth)
        if self.rarely(3):
            text += self._then("elif", depth) + self._then("then", depth)
        return text + (self._then("else", depth) if self.rarely(2) else "") + "fi"

    def while_(self, depth: int) -> str:
        """`while … done` and `until … done`."""
        return self._then(self.pick("while", "until"), depth) + self._then("do", depth) + "done"

    def for_(self, depth: int) -> str:
        """`for x in … done` and `select`."""
        words = "".join(self.blank() + self.word(depth) for _ in range(self.number(0, 2)))
        head = self.pick("for", "select") + " " + self.pick("a", "x1")
        head += (
            self.pick(" in" + words + self.end(), self.pick(";", "\n", "") + " ")
            if not self.waiting
            else " in" + words + self.line_end()
        )
        return head + self._then("do", depth) + "done"

    def for_arithmetic(self, depth: int) -> str:
        """`for ((…; …; …))`."""
        parts = [self.sum(0) if self.rarely(2) else "" for _ in range(3)]
        return "for ((" + ";".join(parts) + "))" + self.pick(";", "") + " " + self._then("do", depth) + "done"

    def case(self, depth: int) -> str:
        """`case … esac`."""
        text = "case" + self.blank() + self.word(depth) + self.blank() + "in" + self.break_after()
        for _ in range(self.number(0, 2)):
            patterns = [self.word(depth) for _ in range(self.number(1, 2))]
            text += (
                self.pick("(", "(", "( ") + self.pick("|", " | ").join(patterns) + self.pick(")", " )") + self.blank()
            )
            text += self.list(depth, 2) if self.rarely(2) else ""
            text += self._closing() + self.pick(";;", ";;", ";&", ";;&") + self.break_after()
        return text + "esac"

    def function(self, depth: int) -> str:
        """A function, in each spelling."""
        name = self.pick("f", "g1", "a-b")
        head = self.pick(f"{name}()", f"{name} ( )", f"function {name}", f"function {name} ()") + self.pick(
            " ", "\n", " # c\n"
        )
        return head + (self.group(depth) if self.rarely(2) or head.startswith("function") else self.subshell(depth))

    def test(self, depth: int) -> str:
        """`[[ … ]]`."""
        tests = [self._test(depth) for _ in range(self.number(1, 2))]
        return "[[ " + self.pick(" && ", " || ", " &&\n").join(tests) + " ]]"

    def _test(self, depth: int) -> str:
        word = self.word(depth)
        form = self.pick("-f {}", "{} == a*", "! -n {}", "( {} )", "a != {}", "{} -lt 1", "{} < b", "a =~ ^(b|c).*$")
        return form.replace("{}", f"''{word}" if word[0] in "-<>(!" else word)

    def calculation(self, depth: int) -> str:
        """`(( … ))`."""
        return "((" + self.sum(depth) + "))"


@st.composite
def scripts(draw: DrawFn) -> str:
    """A script that bash accepts, most of the time."""
    return Scripts(draw).script(draw(st.integers(0, DEPTH)))
