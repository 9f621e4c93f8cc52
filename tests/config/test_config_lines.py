from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from limpet.config.lines import dotted_line, key_lines

VALUES = st.sampled_from(
    [
        "1",
        "1.5",
        "-2e-3",
        "true",
        "2020-01-02T03:04:05.678Z",
        '"text # = [ { \\" \\\\"',
        "'C:\\'",
        "''",
        '""',
        '"""one\nrun.timeout = 1\n[run]\n"""',
        '"""two \\"""\n x = 1 ""\n"""',
        '""""quoted"""""',
        '"""\\\n   joined"""',
        "'''raw \\\n''\n[output]\n'''",
        "'''it''s'''''",
        '[1, 2,\n # [ { "\n 3,\n]',
        '["a", \'b]\',\n """c\n]""" ]',
        "[[1, [2]], [{ z = 1 }, { z.y = 2 }]]",
        "[]",
        "{}",
        "[ {}, {} ]",
        '{ p = 1, "q r" = [ 1,\n 2 ], s.t = "}" }',
        '{ p = """x"""", q = """""y""", r = \'\'\'z\'\'\'\' }',
        "{ u = { v = { w = [ { x = 1 } ] } }, y = '''\n''' }",
    ]
)
INNER: dict[str, dict[tuple[str, ...], int]] = {
    '{ p = """x"""", q = """""y""", r = \'\'\'z\'\'\'\' }': {("p",): 0, ("q",): 0, ("r",): 0},
    '{ p = 1, "q r" = [ 1,\n 2 ], s.t = "}" }': {("p",): 0, ("q r",): 0, ("s",): 1, ("s", "t"): 1},
    "{ u = { v = { w = [ { x = 1 } ] } }, y = '''\n''' }": {
        ("u",): 0,
        ("u", "v"): 0,
        ("u", "v", "w"): 0,
        ("u", "v", "w", "x"): 0,
        ("y",): 0,
    },
    "[[1, [2]], [{ z = 1 }, { z.y = 2 }]]": {("z",): 0, ("z", "y"): 0},
}
ENDINGS = st.sampled_from(["\n", " # x = 1 [y]\n", "\t\n", "\r\n", "\n\n# [run]\n\n"])
KEYS = st.sampled_from(["{}", '"{}"', "'{}'", '"a.b\\t{}"', "{}.x", '{} . "y z" . w', "'{}'.\"\\u0041\"", "{}.''"])


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[tuple[str, ...], int]]:
    """A valid document, and the line of each key and of each table, noted down while writing it."""
    text = draw(st.sampled_from(["", "\n", "# first\n"]))
    table: tuple[str, ...] = ()
    lines: dict[tuple[str, ...], int] = {}
    for number in range(draw(st.integers(0, 8))):
        header = draw(st.sampled_from(["", "", "[{}]", "[[{}]]", "[ {} ]"]))
        key = draw(KEYS).format(f"k{number}")
        value = draw(VALUES)
        path = parts(key) if header else table + parts(key)
        line = text.count("\n") + 1
        for length in range(1, len(path) + 1):
            lines.setdefault(path[:length], line)
        table = path if header else table
        for inner, offset in () if header else INNER.get(value, {}).items():
            lines.setdefault(path + inner, line + offset)
        text += (header.format(key) if header else f"{draw(st.sampled_from(['', '  ']))}{key} = {value}") + draw(
            ENDINGS
        )
    return text, lines


def parts(key: str) -> tuple[str, ...]:
    found: list[str] = []
    node: object = tomllib.loads(f"{key} = 0")
    while isinstance(node, dict):
        found.append(next(iter(node)))
        node = node[found[-1]]
    return tuple(found)


@settings(deadline=None, max_examples=300)
@given(documents())
def test_each_key_is_found_on_the_line_where_it_was_written(document: tuple[str, dict[tuple[str, ...], int]]) -> None:
    text, lines = document
    tomllib.loads(text)
    assert key_lines(text) == lines


@settings(deadline=None, max_examples=500)
@given(
    st.lists(st.sampled_from([*"[]{}=.,#\n \"'\\a1", '"""', "'''", "[[", "]]", "a=1\n", "b.c"]), max_size=30).map(
        "".join
    )
)
def test_any_text_is_walked_and_every_valid_key_is_found(text: str) -> None:
    dotted_line(text, more_than=2)
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert set(key_lines(text)) >= {(key,) for key in tables}


@pytest.mark.parametrize("key", ["a.b.c.d", "a . b.c .d", "'a'.\"b\".c.d"])
@pytest.mark.parametrize("before", ["", "x = 1.5\n", 'x = "1.2.3.4.5"\n', "# a.b.c.d.e\n", "x = '''\n'''\n"])
def test_a_key_with_too_many_dots_is_found_wherever_it_stands(before: str, key: str) -> None:
    line = before.count("\n") + 1
    found = [
        dotted_line(before + form.format(key), more_than=2)
        for form in ("{}=1", "[{}]", "[[{}]]", "y={{{}=1}}", "y=[{{{}=1}}]")
    ]
    assert found == [line] * 5
    assert dotted_line(before + key, more_than=3) is None
