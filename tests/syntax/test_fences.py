from __future__ import annotations

import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from limpet.syntax.fences import fences

pytestmark = pytest.mark.req("ZE-01")

PIECES = [
    *("```bash", "```", "~~~sh", "~~~", "````shell", "````", "```py", "```bash\n", "```\n", " `x`"),
    *(" ", "  ", "   ", "    ", "> ", ">", "- ", "-", "* ", "1. ", "2) ", "10. "),
    *("a", "b c", "#", "# ", "---", "===", "\n", "\n", "\n", "\n\n", "\r\n", "\r"),
]


def blocks_by_commonmark(text: str) -> list[str]:
    """What an independent CommonMark parser makes of the same text."""
    tokens = MarkdownIt("commonmark", {"maxNesting": 100}).disable("html_block").parse(text)
    found = [(re.match(r"\s*([\w+#.-]+)", token.info), token.content) for token in tokens if token.type == "fence"]
    return [text for name, text in found if name and name[1] in {"bash", "sh", "shell"} and text.strip()]


@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
@settings(deadline=None, max_examples=800)
def test_fences_are_where_commonmark_sees_them(text: str) -> None:
    assume(not re.search(r" {4}>", text))  # the other parser takes an indented `>` in a quoted fence for a quote
    ours = [block.rstrip() for block in fences(text)]
    assert ours == [block.rstrip() for block in blocks_by_commonmark(text)]


@given(st.text(st.one_of(st.sampled_from("`~>-*1. \t\n\r<!bashc"), st.characters())))
@settings(deadline=None)
def test_any_text_is_read(text: str) -> None:
    assert all(block.strip() and "\r" not in block for block in fences(text))


def test_blocks_come_in_order_with_their_text_as_it_stands() -> None:
    answer = "First:\n\n```bash\ncd src\n\n  ls -l  \n```\n\nthen\n\n```sh\nmake\n```\nand\n```shell\nmake check\n```\n"
    assert fences(answer) == ["cd src\n\n  ls -l  ", "make", "make check"]


@pytest.mark.parametrize(
    ("name", "answer", "blocks"),
    [
        ("tildes", "~~~bash\nls\n~~~\n", ["ls"]),
        ("a tilde fence is not closed by backticks", "~~~bash\nls\n```\n~~~\n", ["ls\n```"]),
        ("a longer fence holds a shorter one", "````bash\ncat <<E\n```\nE\n````\n", ["cat <<E\n```\nE"]),
        ("a longer fence closes", "```bash\nls\n`````\nx\n", ["ls"]),
        ("a block shown inside another", "````markdown\n```bash\nrm x\n```\n````\n", []),
        ("a closing fence has no words", "```bash\nls\n``` bash\n```\n", ["ls\n``` bash"]),
        ("the fence's own indentation goes", "  ```bash\n  a\n    b\n c\n  ```\n", ["a\n  b\nc"]),
        ("three spaces", "   ```bash\n   ls\n   ```\n", ["ls"]),
        ("four spaces make it code", "    ```bash\n    ls\n    ```\n", []),
        ("a tab makes it code", "\t```bash\n\tls\n\t```\n", []),
        ("tabs inside are kept", "```bash\n\tcat <<-E\n\tE\n```\n", ["\tcat <<-E\n\tE"]),
        ("a tab after a quote mark", ">\t```bash\n>\tls\n>\t\tls\n", ["ls\n\tls"]),
        ("a tab after a list mark", "-\t```bash\n\tls\n\t```\n", ["ls"]),
        ("extras", '```bash title="x" {1,3}\nls\n```\n', ["ls"]),
        ("space before the name", "``` bash\nls\n```\n", ["ls"]),
        ("braces", "```{.bash .numberLines}\nls\n```\n```{bash}\npwd\n```\n", ["ls", "pwd"]),
        ("capitals", "```Bash\nls\n```\n~~~SH\npwd\n~~~\n", ["ls", "pwd"]),
        ("a backtick in the info line", "```bash `x`\nls\n", []),
        ("a backtick after tildes", "~~~bash `x`\nls\n", ["ls"]),
        ("unclosed", "```bash\nls\npwd", ["ls\npwd"]),
        ("unclosed and never begun", "```bash", []),
        ("windows lines", "```bash\r\nls\r\npwd\r\n```\r\n", ["ls\npwd"]),
        ("other languages", "```python\nx\n```\n```zsh\nx\n```\n```\nx\n```\n```bashful\nx\n```\n", []),
        ("sessions", "".join(f"```{x}\n$ ls\n```\n" for x in ("console", "shell-session", "sh-session", "text")), []),
        ("empty and blank", "```bash\n```\n```bash\n\n  \n```\n", []),
        ("not at the start of a line", "Run ```bash\nls\n```\n", []),
        ("inline", "Use ```bash ls``` now\n", []),
        ("in a quote", "> ```bash\n> ls\n>\n> pwd\n> ```\n", ["ls\n\npwd"]),
        ("a quote that ends takes its fence along", "> ```bash\n> ls\nrm x\n", ["ls"]),
        (
            "in a list",
            "1. Do:\n\n   ```bash\n   if x; then\n     ls\n   fi\n   ```\n2. Done\n",
            ["if x; then\n  ls\nfi"],
        ),
        ("a list mark before the fence", "- ```bash\n  ls\n  ```\n", ["ls"]),
        ("a list that ends takes its fence along", "- ```bash\n  ls\nrm x\n", ["ls"]),
        ("in a list in a list in a quote", "> - a\n>   1. ```bash\n>      ls\n>      ```\n", ["ls"]),
        ("a blank line in a list's fence", "- ```bash\n  ls\n\n  pwd\n  ```\n", ["ls\n\npwd"]),
        ("a list after a lazy line", "10. a\nb\n    ```bash\n    ls\n    ```\n", ["ls"]),
        ("an empty list item ends at a blank line", "-\n\n  ```bash\n  ls\nls x\n", ["ls\nls x"]),
        ("one that holds an empty list does not", "* -\n\n  ```bash\n  ls\nls x\n", ["ls"]),
        ("a list that may not interrupt a paragraph", "a\n2. ```bash\n   ls\n", []),
        ("a list below a heading", "a\n===\n2. ```bash\n   ls\n", ["ls"]),
        ("a rule is no list", "* * *\n    ```bash\n    ls\n", []),
        ("in a comment", "<!--\n```bash\nrm x\n```\n-->\n```bash\nls\n```\n", ["ls"]),
        ("after a comment of one line", "<!-- x -->\n```bash\nls\n```\n", ["ls"]),
        ("a comment ends with its quote", "> <!--\n```bash\nls\n```\n", ["ls"]),
        ("below a tag", "<answer>\n```bash\nls\n```\n</answer>\n", ["ls"]),
        ("no text", "", []),
    ],
)
def test_each_way_to_write_a_block(name: str, answer: str, blocks: list[str]) -> None:
    assert fences(answer) == blocks


@pytest.mark.parametrize(
    "answer",
    [
        "1. " * 3000 + "\n" * 3000,
        ">" * 30000 + "\n",
        "`" * 30000 + "x`",
        "- " * 30000 + "x",
        "<!--" * 9000,
        "- \t" * 9000,
    ],
)
def test_deep_and_endless_nesting_is_read(answer: str) -> None:
    assert fences(answer) == []
