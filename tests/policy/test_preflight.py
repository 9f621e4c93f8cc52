"""What in a text a person cannot see, or would read otherwise than the shell does."""

from __future__ import annotations

from limpet.policy.preflight import MAX_BYTES, look, odd_name

ODD = [
    ("ls\0x", ["text.control"]),
    ("ls \x1b[2K x", ["text.control"]),
    ("ls \x08x", ["text.control"]),
    ("ls \x7fx", ["text.control"]),
    ("ls \x85x", ["text.control"]),
    ("ls\r\nx", ["text.return"]),
    ("ls \u202ex", ["text.direction"]),
    ("echo '\u2066x\u2069'", ["text.direction"]),
    ("ls\u200b", ["text.invisible"]),
    ("\ufeffls", ["text.invisible"]),
    ("r\u200dm x", ["text.invisible"]),
    ("r\u00adm x", ["text.invisible"]),
    ("ls \U000e0061\U000e0062", ["text.invisible"]),
    ("ls x\ufe01", ["text.invisible"]),
    ("ls \u3164", ["text.invisible"]),
    ("rm\u00a0x", ["text.blank"]),
    ("rm\u3000x", ["text.blank"]),
    ("echo 'a' rm\u3000x", ["text.blank"]),
    ("echo 'a\u2028b'", ["text.blank"]),
    ("ls \udcff", ["text.broken"]),
    ("ls" + " " * 200 + "; id", ["text.gap"]),
    ("ls" + "\n" * 60 + "id", ["text.gap"]),
    ("ls" + "\n \t" * 60 + "id", ["text.gap"]),
    ("#" * (MAX_BYTES + 1), ["text.long"]),
    ("\r\0", ["text.control", "text.return"]),
]

FINE = [
    "",
    "ls -la",
    "ls\n\tpwd\n",
    "git commit -m 'füge Größe hinzu'",
    'echo "日本語　テキスト"',
    "echo 'Où\u00a0?'",
    "echo '👩\u200d💻 works'",
    "echo '❤\ufe0f 1\ufe0f⃣'",
    "echo '\u06cc\u200c\u062e'",
    "cat src/ñandú.txt",
    "ls" + " " * 500,
    "ls" + "\n" * 100,
    "x='" + "é" * 4000 + "'",
]


def test_what_cannot_be_seen_is_found() -> None:
    assert [(text, [finding.rule for finding in look(text)]) for text, _ in ODD] == ODD


def test_what_people_write_is_fine() -> None:
    assert [text for text in FINE if look(text)] == []


def test_a_finding_says_where_and_which_character() -> None:
    (finding,) = look("é x\u200by")
    assert (finding.span, finding.message) == (
        (4, 7),
        "holds a character that cannot be seen (U+200B ZERO WIDTH SPACE)",
    )


def test_any_character_alone_can_be_looked_at() -> None:
    for code in (*range(0x3000), *range(0xD700, 0xE100), *range(0xF900, 0x10000), 0x1F600, 0xE0001, 0x10FFFF):
        assert isinstance(look(chr(code)), tuple)


def test_plain_names_are_not_odd() -> None:
    names = ["ls", "g++", "python3.12", "./run.sh", "[", ":", "a_b-c"]
    assert [name for name in names if odd_name(name)] == []


def test_names_that_are_not_what_they_look_like_are_odd() -> None:
    said = {
        "\u0441at": "U+0441 CYRILLIC SMALL LETTER ES",
        "rm\u200b": "U+200B ZERO WIDTH SPACE",
        "l s": "U+0020 SPACE",
        "größe": "U+00F6 LATIN SMALL LETTER O WITH DIAERESIS",
        "x\x1b": "U+001B",
    }
    assert {name: odd_name(name) for name in said} == said
