"""Whatever else stands in a configuration file, and however it is laid out: it stays, and undo restores every byte."""

from __future__ import annotations

import json
import os
import re
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from limpet.surfaces.install.agents import HOOK, MCP, WRAP, Wish, entries
from limpet.surfaces.install.doing import InstallError, install, planned, undo, undoing
from limpet.surfaces.install.jsonc import UnreadableError, parse
from limpet.surfaces.install.ledger import Ledger

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT = int(os.environ.get("LIMPET_INIT_EXAMPLES", "30"))
"""Set it higher to search longer."""
KEYS = st.sampled_from(["hooks", "PreToolUse", "mcpServers", "limpet", "other", "env", "é", 'q"uote', "", "matcher"])
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(-(10**9), 10**9), st.text(max_size=8))
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
HOOKS = st.fixed_dictionaries(
    {},
    optional={
        "PreToolUse": st.lists(
            st.sampled_from([{"matcher": "Edit", "hooks": [{"type": "command", "command": "x"}]}]), max_size=2
        ),
        "Stop": VALUES,
    },
)
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "hooks": HOOKS,
        "env": st.dictionaries(st.sampled_from(["A", "B"]), st.text(max_size=3)),
        "other": VALUES,
        "more": VALUES,
    },
)
BLANKS = st.sampled_from(
    ["", " ", "\n", "\n\n    ", "\t", " // a comment\n", "/* another */", "\r\n", " /* over\n lines */ "]
)


@st.composite
def written(draw: st.DrawFn, value: object) -> str:
    """The value as JSON in one of its many layouts, with comments and trailing commas."""
    style = draw(st.sampled_from(["one line", "two", "four", "tabs", "wild"]))
    if style != "wild":
        indent: int | str | None = {"one line": None, "two": 2, "four": 4, "tabs": "\t"}[style]
        text = json.dumps(value, indent=indent, ensure_ascii=draw(st.booleans()))
        return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))) + draw(st.sampled_from(["", "\n"]))
    return draw(BLANKS) + _wild(draw, value) + draw(BLANKS)


def _wild(draw: st.DrawFn, value: object) -> str:
    if not isinstance(value, (dict, list)):
        return json.dumps(value)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}{draw(BLANKS)}:{draw(BLANKS)}{_wild(draw, each)}" for key, each in value.items()]
    else:
        parts = [_wild(draw, each) for each in value]
    inner = ",".join(f"{draw(BLANKS)}{part}{draw(BLANKS)}" for part in parts)
    trailing = draw(st.sampled_from(["", ","])) + draw(BLANKS) if parts else draw(BLANKS)
    return ("{%s}" if isinstance(value, dict) else "[%s]") % (inner + trailing)


def tried(
    name: str, data: bytes, parts: set[str], agent: str, between: Callable[[bytes], bytes] = bytes
) -> list[bytes]:
    """What is in the file before, after, and after undo."""
    with tempfile.TemporaryDirectory() as folder:
        wish = Wish(parts=frozenset(parts), project=folder, environ=dict(os.environ))
        file = Path(folder, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        wanted = [entry for entry in entries(agent, wish) if entry.file == str(file)]
        ledger = Ledger(os.path.join(folder, "state"))
        steps = planned(wanted)
        install(steps, ledger)
        assert planned(wanted) == []
        after = file.read_bytes()
        file.write_bytes(between(after))
        undo(undoing(wanted, ledger), ledger)
        return [data, after, file.read_bytes()]


def comments(text: str) -> list[str]:
    """In order; texts that look like some are in both."""
    return [found.rstrip("\r") for found in re.findall(r"//[^\n]*|/\*.*?\*/", text, re.DOTALL)]


@settings(max_examples=COUNT, deadline=None)
@given(document=DOCUMENTS, data=st.data(), parts=st.sets(st.sampled_from([HOOK, WRAP]), min_size=1))
def test_settings_of_claude_stay_what_they_are(document: dict[str, Any], data: st.DataObject, parts: set[str]) -> None:
    text = data.draw(written(document))
    before, after, undone = tried(".claude/settings.json", text.encode(), parts, "claude")
    assert undone == before
    now = parse(after.decode()).value
    if HOOK in parts:
        assert "limpet-hook" in json.dumps(now["hooks"]["PreToolUse"].pop())
    if WRAP in parts:
        assert "limpet wrap" in now["env"].pop("CLAUDE_CODE_SHELL_PREFIX")
    assert _without_empty(now) == _without_empty(document)
    assert comments(after.decode()) == comments(text)


def _without_empty(document: dict[str, Any]) -> dict[str, Any]:
    """What was made only to put something into it is empty without that."""
    hooks = {name: value for name, value in document.get("hooks", {}).items() if (name, value) != ("PreToolUse", [])}
    rest = {name: value for name, value in document.items() if name != "hooks" and (name, value) != ("env", {})}
    return {**rest, "hooks": hooks} if hooks else rest


@settings(max_examples=COUNT, deadline=None)
@given(document=st.dictionaries(KEYS, VALUES, max_size=4), data=st.data())
def test_any_object_takes_a_server_or_is_left_alone(document: dict[str, Any], data: st.DataObject) -> None:
    text = data.draw(written(document))
    fits = isinstance(document.get("mcpServers", {}), dict)
    try:
        before, after, undone = tried(".mcp.json", text.encode(), {MCP}, "claude")
    except InstallError:
        assert not fits
        return
    assert (fits, undone) == (True, before)
    assert parse(after.decode()).value["mcpServers"]["limpet"]["args"] == ["mcp"]


@settings(max_examples=COUNT, deadline=None)
@given(document=DOCUMENTS, data=st.data())
def test_what_is_put_in_front_meanwhile_stays(document: dict[str, Any], data: st.DataObject) -> None:
    text = data.draw(written(document))

    def changed(after: bytes) -> bytes:
        return b"// somebody was here\n" + after

    before, _, undone = tried(".claude/settings.json", text.encode(), {HOOK}, "claude", changed)
    assert undone == changed(before)


@settings(max_examples=COUNT, deadline=None)
@given(document=DOCUMENTS, data=st.data(), parts=st.sets(st.sampled_from([HOOK, WRAP]), min_size=1))
def test_a_file_that_was_written_anew_loses_nothing_but_ours(
    document: dict[str, Any], data: st.DataObject, parts: set[str]
) -> None:
    def anew(after: bytes) -> bytes:
        found: str = data.draw(written({**parse(after.decode()).value, "since": 1}))
        return found.encode()

    text = data.draw(written(document))
    _, _, undone = tried(".claude/settings.json", text.encode(), parts, "claude", anew)
    assert parse(undone.decode()).value == {**document, "since": 1}


LINES = st.lists(
    st.sampled_from(
        [
            "# a comment",
            'model = "x"',
            "[a]",
            "[a.b]",
            "[[c]]",
            "",
            "  x = 1 # y",
            "[mcp_servers.other]",
            "z = '''\n[q]\n'''",
        ]
    ),
    unique=True,
    max_size=8,
)


@settings(max_examples=COUNT, deadline=None)
@given(lines=LINES, newline=st.sampled_from(["\n", "\r\n"]), end=st.booleans())
@example(lines=["[mcp_servers]"], newline="\n", end=False)
def test_toml_stays_what_it_is(lines: list[str], newline: str, end: bool) -> None:
    text = newline.join(lines) + (newline if end else "")
    try:
        known = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    before, after, undone = tried(".codex/config.toml", text.encode(), {MCP}, "codex")
    assert (undone, after[: len(before)]) == (before, before)
    now = tomllib.loads(after.decode())
    assert now["mcp_servers"].pop("limpet") == {"command": "limpet", "args": ["mcp"]}
    assert {**now, "mcp_servers": now["mcp_servers"] or None} == {
        **known,
        "mcp_servers": known.get("mcp_servers") or None,
    }


@settings(max_examples=COUNT, deadline=None)
@given(st.text(alphabet='{}[]",:/* \n1at\\', max_size=40))
def test_any_text_is_read_or_refused_with_its_line(text: str) -> None:
    try:
        value = parse(text).value
    except UnreadableError as error:
        assert str(error).startswith("line ")
        return
    if "/" not in text:
        assert json.loads(re.sub(r",(\s*[}\]])", r"\1", text)) == value
